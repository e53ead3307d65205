import { call } from './client.ts'
import type { Gem } from './gem.ts'

export type FilterValue = string | number | boolean | (string | null)[]
export type Filters = Record<string, FilterValue>

export interface DiamondSearch {
  filters: Filters
  limit: number
  offset: number
  sort_col: string
  sort_order: 'asc' | 'desc'
  include?: ('facets' | 'relaxations')[]
}

export interface Histogram {
  min: number | null
  max: number | null
  bins: number[]
}

export interface Facets {
  histograms: { retail_price: Histogram; weight: Histogram }
  [filter: string]: { value: string | null; count: number }[] | Facets['histograms']
}

/** As `Relaxation` in /openapi/v2.json. */
export interface Relaxation {
  filter: string
  change: 'dropped' | 'widened'
  value: FilterValue | null
  total_count: number
}

/** As `DiamondSearchResult` in /openapi/v2.json. */
export interface DiamondSearchResult {
  gems: Gem[]
  metadata: { limit: number; offset: number; total_count: number }
  facets?: Facets
  relaxations?: Relaxation[]
}

export function searchDiamonds(
  search: DiamondSearch,
  signal?: AbortSignal,
): Promise<DiamondSearchResult> {
  return call('POST', '/api/v2/diamonds/merchant_search', { body: search, signal })
}

/** A stone by its SKU, fancy or not; undefined when it is no longer on the market. */
export async function findDiamond(sku: string, signal?: AbortSignal): Promise<Gem | undefined> {
  const [gem] = await listDiamonds([sku], signal)
  return gem
}

/** Stones by their SKUs. Fancy ones come only when asked for, so both are asked for. */
export async function listDiamonds(skus: string[], signal?: AbortSignal): Promise<Gem[]> {
  if (skus.length === 0) return []
  const ask = (is_fancy: boolean) =>
    searchDiamonds(
      {
        filters: { sku: skus, is_fancy },
        limit: Math.min(1000, skus.length),
        offset: 0,
        sort_col: 'retail_price',
        sort_order: 'asc',
      },
      signal,
    )
  const answers = await Promise.all([ask(false), ask(true)])
  return answers.flatMap(({ gems }) => gems)
}

export interface CuratedQuery {
  weight: number
  shape: string
  types: string[]
  count_per_grade: 1 | 2
  merchant_template_filters?: { group: string }
  explain: true
}

export interface CuratedGem extends Gem {
  is_pair: boolean
  match?: { score: number; reasons: string[] }
}

export function curateDiamonds(query: CuratedQuery, signal?: AbortSignal): Promise<CuratedGem[]> {
  return call('POST', '/api/v3/diamonds/get_diamonds_by_merchant_templates', {
    body: query,
    signal,
  })
}

/** As `MeleeParcel` in /openapi/v3.json. */
export interface Parcel {
  sku: string
  type: string
  quality: string
  quantity: number
  weight: number
  wholesale_price: number
  wholesale_price_per_ct: number
  tolerance_positive: number | null
  tolerance_negative: number | null
  delivery_days_min: number | null
  delivery_days_max: number | null
}

/** Shape, cut, type, size, quality. */
export type ParcelTree = Record<
  string,
  Record<string, Record<string, Record<string, Record<string, Parcel>>>>
>

export function readParcels(
  shape: string,
  type: string,
  signal?: AbortSignal,
): Promise<{ filters: ParcelTree }> {
  const query = { shape, type }
  return call('GET', '/api/v3/diamonds/get_parcel_filters', { query, signal })
}
