import type { ProductType } from '../database/jewelry-tables.ts'
import { checkAttributes } from './known-attributes.ts'
import type { Conversion } from './price-conversion.ts'
import { planText } from './query-text.ts'
import type { Floor } from './showroom.ts'
import { attributeTerm, type Prices, type ProductRow, type VariantRow } from './showroom-rows.ts'
import type { SortKey } from './sorted-rows.ts'
import { isVisible, type Viewer, visibleCatalogues } from './viewer.ts'

/** What a caller may ask of products and variants; what is absent does not restrict. */
export interface ShowroomWish {
  q?: string
  /** Only these products. */
  product_id?: readonly string[]
  /** Only these variants. */
  variant_id?: readonly string[]
  vendor_id?: readonly string[]
  type?: readonly ProductType[]
  /** A value or several per attribute; attributes combine with AND. */
  filter_variant_options?: Readonly<Record<string, string | readonly string[]>>
  has_media?: boolean
  returnable?: boolean
  wholesale_price_min?: number
  wholesale_price_max?: number
  retail_price_min?: number
  retail_price_max?: number
  delivery_days_max?: number
  include_unavailable: boolean
}

export interface Paging<Order extends string> {
  order_by: Order
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

export interface Found<Row> {
  rows: Row[]
  total: number
}

export const PRODUCT_ORDERS = [
  'updated_on',
  'created_on',
  'title',
  'wholesale_price',
  'category',
] as const
export type ProductOrder = (typeof PRODUCT_ORDERS)[number]

export const VARIANT_ORDERS = [
  'created_on',
  'updated_on',
  'wholesale_price',
  'retail_price',
  'sku',
] as const
export type VariantOrder = (typeof VARIANT_ORDERS)[number]

/** A product is found when one of its variants meets every condition at once. */
export function queryProducts(
  floor: Floor,
  viewer: Viewer,
  wish: ShowroomWish,
  paging: Paging<ProductOrder>,
): Found<ProductRow> {
  const { productMatches, variantMatches } = planQuery(floor, viewer, wish)
  const [name, keyOf] = productSort(paging.order_by, viewer)
  const sorted = floor.productsBy.get(name, keyOf, paging.order)
  const matches = (row: ProductRow) => productMatches(row) && row.variants.some(variantMatches)
  return pageOf(sorted, matches, paging)
}

export function queryVariants(
  floor: Floor,
  viewer: Viewer,
  wish: ShowroomWish,
  paging: Paging<VariantOrder>,
): Found<VariantRow> {
  const { productMatches, variantMatches } = planQuery(floor, viewer, wish)
  // Asked once per product and not once per variant.
  const admitted = new Uint8Array(floor.slots)
  for (const row of floor.products.values()) if (productMatches(row)) admitted[row.slot] = 1
  const [name, keyOf] = variantSort(paging.order_by, viewer)
  const sorted = floor.variantsBy.get(name, keyOf, paging.order)
  const matches = (row: VariantRow) => admitted[row.product.slot] === 1 && variantMatches(row)
  return pageOf(sorted, matches, paging)
}

function pageOf<Row>(
  sorted: readonly Row[],
  matches: (row: Row) => boolean,
  { limit, offset }: { limit: number; offset: number },
): Found<Row> {
  const rows: Row[] = []
  let total = 0
  for (const row of sorted) {
    if (!matches(row)) continue
    if (total >= offset && rows.length < limit) rows.push(row)
    total++
  }
  return { rows, total }
}

/** The wish as two tests. Refuses attributes that the caller cannot know. */
function planQuery(floor: Floor, viewer: Viewer, wish: ShowroomWish) {
  const seen = visibleCatalogues(floor, viewer)
  const text = planText(floor, wish.q ?? '')
  const attributes = planAttributes(floor, viewer, wish.filter_variant_options)
  const prices = planPrices(viewer, wish)
  const { has_media, returnable, delivery_days_max, include_unavailable } = wish
  const productIds = wish.product_id && new Set(wish.product_id)
  const variantIds = wish.variant_id && new Set(wish.variant_id)
  const vendorIds = wish.vendor_id && new Set(wish.vendor_id)

  function productMatches(row: ProductRow): boolean {
    if (wish.type && !wish.type.includes(row.type)) return false
    if (productIds && !productIds.has(row.id)) return false
    if (vendorIds && !vendorIds.has(row.vendor.id)) return false
    return isVisible(row, seen)
  }

  function variantMatches(row: VariantRow): boolean {
    if (!include_unavailable && row.quantity === 0) return false
    if (variantIds && !variantIds.has(row.id)) return false
    if (has_media !== undefined && row.media.length > 0 !== has_media) return false
    if (returnable !== undefined && row.returnable !== returnable) return false
    if (delivery_days_max !== undefined) {
      if (row.delivery_days_max === null || row.delivery_days_max > delivery_days_max) return false
    }
    return prices(row) && attributes(row) && text(row)
  }

  return { productMatches, variantMatches }
}

/** Bounds in the caller's currency become bounds in US cents, so no row is converted. */
function planPrices({ priceList, conversion }: Viewer, wish: ShowroomWish) {
  const [wholesaleMin, wholesaleMax] = usdBounds(
    conversion,
    wish.wholesale_price_min,
    wish.wholesale_price_max,
  )
  const [retailMin, retailMax] = usdBounds(conversion, wish.retail_price_min, wish.retail_price_max)
  return ({ wholesale, retail_cents }: { wholesale: Prices; retail_cents: number }) => {
    const price = wholesale[priceList]
    return (
      price >= wholesaleMin &&
      price <= wholesaleMax &&
      retail_cents >= retailMin &&
      retail_cents <= retailMax
    )
  }
}

function usdBounds(conversion: Conversion, min: number | undefined, max: number | undefined) {
  return [
    min === undefined ? 0 : conversion.usdCentsFrom(min),
    max === undefined ? Number.POSITIVE_INFINITY : conversion.usdCentsUpTo(max),
  ] as const
}

function planAttributes(
  floor: Floor,
  viewer: Viewer,
  wanted: ShowroomWish['filter_variant_options'],
): (row: VariantRow) => boolean {
  if (!wanted || Object.keys(wanted).length === 0) return () => true
  const checked = checkAttributes(floor, viewer, 'jewelry', wanted)
  const marksOfKeys = checked.map(({ key, values }) => {
    const marks = new Uint8Array(floor.terms.attributes.size)
    for (const value of values) {
      const id = floor.terms.attributes.find(attributeTerm('jewelry', key, value))
      if (id !== undefined) marks[id] = 1
    }
    return marks
  })
  return (row) => marksOfKeys.every((marks) => hasMark(row.attributes, marks))
}

function hasMark(ids: readonly number[], marks: Uint8Array): boolean {
  for (const id of ids) if (marks[id] === 1) return true
  return false
}

type Sort<Row> = [name: string, keyOf: (row: Row) => SortKey]

function productSort(orderBy: ProductOrder, { priceList, conversion }: Viewer): Sort<ProductRow> {
  switch (orderBy) {
    case 'title':
      return ['title', (row) => row.folded_title]
    case 'category':
      return ['category', (row) => row.category]
    case 'wholesale_price':
      return [
        `wholesale_price ${priceList} ${conversion.rate}`,
        (row) => conversion.convert(row.wholesale[priceList]),
      ]
    case 'created_on':
      return ['created_on', (row) => row.created_on]
    case 'updated_on':
      return ['updated_on', (row) => row.updated_on]
  }
}

function variantSort(orderBy: VariantOrder, { priceList, conversion }: Viewer): Sort<VariantRow> {
  switch (orderBy) {
    case 'sku':
      return ['sku', (row) => row.sku]
    case 'wholesale_price':
      return [
        `wholesale_price ${priceList} ${conversion.rate}`,
        (row) => conversion.convert(row.wholesale[priceList]),
      ]
    case 'retail_price':
      return [`retail_price ${conversion.rate}`, (row) => conversion.convert(row.retail_cents)]
    case 'created_on':
      return ['created_on', (row) => row.created_on]
    case 'updated_on':
      return ['updated_on', (row) => row.updated_on]
  }
}
