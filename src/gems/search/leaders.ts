import type { Found, Predicate, Store } from '../../index/index.ts'
import type { PriceList } from '../../pricing/price-list.ts'
import { LEADS_ONLY_IN } from '../indexing/columns.ts'

/**
 * Of the offers of a stone a search finds the one that leads in the caller's price list. The index
 * has those that lead in some list, and nearly all of them lead in both.
 */
export function leadersOnly(store: Store, list: PriceList): Predicate[] {
  if (!hasOthers(store, list)) return []
  return [{ kind: 'oneOf', column: LEADS_ONLY_IN, values: [null, list] }]
}

/** Whether some stone of the index leads in the other list only. */
function hasOthers({ base, delta, dictionaries }: Store, list: PriceList): boolean {
  const code = dictionaries[LEADS_ONLY_IN].codes.get(otherThan(list))
  if (code === undefined) return false
  if (base.codes[LEADS_ONLY_IN].counts[code] > 0) return true
  return delta.codes[LEADS_ONLY_IN].codes.subarray(0, delta.size).includes(code)
}

/** Whether a stone that was found before still leads in the list. */
export function isLeader({ dictionaries }: Store, { view, row }: Found, list: PriceList): boolean {
  const { values } = dictionaries[LEADS_ONLY_IN]
  return values[view.codes[LEADS_ONLY_IN].codes[row]] !== otherThan(list)
}

function otherThan(list: PriceList): PriceList {
  return list === 'us' ? 'default' : 'us'
}
