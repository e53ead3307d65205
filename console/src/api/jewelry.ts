import { call } from './client.ts'

/** As `Variant` in /openapi/v3.json. */
export interface Variant {
  id: string
  sku: string
  product_type: string
  wholesale_price: number
  retail_price: number
  currency_code: string
  quantity: number
  variant_options: Record<string, string>
  filter_variant_options: Record<string, string | string[]>
  returnable: boolean
  delivery_days_min: number | null
  delivery_days_max: number | null
  media: { kind: 'image' | 'video'; url: string }[]
}

/** As `Product` in /openapi/v3.json. */
export interface Product {
  id: string
  title: string
  description: string
  type: string
  vendor: { id: string; name: string }
  variants: Variant[]
}

/** As `ProductFilter` in /openapi/v3.json. */
export interface ProductFilter {
  key: string
  label: string
  values: { value: string; count: number }[]
}

export interface ProductPage {
  products: Product[]
  total: number
  offset: number
  limit: number
}

export interface JewelryQuery {
  q?: string | undefined
  filter_variant_options?: Record<string, string>
  wholesale_price_max?: number
  order_by: string
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

/** Media, delivery and currency, which are answered only to those who ask. */
const DETAILS = { include: ['details'] }

export function queryJewelry(query: JewelryQuery, signal?: AbortSignal): Promise<ProductPage> {
  return call('POST', '/api/v3/products/jewelry/query', { body: { ...query, ...DETAILS }, signal })
}

export function queryWatches(
  query: Pick<JewelryQuery, 'q' | 'order_by' | 'order' | 'limit' | 'offset'>,
  signal?: AbortSignal,
): Promise<ProductPage> {
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
  product_type: 'jewelry' | 'watch',
  signal?: AbortSignal,
): Promise<{ filters: ProductFilter[] }> {
  return call('GET', '/api/v3/product_filters', { query: { product_type }, signal })
}
