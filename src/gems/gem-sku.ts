import { hash } from 'node:crypto'

/** Crockford's alphabet: no I, L, O and U, which are misread on paper and on the phone. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LETTERS = DIGITS.slice(10)
export const SKU_PATTERN = /^[A-HJKMNP-TV-Z][0-9A-HJKMNP-TV-Z]{9}$/

/**
 * Pavilion's own number of a supplier's stone: the same at every import, and telling nothing of
 * its neighbours, because it is taken from a digest. It starts with a letter, and never with the
 * `LG` of a laboratory, so nobody takes it for a certificate number.
 *
 * There are 7.7e14 of them: among two million stones the chance that any two collide is 0.3 %.
 * The unique index refuses the second; `attempt` then gives it another number, which is as stable
 * as the first because a known stone keeps the number it has.
 */
export function skuOf(supplierUuid: string, vendorSku: string, attempt = 0): string {
  const salt = attempt === 0 ? '' : ` ${attempt}`
  // A line break separates the parts: a UUID has none, so no two pairs read alike.
  const digest = hash('sha256', `${supplierUuid}\n${vendorSku}${salt}`, 'buffer')
  let sku = LETTERS[digest.readUInt16BE(8) % LETTERS.length]
  // Nine digits of five bits each out of two words of 32 bits.
  let bits = digest.readUInt32BE(0)
  for (let place = 0; place < 6; place++) {
    sku += DIGITS[bits & 31]
    bits >>>= 5
  }
  bits = digest.readUInt32BE(4)
  for (let place = 0; place < 3; place++) {
    sku += DIGITS[bits & 31]
    bits >>>= 5
  }
  return sku
}
