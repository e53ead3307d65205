import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

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

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export function seal({ status, body }: StoredResponse, key: string): SealedResponse {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, secretOf(key), nonce)
  const sealed = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()])
  return { status, body: Buffer.concat([nonce, cipher.getAuthTag(), sealed]) }
}

export function open({ status, body }: SealedResponse, key: string): StoredResponse {
  const nonce = body.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, secretOf(key), nonce)
  decipher.setAuthTag(body.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const sealed = body.subarray(NONCE_BYTES + TAG_BYTES)
  return { status, body: Buffer.concat([decipher.update(sealed), decipher.final()]).toString() }
}

function secretOf(key: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'pavilion stored response', 32))
}
