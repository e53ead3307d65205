/**
 * Bitmaps: one bit per row, 32 rows per word. The loops are plain on purpose: V8 keeps them in
 * registers, at about half a nanosecond a word.
 */
export type Bits = Uint32Array

export function wordsFor(rows: number): number {
  return (rows + 31) >>> 5
}

/** Shared memory, so that a bitmap built in a worker thread is handed over without a copy. */
export function newBits(rows: number): Bits {
  return new Uint32Array(new SharedArrayBuffer(wordsFor(rows) * 4))
}

export function setBit(bits: Bits, row: number): void {
  bits[row >>> 5] |= 1 << (row & 31)
}

export function clearBit(bits: Bits, row: number): void {
  bits[row >>> 5] &= ~(1 << (row & 31))
}

export function hasBit(bits: Bits, row: number): boolean {
  return ((bits[row >>> 5] >>> (row & 31)) & 1) === 1
}

/** Sets the rows from..to-1. */
export function fillBits(bits: Bits, from: number, to: number): void {
  let row = from
  for (; row < to && (row & 31) !== 0; row++) setBit(bits, row)
  const lastWord = to >>> 5
  if (row >>> 5 < lastWord) {
    bits.fill(0xffffffff, row >>> 5, lastWord)
    row = lastWord << 5
  }
  for (; row < to; row++) setBit(bits, row)
}

/** Clears every row outside from..to-1. */
export function keepRange(bits: Bits, from: number, to: number): void {
  if (from >= to) {
    bits.fill(0)
    return
  }
  bits.fill(0, 0, from >>> 5)
  bits[from >>> 5] &= 0xffffffff << (from & 31)
  const last = (to - 1) >>> 5
  bits[last] &= 0xffffffff >>> (31 - ((to - 1) & 31))
  bits.fill(0, last + 1)
}

/** target &= any of the sets; the sets are read side by side, so target is passed over once. */
export function andAny(target: Bits, sets: readonly Bits[]): void {
  const words = target.length
  if (sets.length === 1) {
    const [a] = sets
    for (let i = 0; i < words; i++) target[i] &= a[i]
  } else if (sets.length === 2) {
    const [a, b] = sets
    for (let i = 0; i < words; i++) target[i] &= a[i] | b[i]
  } else if (sets.length === 3) {
    const [a, b, c] = sets
    for (let i = 0; i < words; i++) target[i] &= a[i] | b[i] | c[i]
  } else {
    andMany(target, sets)
  }
}

/** In blocks that stay in the first-level cache, four sets at a time. */
function andMany(target: Bits, sets: readonly Bits[]): void {
  const words = target.length
  for (let from = 0; from < words; from += BLOCK) {
    const to = Math.min(words, from + BLOCK)
    let at = sets.length % 4
    const [a, b, c] = sets
    if (at === 0) for (let i = from; i < to; i++) block[i - from] = 0
    else if (at === 1) for (let i = from; i < to; i++) block[i - from] = a[i]
    else if (at === 2) for (let i = from; i < to; i++) block[i - from] = a[i] | b[i]
    else for (let i = from; i < to; i++) block[i - from] = a[i] | b[i] | c[i]
    for (; at < sets.length; at += 4) {
      const [p, q, r, s] = [sets[at], sets[at + 1], sets[at + 2], sets[at + 3]]
      for (let i = from; i < to; i++) block[i - from] |= p[i] | q[i] | r[i] | s[i]
    }
    for (let i = from; i < to; i++) target[i] &= block[i - from]
  }
}

const BLOCK = 1024
const block = new Uint32Array(BLOCK)

export function andNot(target: Bits, set: Bits): void {
  const words = target.length
  for (let i = 0; i < words; i++) target[i] &= ~set[i]
}

export function orInto(target: Bits, set: Bits): void {
  const words = target.length
  for (let i = 0; i < words; i++) target[i] |= set[i]
}

function popcount(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Empty words, which a selective filter leaves plenty of, are passed over. */
export function countBits(bits: Bits): number {
  const words = bits.length
  let count = 0
  for (let i = 0; i < words; i++) {
    const word = bits[i]
    if (word !== 0) count += popcount(word)
  }
  return count
}

export function countAnd(a: Bits, b: Bits): number {
  const words = a.length
  let count = 0
  for (let i = 0; i < words; i++) {
    const word = a[i] & b[i]
    if (word !== 0) count += popcount(word)
  }
  return count
}

export function anyAnd(a: Bits, b: Bits): boolean {
  const words = a.length
  for (let i = 0; i < words; i++) if ((a[i] & b[i]) !== 0) return true
  return false
}

/** Writes the rows of the set bits into `rows`, lowest first, and answers how many there are. */
export function rowsOf(bits: Bits, rows: Uint32Array): number {
  let count = 0
  const words = bits.length
  for (let i = 0; i < words; i++) {
    let word = bits[i]
    while (word !== 0) {
      const lowest = word & -word
      rows[count++] = (i << 5) + 31 - Math.clz32(lowest)
      word ^= lowest
    }
  }
  return count
}
