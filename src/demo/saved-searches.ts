import type { Tx } from '../database/open.ts'
import { lockMatcher } from '../saved-searches/alerts/matcher-store.ts'
import { insertSearch, type SearchFields } from '../saved-searches/saved-search-store.ts'

const SEARCHES: readonly SearchFields[] = [
  {
    name: 'Round one carat, D to F',
    kind: 'diamond',
    filters: {
      shape: ['round'],
      weight_min: 1,
      weight_max: 1.09,
      color: ['D', 'E', 'F'],
      clarity: ['IF', 'VVS1', 'VVS2', 'VS1'],
    },
    max_retail_price: '12000.00',
    alert: 'instant',
  },
  {
    name: 'Oval lab-grown, two carats and more',
    kind: 'diamond',
    filters: { shape: ['oval'], type: ['lab grown'], weight_min: 2 },
    max_retail_price: null,
    alert: 'daily',
  },
  {
    name: 'Sapphires',
    kind: 'gemstone',
    filters: { species: ['sapphire'] },
    max_retail_price: null,
    alert: 'off',
  },
]

/** The matcher of the first node records which stones they find: those raise no alert. */
export async function createDemoSearches(tx: Tx, merchants: readonly { uuid: string }[]) {
  for (const { uuid } of merchants.slice(0, 1)) {
    for (const search of SEARCHES) await insertSearch(tx, uuid, search)
  }
  await lockMatcher(tx)
}
