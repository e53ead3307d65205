import { call, newIdempotencyKey } from './client.ts'

/** As `Hold` in /openapi/v3.json. */
export interface Hold {
  uuid: string
  sku: string
  created_on: string
  expires_on: string
}

export function placeHold(sku: string, minutes: number): Promise<Hold> {
  return call('POST', '/api/v3/inventory/holds', {
    body: { sku, minutes },
    idempotencyKey: newIdempotencyKey(),
  })
}

export function listHolds(signal?: AbortSignal): Promise<{ holds: Hold[]; total: number }> {
  return call('GET', '/api/v3/inventory/holds', { query: { limit: 100 }, signal })
}

export function releaseHold(uuid: string): Promise<void> {
  return call('DELETE', '/api/v3/inventory/holds/{uuid}', { path: { uuid } })
}
