import { clearBit, clearRange, keepRange } from '../segment/bits.ts'
import type { NumberColumn } from '../segment/columns.ts'
import { canBand, keepInBands } from './bands.ts'
import { filterRange } from './filter-rows.ts'
import type { Range } from './predicates.ts'
import { isSiftable, rowFrom, siftRows, sliceOf, slicesAt } from './slices.ts'
import { listRows, type Searchable, type Workspace } from './workspace.ts'

/**
 * Of the rows in the target, keeps those in the range, and answers about what share of them.
 * `expected` is the share of all rows that the target is thought to hold.
 */
export function keepInRange(searchable: Searchable, range: Range, expected: number): number {
  const { base, workspace } = searchable
  const { derived, min, max } = range
  const column = base.numbers[range.column]
  const isPrimary = range.column === base.primary
  if (derived?.bands && canBand(base, range, derived.bands)) {
    keepInBands(searchable, range, derived.bands)
    return 1
  }
  if (!derived && !isPrimary && column.order && expected > SPARSE) {
    return keepByOrder(workspace, column, column.order, min, max)
  }
  if (isPrimary) keepRows(workspace, column, range)
  else keepSlices(workspace, column, range)
  const { target, bytes } = workspace
  if (!isPrimary && !derived && isSiftable(column)) {
    siftRows(workspace, column, target, min, max, { start: 0, bytes })
  } else if (derived || !isPrimary) siftLooked(searchable, range)
  return 1
}

/**
 * From this share of all rows on it is cheaper to go through all rows of the slices at the ends
 * than to pick out those of them that are left.
 */
const SPARSE = 0.12

/** Whole slices by their bitmaps; of the two at the ends, the rows outside drop out one by one. */
function keepByOrder(
  { kernel, bytes, target, none }: Workspace,
  column: NumberColumn,
  order: Uint32Array,
  min: number,
  max: number,
): number {
  if (!column.slices) throw new Error('only a ranged column has slices')
  const { cuts, below, present } = column.slices
  const first = sliceOf(cuts, min)
  const last = sliceOf(cuts, max)
  const keep = last === cuts.length ? present : below[last]
  const drop = first === 0 ? none : below[first - 1]
  kernel.between(target.byteOffset, bytes, keep.byteOffset, drop.byteOffset)
  const from = placeFrom(column, order, min)
  const to = placeFrom(column, order, max + 1)
  const start = first === 0 ? 0 : placeFrom(column, order, cuts[first - 1])
  const end = last === cuts.length ? column.present : placeFrom(column, order, cuts[last])
  for (let place = start; place < from; place++) clearBit(target, order[place])
  for (let place = to; place < end; place++) clearBit(target, order[place])
  return Math.max(0, to - from) / order.length
}

/** The first place in the column's order with `value` or more. */
function placeFrom({ values, base, present }: NumberColumn, order: Uint32Array, value: number) {
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

/** The primary column is the order of the rows themselves; what is derived goes to `look`. */
function keepRows(workspace: Workspace, column: NumberColumn, { min, max, derived }: Range): void {
  const { target, look, kernel, bytes } = workspace
  keepRange(target, rowFrom(column, min), rowFrom(column, max + 1))
  if (!derived) return
  look.set(target)
  clearRange(look, rowFrom(column, derived.certainMin), rowFrom(column, derived.certainMax + 1))
  kernel.dropRows(target.byteOffset, look.byteOffset, bytes)
}

/** Keeps the slices that lie inside; the rows of those at the ends go to `look`. */
function keepSlices(
  workspace: Workspace,
  column: NumberColumn,
  { min, max, derived }: Range,
): void {
  const { target, look, kernel, bytes } = workspace
  const certainMin = derived?.certainMin ?? min
  const certainMax = derived?.certainMax ?? max
  const ends = slicesAt(workspace, column, min, max, certainMin, certainMax)
  kernel.slice(
    target.byteOffset,
    bytes,
    ends.keep.byteOffset,
    ends.drop.byteOffset,
    ends.lookBelow.byteOffset,
    ends.lookFrom.byteOffset,
    look.byteOffset,
  )
}

/** Of the rows in `look`, those in the range join the target. */
function siftLooked({ base, workspace }: Searchable, range: Range): void {
  const { target, look } = workspace
  const rows = listRows(workspace, look)
  const kept = filterRange(base, range, rows, rows.length)
  for (let i = 0; i < kept; i++) target[rows[i] >>> 5] |= 1 << (rows[i] & 31)
}
