import type { Bits } from '../segment/bits.ts'
import type { IntegerArray, WordArray } from '../segment/columns.ts'
import { type Band, bandAt } from './bitmaps.ts'
import { addressOf, assertByteRange, type ByteRange, type Kernel } from './kernel.ts'

/** The loops over single rows, called with arrays instead of addresses. */

/** The rows of a bitmap, lowest first; there are `count` of them. */
export function listRows(kernel: Kernel, bits: Bits, count: number): Uint32Array {
  if (count <= kernel.list.length) return listRowsIn(kernel, bits, kernel.list).slice()
  const rows = new Uint32Array(count)
  let end = 0
  eachRows(kernel, bits, (some) => {
    rows.set(some, end)
    end += some.length
  })
  return rows
}

/** Calls `visit` with the rows of a bitmap, some at a time, which are only lent. */
export function eachRows(kernel: Kernel, bits: Bits, visit: (rows: Uint32Array) => void): void {
  const { list, loops } = kernel
  const address = addressOf(kernel, bits)
  const partBytes = list.length / 8
  for (let start = 0; start < kernel.bytes; start += partBytes) {
    const bytes = Math.min(partBytes, kernel.bytes - start)
    const count = loops.listRows(address + start, list.byteOffset, 8 * start, bytes)
    if (count > 0) visit(list.subarray(0, count))
  }
}

/** `eachRows` with the rows of a band. */
export function eachRowOfBand(
  kernel: Kernel,
  band: Band,
  visit: (rows: Uint32Array) => void,
): void {
  const { list, loops } = kernel
  const partBytes = list.length / 8
  for (let start = 0; start < kernel.bytes; start += partBytes) {
    const bytes = Math.min(partBytes, kernel.bytes - start)
    const { source, below, from, half, flip } = bandAt(kernel, band, start)
    const rest = [list.byteOffset, 8 * start, bytes]
    const count = loops.listBand(source, below, from, half, flip, ...rest)
    if (count > 0) visit(list.subarray(0, count))
  }
}

/** Lists the rows of a bitmap in a list of the kernel's memory, which has space for them. */
export function listRowsIn(kernel: Kernel, bits: Bits, list: Uint32Array): Uint32Array {
  assertInMemory(kernel, list)
  const { loops, bytes } = kernel
  return list.subarray(0, loops.listRows(addressOf(kernel, bits), list.byteOffset, 0, bytes))
}

/** Some bits of a word, by whose value rows are counted. */
interface CountedBits {
  readonly shift: number
  readonly mask: number
  /** A count for each value. */
  readonly counts: Uint32Array
}

/** So many fields are counted at once. */
export const FIELDS_AT_ONCE = 3
const NUMBERS_PER_FIELD = 3

/** Does counts[(words[row] >>> shift) & mask]++ for each row of the list and each field. */
export function countFields(
  kernel: Kernel,
  rows: Uint32Array,
  words: WordArray,
  fields: readonly CountedBits[],
): void {
  const { table, loops } = kernel
  if (fields.length > FIELDS_AT_ONCE) throw new RangeError('Too many fields to count at once.')
  for (const array of [rows, words]) assertInMemory(kernel, array)
  const unused = FIELDS_AT_ONCE * NUMBERS_PER_FIELD
  for (let i = 0; i < FIELDS_AT_ONCE; i++) {
    const field: CountedBits | undefined = fields[i]
    if (field) assertInMemory(kernel, field.counts)
    if (field && field.counts.length <= field.mask) throw new RangeError('Too few counts.')
    // What is counted for fields that are missing goes to a number behind the table.
    const { shift, mask, counts } = field ?? { shift: 0, mask: 0, counts: table.subarray(unused) }
    table.set([shift, mask, counts.byteOffset], i * NUMBERS_PER_FIELD)
  }
  const { byteOffset, BYTES_PER_ELEMENT: width } = words
  loops.countFields(...listAt(rows), byteOffset, width, table.byteOffset)
}

/** Where a list begins and ends. */
function listAt({ byteOffset, byteLength }: Uint32Array): [start: number, end: number] {
  return [byteOffset, byteOffset + byteLength]
}

/** The arrays of numbers that the kernel can read. */
export type KernelNumbers = Exclude<IntegerArray, Float64Array>

/** target |= those rows of `unchecked` whose value is in min..max. */
export function addRowsInRange(
  kernel: Kernel,
  target: Bits,
  unchecked: Bits,
  values: KernelNumbers,
  min: number,
  max: number,
): void {
  if (min > max) return
  const at = rangeAt(kernel, values, min, max, 0)
  const [t, u] = [addressOf(kernel, target), addressOf(kernel, unchecked)]
  kernel.loops.addRowsInRange(t, u, at.values, at.width, min, at.span, kernel.bytes)
}

/** target |= those rows of a band whose value is in min..max. */
export function addBandInRange(
  kernel: Kernel,
  target: Bits,
  band: Band,
  values: KernelNumbers,
  min: number,
  max: number,
  part: ByteRange,
): void {
  assertByteRange(kernel, part)
  if (min > max) return
  const { start, bytes } = part
  const at = rangeAt(kernel, values, min, max, start)
  const to = addressOf(kernel, target) + start
  const { source, below, from, half, flip } = bandAt(kernel, band, start)
  const { addBandInRange: add } = kernel.loops
  const { values: first, width, span } = at
  add(to, source, below, from, half, flip, first, width, min, span, bytes)
}

/** The values from a byte of the bitmaps on, and the width of a range, which the kernel takes. */
function rangeAt(
  kernel: Kernel,
  numbers: KernelNumbers,
  min: number,
  max: number,
  start: number,
): { values: number; width: number; span: number } {
  assertInMemory(kernel, numbers)
  if (min < 0 || max > 0xffffffff) throw new RangeError('The range is wider than 32 bits.')
  const width = numbers.BYTES_PER_ELEMENT
  // A byte of a bitmap is eight rows.
  return { values: numbers.byteOffset + 8 * start * width, width, span: max - min }
}

/** The least and the greatest value of the rows of a list, which has some. */
export function findExtent(
  kernel: Kernel,
  rows: Uint32Array,
  values: KernelNumbers,
): { least: number; greatest: number } {
  for (const array of [rows, values]) assertInMemory(kernel, array)
  const { table, loops } = kernel
  const { byteOffset, BYTES_PER_ELEMENT: width } = values
  loops.findExtent(...listAt(rows), byteOffset, width, table.byteOffset)
  return { least: table[0], greatest: table[1] }
}

/** Calls a function with lists of rows, which are only lent, one after the other. */
export type EachRows = (visit: (rows: Uint32Array) => void) => void

/**
 * How many rows have values from edges[b] up to, but not including, edges[b + 1], for each b. The
 * edges ascend, no value is below the first, and all are below the last.
 */
export function countBins(
  kernel: Kernel,
  eachRowsOf: EachRows,
  values: KernelNumbers,
  edges: readonly number[],
): number[] {
  assertInMemory(kernel, values)
  const [first, end] = [edges[0], edges[edges.length - 1]]
  return end - first <= kernel.cells.length
    ? countByCells(kernel, eachRowsOf, values, edges)
    : countByTable(kernel, eachRowsOf, values, edges)
}

/** Few values can occur: each is counted by itself. */
function countByCells(
  kernel: Kernel,
  eachRowsOf: EachRows,
  values: KernelNumbers,
  edges: readonly number[],
): number[] {
  const { cells, loops } = kernel
  const [first, end] = [edges[0], edges[edges.length - 1]]
  const { byteOffset, BYTES_PER_ELEMENT: width } = values
  cells.fill(0, 0, end - first)
  eachRowsOf((rows) => {
    assertInMemory(kernel, rows)
    loops.countCells(...listAt(rows), byteOffset, width, first, cells.byteOffset)
  })
  return edges.slice(1).map((to, bin) => {
    let count = 0
    for (let value = edges[bin]; value < to; value++) count += cells[value - first]
    return count
  })
}

function countByTable(
  kernel: Kernel,
  eachRowsOf: EachRows,
  values: KernelNumbers,
  edges: readonly number[],
): number[] {
  const { table, loops, bins } = kernel
  const count = edges.length - 1
  if (edges.length + count > table.length) throw new RangeError('Too many bins to count.')
  const { byteOffset, BYTES_PER_ELEMENT: width } = values
  table.set(edges)
  table.fill(0, edges.length, edges.length + count)
  const shift = fillBins(bins, edges)
  const [edgesAt, countsAt] = [table.byteOffset, table.byteOffset + 4 * edges.length]
  // The entry of the least value is the first one.
  const binsAt = bins.byteOffset - (edges[0] >>> shift)
  eachRowsOf((rows) => {
    assertInMemory(kernel, rows)
    loops.countBins(...listAt(rows), byteOffset, width, edgesAt, countsAt, binsAt, shift)
  })
  return Array.from(table.subarray(edges.length, edges.length + count))
}

/** In the table of bins: rows with such a value are in more than one. */
const AMBIGUOUS = 255

/**
 * Writes the bin of each entry, which has the values that are equal but for their lowest bits, and
 * returns how many bits these are.
 */
function fillBins(table: Uint8Array, edges: readonly number[]): number {
  const [first, last] = [edges[0], edges[edges.length - 1] - 1]
  let shift = 0
  while ((last >>> shift) - (first >>> shift) >= table.length) shift++
  const entryOf = (value: number) => (value >>> shift) - (first >>> shift)
  for (let bin = 0; bin < edges.length - 1; bin++) {
    if (edges[bin] < edges[bin + 1])
      table.fill(bin, entryOf(edges[bin]), entryOf(edges[bin + 1] - 1) + 1)
  }
  for (const edge of edges) {
    const isInside = edge > first && edge <= last && edge !== (edge >>> shift) * 2 ** shift
    if (isInside) table[entryOf(edge)] = AMBIGUOUS
  }
  return shift
}

function assertInMemory({ buffer }: Kernel, array: IntegerArray): void {
  if (array.buffer !== buffer) throw new Error('The array is not in the memory of the kernel.')
}
