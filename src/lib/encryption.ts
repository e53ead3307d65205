import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** AES-256-GCM, with a random nonce and the tag in front of the encrypted text. */
const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Makes a key from a text that cannot be guessed. Each purpose has a key of its own. */
export function deriveKey(text: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', text, '', purpose, KEY_BYTES))
}

/** Encrypts a text. Only a caller who gives the same context can decrypt it. */
export function encrypt(text: string, key: Buffer, context = ''): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(context))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

/** Throws when the key or the context is another one, or a byte was changed. */
export function decrypt(bytes: Buffer, key: Buffer, context = ''): string {
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const encrypted = bytes.subarray(NONCE_BYTES + TAG_BYTES)
  return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString()
}
