/**
 * Bitmaps: one bit per row, 32 rows per word. The kernel works on whole bitmaps; the functions
 * here work on single rows and on runs of them.
 */
export type Bits = Uint32Array

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
export function setRange(bits: Bits, from: number, to: number): void {
  let row = from
  for (; row < to && (row & 31) !== 0; row++) setBit(bits, row)
  const lastWord = to >>> 5
  if (row >>> 5 < lastWord) {
    bits.fill(0xffffffff, row >>> 5, lastWord)
    row = lastWord << 5
  }
  for (; row < to; row++) setBit(bits, row)
}

/** Clears the rows from..to-1. */
export function clearRange(bits: Bits, from: number, to: number): void {
  let row = from
  for (; row < to && (row & 31) !== 0; row++) clearBit(bits, row)
  const lastWord = to >>> 5
  if (row >>> 5 < lastWord) {
    bits.fill(0, row >>> 5, lastWord)
    row = lastWord << 5
  }
  for (; row < to; row++) clearBit(bits, row)
}

/** Clears every row outside from..to-1. */
export function retainRange(bits: Bits, from: number, to: number): void {
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
