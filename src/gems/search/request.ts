/** A search as the caller wrote it, after the request schema has been over it. */
export interface SearchRequest {
  filters?: SearchFilters
  limit: number
  offset: number
  sort_col: string
  sort_order: 'asc' | 'desc'
  include?: readonly ('facets' | 'relaxations')[]
}

export type SearchFilters = Readonly<Record<string, FilterValue | undefined>>
export type FilterValue = readonly (string | null)[] | number | boolean | string
