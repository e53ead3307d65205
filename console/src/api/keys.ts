import { call } from './client.ts'

/** As `Token` in /openapi/v3.json. */
export interface Key {
  uuid: string
  name: string
  scopes: string[]
  hint: string
  created_on: string
  expires_on: string | null
  revoked_on: string | null
  last_used_on: string | null
}

/** As `CreatedToken` in /openapi/v3.json. */
export interface CreatedKey extends Key {
  token: string
}

export function listKeys(signal?: AbortSignal): Promise<{ tokens: Key[]; total: number }> {
  return call('GET', '/api/v3/tokens', { query: { limit: 1000 }, signal })
}

export function createKey(query: {
  name: string
  scopes: string[]
  expires_in_days?: number
}): Promise<CreatedKey> {
  return call('POST', '/api/v3/tokens', { body: query })
}

export function revokeKey(uuid: string): Promise<Key> {
  return call('DELETE', '/api/v3/tokens/{uuid}', { path: { uuid } })
}
