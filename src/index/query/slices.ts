import { bytesForBits } from '../segment/arena.ts'
import type { Bits } from '../segment/bits.ts'
import type { NumberColumn, Segment } from '../segment/columns.ts'
import type { Workspace } from './workspace.ts'

/** Rows outside keep, or in drop, are out; rows in lookBelow or not in lookFrom are looked at. */
export interface SliceEnds {
  keep: Bits
  drop: Bits
  lookBelow: Bits
  lookFrom: Bits
}

/** The slices of a ranged column around min..max, of which certainMin..certainMax needs no look. */
export function slicesAt(
  { none }: Workspace,
  column: NumberColumn,
  min: number,
  max: number,
  certainMin: number,
  certainMax: number,
): SliceEnds {
  if (!column.slices) throw new Error('only a ranged column has slices')
  const { cuts, below, present } = column.slices
  // Slice k holds the values from cuts[k - 1] up to, without it, cuts[k].
  const first = sliceOf(cuts, min)
  const last = sliceOf(cuts, max)
  const start = first === 0 ? column.least : cuts[first - 1]
  const end = last === cuts.length ? column.greatest : cuts[last] - 1
  const lowIsClean = min <= start && certainMin <= Math.max(min, start)
  const highIsClean = max >= end && certainMax >= Math.min(max, end)
  const sureFirst = sliceOf(cuts, certainMin)
  const sureLast = sliceOf(cuts, certainMax)
  return {
    keep: last === cuts.length ? present : below[last],
    drop: first === 0 ? none : below[first - 1],
    lookBelow: lowIsClean ? none : sureFirst === cuts.length ? present : below[sureFirst],
    lookFrom: highIsClean ? present : sureLast === 0 ? none : below[sureLast - 1],
  }
}

/** How many cuts are at or below the value: the number of the slice it lies in. */
export function sliceOf(cuts: readonly number[], value: number): number {
  let slice = 0
  while (slice < cuts.length && cuts[slice] <= value) slice++
  return slice
}

/** The first row of the primary column with `value` or more. */
export function rowFrom(column: NumberColumn, value: number): number {
  const wanted = value - column.base
  let low = 0
  let high = column.values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (column.values[middle] < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** The part of the bitmaps in which a search has something to do, in bytes. */
export interface Stretch {
  start: number
  bytes: number
}

/** Of the rows in `look`, those whose value is in min..max join the set. */
export function siftRows(
  { kernel, look }: Workspace,
  column: NumberColumn,
  set: Bits,
  min: number,
  max: number,
  { start, bytes }: Stretch,
): void {
  const { values, base, least, greatest } = column
  const first = Math.max(min, least) - base
  const span = Math.min(max, greatest) - base - first
  // A byte of a bitmap is eight rows.
  const from = values.byteOffset + 8 * start * values.BYTES_PER_ELEMENT
  const at = [set.byteOffset + start, look.byteOffset + start, bytes, from] as const
  // No value fits: a span of -1 would be read as the widest of all.
  if (span < 0) return
  if (values instanceof Uint8Array) kernel.siftBytes(...at, first, span)
  else if (values instanceof Uint16Array) kernel.siftHalves(...at, first, span)
  else if (values instanceof Uint32Array) kernel.siftWords(...at, first, span)
  else throw new Error('the kernel sifts no doubles')
}

/** Whether the kernel can read the column's values. */
export function isSiftable({ values }: NumberColumn): boolean {
  return !(values instanceof Float64Array)
}

/** Where the rows with min..max can be: all over, unless the column goes with the rows' order. */
export function stretchOf(segment: Segment, name: string, min: number, max: number): Stretch {
  const primary = segment.numbers[segment.primary]
  const { ratio } = segment.numbers[name]
  const isPrimary = name === segment.primary
  if (!isPrimary && !ratio) return { start: 0, bytes: bytesForBits(segment.size) }
  // A cent on the safe side of what the division may have rounded.
  const least = isPrimary || !ratio ? min : Math.floor(min / ratio.greatest) - 1
  const most = isPrimary || !ratio ? max : Math.ceil(max / ratio.least) + 1
  const start = Math.floor(rowFrom(primary, least) / ROWS_A_TURN) * TURN_BYTES
  const end = Math.ceil(rowFrom(primary, most + 1) / ROWS_A_TURN) * TURN_BYTES
  return { start, bytes: Math.max(0, end - start) }
}

/** The kernel takes so many bytes of a bitmap a turn. */
const TURN_BYTES = 64
const ROWS_A_TURN = 8 * TURN_BYTES
