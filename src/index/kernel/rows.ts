import type { Bits } from '../segment/bits.ts'
import type { IntegerArray, WordArray } from '../segment/columns.ts'
import { addressOf, assertByteRange, type ByteRange, type Kernel } from './kernel.ts'

/** The loops over single rows, called with arrays instead of addresses. */

/** The rows of a bitmap, lowest first; there are `count` of them. */
export function listRows(kernel: Kernel, bits: Bits, count: number): Uint32Array {
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

/** The same in a list of the kernel's memory, which has space for them. */
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
  { start, bytes }: ByteRange = { start: 0, bytes: kernel.bytes },
): void {
  assertByteRange(kernel, { start, bytes })
  assertInMemory(kernel, values)
  // The kernel takes the width of the range, and reads one of -1 as the widest of all.
  if (min > max) return
  if (min < 0 || max > 0xffffffff) throw new RangeError('The range is wider than 32 bits.')
  // A byte of a bitmap is eight rows.
  const width = values.BYTES_PER_ELEMENT
  const from = values.byteOffset + 8 * start * width
  const [t, u] = [target, unchecked].map((bits) => addressOf(kernel, bits) + start)
  kernel.loops.addRowsInRange(t, u, from, width, min, max - min, bytes)
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

/**
 * How many rows of a list have values from edges[b] up to, but not including, edges[b + 1], for
 * each b. The edges ascend, no value is below the first, and all are below the last.
 */
export function countBins(
  kernel: Kernel,
  rows: Uint32Array,
  values: KernelNumbers,
  edges: readonly number[],
): Uint32Array {
  for (const array of [rows, values]) assertInMemory(kernel, array)
  const { table, loops, bins: binTable } = kernel
  const bins = edges.length - 1
  if (edges.length + bins > table.length) throw new RangeError('Too many bins to count.')
  table.set(edges)
  const counts = table.subarray(edges.length, edges.length + bins).fill(0)
  const { byteOffset, BYTES_PER_ELEMENT: width } = values
  const shift = fillBins(binTable, edges)
  const tables = [table, counts, binTable].map((array) => array.byteOffset)
  loops.countBins(...listAt(rows), byteOffset, width, ...tables, shift)
  return counts.slice()
}

/** Writes the bin of the least value of each entry; returns how many bits an entry leaves out. */
function fillBins(table: Uint8Array, edges: readonly number[]): number {
  const [first, last] = [edges[0], edges[edges.length - 1] - 1]
  let shift = 0
  while ((last - first) / 2 ** shift >= table.length) shift++
  let bin = 0
  for (let entry = 0; entry <= (last - first) / 2 ** shift; entry++) {
    while (edges[bin + 1] <= first + entry * 2 ** shift) bin++
    table[entry] = bin
  }
  return shift
}

function assertInMemory({ buffer }: Kernel, array: IntegerArray): void {
  if (array.buffer !== buffer) throw new Error('The array is not in the memory of the kernel.')
}
