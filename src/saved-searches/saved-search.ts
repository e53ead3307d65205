import type { Selectable } from 'kysely'
import type { SavedSearchTable } from '../database/tables/saved-searches.ts'
import { DIAMOND_SEARCH_V3, GEMSTONE_SEARCH } from '../gems/search/field-tables.ts'
import type { SearchTable } from '../gems/search/fields.ts'
import type { SearchFilters } from '../gems/search/plan.ts'

/** A search that a merchant keeps, to run it again or to be told of stones that start to match. */
export type SavedSearch = Selectable<SavedSearchTable>
export type SearchKind = SavedSearch['kind']
type Alert = SavedSearch['alert']

export const SEARCH_KINDS = ['diamond', 'gemstone'] as const satisfies readonly SearchKind[]
export const ALERTS = ['off', 'instant', 'daily'] as const satisfies readonly Alert[]

/** What a person can keep an eye on; each of them is compared with every stone that changes. */
export const SAVED_SEARCHES_MAX = 100

export const SEARCH_TABLES: Record<SearchKind, SearchTable> = {
  diamond: DIAMOND_SEARCH_V3,
  gemstone: GEMSTONE_SEARCH,
}

type Conditions = Pick<SavedSearch, 'filters' | 'max_retail_price'>

/** The filters with which the search is run: the lower of two limits of the price counts. */
export function filtersOf({ filters, max_retail_price }: Conditions): SearchFilters {
  if (max_retail_price === null) return filters
  const { retail_price_max: own } = filters
  const limit = Number(max_retail_price)
  return { ...filters, retail_price_max: typeof own === 'number' ? Math.min(own, limit) : limit }
}

/**
 * The filters that decide about alerts. A search finds held stones too, but a merchant cannot buy
 * them: unless it asks for them, it is told of them when they are released.
 */
export function alertFiltersOf(conditions: Conditions): SearchFilters {
  return { on_hold: false, ...filtersOf(conditions) }
}
