import type { ColumnType, Generated, Selectable } from 'kysely'
import type { ChargeKind } from '../../reference/charges.ts'
import type { Json, Numeric, Timestamp, WithDefault } from './columns.ts'
import type { MerchantTable } from './merchants.ts'

/** Orders and what happened to them. */
export interface OrderTables {
  orders: OrderTable
  order_line: OrderLineTable
  order_count: OrderCountTable
  fulfillment: FulfillmentTable
  fulfillment_line: { fulfillment_uuid: string; line_uuid: string; quantity: number }
  cancellation: CancellationTable
  order_return: ReturnTable
  order_return_line: { return_uuid: string; line_uuid: string; quantity: number }
  document: DocumentTable
  setting: { name: string; value: string; updated_on: WithDefault<Timestamp> }
  /** The logos of the seller, which documents show. */
  logo: { sha256: string; picture: Buffer; created_on: WithDefault<Timestamp> }
  ledger_entry: LedgerEntryTable
  charge_rule: ChargeRuleTable
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
  memo_reminder: 'due_soon' | 'overdue' | null
  ordered_on: Timestamp
  updated_on: Timestamp
  total: Numeric
  open_quantity: number
  payment_terms_days: number
  invoiced_on: Timestamp | null
  merchant: Json<MerchantCopy>
  merchant_legal_dba: string
  billing_address: Json<AddressCopy>
  shipping_address: Json<AddressCopy>
  margins: Json<MarginsCopy>
  words: string
  step: StepColumn
  step_by: StepColumn
}

/** Named by an update, checked by a trigger and never stored; see `src/orders/order-life.ts`. */
type StepColumn = ColumnType<null, null | undefined, string>

/** The columns of a merchant that its orders keep, and show; every other column stays private. */
// biome-ignore format: a list of columns
export const MERCHANT_COPY_COLUMNS = [
  'uuid', 'external_id', 'activated', 'deleted', 'approval_status', 'onboarding_status',
  'subscription_status', 'first_name', 'last_name', 'legal_dba', 'email', 'internal_email',
  'cc_emails', 'business_phone', 'business_type', 'tax_id', 'url', 'gateway_customer_id',
  'billing_address_1', 'billing_address_2', 'billing_city', 'billing_country_code',
  'billing_postal_code', 'billing_region', 'shipping_address_1', 'shipping_address_2',
  'shipping_city', 'shipping_country_code', 'shipping_postal_code', 'shipping_region',
  'references',
] as const satisfies (keyof MerchantTable)[]

/** An order's merchant, as it was at placement. */
export interface MerchantCopy
  extends Pick<Selectable<MerchantTable>, (typeof MERCHANT_COPY_COLUMNS)[number]> {
  provider: string
  merchant_settings: { margin_mode: 'weight' | 'price' }
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

interface TierCopy {
  percent: number
  weight_min: number
  weight_max: number
}
export type MarginsCopy = Record<'mined' | 'lab grown', TierCopy[]>

/** At placement, because its supplier needs no confirmation, or by whom. */
type ConfirmedBy = 'placement' | 'supplier' | 'operator'

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
  unit_cost: string | null
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
  supplier_id: number | null
  confirmed_on: Timestamp | null
  confirmed_by: ConfirmedBy | null
  declined_on: Timestamp | null
  step: StepColumn
  step_by: StepColumn
  created_on: Timestamp
  updated_on: Timestamp
}

interface LineProperty {
  name: string
  value: string
}

/** So many orders are of a kind; the rows of a kind are added up, and then name no order. */
interface OrderCountTable {
  merchant_uuid: string
  order_type: OrderType
  payment_status: 'paid' | null
  fulfillment_status: 'partial' | 'fulfilled' | null
  is_open: boolean
  debug: boolean
  orders: number
  order_uuid: string | null
  transaction: Generated<number>
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

export interface LedgerEntryTable {
  order_uuid: string
  number: number
  uuid: string
  merchant_uuid: string
  kind: 'order' | 'charge' | 'payment' | 'credit'
  amount: Numeric
  currency_code: string
  label: string
  charge_kind: ChargeKind | null
  percent: string | null
  charge_number: number | null
  method: string
  reference: string
  /** `2026-01-31` */
  dated_on: string
  made_by: string
  reason: string
  created_on: Timestamp
}

export interface ChargeRuleTable {
  uuid: string
  country_code: string | null
  kind: ChargeKind
  label: string
  amount: string | null
  percent: string | null
  created_on: Generated<Timestamp>
}

interface ReturnTable {
  uuid: string
  order_uuid: string
  merchant_uuid: string
  status: 'requested' | 'approved' | 'rejected' | 'received'
  reason: string
  reject_reason: Generated<string>
  created_on: Timestamp
  updated_on: Timestamp
}

export interface DocumentTable {
  uuid: string
  order_uuid: string
  kind: 'invoice' | 'packing_slip' | 'memo' | 'credit_note'
  number: string
  content: Json<unknown>
  pdf: WithDefault<Buffer | null>
  created_on: Timestamp
}
