import { BLOCK_BYTES } from '../segment/arena.ts'
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

/** The rows of `source` in `below`, not in `from`, and in `half`, or not in it. */
export interface Band {
  readonly source: Bits
  readonly below: Bits
  readonly from: Bits
  readonly half: Bits
  readonly inHalf: boolean
}

/** target |= the rows of the band. */
export function addRowsOfBand(kernel: Kernel, target: Bits, band: Band, part: ByteRange): void {
  assertByteRange(kernel, part)
  const { start, bytes } = part
  const to = addressOf(kernel, target) + start
  const { source, below, from, half, flip } = bandAt(kernel, band, start)
  kernel.loops.addRowsOfBand(to, source, below, from, half, flip, bytes)
}

/** The bitmaps of a band from a byte on, and which half it has, as the loops take them. */
export function bandAt(
  kernel: Kernel,
  { source, below, from, half, inHalf }: Band,
  start: number,
): BandAddresses {
  return {
    source: addressOf(kernel, source) + start,
    below: addressOf(kernel, below) + start,
    from: addressOf(kernel, from) + start,
    half: addressOf(kernel, half) + start,
    flip: inHalf ? 0 : -1,
  }
}

interface BandAddresses {
  readonly source: number
  readonly below: number
  readonly from: number
  readonly half: number
  readonly flip: number
}

/** How many rows are in both bitmaps. */
export function countIntersection(kernel: Kernel, a: Bits, b: Bits): number {
  return kernel.loops.countIntersection(addressOf(kernel, a), addressOf(kernel, b), kernel.bytes)
}

/** The offsets of the blocks of a bitmap that have a row, in a list that has space for all. */
export function listBlocks(kernel: Kernel, bits: Bits, list: Uint32Array): Uint32Array {
  const { buffer, bytes, loops } = kernel
  const isUsable = list.buffer === buffer && list.length >= bytes / BLOCK_BYTES
  if (!isUsable) throw new RangeError('The list cannot hold the blocks of the bitmap.')
  return list.subarray(0, loops.listBlocks(addressOf(kernel, bits), list.byteOffset, bytes))
}

/** How many rows of the source each bitmap has; the source has rows in the listed blocks only. */
export function countEach(
  kernel: Kernel,
  source: Bits,
  blocks: Uint32Array,
  bitmaps: readonly Bits[],
): Uint32Array {
  const { table, loops } = kernel
  const counts = new Uint32Array(bitmaps.length)
  const most = table.length / 2
  const [from, to] = [blocks.byteOffset, blocks.byteOffset + blocks.byteLength]
  for (let first = 0; first < bitmaps.length; first += most) {
    const some = bitmaps.slice(first, first + most)
    // The loop takes them by pairs: the source fills up the last one.
    const pairs = some.length % 2 === 0 ? some : [...some, source]
    const end = fillTable(kernel, pairs)
    loops.countEach(addressOf(kernel, source), from, to, table.byteOffset, end, end)
    counts.set(table.subarray(pairs.length, pairs.length + some.length), first)
  }
  return counts
}

/** Whether a row is in both bitmaps. */
export function intersects(kernel: Kernel, a: Bits, b: Bits): boolean {
  return kernel.loops.intersects(addressOf(kernel, a), addressOf(kernel, b), kernel.bytes) === 1
}

/** The first row of the first block that has a row, or a row past the end when none has. */
export function findBlock(kernel: Kernel, bits: Bits): number {
  return 8 * kernel.loops.findBlock(addressOf(kernel, bits), 0, kernel.bytes)
}
