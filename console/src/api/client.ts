import type { Static, TSchema } from 'typebox'
import type { pageOf } from '../../../src/http/schemas/page.ts'
import type { ProblemSchema } from '../../../src/http/schemas/problem.ts'
import { createStore } from '../lib/store.ts'
import { endSession, sessionToken } from './session-store.ts'

/** A page of a list, as `pageOf` declares it on the server: rows, total, offset and limit. */
export type Page<Name extends string, Row extends TSchema> = Static<
  ReturnType<typeof pageOf<Name, Row>>
>

type FieldError = NonNullable<Static<typeof ProblemSchema>['errors']>[number]

/** A response that reports an error. `code` is stable, `detail` is a sentence for a person. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly errors: FieldError[]
  /** The whole body: some codes carry further members, such as `substitutes`. */
  readonly body: Record<string, unknown>

  constructor(status: number, code: string, detail: string, body: Record<string, unknown> = {}) {
    super(detail)
    this.status = status
    this.code = code
    this.errors = (body.errors as FieldError[] | undefined) ?? []
    this.body = body
  }
}

/** Whether the server can be reached; the banner at the top of every page shows it. */
export const connection = createStore<'ok' | 'lost' | 'busy'>('ok')

const PROBE_MS = 2_000

/** Probes the server every two seconds while it cannot be reached, until it responds. */
export function watchConnection(): void {
  let timer: ReturnType<typeof setInterval> | undefined
  const probe = () =>
    callOnce('GET', '/api/v3/session', {}).then(
      () => connection.set('ok'),
      (error: unknown) => {
        // Any response but "not ready" shows that the server is back.
        if (error instanceof ApiProblem && !isTransient(error)) connection.set('ok')
      },
    )
  connection.subscribe(() => {
    clearInterval(timer)
    if (connection.get() !== 'ok') timer = setInterval(() => void probe(), PROBE_MS)
  })
}

/** Whether the same request may succeed later: no connection, or the server is not ready. */
export function isTransient({ status }: ApiProblem): boolean {
  return status === 0 || status === 503
}

interface CallOptions {
  /** Values for `{names}` in the path. */
  path?: Record<string, string>
  query?: Record<string, string | number | boolean | readonly string[] | undefined>
  body?: unknown
  /** Repeating the call with the same key cannot have its effect twice. */
  idempotencyKey?: string
  signal?: AbortSignal | undefined
}

const ATTEMPTS_MAX = 4
const RETRY_DELAY_MS = 700

/** Calls the documented interface. What is safe to repeat is retried while the server starts. */
export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  const isRepeatable = method === 'GET' || isSearch(path) || options.idempotencyKey !== undefined
  for (let attempt = 1; ; attempt++) {
    try {
      const body = await callOnce<T>(method, path, options)
      connection.set('ok')
      return body
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      if (isTransient(error)) connection.set(error.status === 0 ? 'lost' : 'busy')
      if (!isTransient(error) || !isRepeatable || attempt === ATTEMPTS_MAX) throw error
      await wait(RETRY_DELAY_MS * attempt, options.signal)
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
  if (response.ok && isPdf(response)) return (await response.blob()) as T
  const body: unknown = isJson ? await response.json() : await response.text()
  if (response.ok) return body as T
  throw problemFrom(response.status, body)
}

function isPdf({ headers }: Response): boolean {
  return headers.get('content-type') === 'application/pdf'
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
    throw new ApiProblem(0, 'connection_lost', 'Cannot reach the server. Trying again …')
  }
}

/** Turns an error response into a problem. A 401 ends the session, which leads to the sign-in. */
export function problemFrom(status: number, json: unknown): ApiProblem {
  const body = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>
  const detail =
    typeof body.detail === 'string' ? body.detail : `The server returned status ${status}.`
  const code = typeof body.code === 'string' ? body.code : 'unknown'
  if (status === 401 && sessionToken()) endSession(detail)
  return new ApiProblem(status, code, detail, body)
}

/** Any error as a problem, so that a page shows it. */
export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  const detail = error instanceof Error ? error.message : String(error)
  return new ApiProblem(0, 'unexpected_error', detail)
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
