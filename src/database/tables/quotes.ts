import type { Json, Numeric, NumericOrNull, Timestamp } from './columns.ts'

/** Prices that merchants were promised. */
export interface QuoteTables {
  quote: QuoteTable
  quote_line: QuoteLineTable
}

export interface QuoteTable {
  uuid: string
  merchant_uuid: string
  status: 'open' | 'requested' | 'declined' | 'ordered'
  currency_code: string
  exchange_rate: Numeric
  hold: boolean
  held_until: Timestamp | null
  reason: string
  order_uuid: string | null
  created_on: Timestamp
  updated_on: Timestamp
  expires_on: Timestamp
}

export interface QuoteLineTable {
  quote_uuid: string
  position: number
  sku: string
  quantity: number
  name: string
  description: string
  product_type: 'gem' | 'jewelry' | 'watch'
  melee: boolean
  price: Numeric
  wholesale_price: Numeric
  market_price: Numeric
  retail_price: Numeric
  offer_price: NumericOrNull
  terms: Json<Record<string, unknown>>
  hold_uuid: string | null
}
