import { selectVariants, type VariantFilters } from './filter-variants.ts'
import type { ProductRow, VariantRow } from './rows.ts'
import type { ShowroomIndex } from './showroom.ts'
import type { SortKey } from './sorted-lists.ts'
import type { Viewer } from './viewer.ts'

interface Paging<Order extends string> {
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
type ProductOrder = (typeof PRODUCT_ORDERS)[number]

export const VARIANT_ORDERS = [
  'created_on',
  'updated_on',
  'wholesale_price',
  'retail_price',
  'sku',
] as const
type VariantOrder = (typeof VARIANT_ORDERS)[number]

/** Finds the products of which at least one variant matches all filters. */
export function queryProducts(
  index: ShowroomIndex,
  viewer: Viewer,
  filters: VariantFilters,
  paging: Paging<ProductOrder>,
): Found<ProductRow> {
  const { rows, sorted } = index.products
  const variants = selectVariants(index, viewer, filters)
  const selected = new Uint8Array(rows.length)
  const productOf = index.variants.columns.product
  for (let number = 0; number < variants.length; number++) {
    if (variants[number] === 1) selected[productOf[number]] = 1
  }
  const [name, keyOf] = productSort(paging.order_by, viewer)
  return pageOf(rows, sorted.get(name, keyOf, paging.order), selected, paging)
}

export function queryVariants(
  index: ShowroomIndex,
  viewer: Viewer,
  filters: VariantFilters,
  paging: Paging<VariantOrder>,
): Found<VariantRow> {
  const { rows, sorted } = index.variants
  const selected = selectVariants(index, viewer, filters)
  const [name, keyOf] = variantSort(paging.order_by, viewer)
  return pageOf(rows, sorted.get(name, keyOf, paging.order), selected, paging)
}

function pageOf<Row>(
  rows: readonly Row[],
  order: readonly number[],
  selected: Uint8Array,
  { limit, offset }: { limit: number; offset: number },
): Found<Row> {
  const page: Row[] = []
  let total = 0
  for (const number of order) {
    if (selected[number] === 0) continue
    if (total >= offset && page.length < limit) page.push(rows[number])
    total++
  }
  return { rows: page, total }
}

type Sort<Row> = [name: string, keyOf: (row: Row) => SortKey]

function productSort(orderBy: ProductOrder, { priceList, wholesale }: Viewer): Sort<ProductRow> {
  switch (orderBy) {
    case 'title':
      return ['title', (row) => row.folded_title]
    case 'category':
      return ['category', (row) => row.category]
    case 'wholesale_price':
      return [
        `wholesale_price ${priceList} ${wholesale.name}`,
        (row) => wholesale.convert(row.wholesale[priceList]),
      ]
    case 'created_on':
      return ['created_on', (row) => row.created_on]
    case 'updated_on':
      return ['updated_on', (row) => row.updated_on]
  }
}

function variantSort(
  orderBy: VariantOrder,
  { priceList, wholesale, retail }: Viewer,
): Sort<VariantRow> {
  switch (orderBy) {
    case 'sku':
      return ['sku', (row) => row.sku]
    case 'wholesale_price':
      return [
        `wholesale_price ${priceList} ${wholesale.name}`,
        (row) => wholesale.convert(row.wholesale[priceList]),
      ]
    case 'retail_price':
      return [`retail_price ${retail.name}`, (row) => retail.convert(row.retail_cents)]
    case 'created_on':
      return ['created_on', (row) => row.created_on]
    case 'updated_on':
      return ['updated_on', (row) => row.updated_on]
  }
}
