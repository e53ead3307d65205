import { hash } from 'node:crypto'

/** 64 bits, as two signed words. */
export interface RowDigest {
  first: number
  second: number
}

/** Returns the digest of a row by what stands before it and by its own text. */
export type RowDigester = (place: string, raw: string) => RowDigest

const FIRST_BYTES = 16_384
/** UTF-8 needs no more bytes for a character of a string. */
const CHAR_BYTES_MAX = 3

/**
 * Makes digests that tell whether a row is the same as in the last import. Two rows of a stone have
 * the same one by chance only, once in 2^64; a supplier that looked for such a row on purpose would
 * only keep a stone of its own as it is. So it need not be a cryptographic digest, which takes over
 * three times as long (2.1 instead of 0.6 microseconds for a row of `bench/import.ts`). This is
 * MurmurHash3 of 32 bits, twice, with other constants.
 */
export function createRowDigester(salt: string): RowDigester {
  const seeds = hash('sha256', salt, 'buffer')
  const [firstSeed, secondSeed] = [seeds.readInt32LE(0), seeds.readInt32LE(4)]
  let bytes = Buffer.from(new ArrayBuffer(FIRST_BYTES))
  let words = new Int32Array(bytes.buffer)

  /** Writes the text and the zeros that fill its last word; returns its length in bytes. */
  function write(text: string): number {
    const needed = (text.length + 1) * CHAR_BYTES_MAX + 1
    if (needed > bytes.length) {
      bytes = Buffer.from(new ArrayBuffer(4 * needed))
      words = new Int32Array(bytes.buffer)
    }
    const length = bytes.write(text)
    bytes[length] = 0
    bytes[length + 1] = 0
    bytes[length + 2] = 0
    return length
  }

  return (place, raw) => {
    const length = write(place === '' ? raw : place + raw)
    const end = (length + 3) >>> 2
    let first = firstSeed
    let second = secondSeed
    for (let at = 0; at < end; at++) {
      const word = words[at]
      first ^= Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593)
      first = (Math.imul(rotate(first, 13), 5) + 0xe6546b64) | 0
      second ^= Math.imul(rotate(Math.imul(word, 0x239b961b), 16), 0xab0e9789)
      second = (Math.imul(rotate(second, 17), 5) + 0x561ccd1b) | 0
    }
    return { first: mixed(first ^ length), second: mixed(second ^ length) }
  }
}

/** As PostgreSQL prints bytes, without the `\x` before them. */
export function hexOf({ first, second }: RowDigest): string {
  return hexOfWord(first) + hexOfWord(second)
}

function hexOfWord(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0')
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}

/** Makes every bit of the word depend on all others. */
function mixed(word: number): number {
  let bits = word
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}
