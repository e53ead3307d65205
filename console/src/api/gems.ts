import type { Static } from 'typebox'
import type { CuratedGems, CurationBody } from '../../../src/http/schemas/curation.ts'
import type { GemSchema, GemV3Schema } from '../../../src/http/schemas/gem.ts'
import type { ParcelFiltersSchema, ParcelSchema } from '../../../src/http/schemas/gem-parcel.ts'
import type {
  DiamondSearchBodyV3,
  DiamondSearchResultV3,
  GemstonePage,
  GemstoneSearchBody,
} from '../../../src/http/schemas/gem-search.ts'
import type { StoneSchema } from '../../../src/http/schemas/inventory.ts'
import { call } from './client.ts'

/** Curated search shows what v2 shows; every other search has the further fields of v3, too. */
export type Gem = Static<typeof GemSchema> & Partial<Static<typeof GemV3Schema>>
export type DiamondSearchResult = Static<typeof DiamondSearchResultV3>
export type Facets = NonNullable<DiamondSearchResult['facets']>
export type Histogram = Facets['histograms']['weight']
export type Relaxation = NonNullable<DiamondSearchResult['relaxations']>[number]

type DiamondSearch = Static<typeof DiamondSearchBodyV3>
export type Filters = NonNullable<DiamondSearch['filters']>

export function searchDiamonds(
  search: DiamondSearch,
  signal?: AbortSignal,
): Promise<DiamondSearchResult> {
  return call('POST', '/api/v3/diamonds/merchant_search', { body: search, signal })
}

/** A stone by its SKU, fancy, treated or not; undefined when it is no longer on the market. */
export async function findDiamond(sku: string, signal?: AbortSignal): Promise<Gem | undefined> {
  const [gem] = await listDiamonds([sku], signal)
  return gem
}

/** One search finds either fancy stones or the others, so there are two. */
async function listDiamonds(skus: string[], signal?: AbortSignal): Promise<Gem[]> {
  if (skus.length === 0) return []
  const search = (is_fancy: boolean) =>
    searchDiamonds(
      {
        filters: { sku: skus, is_fancy },
        include_treated: true,
        limit: Math.min(1000, skus.length),
        offset: 0,
        sort_col: 'retail_price',
        sort_order: 'asc',
      },
      signal,
    )
  const results = await Promise.all([search(false), search(true)])
  return results.flatMap(({ gems }) => gems)
}

export type Gemstone = Static<typeof GemstonePage>['gems'][number]

export function searchGemstones(
  search: Static<typeof GemstoneSearchBody>,
  signal?: AbortSignal,
): Promise<Static<typeof GemstonePage>> {
  return call('POST', '/api/v3/gemstones/search', { body: search, signal })
}

/** Diamonds and gemstones by their SKUs. */
export async function listStones(skus: string[], signal?: AbortSignal): Promise<Gem[]> {
  if (skus.length === 0) return []
  const page = { limit: Math.min(1000, skus.length), offset: 0 }
  const order = { sort_col: 'retail_price', sort_order: 'asc' } as const
  const [diamonds, { gems }] = await Promise.all([
    listDiamonds(skus, signal),
    searchGemstones({ filters: { sku: skus }, ...page, ...order }, signal),
  ])
  return [...diamonds, ...gems]
}

export async function findGemstone(
  sku: string,
  signal?: AbortSignal,
): Promise<Gemstone | undefined> {
  const filters = { sku: [sku] }
  const order = { sort_col: 'retail_price', sort_order: 'asc' } as const
  const { gems } = await searchGemstones({ filters, limit: 1, offset: 0, ...order }, signal)
  return gems[0]
}

type Stone = Static<typeof StoneSchema>
type PriceSince = NonNullable<Stone['price_history']>[number]

/** What a stone costs and has cost, newest first. */
export async function readPrices(sku: string, signal?: AbortSignal): Promise<PriceSince[]> {
  const path = '/api/v3/inventory/gems/{sku}'
  const query = { include_treated: true }
  const stone = await call<Stone>('GET', path, { path: { sku }, query, signal })
  return stone.price_history ?? []
}

/** Diamonds and gemstones that have one of these numbers as SKU or as certificate. */
export async function findStones(numbers: string[], signal?: AbortSignal): Promise<Gem[]> {
  const page = { limit: 1000, offset: 0, sort_col: 'retail_price', sort_order: 'asc' } as const
  const by = [{ sku: numbers }, { cert_num: numbers }]
  const results = await Promise.all([
    ...[false, true].flatMap((is_fancy) =>
      by.map((filters) =>
        searchDiamonds(
          { ...page, filters: { ...filters, is_fancy }, include_treated: true },
          signal,
        ),
      ),
    ),
    ...by.map((filters) => searchGemstones({ ...page, filters }, signal)),
  ])
  return results.flatMap(({ gems }): Gem[] => gems)
}

export type CuratedQuery = Static<typeof CurationBody>
export type CuratedGem = Static<typeof CuratedGems>[number]

export function curateDiamonds(query: CuratedQuery, signal?: AbortSignal): Promise<CuratedGem[]> {
  return call('POST', '/api/v3/diamonds/get_diamonds_by_merchant_templates', {
    body: query,
    signal,
  })
}

export type Parcel = Static<typeof ParcelSchema>

export function readParcels(
  query: Record<'shape' | 'type', string>,
  signal?: AbortSignal,
): Promise<Static<typeof ParcelFiltersSchema>> {
  return call('GET', '/api/v3/diamonds/get_parcel_filters', { query, signal })
}
