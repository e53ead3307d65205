import type { Static } from 'typebox'
import type { CreatedTokenSchema, KeyBody, TokenSchema } from '../../../src/http/schemas/token.ts'
import { call, type Page } from './client.ts'

export type Key = Static<typeof TokenSchema>
export type CreatedKey = Static<typeof CreatedTokenSchema>
export type NewKey = Static<typeof KeyBody>

export function listKeys(signal?: AbortSignal): Promise<Page<'tokens', typeof TokenSchema>> {
  return call('GET', '/api/v3/tokens', { query: { limit: 1000 }, signal })
}

export function createKey(key: NewKey): Promise<CreatedKey> {
  return call('POST', '/api/v3/tokens', { body: key })
}

export function revokeKey(uuid: string): Promise<Key> {
  return call('DELETE', '/api/v3/tokens/{uuid}', { path: { uuid } })
}
