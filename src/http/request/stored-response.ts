import { createHash } from 'node:crypto'
import { decrypt, deriveKey, encrypt } from '../../lib/encryption.ts'

/**
 * Responses that may be replayed are stored encrypted with the caller's own Idempotency-Key, of
 * which only a hash is stored. A response may contain a new token or a webhook secret, and no
 * table has those in clear text.
 */
export interface StoredResponse {
  status: number
  body: string
}

export interface SealedResponse {
  status: number
  body: Buffer
}

export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export function seal({ status, body }: StoredResponse, key: string): SealedResponse {
  return { status, body: encrypt(body, keyOf(key)) }
}

export function open({ status, body }: SealedResponse, key: string): StoredResponse {
  return { status, body: decrypt(body, keyOf(key)) }
}

function keyOf(idempotencyKey: string): Buffer {
  return deriveKey(idempotencyKey, 'pavilion stored response')
}
