import { countIntersection, intersectAll } from '../kernel/bitmaps.ts'
import { listRows } from '../kernel/rows.ts'
import { type Bits, hasBit } from '../segment/bits.ts'
import { idAt, NO_CODE, type Segment } from '../segment/columns.ts'
import type { ColumnOrder } from './predicates.ts'
import type { Place } from './seek.ts'
import { newRanked, pushRanked, type Ranked, selectWindow } from './top-k.ts'
import { bitmapOf, type Searchable } from './workspace.ts'

/**
 * Pages in the order of a code column. A column of grades has a bitmap for each grade, so the
 * matches are in groups already, and only the rows of the groups on the page are put in the order
 * of their ids: an order of all rows, as numbers have, would take four bytes for each.
 */

export function isCodeColumn({ codes }: Segment, { column }: ColumnOrder): boolean {
  return Object.hasOwn(codes, column)
}

/** The matches at positions from..end-1 in the order of a code column. */
export function scanCodes(
  searched: Searchable,
  order: ColumnOrder,
  from: number,
  end: number,
): Ranked {
  const { kernel, target } = searched.workspace
  const found = newRanked(Math.max(1, end - from))
  let position = 0
  for (const group of groupsOf(searched, order)) {
    if (position >= end) break
    const count = countIntersection(kernel, target, group.bits)
    if (position + count > from) {
      const first = Math.max(0, from - position)
      addById(searched, group, count, { first, end: end - position }, found)
    }
    position += count
  }
  return found
}

/** The first `wanted` matches behind a place in the order of a code column. */
export function seekCodes(
  searched: Searchable,
  order: ColumnOrder,
  place: Place,
  wanted: number,
): Ranked {
  const { kernel, target } = searched.workspace
  const found = newRanked(wanted)
  for (const group of groupsOf(searched, order)) {
    if (found.count === wanted) break
    if (group.rank < place.rank) continue
    const count = countIntersection(kernel, target, group.bits)
    const behindId = group.rank === place.rank ? place.id : undefined
    addById(searched, group, count, { first: 0, end: wanted - found.count, behindId }, found)
  }
  return found
}

/** The rows of one code, and the rank that fillRanks gives them. */
interface Group {
  readonly bits: Bits
  readonly rank: number
}

/** Rows without a value come last in both directions. */
function* groupsOf(searched: Searchable, { column, descending }: ColumnOrder): Generator<Group> {
  const { base, dictionaries } = searched
  const { values } = dictionaries[column]
  const { counts } = base.codes[column]
  const codes = Array.from(counts.keys()).filter((code) => code !== NO_CODE && counts[code] > 0)
  for (const code of descending ? codes.toReversed() : codes) {
    const rank = descending ? -code : code
    yield { bits: bitmapOf(searched, column, values[code]), rank }
  }
  yield { bits: bitmapOf(searched, column, null), rank: Number.POSITIVE_INFINITY }
}

/** Positions among the rows of a group, in the order of their ids; only those behind an id. */
interface Window {
  readonly first: number
  readonly end: number
  readonly behindId?: number
}

/**
 * Adds the rows of a group in a window. They are read along the order of all ids, or sorted by
 * their own ids where that takes fewer steps.
 */
function addById(
  searched: Searchable,
  { bits, rank }: Group,
  count: number,
  { first, end, behindId = Number.NEGATIVE_INFINITY }: Window,
  found: Ranked,
): void {
  const { base, workspace } = searched
  const { kernel, target, unchecked: group } = workspace
  if (count === 0) return
  intersectAll(kernel, group, [target, bits], [])
  const stepsMax = count * SORT_STEPS
  const wanted = Math.min(end, count)
  const stepsExpected = (wanted / count) * base.size
  const scanned =
    stepsExpected <= stepsMax ? scanIds(base, group, behindId, wanted, stepsMax) : undefined
  const rows =
    scanned?.subarray(first) ??
    sortedById(base, listRows(kernel, group, count), behindId, first, wanted)
  for (const row of rows) pushRanked(found, row, rank)
}

/** Listing and sorting a row costs about as much as this many steps along the order of the ids. */
const SORT_STEPS = 6

/** The first `wanted` rows behind an id; undefined when finding them takes too many steps. */
function scanIds(
  base: Segment,
  bits: Bits,
  behindId: number,
  wanted: number,
  stepsMax: number,
): Uint32Array | undefined {
  const { idOrder } = base
  const rows = new Uint32Array(wanted)
  let count = 0
  const start = positionBehind(base, behindId)
  for (let position = start; position < idOrder.length && count < wanted; position++) {
    if (position - start > stepsMax) return undefined
    if (hasBit(bits, idOrder[position])) rows[count++] = idOrder[position]
  }
  return rows.subarray(0, count)
}

/** The first position in the order of the ids whose id is greater than this one. */
function positionBehind(base: Segment, id: number): number {
  let low = 0
  let high = base.size
  while (low < high) {
    const middle = (low + high) >>> 1
    if (idAt(base, base.idOrder[middle]) <= id) low = middle + 1
    else high = middle
  }
  return low
}

function sortedById(
  base: Segment,
  rows: Uint32Array,
  behindId: number,
  first: number,
  end: number,
): Uint32Array {
  const ranked = newRanked(rows.length)
  for (let i = 0; i < rows.length; i++) {
    const id = idAt(base, rows[i])
    if (id > behindId) pushRanked(ranked, rows[i], id)
  }
  return selectWindow(ranked, base.ids, first, end).rows
}
