import { type Bits, hasBit } from '../segment/bits.ts'
import type { Segment } from '../segment/columns.ts'
import { baseRowsOf, type Match } from './match.ts'
import type { KeyOrder, Order } from './predicates.ts'
import { fillRanks } from './ranks.ts'
import { rowFrom } from './slices.ts'
import { keepBest, pushRanked, type Ranked, reserve, scratchRanked, selectWindow } from './top-k.ts'
import { orderFor, walkColumn } from './walk-order.ts'
import type { Workspace } from './workspace.ts'

/**
 * Places from..to-1 of the matching rows of a segment, in the order asked for. Three ways, by
 * what is cheapest: collect all matches when they are few, walk the order of a column, or read
 * the rows by a column that the key follows until no later row can enter the page.
 */
export function windowOf(found: Match, order: Order, from: number, to: number): Ranked {
  const { base: segment, workspace } = found.store
  const count = found.baseCount
  const end = Math.min(to, count)
  const matches = workspace.target
  if (count <= FEW) return selectWindow(collect(found, order), segment.ids, from, end)
  // How far an order must be walked is not known: a filter may have left only its far end. So the
  // walk is given up when collecting all matches would have been cheaper.
  const stepsMax = (end / count) * segment.size <= count * COLLECT_COST ? count * COLLECT_COST : 0
  if (order.kind === 'column') {
    const walked = stepsMax && walkColumn(segment, matches, order, from, end, stepsMax)
    if (walked) return walked
  } else {
    const reach = reachInRows(segment, order)
    const read = reach
      ? readRows(segment, workspace, order, reach, end)
      : stepsMax && readOrder(segment, matches, order, end, stepsMax)
    if (read) return selectWindow(read, segment.ids, from, end)
  }
  return selectWindow(collect(found, order), segment.ids, from, end)
}

/** So few matches are collected sooner than any order is walked. */
const FEW = 1_000
/** Collecting a match costs about as much as this many steps along an order. */
const COLLECT_COST = 3

function collect(found: Match, order: Order): Ranked {
  const ranked = scratchRanked()
  const rows = baseRowsOf(found)
  reserve(ranked, rows.length)
  ranked.rows.set(rows)
  ranked.count = rows.length
  fillRanks(found.store.base, order, ranked.rows, ranked.count, ranked.keys)
  return ranked
}

/** Before (descending: from) which row the page must lie, for its worst key; undefined: unknown. */
function reachInRows(segment: Segment, order: KeyOrder): ((key: number) => number) | undefined {
  const primary = segment.numbers[segment.primary]
  const { ratio } = segment.numbers[order.follows]
  if (order.follows === segment.primary) {
    return (key) => rowFrom(primary, order.bound(key) + (order.descending ? 0 : 1))
  }
  if (!ratio) return undefined
  // A cent on the safe side of what the division may have rounded.
  return order.descending
    ? (key) => rowFrom(primary, Math.floor(order.bound(key) / ratio.greatest) - 1)
    : (key) => rowFrom(primary, Math.ceil(order.bound(key) / ratio.least) + 2)
}

/** Rows are ranked in blocks: few enough to waste little when the page is small. */
const BLOCK = 64
const WORD_BYTES = 4
const blockRows = new Uint32Array(BLOCK + 32)
const blockRanks = new Float64Array(BLOCK + 32)

/**
 * Reads matching rows in the order of the rows themselves. Once `end` are there, the worst of
 * their keys bounds the page: a row with a better key lies before `reach` of it, so the reading
 * stops there, after about `end` rows instead of all.
 */
function readRows(
  segment: Segment,
  { kernel, bytes, target: matches }: Workspace,
  order: KeyOrder,
  reach: (key: number) => number,
  end: number,
): Ranked {
  const { descending } = order
  const reading = newReading(order, end)
  const last = matches.length - 1
  let stop = descending ? 0 : segment.size
  let filled = 0
  // The first rows are often far from those that are wanted.
  const first = descending ? 0 : kernel.firstTurn(matches.byteOffset, 0, bytes) / WORD_BYTES
  for (let step = first; step <= last; step++) {
    const i = descending ? last - step : step
    if (descending ? (i << 5) + 31 < stop : i << 5 >= stop) break
    let word = matches[i]
    while (word !== 0) {
      const place = descending ? 31 - Math.clz32(word) : 31 - Math.clz32(word & -word)
      word &= ~(1 << place)
      blockRows[filled++] = (i << 5) + place
    }
    if (filled < BLOCK && step < last) continue
    if (takeBlock(segment, order, reading, filled)) stop = reach(reading.worst)
    filled = 0
  }
  takeBlock(segment, order, reading, filled)
  return reading.ranked
}

/** The same along the order of another column; undefined when it takes too many steps. */
function readOrder(
  segment: Segment,
  matches: Bits,
  order: KeyOrder,
  end: number,
  stepsMax: number,
): Ranked | undefined {
  const { descending } = order
  const reading = newReading(order, end)
  const column = segment.numbers[order.follows]
  const { present, values, base } = column
  const rows = orderFor(column, order.follows)
  let bound = descending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  let filled = 0
  for (let step = 0; step < present; step++) {
    if (step > stepsMax) return undefined
    const row = rows[descending ? present - 1 - step : step]
    if (!hasBit(matches, row)) continue
    const value = values[row] + base
    if (descending ? value < bound : value > bound) break
    blockRows[filled++] = row
    if (filled < BLOCK) continue
    if (takeBlock(segment, order, reading, filled)) bound = order.bound(reading.worst)
    filled = 0
  }
  takeBlock(segment, order, reading, filled)
  return reading.ranked
}

/** Answers whether the bound of the page has moved. */
function takeBlock(segment: Segment, order: KeyOrder, reading: Reading, filled: number): boolean {
  fillRanks(segment, order, blockRows, filled, blockRanks)
  let moved = false
  for (let i = 0; i < filled; i++) moved = reading.take(blockRows[i], blockRanks[i]) || moved
  return moved
}

interface Reading {
  ranked: Ranked
  /** The worst key among the best `end` rows so far: no row with a worse one is taken. */
  worst: number
  /** Answers whether `worst` has changed. */
  take: (row: number, rank: number) => boolean
}

function newReading({ descending }: KeyOrder, end: number): Reading {
  const ranked = scratchRanked()
  let worstRank = Number.POSITIVE_INFINITY
  let tightenAt = end
  const reading: Reading = {
    ranked,
    worst: 0,
    take(row, rank) {
      if (rank > worstRank) return false
      pushRanked(ranked, row, rank)
      if (ranked.count < tightenAt) return false
      worstRank = keepBest(ranked, end)
      // Equal keys may all have stayed; doubling keeps the cost of tightening per row constant.
      tightenAt = Math.max(2 * end, 2 * ranked.count)
      reading.worst = descending ? -worstRank : worstRank
      return true
    },
  }
  return reading
}
