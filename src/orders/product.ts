import type { GemState } from '../database/tables/gems.ts'
import type { StockKindName } from '../database/tables/orders.ts'

/** A product as an order meets it, whatever kind it is of, at the buyer's prices. */
export interface Product {
  kind: StockKindName
  /** Its row in the table of its kind. */
  stock_id: string
  sku: string
  product_id: string
  product_type: 'gem' | 'jewelry' | 'watch'
  name: string
  description: string
  vendor: string | null
  /** There is one of it, which is sold or on memo once it is ordered. */
  single: boolean
  state: GemState
  quantity: number
  /** The merchant whose hold on it is running. */
  held_by: string | null
  memo: boolean
  memo_days_to_return: number | null
  /** The wholesale price of one in 1/10,000 US dollars. */
  unit_price: number
  /** What the supplier asks, in US dollars. */
  supplier_cost: string | null
  /** The copy that the order keeps, in the shape of the interface. */
  fields: Record<string, unknown>
  /** What a text search finds it by; the vendor's codes are for the operator alone. */
  words: string[]
  vendor_codes: string[]
}

/** What an order takes of a product. Nothing is taken for a backorder. */
export interface Taking {
  product: Product
  quantity: number
  taken_quantity: number
}

/** What a line gives back. */
export interface GivingBack {
  sku: string
  stock_id: string
  quantity: number
  /** The state in which the order found it. */
  taken_from: string
}
