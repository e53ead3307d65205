import { setImmediate as nextTurn } from 'node:timers/promises'
import { INDEX_TABLES } from '../../gems/indexing/columns.ts'
import { buildSegment, copyRows, newStore, rowsLike, type Store } from '../../index/index.ts'
import type { GemIndexes } from '../save-search.ts'
import { SEARCH_KINDS, type SearchKind } from '../saved-search.ts'

/** The stones that searches are compared with, of each kind. */
export type Stones = Readonly<Record<SearchKind, () => Store>>

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
  const stores = new Map<SearchKind, Store>()
  for (const kind of SEARCH_KINDS) {
    const index = indexes[kind]
    const rows = rowsLike(index.store())
    for (let at = 0; at < ids.length; at += COPIED_AT_ONCE) {
      const some = ids.slice(at, at + COPIED_AT_ONCE)
      // The index may be replaced between two turns: it only knows more then.
      copyRows(rows, index.store(), some, { texts: withTexts })
      if (at + COPIED_AT_ONCE < ids.length) await nextTurn()
    }
    stores.set(kind, newStore(INDEX_TABLES[kind].columns.spec, buildSegment(rows)))
  }
  return { diamond: () => storeOf(stores, 'diamond'), gemstone: () => storeOf(stores, 'gemstone') }
}

function storeOf(stores: ReadonlyMap<SearchKind, Store>, kind: SearchKind): Store {
  const store = stores.get(kind)
  if (!store) throw new Error(`there is no index of ${kind} stones`)
  return store
}

/** The whole market, for a node that was away for longer than the change log goes back. */
export function allStones(indexes: GemIndexes): Stones {
  return { diamond: () => indexes.diamond.store(), gemstone: () => indexes.gemstone.store() }
}
