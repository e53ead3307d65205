import { findBlock } from '../kernel/bitmaps.ts'
import { hasBit } from '../segment/bits.ts'
import type { IntegerArray, NumberColumn, Segment } from '../segment/columns.ts'
import type { ColumnOrder, KeyOrder } from './predicates.ts'
import { firstRowFrom } from './range.ts'
import { fillRanks } from './ranks.ts'
import { cleared, pushRanked, type Ranked, retainBest } from './top-k.ts'
import { RANKED_PER_BLOCK, type Searchable, type Workspace } from './workspace.ts'

/**
 * Scans the matches in a stored order and stops early. How far a scan must go is not known: the
 * filters may have left only the far end of the order. So those that can run long have a limit of
 * steps, and return undefined when they would exceed it.
 */

/** Ranking a match costs about as much as this many steps along an order. */
export const RANK_STEPS = 3

/** The matches at positions from..end-1 in the order of a column of numbers. */
export function scanColumn(
  { base, workspace }: Searchable,
  order: ColumnOrder,
  from: number,
  end: number,
  stepsMax: number,
): Ranked | undefined {
  const { target } = workspace
  const column = base.numbers[order.column]
  const rows = orderOf(column, order.column)
  const found: number[] = []
  let position = 0
  let steps = 0
  const scan = (first: number, last: number) => {
    steps += last - first
    const stop = Math.min(last, last - (steps - stepsMax))
    for (let i = first; i < stop && position < end; i++) {
      if (hasBit(target, rows[i]) && position++ >= from) found.push(rows[i])
    }
  }
  if (!order.descending) scan(0, column.present)
  // Downwards by groups of equal values, because within one the ids ascend in both directions.
  const { values } = column
  for (let last = column.present; order.descending && last > 0 && position < end; ) {
    if (steps > stepsMax) break
    const first = groupStart(rows, values, last - 1)
    scan(first, last)
    last = first
  }
  scan(column.present, base.size)
  if (position < end) return undefined
  const ranked: Ranked = {
    rows: Uint32Array.from(found),
    keys: new Float64Array(found.length),
    count: found.length,
  }
  fillRanks(base, order, ranked.rows, ranked.count, ranked.keys)
  return ranked
}

export function orderOf(column: NumberColumn, name: string): Uint32Array {
  if (!column.order) throw new Error(`${name} is not a sorted column`)
  return column.order
}

/** Where the run of equal values begins that ends at a position. */
export function groupStart(rows: Uint32Array, values: IntegerArray, end: number): number {
  const value = values[rows[end]]
  let step = 1
  while (end - step >= 0 && values[rows[end - step]] === value) step *= 2
  let low = Math.max(0, end - step)
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[rows[middle]] === value) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * For the worst key of a page, the row before which (descending: from which) its rows must be.
 * Undefined when the key does not follow the order of the rows.
 */
export function rowBoundOf(
  segment: Segment,
  order: KeyOrder,
): ((key: number) => number) | undefined {
  const primary = segment.numbers[segment.primary]
  const { ratio } = segment.numbers[order.follows]
  if (order.follows === segment.primary) {
    return (key) => firstRowFrom(primary, order.bound(key) + (order.descending ? 0 : 1))
  }
  if (!ratio) return undefined
  // One cent further than computed, because the division may have been rounded.
  return order.descending
    ? (key) => firstRowFrom(primary, Math.floor(order.bound(key) / ratio.greatest) - 1)
    : (key) => firstRowFrom(primary, Math.ceil(order.bound(key) / ratio.least) + 2)
}

/**
 * The best `end` matches by key, and perhaps more, read in the order of the rows. Once `end` are
 * there, the worst of their keys bounds the page: no row behind `rowBound` of it has a better key,
 * so the scan stops there, after about `end` rows instead of all.
 */
export function scanRows(
  { base, workspace }: Searchable,
  order: KeyOrder,
  rowBound: (key: number) => number,
  end: number,
): Ranked {
  const { kernel, target, block } = workspace
  const { descending } = order
  const best = newBest(workspace, order, end)
  const last = target.length - 1
  let stop = descending ? 0 : base.size
  block.count = 0
  // Ascending, the first rows are often far from those that match.
  const first = descending ? 0 : findBlock(kernel, target) / 32
  for (let step = first; step <= last; step++) {
    const i = descending ? last - step : step
    if (descending ? (i << 5) + 31 < stop : i << 5 >= stop) break
    let word = target[i]
    while (word !== 0) {
      const bit = descending ? 31 - Math.clz32(word) : 31 - Math.clz32(word & -word)
      word &= ~(1 << bit)
      block.rows[block.count++] = (i << 5) + bit
    }
    if (block.count < RANKED_PER_BLOCK && step < last) continue
    if (rankBlock(base, order, block, best)) stop = rowBound(best.worstKey)
  }
  rankBlock(base, order, block, best)
  return best.ranked
}

/** `scanRows` in the order of the column that the key follows. */
export function scanFollowed(
  { base, workspace }: Searchable,
  order: KeyOrder,
  end: number,
  stepsMax: number,
): Ranked | undefined {
  const { target, block } = workspace
  const { descending } = order
  const best = newBest(workspace, order, end)
  const column = base.numbers[order.follows]
  const { present, values } = column
  const rows = orderOf(column, order.follows)
  let bound = descending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  block.count = 0
  for (let step = 0; step < present; step++) {
    if (step > stepsMax) return undefined
    const row = rows[descending ? present - 1 - step : step]
    if (!hasBit(target, row)) continue
    const value = values[row] + column.base
    if (descending ? value < bound : value > bound) break
    block.rows[block.count++] = row
    if (block.count < RANKED_PER_BLOCK) continue
    if (rankBlock(base, order, block, best)) bound = order.bound(best.worstKey)
  }
  rankBlock(base, order, block, best)
  // The rest of the page are rows without a value, which this order does not have.
  return best.ranked.count < end ? undefined : best.ranked
}

/** Ranks and empties the block. Returns whether the worst key of the page has changed. */
function rankBlock(segment: Segment, order: KeyOrder, block: Ranked, best: Best): boolean {
  const { rows, keys, count } = block
  fillRanks(segment, order, rows, count, keys)
  let changed = false
  for (let i = 0; i < count; i++) changed = best.add(rows[i], keys[i]) || changed
  block.count = 0
  return changed
}

/** The best `end` rows so far, and those that may replace some of them. */
interface Best {
  readonly ranked: Ranked
  /** The worst key of the best `end` rows: rows with a worse one are not added. */
  worstKey: number
  /** Returns whether `worstKey` has changed. */
  add: (row: number, rank: number) => boolean
}

function newBest(workspace: Workspace, { descending }: KeyOrder, end: number): Best {
  const ranked = cleared(workspace.ranked)
  let worstRank = Number.POSITIVE_INFINITY
  let reduceAt = end
  const best: Best = {
    ranked,
    worstKey: 0,
    add(row, rank) {
      if (rank > worstRank) return false
      pushRanked(ranked, row, rank)
      if (ranked.count < reduceAt) return false
      worstRank = retainBest(ranked, end)
      // Equal keys may all have stayed; doubling keeps the cost of reducing constant per row.
      reduceAt = Math.max(2 * end, 2 * ranked.count)
      best.worstKey = descending ? -worstRank : worstRank
      return true
    },
  }
  return best
}
