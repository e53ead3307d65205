import { intersectDifference, type RangeEnds, splitRange, subtract } from '../kernel/bitmaps.ts'
import type { ByteRange } from '../kernel/kernel.ts'
import { addRowsInRange, eachRows, type KernelNumbers } from '../kernel/rows.ts'
import { BLOCK_BYTES, bytesForBits } from '../segment/arena.ts'
import { type Bits, clearBit, clearRange, retainRange, setBit } from '../segment/bits.ts'
import type { NumberColumn, Slices } from '../segment/columns.ts'
import { sliceOf } from '../segment/slices.ts'
import { filterRange } from './filter-rows.ts'
import type { Range } from './predicates.ts'
import type { Searchable, Workspace } from './workspace.ts'

/**
 * Intersects the target with a range, and returns about what share of the rows has values in it.
 * `expected` is the share of all rows that the target is expected to have.
 */
export function intersectRange(searchable: Searchable, range: Range, expected: number): number {
  const { base, workspace } = searchable
  const { derived, min, max } = range
  const column = base.numbers[range.column]
  const isPrimary = range.column === base.primary
  if (!derived && !isPrimary && column.order && expected > SPARSE) {
    return intersectByOrder(workspace, column, column.order, min, max)
  }
  if (isPrimary) intersectRows(workspace, column, range)
  else intersectSlices(workspace, column, range)
  if (!isPrimary && !derived && isKernelColumn(column)) {
    addUnchecked(workspace, column, workspace.target, min, max)
  } else if (derived || !isPrimary) checkRows(searchable, range)
  return 1
}

/**
 * From this share of all rows on it is cheaper to go through all rows of the slices at the ends
 * than to pick out those of them that are in the target.
 */
const SPARSE = 0.12

/** Whole slices by their bitmaps; of the two at the ends, the rows outside are cleared singly. */
function intersectByOrder(
  { kernel, target, none }: Workspace,
  column: NumberColumn,
  order: Uint32Array,
  min: number,
  max: number,
): number {
  const slices = slicesOf(column)
  const first = sliceOf(slices, min)
  const last = sliceOf(slices, max)
  intersectDifference(kernel, target, upToSlice(slices, last), beforeSlice(slices, first, none))
  const from = positionFrom(column, order, min)
  const to = positionFrom(column, order, max + 1)
  const { start } = slicePositions(column, first)
  const { end } = slicePositions(column, last)
  for (let position = start; position < from; position++) clearBit(target, order[position])
  for (let position = to; position < end; position++) clearBit(target, order[position])
  return Math.max(0, to - from) / order.length
}

/** The positions of a slice in the column's order. */
export function slicePositions(
  column: NumberColumn,
  slice: number,
): { start: number; end: number } {
  const { positions } = slicesOf(column)
  return {
    start: slice === 0 ? 0 : positions[slice - 1],
    end: slice === positions.length ? column.present : positions[slice],
  }
}

/** The first position in the column's order with `value` or more. */
export function positionFrom(
  { values, base, present }: NumberColumn,
  order: Uint32Array,
  value: number,
): number {
  const wanted = value - base
  let low = 0
  let high = present
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[order[middle]] < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** The primary column is the order of the rows. Rows that must be checked go to `unchecked`. */
function intersectRows(
  { target, unchecked, kernel }: Workspace,
  column: NumberColumn,
  { min, max, derived }: Range,
): void {
  retainRange(target, firstRowFrom(column, min), firstRowFrom(column, max + 1))
  if (!derived) return
  unchecked.set(target)
  const certain = firstRowFrom(column, derived.certainMin)
  clearRange(unchecked, certain, firstRowFrom(column, derived.certainMax + 1))
  subtract(kernel, target, unchecked)
}

/** The first row of the primary column with `value` or more. */
export function firstRowFrom(column: NumberColumn, value: number): number {
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

/** Retains the slices inside the range; the rows of those at its ends go to `unchecked`. */
function intersectSlices(
  workspace: Workspace,
  column: NumberColumn,
  { min, max, derived }: Range,
): void {
  const { kernel, target, unchecked, none } = workspace
  const { certainMin, certainMax } = derived ?? { certainMin: min, certainMax: max }
  const ends = rangeEnds(column, none, min, max, certainMin, certainMax)
  splitRange(kernel, target, ends, unchecked)
}

/** The bitmaps around min..max. Rows with values in certainMin..certainMax need no check. */
function rangeEnds(
  column: NumberColumn,
  none: Bits,
  min: number,
  max: number,
  certainMin: number,
  certainMax: number,
): RangeEnds {
  const slices = slicesOf(column)
  const { cuts, present } = slices
  const first = sliceOf(slices, min)
  const last = sliceOf(slices, max)
  const start = first === 0 ? column.least : cuts[first - 1]
  const end = last === cuts.length ? column.greatest : cuts[last] - 1
  // A slice that is inside the range as a whole needs no check.
  const lowIsWhole = min <= start && certainMin <= Math.max(min, start)
  const highIsWhole = max >= end && certainMax >= Math.min(max, end)
  return {
    included: upToSlice(slices, last),
    excluded: beforeSlice(slices, first, none),
    checkBelow: lowIsWhole ? none : upToSlice(slices, sliceOf(slices, certainMin)),
    checkFrom: highIsWhole ? present : beforeSlice(slices, sliceOf(slices, certainMax), none),
  }
}

export function slicesOf({ slices }: NumberColumn): Slices {
  if (!slices) throw new Error('Only a ranged column that is not the primary one has slices.')
  return slices
}

/** The rows of all slices up to this one. */
export function upToSlice({ cuts, below, present }: Slices, slice: number): Bits {
  return slice === cuts.length ? present : below[slice]
}

/** The rows of all slices before this one. */
export function beforeSlice({ below }: Slices, slice: number, none: Bits): Bits {
  return slice === 0 ? none : below[slice - 1]
}

/** Adds those rows of `unchecked` to a bitmap whose value is in min..max. */
export function addUnchecked(
  { kernel, unchecked }: Workspace,
  column: KernelColumn,
  bits: Bits,
  min: number,
  max: number,
): void {
  const { values, base, least, greatest } = column
  const [first, last] = [Math.max(min, least) - base, Math.min(max, greatest) - base]
  addRowsInRange(kernel, bits, unchecked, values, first, last)
}

export type KernelColumn = NumberColumn & { values: KernelNumbers }

/** Whether the kernel can read the column's values. */
export function isKernelColumn(column: NumberColumn): column is KernelColumn {
  return !(column.values instanceof Float64Array)
}

/** The part of the bitmaps in which rows with min..max can be. */
export function byteRangeOf(
  { base, workspace }: Searchable,
  name: string,
  min: number,
  max: number,
): ByteRange {
  const { ratio } = base.numbers[name]
  const { blockStarts } = workspace
  if (name === base.primary) return blocksAround(blockStarts, min, max)
  if (!ratio) return { start: 0, bytes: bytesForBits(base.size) }
  // One cent further than computed, because the division may have been rounded.
  const least = Math.floor(min / ratio.greatest) - 1
  return blocksAround(blockStarts, least, Math.ceil(max / ratio.least) + 1)
}

/** A part of the bitmaps in which all rows have values in min..max. */
export function certainByteRangeOf(
  { base, workspace }: Searchable,
  name: string,
  min: number,
  max: number,
): ByteRange {
  const { ratio } = base.numbers[name]
  const { blockStarts } = workspace
  if (name === base.primary) return blocksWithin(blockStarts, min, max)
  if (!ratio) return { start: 0, bytes: 0 }
  const least = Math.ceil(min / ratio.least) + 1
  return blocksWithin(blockStarts, least, Math.floor(max / ratio.greatest) - 1)
}

/** Blocks among which all are that have rows with min..max in the primary column. */
function blocksAround(starts: Float64Array, min: number, max: number): ByteRange {
  return blocksFrom(Math.max(0, blocksBelow(starts, min) - 1), blocksBelow(starts, max + 1))
}

/** Blocks whose rows all have min..max in the primary column. */
function blocksWithin(starts: Float64Array, min: number, max: number): ByteRange {
  return blocksFrom(blocksBelow(starts, min), blocksBelow(starts, max + 1) - 1)
}

function blocksFrom(first: number, end: number): ByteRange {
  return { start: first * BLOCK_BYTES, bytes: Math.max(0, end - first) * BLOCK_BYTES }
}

/** How many blocks begin with a row below a value of the primary column. */
function blocksBelow(starts: Float64Array, value: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (starts[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Adds those rows of `unchecked` to the target that are in the range. */
function checkRows({ base, workspace }: Searchable, range: Range): void {
  const { kernel, target, unchecked } = workspace
  eachRows(kernel, unchecked, (rows) => {
    const count = filterRange(base, range, rows, rows.length)
    for (let i = 0; i < count; i++) setBit(target, rows[i])
  })
}
