import type { Bits } from './bits.ts'
import type { NumberColumn } from './columns.ts'
import type { Workspace } from './workspace.ts'

/** Rows outside keep, or in drop, are out; rows in lookBelow or not in lookFrom are looked at. */
export interface SliceEnds {
  keep: Bits
  drop: Bits
  lookBelow: Bits
  lookFrom: Bits
}

/** The slices of a ranged column around min..max, of which sureMin..sureMax needs no look. */
export function slicesAt(
  { none }: Workspace,
  column: NumberColumn,
  min: number,
  max: number,
  sureMin: number,
  sureMax: number,
): SliceEnds {
  if (!column.slices) throw new Error('only a ranged column has slices')
  const { cuts, below, present } = column.slices
  // Slice k holds the values from cuts[k - 1] up to, without it, cuts[k].
  const first = sliceOf(cuts, min)
  const last = sliceOf(cuts, max)
  const start = first === 0 ? column.least : cuts[first - 1]
  const end = last === cuts.length ? column.greatest : cuts[last] - 1
  const lowIsClean = min <= start && sureMin <= Math.max(min, start)
  const highIsClean = max >= end && sureMax >= Math.min(max, end)
  const sureFirst = sliceOf(cuts, sureMin)
  const sureLast = sliceOf(cuts, sureMax)
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

/** Of the rows in `look`, those whose value is in min..max join the set. */
export function siftRows(
  { kernel, bytes, look }: Workspace,
  column: NumberColumn,
  set: Bits,
  min: number,
  max: number,
): void {
  const { values, base, least, greatest } = column
  const first = Math.max(min, least) - base
  const span = Math.min(max, greatest) - base - first
  const at = [set.byteOffset, look.byteOffset, bytes, values.byteOffset] as const
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
