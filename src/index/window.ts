import { type Bits, hasBit } from './bits.ts'
import { type CodeColumn, NO_CODE, type NumberColumn, type Segment, type View } from './columns.ts'
import { rowFrom } from './match-segment.ts'
import type { ColumnOrder, KeyOrder, Order } from './predicates.ts'
import { keepBest, pushRanked, type Ranked, scratchRanked, selectWindow } from './select.ts'
import { listRows, type Workspace } from './workspace.ts'

/**
 * Places from..to-1 of the matching rows of a segment, in the order asked for. Three ways, by
 * what is cheapest: collect all matches when they are few, walk the order of a column, or read
 * the rows by a column that the key follows until no later row can enter the page.
 */
export function windowOf(
  segment: Segment,
  workspace: Workspace,
  count: number,
  order: Order,
  from: number,
  to: number,
): Ranked {
  const matches = workspace.target
  const end = Math.min(to, count)
  const walked = (end / count) * segment.size
  const byRows = order.kind === 'key' && order.near === segment.primary
  if (!byRows && count * COLLECT_COST <= walked) {
    return selectWindow(collect(segment, workspace, order), segment.ids, from, end)
  }
  if (order.kind === 'column') return walkColumn(segment, matches, order, from, end)
  const reader = byRows ? readRows : readOrder
  return selectWindow(reader(segment, matches, order, end), segment.ids, from, end)
}

/** Collecting a match costs about as much as four steps along an order. */
const COLLECT_COST = 4

/** The key that sorts ascending in both directions; a missing value is Infinity, hence last. */
export function rankOf(view: View, order: Order): (row: number) => number {
  const sign = order.descending ? -1 : 1
  if (order.kind === 'key') {
    const key = order.key(view)
    return (row) => sign * key(row)
  }
  const number = view.numbers[order.column]
  if (number) {
    return (row) => {
      const stored = number.values[row]
      return stored === number.none ? Number.POSITIVE_INFINITY : sign * (stored + number.base)
    }
  }
  const { codes } = view.codes[order.column]
  return (row) => (codes[row] === NO_CODE ? Number.POSITIVE_INFINITY : sign * codes[row])
}

function collect(segment: Segment, workspace: Workspace, order: Order): Ranked {
  const ranked = scratchRanked()
  const rank = rankOf(segment, order)
  for (const row of listRows(workspace, workspace.target)) pushRanked(ranked, row, rank(row))
  return ranked
}

/** Walks the rows in the order of a column and keeps the matching ones from place `from` on. */
function walkColumn(
  segment: Segment,
  matches: Bits,
  order: ColumnOrder,
  from: number,
  end: number,
): Ranked {
  const column = segment.numbers[order.column] ?? segment.codes[order.column]
  const rows = orderFor(column, order.column)
  const rank = rankOf(segment, order)
  const found: number[] = []
  let place = 0
  const walk = (first: number, last: number) => {
    for (let at = first; at < last && place < end; at++) {
      if (hasBit(matches, rows[at]) && place++ >= from) found.push(rows[at])
    }
  }
  if (!order.descending) walk(0, column.present)
  // Downwards by groups of equal values, because within one the ids ascend in both directions.
  for (let last = column.present; order.descending && last > 0 && place < end; ) {
    const first = groupStart(rows, rank, last - 1)
    walk(first, last)
    last = first
  }
  walk(column.present, segment.size)
  return {
    rows: Uint32Array.from(found),
    keys: Float64Array.from(found, rank),
    count: found.length,
  }
}

function orderFor(column: NumberColumn | CodeColumn, name: string): Uint32Array {
  if (!column.order) throw new Error(`${name} is not a sorted column`)
  return column.order
}

/** Where the run of equal values that ends at `at` begins. */
function groupStart(rows: Uint32Array, rank: (row: number) => number, at: number): number {
  const value = rank(rows[at])
  let step = 1
  while (at - step >= 0 && rank(rows[at - step]) === value) step *= 2
  let low = Math.max(0, at - step)
  let high = at
  while (low < high) {
    const middle = (low + high) >>> 1
    if (rank(rows[middle]) === value) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Reads matching rows in the order of the rows themselves. Once `end` are there, the worst of
 * their keys bounds the page: a row with a better key lies before `reach` of it, so the reading
 * stops there, after about `end` rows instead of all.
 */
function readRows(segment: Segment, matches: Bits, order: KeyOrder, end: number): Ranked {
  const reading = newReading(segment, order, end)
  const column = segment.numbers[segment.primary]
  let stop = order.descending ? 0 : segment.size
  const last = matches.length - 1
  for (let step = 0; step <= last; step++) {
    const i = order.descending ? last - step : step
    if (order.descending ? (i << 5) + 31 < stop : i << 5 >= stop) break
    let word = matches[i]
    while (word !== 0) {
      const place = order.descending ? 31 - Math.clz32(word) : 31 - Math.clz32(word & -word)
      word &= ~(1 << place)
      if (reading.take((i << 5) + place)) {
        const value = order.reach(reading.worst)
        stop = rowFrom(column, order.descending ? value : value + 1)
      }
    }
  }
  return reading.ranked
}

/** The same along the order of another column. */
function readOrder(segment: Segment, matches: Bits, order: KeyOrder, end: number): Ranked {
  const reading = newReading(segment, order, end)
  const column = segment.numbers[order.near]
  const rows = orderFor(column, order.near)
  let bound = order.descending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  for (let step = 0; step < column.present; step++) {
    const row = rows[order.descending ? column.present - 1 - step : step]
    if (!hasBit(matches, row)) continue
    const value = column.values[row] + column.base
    if (order.descending ? value < bound : value > bound) break
    if (reading.take(row)) bound = order.reach(reading.worst)
  }
  return reading.ranked
}

interface Reading {
  ranked: Ranked
  /** The worst key among the best `end` rows so far: no row with a worse one is taken. */
  worst: number
  /** Answers whether `worst` has changed. */
  take: (row: number) => boolean
}

function newReading(segment: Segment, order: KeyOrder, end: number): Reading {
  const ranked = scratchRanked()
  const rank = rankOf(segment, order)
  let worstRank = Number.POSITIVE_INFINITY
  let tightenAt = end
  const reading: Reading = {
    ranked,
    worst: 0,
    take(row) {
      const key = rank(row)
      if (key > worstRank) return false
      pushRanked(ranked, row, key)
      if (ranked.count < tightenAt) return false
      worstRank = keepBest(ranked, end)
      // Equal keys may all have stayed; doubling keeps the cost of tightening per row constant.
      tightenAt = Math.max(2 * end, 2 * ranked.count)
      reading.worst = order.descending ? -worstRank : worstRank
      return true
    },
  }
  return reading
}
