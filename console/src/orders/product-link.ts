import type { LineItem } from '../api/orders.ts'

/** The page of a product, if it has one. */
export function productHref(line: ProductOfLine): string | undefined {
  const { sku, product_type, product_id } = line
  if (product_type === 'gem' && sku !== '') return `/stones/${encodeURIComponent(sku)}`
  if (product_type === 'cert' || !product_id) return undefined
  return `/jewelry/${encodeURIComponent(product_id)}`
}

type ProductOfLine = Pick<LineItem, 'sku' | 'product_type' | 'product_id'>
