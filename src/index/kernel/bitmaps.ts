import type { Bits } from '../segment/bits.ts'
import { addressOf, assertByteRange, type ByteRange, type Kernel } from './kernel.ts'

/** The loops over whole bitmaps, called with bitmaps instead of addresses. */

/** target = the rows in all of `included` and in none of `excluded`. */
export function intersectAll(
  kernel: Kernel,
  target: Bits,
  included: readonly Bits[],
  excluded: readonly Bits[],
): void {
  if (included.length === 0) throw new RangeError('Nothing to intersect.')
  const start = kernel.table.byteOffset
  const middle = start + 4 * included.length
  const end = fillTable(kernel, [...included, ...excluded])
  kernel.loops.intersectAll(addressOf(kernel, target), start, middle, end, kernel.bytes)
}

/** target &= the rows in any of the bitmaps. */
export function intersectAny(kernel: Kernel, target: Bits, bitmaps: readonly Bits[]): void {
  const end = fillTable(kernel, bitmaps)
  const start = kernel.table.byteOffset
  kernel.loops.intersectAny(addressOf(kernel, target), start, end, kernel.bytes)
}

/** Writes the addresses of the bitmaps to the kernel's table, and returns where they end. */
function fillTable(kernel: Kernel, bitmaps: readonly Bits[]): number {
  const { table } = kernel
  if (bitmaps.length > table.length) throw new RangeError('Too many bitmaps for one intersection.')
  for (let i = 0; i < bitmaps.length; i++) table[i] = addressOf(kernel, bitmaps[i])
  return table.byteOffset + 4 * bitmaps.length
}

/** target &= included & ~excluded. */
export function intersectDifference(
  kernel: Kernel,
  target: Bits,
  included: Bits,
  excluded: Bits,
): void {
  const [t, i, e] = [target, included, excluded].map((bits) => addressOf(kernel, bits))
  kernel.loops.intersectDifference(t, i, e, kernel.bytes)
}

/** target |= a & b. */
export function addIntersection(kernel: Kernel, target: Bits, a: Bits, b: Bits): void {
  const [t, x, y] = [target, a, b].map((bits) => addressOf(kernel, bits))
  kernel.loops.addIntersection(t, x, y, kernel.bytes)
}

/** target &= ~excluded. */
export function subtract(kernel: Kernel, target: Bits, excluded: Bits): void {
  kernel.loops.subtract(addressOf(kernel, target), addressOf(kernel, excluded), kernel.bytes)
}

/**
 * A range of a sliced column: rows outside `included` or in `excluded` are not in the range, rows
 * in `checkBelow` or outside `checkFrom` must be checked one by one, and all others are in it.
 */
export interface RangeEnds {
  readonly included: Bits
  readonly excluded: Bits
  readonly checkBelow: Bits
  readonly checkFrom: Bits
}

/** target &= the range. Its rows that must be checked go to `unchecked` instead. */
export function splitRange(kernel: Kernel, target: Bits, ends: RangeEnds, unchecked: Bits): void {
  const { included, excluded, checkBelow, checkFrom } = ends
  const bitmaps = [target, included, excluded, checkBelow, checkFrom, unchecked]
  kernel.loops.splitRange(...bitmaps.map((bits) => addressOf(kernel, bits)), kernel.bytes)
}

/** The rows of `source` in `below`, not in `from`, and in `half`. */
interface Band {
  readonly source: Bits
  readonly below: Bits
  readonly from: Bits
  readonly half: Bits
}

/** target |= the rows of the band in the range. Those that must be checked go to `unchecked`. */
export function addBand(
  kernel: Kernel,
  target: Bits,
  { source, below, from, half }: Band,
  { included, excluded, checkBelow, checkFrom }: RangeEnds,
  unchecked: Bits,
  part: ByteRange,
): void {
  assertByteRange(kernel, part)
  const band = [source, below, from, half]
  const bitmaps = [target, ...band, included, excluded, checkBelow, checkFrom, unchecked]
  const addresses = bitmaps.map((bits) => addressOf(kernel, bits) + part.start)
  kernel.loops.addBand(...addresses, part.bytes)
}

/** target |= the rows of the band. */
export function addRowsOfBand(
  kernel: Kernel,
  target: Bits,
  { source, below, from, half }: Band,
  part: ByteRange,
): void {
  assertByteRange(kernel, part)
  const bitmaps = [target, source, below, from, half]
  const addresses = bitmaps.map((bits) => addressOf(kernel, bits) + part.start)
  kernel.loops.addRowsOfBand(...addresses, part.bytes)
}

/** How many rows are in both bitmaps. */
export function countIntersection(kernel: Kernel, a: Bits, b: Bits): number {
  return kernel.loops.countIntersection(addressOf(kernel, a), addressOf(kernel, b), kernel.bytes)
}

/**
 * rest = the rows of the source without those of a bitmap; returns how many are removed. The rest
 * may be the source itself.
 */
export function removeRows(kernel: Kernel, source: Bits, removed: Bits, rest: Bits): number {
  const [s, b, r] = [source, removed, rest].map((bits) => addressOf(kernel, bits))
  return kernel.loops.removeRows(s, b, r, kernel.bytes)
}

/** Whether a row is in both bitmaps. */
export function intersects(kernel: Kernel, a: Bits, b: Bits): boolean {
  return kernel.loops.intersects(addressOf(kernel, a), addressOf(kernel, b), kernel.bytes) === 1
}

/** The first row of the first block that has a row, or a row past the end when none has. */
export function findBlock(kernel: Kernel, bits: Bits): number {
  return 8 * kernel.loops.findBlock(addressOf(kernel, bits), 0, kernel.bytes)
}
