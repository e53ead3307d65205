import type { Bits } from '../segment/bits.ts'
import type { IntegerArray } from '../segment/columns.ts'
import { addressOf, assertByteRange, type ByteRange, type Kernel } from './kernel.ts'

/** The loops over the single rows of a bitmap, called with arrays instead of addresses. */

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

/** Does counts[codes[row]]++ for every row of the bitmap. There is a count for each code. */
export function countCodes(
  kernel: Kernel,
  bits: Bits,
  codes: Uint8Array,
  counts: Uint32Array,
): void {
  for (const array of [codes, counts]) assertInMemory(kernel, array)
  if (counts.length < 256) throw new RangeError('A byte has 256 values.')
  const { loops, bytes } = kernel
  loops.countCodes(addressOf(kernel, bits), codes.byteOffset, counts.byteOffset, bytes)
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

/** The least and the greatest value of the rows in a bitmap, which has some. */
export function findExtent(
  kernel: Kernel,
  bits: Bits,
  values: KernelNumbers,
): { least: number; greatest: number } {
  assertInMemory(kernel, values)
  const { table, loops, bytes } = kernel
  const { byteOffset, BYTES_PER_ELEMENT: width } = values
  loops.findExtent(addressOf(kernel, bits), byteOffset, width, table.byteOffset, bytes)
  return { least: table[0], greatest: table[1] }
}

/**
 * How many rows of a bitmap have values from edges[b] up to, but not including, edges[b + 1], for
 * each b. The edges ascend, no value is below the first, and all are below the last.
 */
export function countBins(
  kernel: Kernel,
  bits: Bits,
  values: KernelNumbers,
  edges: readonly number[],
): Uint32Array {
  assertInMemory(kernel, values)
  const { table, loops, bytes } = kernel
  const bins = edges.length - 1
  if (edges.length + bins > table.length) throw new RangeError('Too many bins to count.')
  table.set(edges)
  const counts = table.subarray(edges.length, edges.length + bins).fill(0)
  const { byteOffset, BYTES_PER_ELEMENT: width } = values
  const [edgesAt, countsAt] = [table.byteOffset, counts.byteOffset]
  loops.countBins(addressOf(kernel, bits), byteOffset, width, edgesAt, countsAt, bins, bytes)
  return counts.slice()
}

function assertInMemory({ buffer }: Kernel, array: IntegerArray): void {
  if (array.buffer !== buffer) throw new Error('The array is not in the memory of the kernel.')
}
