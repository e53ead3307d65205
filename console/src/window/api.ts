import type { Static } from 'typebox'
import type { CuratedGems } from '../../../src/http/schemas/curation.ts'
import type { DiamondSearchResultV3 } from '../../../src/http/schemas/gem-search.ts'
import type { StoneSchema } from '../../../src/http/schemas/inventory.ts'

/** What a publishable key does not see; see `src/http/response/hidden-fields.ts`. */
type Hidden =
  | 'wholesale_price'
  | 'base_wholesale_price'
  | 'off_rap_percentage'
  | 'original_imported_ext_url'
  | 'price_history'
  | 'hold_merchant_uuid'

export type Stone = Omit<Static<typeof StoneSchema>, Hidden>
export type CuratedStone = Omit<Static<typeof CuratedGems>[number], Hidden>
export interface StonePage
  extends Pick<Static<typeof DiamondSearchResultV3>, 'total' | 'next_cursor'> {
  gems: Stone[]
}

/** A refusal of the server. Visitors read a plain sentence instead; the console has `message`. */
export class CallError extends Error {
  readonly status: number
  readonly retryAfterSeconds: number
  /** What is wrong, by field. */
  readonly fields: ReadonlyMap<string, string>

  constructor(response: Response, problem: Problem) {
    super(problem.detail ?? `The server answered ${response.status}.`)
    this.status = response.status
    this.retryAfterSeconds = Number(response.headers.get('retry-after') ?? 0)
    this.fields = new Map((problem.errors ?? []).map(({ field, message }) => [field, message]))
  }
}

interface Problem {
  detail?: string
  errors?: { field: string; message: string }[]
}

/** Where the script came from is where the market is, unless the element says otherwise. */
export const SERVER = new URL(import.meta.url).origin

export interface Connection {
  server: string
  key: string
  signal: AbortSignal
}

export function post<T>(connection: Connection, path: string, body: unknown): Promise<T> {
  return call(connection, path, { method: 'POST', body: JSON.stringify(body) })
}

export function get<T>(connection: Connection, path: string): Promise<T> {
  return call(connection, path, { method: 'GET' })
}

/** A short overload is not worth a message: the server says when to try again. */
const RETRIES_MAX = 2
const RETRY_WAIT_SECONDS_MAX = 5

async function call<T>(
  { server, key, signal }: Connection,
  path: string,
  init: RequestInit,
): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  for (let tries = 1; ; tries++) {
    const response = await fetch(server + path, { ...init, headers, signal, credentials: 'omit' })
    if (response.ok) return response.json()
    const problem: Problem = await response.json().catch(() => ({}))
    const error = new CallError(response, problem)
    const isBusy = response.status === 503 && error.retryAfterSeconds <= RETRY_WAIT_SECONDS_MAX
    if (!isBusy || tries > RETRIES_MAX) throw error
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, error.retryAfterSeconds) * 1000))
  }
}
