import type { Generated } from 'kysely'
import type { Json, NumericOrNull, Timestamp } from './columns.ts'

/** Searches that merchants save, and how far the change log has been compared with them. */
export interface SavedSearchTables {
  saved_search: SavedSearchTable
  saved_search_stones: SavedSearchStonesTable
  alert_matcher: AlertMatcherTable
}

export interface SavedSearchTable {
  uuid: string
  merchant_uuid: string
  name: string
  kind: 'diamond' | 'gemstone'
  filters: Json<SavedFilters>
  max_retail_price: NumericOrNull
  alert: 'off' | 'instant' | 'daily'
  version: Generated<number>
  known: Generated<boolean>
  created_on: Generated<Timestamp>
  updated_on: Generated<Timestamp>
}

/** As the body of a search has them. */
type SavedFilters = Readonly<
  Record<string, readonly (string | null)[] | number | boolean | string | undefined>
>

interface SavedSearchStonesTable {
  search_uuid: string
  number: Generated<number>
  stones: Buffer
  last_id: number
  due_on: Timestamp | null
}

interface AlertMatcherTable {
  only_row: Generated<boolean>
  place: number
  version: Generated<number>
  holder: string | null
  held_until: Timestamp | null
  term: Generated<number>
}
