import { createStore } from '../lib/store.ts'
import { endSession, sessionToken } from './session-store.ts'

/** An answer that is not a yes. `code` is stable, `detail` is a sentence for a person. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly errors: { field: string; message: string }[]
  /** Members that some codes carry, such as `substitutes`. */
  readonly more: Record<string, unknown>

  constructor(status: number, code: string, detail: string, more: Record<string, unknown> = {}) {
    super(detail)
    this.status = status
    this.code = code
    this.errors = (more.errors as { field: string; message: string }[] | undefined) ?? []
    this.more = more
  }
}

/** Whether the server answers; the banner at the top looks at it. */
export const connection = createStore<'fine' | 'lost' | 'busy'>('fine')

const LOOK_MS = 2_000

/** While the server does not answer, asks it again and again who we are, until it does. */
export function watchConnection(): void {
  let timer: ReturnType<typeof setInterval> | undefined
  const look = () =>
    callOnce('GET', '/api/v3/session', {}).then(
      () => connection.set('fine'),
      (error: unknown) => {
        // Any answer but "not ready" shows that the server is back.
        if (error instanceof ApiProblem && !isTransient(error)) connection.set('fine')
      },
    )
  connection.subscribe(() => {
    clearInterval(timer)
    if (connection.get() !== 'fine') timer = setInterval(() => void look(), LOOK_MS)
  })
}

function isTransient({ status }: ApiProblem): boolean {
  return status === 0 || status === 503
}

export interface CallOptions {
  /** Values for `{names}` in the path. */
  path?: Record<string, string>
  query?: Record<string, string | number | boolean | string[] | undefined>
  body?: unknown
  /** Repeating the call with the same key cannot do its work twice. */
  idempotencyKey?: string
  signal?: AbortSignal | undefined
}

const TRIES = 4
const WAIT_MS = 700

/** Calls the documented interface. Reads are tried again while the server is starting. */
export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  const isRepeatable = method === 'GET' || isSearch(path) || options.idempotencyKey !== undefined
  for (let tried = 1; ; tried++) {
    try {
      const answer = await callOnce<T>(method, path, options)
      connection.set('fine')
      return answer
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      if (isTransient(error)) connection.set(error.status === 0 ? 'lost' : 'busy')
      if (!isTransient(error) || !isRepeatable || tried === TRIES) throw error
      await wait(WAIT_MS * tried, options.signal)
    }
  }
}

function isSearch(path: string): boolean {
  return /(search|query|preview|templates)$/.test(path)
}

async function callOnce<T>(method: string, path: string, options: CallOptions): Promise<T> {
  const response = await send(method, urlOf(path, options), options)
  if (response.status === 204) return undefined as T
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  const body: unknown = isJson ? await response.json() : await response.text()
  if (response.ok) return body as T
  throw problemFrom(response.status, body)
}

async function send(method: string, url: string, options: CallOptions): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json' }
  const token = sessionToken()
  if (token) headers.Authorization = `Bearer ${token}`
  if (options.body !== undefined) headers['Content-Type'] = 'application/json'
  if (options.idempotencyKey) headers['Idempotency-Key'] = options.idempotencyKey
  try {
    return await fetch(url, {
      method,
      headers,
      cache: 'no-store',
      credentials: 'omit',
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
      ...(options.signal && { signal: options.signal }),
    })
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new ApiProblem(0, 'connection_lost', 'The server cannot be reached. Trying again …')
  }
}

/** Turns an error answer into a problem; an ended session sends the person to the way in. */
export function problemFrom(status: number, body: unknown): ApiProblem {
  const more = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const detail = typeof more.detail === 'string' ? more.detail : `The server answered ${status}.`
  const code = typeof more.code === 'string' ? more.code : 'unknown'
  if (status === 401 && sessionToken()) endSession(detail)
  return new ApiProblem(status, code, detail, more)
}

export function urlOf(path: string, { path: values = {}, query = {} }: CallOptions): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  )
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const each of [value].flat()) params.append(name, String(each))
  }
  const text = params.toString()
  return text ? `${filled}?${text}` : filled
}

export function newIdempotencyKey(): string {
  return crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
