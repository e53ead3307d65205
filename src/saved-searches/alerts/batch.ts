import { setImmediate as nextTurn } from 'node:timers/promises'
import { INDEX_TABLES } from '../../gems/indexing/columns.ts'
import { buildSegment, copyRows, newRowMatcher, newStore, rowsLike } from '../../index/index.ts'
import type { GemIndexes } from '../save-search.ts'
import type { SearchKind } from '../saved-search.ts'
import type { SearchedStones } from './plan-alert.ts'

/** The stones that searches are compared with, of each kind. */
export type Stones = Readonly<Record<SearchKind, () => SearchedStones>>

/** Copying this many stones takes about two milliseconds. */
const COPIED_AT_ONCE = 2_000

/**
 * A small index of the stones that changed, made from the node's index, so that thousands of
 * searches look at those stones only, and with the code that searches the whole market.
 */
export async function indexStones(
  indexes: GemIndexes,
  ids: readonly number[],
  withTexts: boolean,
): Promise<Stones> {
  const diamond = await indexKind(indexes, 'diamond', ids, withTexts)
  const gemstone = await indexKind(indexes, 'gemstone', ids, withTexts)
  return { diamond: () => diamond, gemstone: () => gemstone }
}

async function indexKind(
  indexes: GemIndexes,
  kind: SearchKind,
  ids: readonly number[],
  texts: boolean,
): Promise<SearchedStones> {
  const index = indexes[kind]
  const rows = rowsLike(index.store())
  for (let at = 0; at < ids.length; at += COPIED_AT_ONCE) {
    // The index may be replaced between two turns: it only knows more then.
    copyRows(rows, index.store(), ids.slice(at, at + COPIED_AT_ONCE), { texts })
    if (at + COPIED_AT_ONCE < ids.length) await nextTurn()
  }
  const store = newStore(INDEX_TABLES[kind].columns.spec, buildSegment(rows))
  return { store, few: newRowMatcher(store) }
}

/** The whole market, for a node that was away for longer than the change log goes back. */
export function allStones(indexes: GemIndexes): Stones {
  return {
    diamond: () => ({ store: indexes.diamond.store() }),
    gemstone: () => ({ store: indexes.gemstone.store() }),
  }
}
