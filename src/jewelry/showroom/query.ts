import type { ProductType } from '../../database/tables/jewelry.ts'
import { PRODUCT_TYPES } from '../attributes.ts'
import type { Conversion } from '../price-conversion.ts'
import { checkAttributes } from './known-attributes.ts'
import { keepWithWords } from './query-text.ts'
import { attributeTerm, type ProductRow, type VariantRow } from './rows.ts'
import type { Floor } from './showroom.ts'
import type { SortKey } from './sorted-lists.ts'
import { markRows } from './term-index.ts'
import { type Viewer, visibleProducts } from './viewer.ts'

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
  const { rows, sorted } = floor.products
  const variantMarks = markVariants(floor, viewer, wish)
  const marks = new Uint8Array(rows.length)
  const productOf = floor.variants.columns.product
  for (let number = 0; number < variantMarks.length; number++) {
    if (variantMarks[number] === 1) marks[productOf[number]] = 1
  }
  const [name, keyOf] = productSort(paging.order_by, viewer)
  return pageOf(rows, sorted.get(name, keyOf, paging.order), marks, paging)
}

export function queryVariants(
  floor: Floor,
  viewer: Viewer,
  wish: ShowroomWish,
  paging: Paging<VariantOrder>,
): Found<VariantRow> {
  const { rows, sorted } = floor.variants
  const marks = markVariants(floor, viewer, wish)
  const [name, keyOf] = variantSort(paging.order_by, viewer)
  return pageOf(rows, sorted.get(name, keyOf, paging.order), marks, paging)
}

function pageOf<Row>(
  rows: readonly Row[],
  order: readonly number[],
  marks: Uint8Array,
  { limit, offset }: { limit: number; offset: number },
): Found<Row> {
  const page: Row[] = []
  let total = 0
  for (const number of order) {
    if (marks[number] === 0) continue
    if (total >= offset && page.length < limit) page.push(rows[number])
    total++
  }
  return { rows: page, total }
}

/** One byte per variant: 1 where it meets the wish. Refuses attributes that nobody can know. */
function markVariants(floor: Floor, viewer: Viewer, wish: ShowroomWish): Uint8Array {
  const admitted = admitProducts(floor, viewer, wish)
  const marks = markByColumns(floor, viewer, wish, admitted)
  if (wish.variant_id) keepIds(floor, wish.variant_id, marks)
  for (const { key, values } of checkAttributes(floor, viewer, wish.filter_variant_options ?? {})) {
    keepAttribute(floor, key, values, marks)
  }
  keepWithWords(floor, wish.q ?? '', marks)
  return marks
}

/** One byte per product: 1 where the caller sees it and it is among those asked for. */
function admitProducts(floor: Floor, viewer: Viewer, wish: ShowroomWish): Uint8Array {
  const visible = visibleProducts(floor, viewer, wish.type ?? PRODUCT_TYPES)
  if (!wish.product_id && !wish.vendor_id) return visible
  const productIds = wish.product_id && new Set(wish.product_id)
  const vendorIds = wish.vendor_id && new Set(wish.vendor_id)
  return visible.map((isVisible, number) => {
    const { id, vendor } = floor.products.rows[number]
    if (productIds && !productIds.has(id)) return 0
    if (vendorIds && !vendorIds.has(vendor.id)) return 0
    return isVisible
  })
}

function markByColumns(
  { variants: { columns } }: Floor,
  { priceList, conversion }: Viewer,
  wish: ShowroomWish,
  admitted: Uint8Array,
): Uint8Array {
  const { product, quantity, has_media, returnable, delivery_days_max, retail } = columns
  const wholesale = columns.wholesale[priceList]
  const least = wish.include_unavailable ? 0 : 1
  const [wholesaleMin, wholesaleMax] = usdBounds(
    conversion,
    wish.wholesale_price_min,
    wish.wholesale_price_max,
  )
  const [retailMin, retailMax] = usdBounds(conversion, wish.retail_price_min, wish.retail_price_max)
  const daysMax = wish.delivery_days_max ?? Number.POSITIVE_INFINITY
  // 0, 1, or 2 for either.
  const mediaWanted = wish.has_media === undefined ? 2 : Number(wish.has_media)
  const returnWanted = wish.returnable === undefined ? 2 : Number(wish.returnable)
  const marks = new Uint8Array(columns.count)
  for (let number = 0; number < marks.length; number++) {
    if (
      admitted[product[number]] === 1 &&
      quantity[number] >= least &&
      wholesale[number] >= wholesaleMin &&
      wholesale[number] <= wholesaleMax &&
      retail[number] >= retailMin &&
      retail[number] <= retailMax &&
      delivery_days_max[number] <= daysMax &&
      (mediaWanted === 2 || has_media[number] === mediaWanted) &&
      (returnWanted === 2 || returnable[number] === returnWanted)
    ) {
      marks[number] = 1
    }
  }
  return marks
}

/** Bounds in the caller's currency become bounds in US cents, so that no row is converted. */
function usdBounds(conversion: Conversion, min: number | undefined, max: number | undefined) {
  return [
    min === undefined ? 0 : conversion.usdCentsFrom(min),
    max === undefined ? Number.POSITIVE_INFINITY : conversion.usdCentsUpTo(max),
  ] as const
}

function keepIds({ variants }: Floor, ids: readonly string[], marks: Uint8Array): void {
  const wanted = new Set(ids)
  for (let number = 0; number < marks.length; number++) {
    if (marks[number] === 1 && !wanted.has(variants.rows[number].id)) marks[number] = 0
  }
}

function keepAttribute(
  { variants: { attributes } }: Floor,
  key: string,
  values: readonly string[],
  marks: Uint8Array,
): void {
  const terms = values.flatMap(
    (value) => attributes.find(attributeTerm('jewelry', key, value)) ?? [],
  )
  const having = new Uint8Array(marks.length)
  markRows(attributes, terms, having)
  for (let number = 0; number < marks.length; number++) marks[number] &= having[number]
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
