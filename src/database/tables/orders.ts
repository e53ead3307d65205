import type { ColumnType, Generated } from 'kysely'
import type { Json, Numeric, Timestamp } from './columns.ts'

/** Orders and what happened to them. */
export interface OrderTables {
  orders: OrderTable
  order_line: OrderLineTable
  fulfillment: FulfillmentTable
  fulfillment_line: { fulfillment_uuid: string; line_uuid: string; quantity: number }
  cancellation: CancellationTable
}

export type OrderType = 'invoice' | 'memo'
export type OrderChannel = 'api' | 'console' | 'operator'

export interface OrderTable {
  uuid: string
  merchant_uuid: string
  order_id: string
  order_reference: string
  order_type: OrderType
  order_channel: OrderChannel
  order_status: 'cancelled' | 'returned' | 'closed' | null
  payment_status: 'paid' | null
  fulfillment_status: 'partial' | 'fulfilled' | null
  shipping_status: 'partially_shipped' | 'shipped' | null
  notes: string
  debug: boolean
  memo_id: string | null
  memo_due_date: Timestamp | null
  ordered_on: Timestamp
  updated_on: Timestamp
  total: Numeric
  open_quantity: number
  merchant: Json<Record<string, unknown>>
  merchant_legal_dba: string
  billing_address: Json<AddressCopy>
  shipping_address: Json<AddressCopy>
  margins: Json<MarginsCopy>
  words: string
  operator_words: string
}

/** An order's address. Parts that are not known are empty; the country has two letters. */
export interface AddressCopy {
  address_1: string
  address_2: string
  city: string
  country_code: string
  postal_code: string
  region: string
}

export interface TierCopy {
  percent: number
  weight_min: number
  weight_max: number
}
export type MarginsCopy = Record<'mined' | 'lab grown', TierCopy[]>

export type StockKindName = 'gem' | 'variant'

export interface OrderLineTable {
  uuid: string
  order_uuid: string
  position: number
  name: string
  description: string
  sku: string
  product_id: string | null
  product_type: 'gem' | 'jewelry' | 'watch' | 'cert'
  product: Json<Record<string, unknown>>
  supplier_cost: string | null
  properties: ColumnType<LineProperty[] | null, string | null, never>
  vendor: string | null
  quantity: number
  price: Numeric
  fulfilled_quantity: number
  cancelled_quantity: number
  returned_quantity: number
  open_quantity: number
  stock_kind: StockKindName | null
  stock_id: string | null
  taken_quantity: number
  taken_from: string | null
  created_on: Timestamp
  updated_on: Timestamp
}

export interface LineProperty {
  name: string
  value: string
}

export interface FulfillmentTable {
  uuid: string
  order_uuid: string
  status: Generated<string>
  tracking_company: string
  tracking_number: string
  tracking_url: string
  created_on: Timestamp
  updated_on: Timestamp
}

export interface CancellationTable {
  uuid: string
  order_uuid: string
  line_uuid: string
  quantity: number
  reason: string
  created_on: Timestamp
}
