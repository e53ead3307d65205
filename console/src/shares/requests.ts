import type { Static } from 'typebox'
import type {
  NewShareSchema,
  ShareBody,
  ShareSchema,
} from '../../../src/http/schemas/stock/shares.ts'
import { call, newIdempotencyKey, type Page } from '../api/client.ts'

export type Share = Static<typeof ShareSchema>
export type NewShare = Static<typeof NewShareSchema>

export function listShares(
  page: { limit: number; offset: number },
  signal?: AbortSignal,
): Promise<Page<'shares', typeof ShareSchema>> {
  return call('GET', '/api/v3/shares', { query: page, signal })
}

export function createShare(share: Static<typeof ShareBody>): Promise<NewShare> {
  return call('POST', '/api/v3/shares', { body: share, idempotencyKey: newIdempotencyKey() })
}

export function revokeShare(uuid: string): Promise<void> {
  return call('DELETE', '/api/v3/shares/{uuid}', { path: { uuid } })
}
