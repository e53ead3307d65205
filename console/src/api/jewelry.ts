import type { Static } from 'typebox'
import type { ProductFiltersSchema, ProductSchema } from '../../../src/http/schemas/product.ts'
import type {
  FilterQuery,
  JewelryQuery as JewelryBody,
} from '../../../src/http/schemas/product-query.ts'
import { call, type Page } from './client.ts'

/** Adds media, delivery, currency and times to the response, which the console always needs. */
const DETAILS = { include: ['details'] }

/** What a schema describes when `details` are included: its optional members are present. */
type Detailed<T> = T extends (infer Item)[]
  ? Detailed<Item>[]
  : T extends object
    ? { [Name in keyof T]-?: Detailed<Exclude<T[Name], undefined>> }
    : T

export type Product = Detailed<Static<typeof ProductSchema>>
export type Variant = Product['variants'][number]
export type ProductFilters = Static<typeof ProductFiltersSchema>
type ProductPage = Detailed<Page<'products', typeof ProductSchema>>

type JewelryQuery = Pick<
  Static<typeof JewelryBody>,
  'q' | 'filter_variant_options' | 'order_by' | 'order' | 'limit' | 'offset'
>
/** Of jewelry alone. */
type JewelryBounds = Pick<
  Static<typeof JewelryBody>,
  'wholesale_price_min' | 'wholesale_price_max' | 'delivery_days_max'
>

export type ProductSort = JewelryQuery['order_by']

export function queryJewelry(
  query: JewelryQuery & JewelryBounds,
  signal?: AbortSignal,
): Promise<ProductPage> {
  return call('POST', '/api/v3/products/jewelry/query', { body: { ...query, ...DETAILS }, signal })
}

export function queryWatches(query: JewelryQuery, signal?: AbortSignal): Promise<ProductPage> {
  return call('POST', '/api/v3/products/query', {
    body: { ...query, ...DETAILS, type: ['watch'] },
    signal,
  })
}

export async function findProduct(id: string, signal?: AbortSignal): Promise<Product | undefined> {
  const body = { id: [id], include_unavailable: true, ...DETAILS }
  const { products } = await call<ProductPage>('POST', '/api/v3/products/query', { body, signal })
  return products[0]
}

export function readProductFilters(
  product_type: Static<typeof FilterQuery>['product_type'],
  signal?: AbortSignal,
): Promise<ProductFilters> {
  return call('GET', '/api/v3/product_filters', { query: { product_type }, signal })
}
