import { idAt, type View } from '../segment/columns.ts'
import { isCodeColumn, scanCodes, seekCodes } from './code-order.ts'
import { assertCurrent, listBaseRows, type Match } from './match.ts'
import type { Order } from './predicates.ts'
import { fillRanks } from './ranks.ts'
import { RANK_STEPS, rowBoundOf, scanColumn, scanFollowed, scanRows } from './scan.ts'
import { isBehind, type Place, placeOf, seek } from './seek.ts'
import { cleared, type Ranked, reserve, selectWindow } from './top-k.ts'
import type { Workspace } from './workspace.ts'

/**
 * A row of the index, to read its columns from. Rows of the delta move when the store changes:
 * code that reads one later must check that idAt(view, row) is still the id.
 */
export interface Found {
  readonly id: number
  readonly view: View
  readonly row: number
}

/** The matches at positions offset..offset+limit-1 in an order. */
export function page(found: Match, order: Order, offset: number, limit: number): Found[] {
  assertCurrent(found)
  const ofDelta = rankDelta(found, order, offset + limit)
  // The rows of the delta cannot push a row of the base that is further ahead onto the page.
  const skipped = Math.max(0, offset - ofDelta.count)
  const ofBase = windowOfBase(found, order, skipped, offset + limit)
  return merge(found, ofBase, ofDelta, offset - skipped, limit)
}

/** The first `limit` matches behind a place in an order. */
export function pageBehind(found: Match, order: Order, place: Place, limit: number): Found[] {
  assertCurrent(found)
  const { delta, workspace } = found.searched
  const ranked = rankAll(workspace, delta, order, found.deltaRows)
  const ofDelta = selectWindow(retainBehind(ranked, delta, place), delta.ids, 0, limit)
  return merge(found, baseBehind(found, order, place, limit), ofDelta, 0, limit)
}

/** The place behind a row of a page. */
export function placeBehind({ view, row }: Found, order: Order): Place {
  return placeOf(view, row, order)
}

/** The rows at positions first..first+limit-1 of the two sorted lists together. */
function merge(
  { searched }: Match,
  ofBase: Ranked,
  ofDelta: Ranked,
  first: number,
  limit: number,
): Found[] {
  const { base, delta } = searched
  const rows: Found[] = []
  let [i, j] = [0, 0]
  while (i + j < first + limit && (i < ofBase.count || j < ofDelta.count)) {
    const isFromBase =
      j === ofDelta.count || (i < ofBase.count && isBefore(base, ofBase, i, delta, ofDelta, j))
    const view = isFromBase ? base : delta
    const row = isFromBase ? ofBase.rows[i] : ofDelta.rows[j]
    if (i + j >= first) rows.push({ id: idAt(view, row), view, row })
    if (isFromBase) i++
    else j++
  }
  return rows
}

function isBefore(base: View, a: Ranked, i: number, delta: View, b: Ranked, j: number): boolean {
  if (a.keys[i] !== b.keys[j]) return a.keys[i] < b.keys[j]
  return idAt(base, a.rows[i]) < idAt(delta, b.rows[j])
}

function rankDelta({ searched, deltaRows }: Match, order: Order, end: number): Ranked {
  const { delta, workspace } = searched
  const ranked = rankAll(workspace, delta, order, deltaRows)
  return selectWindow(ranked, delta.ids, 0, end)
}

/**
 * The matches of the base at positions from..to-1, by the cheapest way: rank all of them when they
 * are few, go through the bitmaps of a code column, scan the order of a column of numbers, or scan
 * the rows by a column that the key follows until no later row can be on the page.
 */
function windowOfBase(found: Match, order: Order, from: number, to: number): Ranked {
  const { base, workspace } = found.searched
  const end = Math.min(to, found.baseCount)
  const scanned = found.baseCount > FEW_MATCHES ? scan(found, order, from, end) : undefined
  if (scanned) return scanned
  const ranked = rankAll(workspace, base, order, listBaseRows(found))
  return selectWindow(ranked, base.ids, from, end)
}

/** The first `limit` matches of the base behind a place, in the ways of `windowOfBase`. */
function baseBehind(found: Match, order: Order, place: Place, limit: number): Ranked {
  const { searched, baseCount } = found
  const { base, workspace } = searched
  const isFew = baseCount <= FEW_MATCHES
  if (!isFew && order.kind === 'column' && isCodeColumn(base, order)) {
    return seekCodes(searched, order, place, limit)
  }
  const sought = isFew ? undefined : seek(searched, order, place, limit, baseCount)
  const ranked =
    sought ?? retainBehind(rankAll(workspace, base, order, listBaseRows(found)), base, place)
  return selectWindow(ranked, base.ids, 0, limit)
}

/** Removes the rows that are not behind the place. */
function retainBehind(ranked: Ranked, view: View, place: Place): Ranked {
  let count = 0
  for (let i = 0; i < ranked.count; i++) {
    if (!isBehind(place, ranked.keys[i], idAt(view, ranked.rows[i]))) continue
    ranked.keys[count] = ranked.keys[i]
    ranked.rows[count++] = ranked.rows[i]
  }
  ranked.count = count
  return ranked
}

/** Undefined when ranking all matches is cheaper than a scan. */
function scan(
  { searched, baseCount }: Match,
  order: Order,
  from: number,
  end: number,
): Ranked | undefined {
  const { base } = searched
  if (order.kind === 'column' && isCodeColumn(base, order)) {
    return scanCodes(searched, order, from, end)
  }
  const rankSteps = baseCount * RANK_STEPS
  const stepsMax = (end / baseCount) * base.size <= rankSteps ? rankSteps : 0
  if (order.kind === 'column') {
    return stepsMax === 0 ? undefined : scanColumn(searched, order, from, end, stepsMax)
  }
  const rowBound = rowBoundOf(base, order)
  if (!rowBound && stepsMax === 0) return undefined
  const best = rowBound
    ? scanRows(searched, order, rowBound, end)
    : scanFollowed(searched, order, end, stepsMax)
  return best && selectWindow(best, base.ids, from, end)
}

/** Up to this many matches are ranked faster than any order is scanned. */
const FEW_MATCHES = 1_000

function rankAll(workspace: Workspace, view: View, order: Order, rows: Uint32Array): Ranked {
  const ranked = cleared(workspace.ranked)
  reserve(ranked, rows.length)
  ranked.rows.set(rows)
  ranked.count = rows.length
  fillRanks(view, order, ranked.rows, ranked.count, ranked.keys)
  return ranked
}
