import type { SearchTable } from '../../gems/search/fields.ts'
import { planFilters, type SearchFilters } from '../../gems/search/plan.ts'
import { completed } from '../../gems/search/search.ts'
import {
  eachView,
  idAt,
  match,
  type Predicate,
  type RowMatcher,
  type Store,
} from '../../index/index.ts'
import type { PriceRules } from '../../pricing/price-rules.ts'
import { alertFiltersOf, type SavedSearch, SEARCH_TABLES } from '../saved-search.ts'

/** What decides whether a stone matches a search, worked out once for many stones. */
export interface AlertPlan {
  table: SearchTable
  filters: SearchFilters
  rules: PriceRules
  predicates: readonly Predicate[]
}

export function planAlert(
  search: Pick<SavedSearch, 'kind' | 'filters' | 'max_retail_price'>,
  rules: PriceRules,
): AlertPlan {
  const table = SEARCH_TABLES[search.kind]
  const filters = alertFiltersOf(search)
  return { table, filters, rules, predicates: planFilters(table, filters, rules) }
}

/** Stones to search: with a row matcher when they are few. */
export interface SearchedStones {
  store: Store
  few?: RowMatcher
}

/** The ids of the stones that match, ascending. */
export function matchingIds(
  { store, few }: SearchedStones,
  { table, filters, rules, predicates }: AlertPlan,
): number[] {
  const wanted = completed(store, table, predicates, { filters }, rules)
  if (few) {
    return Array.from(few.match(wanted), (row) => idAt(store.base, row)).sort((a, b) => a - b)
  }
  const found = match(store, wanted)
  const ids = new Float64Array(found.total)
  let count = 0
  eachView(found, (view, rows) => {
    for (let i = 0; i < rows.length; i++) ids[count++] = idAt(view, rows[i])
  })
  return [...ids.sort()]
}
