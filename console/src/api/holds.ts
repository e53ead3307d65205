import type { Static } from 'typebox'
import type { HoldBody, HoldSchema } from '../../../src/http/schemas/inventory.ts'
import { call, newIdempotencyKey, type Page } from './client.ts'

export type Hold = Static<typeof HoldSchema>

export function placeHold(hold: Static<typeof HoldBody>): Promise<Hold> {
  const idempotencyKey = newIdempotencyKey()
  return call('POST', '/api/v3/inventory/holds', { body: hold, idempotencyKey })
}

export function listHolds(signal?: AbortSignal): Promise<Page<'holds', typeof HoldSchema>> {
  return call('GET', '/api/v3/inventory/holds', { query: { limit: 100 }, signal })
}

export function releaseHold(uuid: string): Promise<void> {
  return call('DELETE', '/api/v3/inventory/holds/{uuid}', { path: { uuid } })
}
