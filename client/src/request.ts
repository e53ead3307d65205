/**
 * One call of the interface: address, headers, body, and when to try it again. Everything else in
 * this package is made of it, and so is the console of Pavilion.
 */
import { errorFrom } from './error-from.ts'
import { ConnectionError, PavilionError } from './errors.ts'

/** How the market is reached. */
export interface RequestOptions {
  /** The address of the market, such as `https://gems.example`; empty: that of the page. */
  url: string
  /** The API key, or a function that returns it for each call. */
  key?: string | (() => string | undefined) | undefined
  /** How often a call is tried again that may succeed later; 4 unless given. */
  retries?: number | undefined
  /** The longest wait before another try; a server that asks for more is not waited for. */
  waitMsMax?: number | undefined
  /** How long one try may take until the response begins; 60,000 unless given. */
  timeoutMs?: number | undefined
  /** What to send requests with; the global `fetch` unless given. */
  fetch?: typeof fetch | undefined
  /** Called before a call is tried again, with what happened and how long it waits. */
  onRetry?: ((error: PavilionError, waitMs: number) => void) | undefined
}

type QueryValue = string | number | boolean | null | undefined

/** What a call sends. */
export interface CallOptions {
  /** Values for `{names}` in the path. */
  path?: object | undefined
  /** A list is sent as several parameters of its name. */
  query?: object | undefined
  /** Sent as JSON. */
  body?: unknown
  /** Ends the call, also between two tries. */
  signal?: AbortSignal | undefined
  /**
   * Repeating a POST with the same key has its effect once. Each call that writes has a new one
   * unless you give it, for example to repeat an order after your program was restarted.
   */
  idempotencyKey?: string | undefined
  /** More headers, such as `If-Match`. */
  headers?: Record<string, string> | undefined
  /** Sees the response before its body is read, for example its `ETag`. */
  onResponse?: ((response: Response) => void) | undefined
  /** Return the response itself, whose body is not read. */
  raw?: boolean | undefined
}

/** Sends a request, repeats it where that is safe and may help, and returns the parsed body. */
export type Call = <T = unknown>(method: string, path: string, options?: CallOptions) => Promise<T>

const RETRIES = 4
/** Longer than any wait that the server declares: changes and events are waited for 30 seconds. */
const TIMEOUT_MS = 60_000
const FIRST_WAIT_MS = 400
/** A rate limit names the rest of its minute. Who asks for more is not waited for. */
const WAIT_MS_MAX = 61_000
/** The answers of a proxy in front of a server that restarts, and the server's own. */
const TEMPORARY = new Set([0, 429, 502, 503, 504])

export function createCall(options: RequestOptions): Call {
  const { retries = RETRIES, waitMsMax = WAIT_MS_MAX, onRetry } = options
  const base = options.url.replace(/\/+$/, '')
  return async <T>(method: string, path: string, sent: CallOptions = {}): Promise<T> => {
    const url = base + addressOf(path, sent)
    const headers = headersOf(method, path, sent)
    let isUncertain = false
    for (let attempt = 0; ; attempt++) {
      try {
        return (await callOnce(options, method, url, headers, sent)) as T
      } catch (error) {
        if (!(error instanceof PavilionError)) throw error
        // The first try removed it, and only its response was lost.
        if (method === 'DELETE' && isUncertain && error.status === 404) return undefined as T
        isUncertain ||= error.status === 0
        const waitMs = waitAfter(error, attempt)
        if (attempt >= retries || !isTemporary(error) || waitMs > waitMsMax) throw error
        onRetry?.(error, waitMs)
        await sleep(waitMs, sent.signal)
      }
    }
  }
}

function isTemporary({ status, code }: PavilionError): boolean {
  return TEMPORARY.has(status) || code === 'idempotency_key_in_use'
}

/** As long as the server asks for; otherwise twice as long each time, spread by chance. */
function waitAfter({ body }: PavilionError, attempt: number): number {
  const asked = Number(body.retry_after)
  if (asked >= 0) return asked * 1000
  return FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2)
}

export function addressOf(path: string, { path: values = {}, query = {} }: CallOptions): string {
  const given = new Map<string, string | number | undefined>(Object.entries(values))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given.get(name)
    if (value === undefined || value === '') throw new TypeError(`${path} needs ${name}`)
    return encodeURIComponent(String(value))
  })
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat() as QueryValue[]) {
      if (each !== undefined && each !== null) params.append(name, String(each))
    }
  }
  const text = params.toString()
  return text ? `${filled}?${text}` : filled
}

function headersOf(method: string, path: string, sent: CallOptions): Record<string, string> {
  const key = sent.idempotencyKey ?? (isWrite(method, path) ? newKey() : undefined)
  return {
    Accept: 'application/json',
    ...(sent.body !== undefined && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...sent.headers,
  }
}

/** The ends of the POSTs that only read. `merchant_templates` alone makes a template. */
const READS = /(search|query|preview|by_merchant_templates|saved_searches\/[^/]+\/run)$/

/** All methods but POST have their effect once anyway. */
function isWrite(method: string, path: string): boolean {
  return method === 'POST' && !READS.test(path)
}

/** A random UUID; browsers have `randomUUID` on secure pages only. */
export function newKey(): string {
  if (crypto.randomUUID) return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function callOnce(
  options: RequestOptions,
  method: string,
  url: string,
  headers: Record<string, string>,
  sent: CallOptions,
): Promise<unknown> {
  const { key, timeoutMs = TIMEOUT_MS } = options
  const token = typeof key === 'function' ? key() : key
  const controller = new AbortController()
  const abort = () => controller.abort(sent.signal?.reason)
  sent.signal?.throwIfAborted()
  sent.signal?.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  let isRead = false
  try {
    const init = {
      method,
      headers: { ...headers, ...(token && { Authorization: `Bearer ${token}` }) },
      cache: 'no-store' as const,
      credentials: 'omit' as const,
      signal: controller.signal,
      ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
    }
    const response = await (options.fetch ?? fetch)(url, init)
    clearTimeout(timer)
    isRead = sent.raw !== true || !response.ok
    return await resultOf(response, sent)
  } catch (error) {
    if (error instanceof PavilionError) throw error
    if (sent.signal?.aborted) throw sent.signal.reason
    throw connectionError(error, url, controller.signal.aborted ? timeoutMs : undefined)
  } finally {
    clearTimeout(timer)
    // The body of a raw response is still to be read, and must end with the signal.
    if (isRead) sent.signal?.removeEventListener('abort', abort)
  }
}

async function resultOf(response: Response, { raw, onResponse }: CallOptions): Promise<unknown> {
  const { status, headers } = response
  const type = headers.get('content-type') ?? ''
  if (response.ok) {
    onResponse?.(response)
    if (raw) return response
    if (status === 204) return undefined
    if (/json/.test(type)) return response.json()
    return type.startsWith('text/') ? response.text() : response.blob()
  }
  const text = await response.text()
  const body = /json/.test(type) ? parsed(text) : {}
  throw errorFrom(status, { ...body, ...retryAfter(headers) })
}

/** What claims to be JSON and is not comes from something in between. */
function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** In seconds, also where a proxy sends a date. */
function retryAfter(headers: Headers): { retry_after?: number } {
  const text = headers.get('retry-after')
  if (!text) return {}
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? {} : { retry_after: Math.max(0, seconds) }
}

function connectionError(error: unknown, url: string, timeoutMs?: number): ConnectionError {
  const { host } = new URL(url, 'http://this-page')
  if (timeoutMs !== undefined) {
    const text = `${host} did not answer within ${timeoutMs / 1000} seconds.`
    return new ConnectionError(0, 'timeout', text)
  }
  const cause = error instanceof Error ? ((error.cause as Error | undefined) ?? error) : undefined
  const reason = cause?.message ? `: ${cause.message}` : ''
  return new ConnectionError(0, 'connection_lost', `Cannot reach ${host}${reason}.`)
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
