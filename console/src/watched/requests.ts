import type { Static } from 'typebox'
import type { WatchedList, WatchedSchema } from '../../../src/http/schemas/stock/watched.ts'
import { call, newIdempotencyKey, type Page } from '../api/client.ts'

export type Watched = Static<typeof WatchedSchema>

export function listWatched(
  search: { limit: number; offset: number; sku?: string },
  signal?: AbortSignal,
): Promise<Page<'watched', typeof WatchedSchema>> {
  return call('GET', '/api/v3/watched', { query: search, signal })
}

/** As many as one request takes. */
const AT_ONCE = 100

export async function watchStones(skus: readonly string[]): Promise<void> {
  for (let from = 0; from < skus.length; from += AT_ONCE) {
    const body = { skus: skus.slice(from, from + AT_ONCE) }
    const idempotencyKey = newIdempotencyKey()
    await call<Static<typeof WatchedList>>('POST', '/api/v3/watched', { body, idempotencyKey })
  }
}

export function unwatchStone(sku: string): Promise<void> {
  return call('DELETE', '/api/v3/watched/{sku}', { path: { sku } })
}
