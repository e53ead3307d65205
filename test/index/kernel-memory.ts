import fc from 'fast-check'
import { newKernel } from '../../src/index/kernel/kernel.ts'
import { allocateBits, newArena } from '../../src/index/segment/arena.ts'
import { type Bits, hasBit, setBit } from '../../src/index/segment/bits.ts'

/** What the tests of the kernel share: sets of rows, and bitmaps for them. */

/** Three blocks of 512 rows, the last of them not full. */
export const ROWS = 1200
export const ALL = Array.from({ length: ROWS }, (_, row) => row)
/** A part of the bitmaps: the second block. */
export const PART = { start: 64, bytes: 64 }
export const isInPart = (row: number) => row >= 512 && row < 1024

export type RowSet = ReadonlySet<number>

/** A few rows, all but a few, those of one block, or none. */
const few = fc.uniqueArray(fc.nat(ROWS - 1), { maxLength: 30 })
export const rowSet: fc.Arbitrary<RowSet> = fc.oneof(
  few.map((rows) => new Set(rows)),
  few.map((rows) => new Set(ALL.filter((row) => !rows.includes(row)))),
  fc.nat(2).map((block) => new Set(ALL.filter((row) => row >>> 9 === block))),
  fc.constant(new Set<number>()),
)

/** Whether a row is in a band of four sets: a source, `below`, `from` and a half. */
export function isOfBand(sets: readonly RowSet[], inHalf: boolean): (row: number) => boolean {
  const [source, below, from, half] = sets
  return (row) => source.has(row) && below.has(row) && !from.has(row) && half.has(row) === inHalf
}

/** A kernel with its memory, and some bitmaps in it. */
export function kernelMemory() {
  const arena = newArena(300_000)
  const bitmap = () => allocateBits(arena, ROWS)
  const spare = Array.from({ length: 10 }, bitmap)
  return {
    arena,
    kernel: newKernel(arena, ROWS),
    target: bitmap(),
    unchecked: bitmap(),
    bitmapsOf: (sets: readonly RowSet[]): Bits[] => sets.map((rows, i) => fill(spare[i], rows)),
  }
}

export function fill(bits: Bits, rows: RowSet): Bits {
  bits.fill(0)
  for (const row of rows) setBit(bits, row)
  return bits
}

export function rowsOf(bits: Bits): number[] {
  return ALL.filter((row) => hasBit(bits, row))
}
