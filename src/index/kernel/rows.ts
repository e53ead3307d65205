import type { Bits } from '../segment/bits.ts'
import type { IntegerArray } from '../segment/columns.ts'
import { addressOf, assertByteRange, type ByteRange, type Kernel } from './kernel.ts'

/** The loops over the single rows of a bitmap, called with arrays instead of addresses. */

/** Writes the rows of a bitmap to `list`, lowest first, and returns the part that is filled. */
export function listRows(kernel: Kernel, bits: Bits, list: Uint32Array): Uint32Array {
  assertInMemory(kernel, list)
  const count = kernel.loops.listRows(addressOf(kernel, bits), list.byteOffset, kernel.bytes)
  return list.subarray(0, count)
}

/** Does counts[codes[row]]++ for every row of the list. There is a count for each code. */
export function countCodes(
  kernel: Kernel,
  rows: Uint32Array,
  codes: Uint8Array,
  counts: Uint32Array,
): void {
  for (const array of [rows, codes, counts]) assertInMemory(kernel, array)
  if (counts.length < 256) throw new RangeError('A byte has 256 values.')
  const end = rows.byteOffset + rows.byteLength
  kernel.loops.countCodes(rows.byteOffset, end, codes.byteOffset, counts.byteOffset)
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
  const from = values.byteOffset + 8 * start * values.BYTES_PER_ELEMENT
  const { addRowsInRange8, addRowsInRange16, addRowsInRange32 } = kernel.loops
  const loops = { 1: addRowsInRange8, 2: addRowsInRange16, 4: addRowsInRange32 }
  const [t, u] = [target, unchecked].map((bits) => addressOf(kernel, bits) + start)
  loops[values.BYTES_PER_ELEMENT as 1 | 2 | 4](t, u, from, min, max - min, bytes)
}

function assertInMemory({ buffer }: Kernel, array: IntegerArray): void {
  if (array.buffer !== buffer) throw new Error('The array is not in the memory of the kernel.')
}
