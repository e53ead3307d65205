import { type Bits, hasBit } from '../segment/bits.ts'
import { idAt, type Segment, type View } from '../segment/columns.ts'
import type { ColumnOrder, KeyBounds, KeyOrder, Order } from './predicates.ts'
import { firstRowFrom, positionFrom } from './range.ts'
import { fillRanks } from './ranks.ts'
import { groupStart, orderOf, RANK_STEPS } from './scan.ts'
import { cleared, pushRanked, type Ranked } from './top-k.ts'
import { RANKED_PER_BLOCK, type Searchable } from './workspace.ts'

/**
 * Reads on from a place in an order. The place is found by binary search, so that the thousandth
 * page takes as long as the second.
 */

/** A place in an order: behind the row with this rank and id, whether or not it still exists. */
export interface Place {
  /** As fillRanks writes it: Infinity for a row without a value. */
  readonly rank: number
  readonly id: number
}

/** The place behind a row. */
export function placeOf(view: View, row: number, order: Order): Place {
  const ranks = new Float64Array(1)
  fillRanks(view, order, Uint32Array.of(row), 1, ranks)
  return { rank: ranks[0], id: idAt(view, row) }
}

export function isBehind(place: Place, rank: number, id: number): boolean {
  return rank > place.rank || (rank === place.rank && id > place.id)
}

/**
 * The first `wanted` matches of the base behind a place, and perhaps more, in any order. Undefined
 * when ranking all of the `matches` is cheaper.
 */
export function seek(
  searched: Searchable,
  order: Order,
  place: Place,
  wanted: number,
  matches: number,
): Ranked | undefined {
  return order.kind === 'column'
    ? seekColumn(searched, order, place, wanted, matches * RANK_STEPS)
    : seekKeys(searched, order, place, wanted, matches)
}

function seekColumn(
  { base, workspace }: Searchable,
  order: ColumnOrder,
  place: Place,
  wanted: number,
  stepsMax: number,
): Ranked | undefined {
  const { target } = workspace
  const rows = orderOf(base.numbers[order.column], order.column)
  const ranked = cleared(workspace.ranked)
  let steps = 0
  for (const [first, last] of runsBehind(base, order, place)) {
    for (let i = first; i < last && ranked.count < wanted; i++) {
      if (steps++ === stepsMax) return undefined
      if (hasBit(target, rows[i])) pushRanked(ranked, rows[i], 0)
    }
    if (ranked.count === wanted) break
  }
  fillRanks(base, order, ranked.rows, ranked.count, ranked.keys)
  return ranked
}

/** The positions of a column's order that are behind the place, as runs, in sorted order. */
function* runsBehind(
  base: Segment,
  order: ColumnOrder,
  place: Place,
): Generator<[first: number, last: number]> {
  const column = base.numbers[order.column]
  const rows = orderOf(column, order.column)
  const { values, present } = column
  const hasLaterId = (position: number) => idAt(base, rows[position]) > place.id
  if (place.rank === Number.POSITIVE_INFINITY) {
    yield [firstPosition(present, base.size, hasLaterId), base.size]
    return
  }
  const value = (order.descending ? -place.rank : place.rank) - column.base
  const start = firstPosition(0, present, (position) => values[rows[position]] >= value)
  const end = firstPosition(start, present, (position) => values[rows[position]] > value)
  yield [firstPosition(start, end, hasLaterId), end]
  if (!order.descending) yield [end, present]
  // Downwards by groups of equal values, because within one the ids ascend in both directions.
  for (let last = start; order.descending && last > 0; ) {
    const first = groupStart(rows, values, last - 1)
    yield [first, last]
    last = first
  }
  yield [present, base.size]
}

/** The first position from low to high - 1 where it is true; true remains true behind it. */
function firstPosition(low: number, high: number, isTrue: (position: number) => boolean): number {
  let [first, last] = [low, high]
  while (first < last) {
    const middle = (first + last) >>> 1
    if (isTrue(middle)) last = middle
    else first = middle + 1
  }
  return first
}

/**
 * Ranges of keys are read one after the other, until enough rows are found. Of each part of the
 * order only the values are read that rows with such keys can have. A range is as wide as what was
 * found in the one before suggests.
 */
function seekKeys(
  searched: Searchable,
  order: KeyOrder,
  place: Place,
  wanted: number,
  matches: number,
): Ranked | undefined {
  const { base, workspace } = searched
  const positions = positionsOf(base, order.follows)
  if (!positions) return undefined
  const parts = order.parts()
  const stepsExpected = (parts.length * wanted * base.size) / matches / positions.perStep
  if (stepsExpected > matches * RANK_STEPS) return undefined
  const { target, block } = workspace
  const found = cleared(workspace.ranked)
  let ranksLeft = matches
  let first = place.rank
  if (first === Number.POSITIVE_INFINITY)
    return addWithout(searched, positions, place, wanted, found)
  let width = Math.ceil((Math.abs(first) * FIRST_WIDTH * wanted) / matches) + 1
  for (;;) {
    const last = first + width - 1
    const runs = order.descending
      ? runsOf(parts, positions, -last, -first)
      : runsOf(parts, positions, first, last)
    // No row can have such a key or a later one.
    const isOver = order.descending ? runs.at(-1)?.[1] === 0 : runs[0][0] === positions.count
    if (isOver) return addWithout(searched, positions, place, wanted, found)
    const before = found.count
    const rank = () => {
      ranksLeft -= block.count
      fillRanks(base, order, block.rows, block.count, block.keys)
      for (let i = 0; i < block.count; i++) {
        const [row, key] = [block.rows[i], block.keys[i]]
        if (key <= last && isBehind(place, key, idAt(base, row)) && key >= first) {
          pushRanked(found, row, key)
        }
      }
      block.count = 0
    }
    block.count = 0
    for (const run of runs) readRun(target, positions.rows, run, block, rank)
    rank()
    if (found.count >= wanted) return found
    if (ranksLeft < 0) return undefined
    first = last + 1
    width *= growthFor(wanted - found.count, found.count - before)
  }
}

/** Adds the matches without a value, which are behind all others, by id. */
function addWithout(
  { base, workspace }: Searchable,
  { rows, count }: Positions,
  place: Place,
  wanted: number,
  found: Ranked,
): Ranked {
  if (!rows) return found
  const { rank, id } = place
  const isBehindId = (position: number) => idAt(base, rows[position]) > id
  const hasRank = rank !== Number.POSITIVE_INFINITY
  let position = hasRank ? count : firstPosition(count, base.size, isBehindId)
  for (; position < base.size && found.count < wanted; position++) {
    const row = rows[position]
    if (hasBit(workspace.target, row)) pushRanked(found, row, Number.POSITIVE_INFINITY)
  }
  return found
}

/** The first range, as a share of its key, for each row that is wanted of all matches. */
const FIRST_WIDTH = 2

/** How much wider the next range is. */
function growthFor(missing: number, found: number): number {
  return Math.ceil(Math.min(Math.max((2 * missing) / Math.max(found, 1), 1), GROWTH_MAX))
}

/** Keys are unevenly distributed, so what was found in one range says little about distant ones. */
const GROWTH_MAX = 16

/** The rows in the order of a column. */
interface Positions {
  /** The row at each position; null where a position is a row. */
  readonly rows: Uint32Array | null
  readonly count: number
  /** How many positions are read in one step. */
  readonly perStep: number
  /** The first position with this value or more. */
  readonly from: (value: number) => number
}

function positionsOf(base: Segment, name: string): Positions | undefined {
  const column = base.numbers[name]
  if (name === base.primary) {
    const from = (value: number) => firstRowFrom(column, value)
    return { rows: null, count: base.size, perStep: ROWS_PER_WORD, from }
  }
  const { order: rows, present: count } = column
  if (!rows) return undefined
  return { rows, count, perStep: 1, from: (value) => positionFrom(column, rows, value) }
}

const ROWS_PER_WORD = 32

type Run = readonly [first: number, last: number]

/** The positions where rows with keys from min to max can be, none twice. */
function runsOf(parts: readonly KeyBounds[], { from }: Positions, min: number, max: number): Run[] {
  const ends = parts.map(({ low, high }): Run => [from(low(min)), from(high(max) + 1)])
  const runs: Run[] = []
  for (const [first, last] of ends.toSorted((a, b) => a[0] - b[0])) {
    const previous = runs.at(-1)
    if (previous && first <= previous[1]) {
      runs[runs.length - 1] = [previous[0], Math.max(previous[1], last)]
    } else runs.push([first, last])
  }
  return runs
}

/** Adds the matches of a run to the block, and calls `onFull` when it is full. */
function readRun(
  target: Bits,
  rows: Uint32Array | null,
  [first, last]: Run,
  block: Ranked,
  onFull: () => void,
): void {
  const add = (row: number) => {
    block.rows[block.count++] = row
    if (block.count === RANKED_PER_BLOCK) onFull()
  }
  if (rows) {
    for (let i = first; i < last; i++) if (hasBit(target, rows[i])) add(rows[i])
    return
  }
  for (let i = first >>> 5; i << 5 < last; i++) {
    let word = target[i]
    while (word !== 0) {
      const bit = 31 - Math.clz32(word & -word)
      word &= ~(1 << bit)
      const row = (i << 5) + bit
      if (row >= first && row < last) add(row)
    }
  }
}
