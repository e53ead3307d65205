import type { Static, TSchema } from 'typebox'
import { errorFrom } from '../../../client/src/error-from.ts'
import { PavilionError as ApiProblem } from '../../../client/src/errors.ts'
import { addressOf, type CallOptions, createCall, newKey } from '../../../client/src/request.ts'
import type { pageOf } from '../../../src/http/schemas/page.ts'
import { t } from '../language/language.ts'
import { createStore } from '../lib/store.ts'
import { endSession, sessionToken } from './session-store.ts'
import { refuseUnreadNumbers } from './unread-numbers.ts'

/** A page of a list, as `pageOf` declares it on the server: rows, total, offset and limit. */
export type Page<Name extends string, Row extends TSchema> = Static<
  ReturnType<typeof pageOf<Name, Row>>
>

/** The most rows that one request of a list returns; some lists allow more. */
export const PAGE_ROWS_MAX = 500

export { ApiProblem, addressOf as urlOf, newKey as newIdempotencyKey }

/** Whether the server can be reached; the banner at the top of every page shows it. */
export const connection = createStore<'ok' | 'lost' | 'busy'>('ok')

const PROBE_MS = 2_000
const RETRIES = 3
/** A person sees a refusal rather than waits for the rest of a minute. */
const WAIT_MS_MAX = 3_000

const access = { url: '', key: () => sessionToken() ?? undefined }
const probe = createCall({ ...access, retries: 0 })
const request = createCall({
  ...access,
  retries: RETRIES,
  waitMsMax: WAIT_MS_MAX,
  onRetry: noteConnection,
})

/** Probes the server every two seconds while it cannot be reached, until it responds. */
export function watchConnection(): void {
  let timer: ReturnType<typeof setInterval> | undefined
  const look = () =>
    probe('GET', '/api/v3/session').then(
      () => connection.set('ok'),
      (error: unknown) => {
        // Any response but "not ready" shows that the server is back.
        if (error instanceof ApiProblem && !isTransient(error)) connection.set('ok')
      },
    )
  connection.subscribe(() => {
    clearInterval(timer)
    if (connection.get() !== 'ok') timer = setInterval(() => void look(), PROBE_MS)
  })
}

/** Whether the same request may succeed later: no connection, or the server is not ready. */
export function isTransient({ status }: ApiProblem): boolean {
  return status === 0 || status === 503
}

/** Whether it may have had its effect: a refusal is final, a lost response may follow it. */
export function isUncertain({ status, code }: ApiProblem): boolean {
  return status === 0 || status >= 500 || code === 'idempotency_key_in_use'
}

function noteConnection(problem: ApiProblem): void {
  if (isTransient(problem)) connection.set(problem.status === 0 ? 'lost' : 'busy')
}

/** Calls the documented interface by the client that shops use. */
export async function call<T>(method: string, path: string, options?: CallOptions): Promise<T> {
  refuseUnreadNumbers(options?.body)
  try {
    const body = await request<T>(method, path, options)
    connection.set('ok')
    return body
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    noteConnection(error)
    if (error.status === 0) {
      throw new ApiProblem(0, 'connection_lost', t('Cannot reach the server. Trying again …'))
    }
    throw noteSession(error)
  }
}

/** All rows of a list, for what shows it whole: page after page. */
export async function readAll<Row, Name extends string>(
  path: string,
  name: Name,
  { signal, ...options }: Pick<CallOptions, 'path' | 'query' | 'signal'> = {},
): Promise<Row[]> {
  const all: Row[] = []
  for (;;) {
    const query = { ...options.query, limit: PAGE_ROWS_MAX, offset: all.length }
    const page = await call<Record<Name, Row[]>>('GET', path, { ...options, query, signal })
    all.push(...page[name])
    if (page[name].length < PAGE_ROWS_MAX) return all
  }
}

/** A 401 ends the session, which leads to the sign-in. */
function noteSession(problem: ApiProblem): ApiProblem {
  if (problem.status === 401 && sessionToken()) {
    endSession(t('Your session has ended: it was revoked, or its time is over.'))
  }
  return problem
}

/** Turns an error response into a problem. */
export function problemFrom(status: number, json: unknown): ApiProblem {
  return noteSession(errorFrom(status, json))
}

/** In place of what was said while the server was away, once it is back. */
export function afterAbsence(): ApiProblem {
  const text = t('The server did not answer, and is back now. Please try again.')
  return new ApiProblem(504, 'connection_back', text)
}

/** Any error as a problem, so that a page shows it. */
export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  const detail = error instanceof Error ? error.message : String(error)
  return new ApiProblem(0, 'unexpected_error', detail)
}
