import type { ColumnType } from 'kysely'
import type {
  Numeric,
  NumericOrNull,
  NumericWithDefault,
  Timestamp,
  WithDefault,
} from './columns.ts'

/** Merchants, how they sign in, and their settings; see migrations/0001-merchants.sql. */
export interface MerchantTables {
  merchant: MerchantTable
  token: TokenTable
  budget_use: BudgetUseTable
  merchant_address: AddressTable
  merchant_template: TemplateTable
  profit_margin: MarginTable
  exchange_rate: ExchangeRateTable
  idempotency_key: IdempotencyKeyTable
  market_realm: { only_row: WithDefault<boolean>; realm: 'live' | 'test' }
  served_address: { only_row: WithDefault<boolean>; url: string }
}

export interface MerchantTable {
  uuid: string
  external_id: WithDefault<string>
  activated: WithDefault<boolean>
  deleted: WithDefault<boolean>
  api_enabled: WithDefault<boolean>
  test: WithDefault<boolean>
  approval_status: string | null
  onboarding_status: WithDefault<string>
  subscription_status: WithDefault<string>
  first_name: WithDefault<string>
  last_name: WithDefault<string>
  legal_dba: string
  email: string
  internal_email: WithDefault<string>
  cc_emails: string | null
  business_phone: WithDefault<string>
  business_type: WithDefault<string>
  tax_id: WithDefault<string>
  url: string | null
  gateway_customer_id: WithDefault<string>
  country_code: string
  currency_code: WithDefault<string>
  margin_mode: WithDefault<'weight' | 'price'>
  billing_address_1: WithDefault<string>
  billing_address_2: WithDefault<string>
  billing_city: WithDefault<string>
  billing_country_code: WithDefault<string>
  billing_postal_code: WithDefault<string>
  billing_region: WithDefault<string>
  shipping_address_1: WithDefault<string>
  shipping_address_2: WithDefault<string>
  shipping_city: WithDefault<string>
  shipping_country_code: WithDefault<string>
  shipping_postal_code: WithDefault<string>
  shipping_region: WithDefault<string>
  references: ColumnType<unknown[], string | undefined, string>
  /** Null: the prices of the merchant's list. Written as JSON. */
  price_adjustment: ColumnType<PriceAdjustment | null, string | null | undefined, string | null>
  /** Null: the limit of the installation. */
  rate_limit_per_minute: number | null
  /** Null: the standard limit. */
  max_holds: number | null
  max_hold_hours: number | null
  max_memo_stones: number | null
  max_memo_value: number | null
  max_addresses: number | null
  max_templates: number | null
  max_webhooks: number | null
  max_keys: number | null
  payment_terms_days: WithDefault<number>
  /** In US dollars. Null: no limit. */
  credit_limit: ColumnType<
    string | null,
    string | number | null | undefined,
    string | number | null
  >
  memo_limit: ColumnType<string | null, string | number | null | undefined, string | number | null>
  created_on: WithDefault<Timestamp>
  updated_on: WithDefault<Timestamp>
}

/** By how many percent the wholesale prices of one merchant differ from its list. */
export interface PriceAdjustment {
  mined_percent: number
  lab_percent: number
  gemstone_percent: number
  jewelry_percent: number
}

interface TokenTable {
  uuid: string
  merchant_uuid: string | null
  supplier_uuid: string | null
  type: 'api_key' | 'merchant' | 'admin' | 'supplier' | 'publishable'
  name: WithDefault<string>
  scopes: string[]
  hash: Buffer
  hint: string
  rate_limit_per_minute: number | null
  created_on: WithDefault<Timestamp>
  expires_on: Timestamp | null
  revoked_on: Timestamp | null
  last_used_on: Timestamp | null
  is_session: WithDefault<boolean>
  made_by: string | null
  allowed_addresses: WithDefault<string[]>
  /** The web pages that a publishable key may be used on; empty for all others. */
  origins: WithDefault<string[]>
  /** The user of a session. */
  user_uuid: string | null
  opened_with: 'link' | 'password' | 'key' | null
  budget_orders_per_day: number | null
  budget_amount_per_day: NumericOrNull
  budget_amount_per_order: NumericOrNull
  /** The name that its orders are counted under; null without a budget. */
  budget_key: string | null
}

/** What was ordered under a budget on a day in UTC. */
interface BudgetUseTable {
  budget_key: string
  day: string
  orders: number
  amount: Numeric
}

export interface AddressTable {
  uuid: string
  merchant_uuid: string
  name: string
  phone: WithDefault<string>
  address_1: string
  address_2: WithDefault<string>
  city: string
  postal_code: string
  country_code: string
  region: WithDefault<string>
  address_type: WithDefault<string>
  is_default: WithDefault<boolean>
  created_on: WithDefault<Timestamp>
}

export interface TemplateTable {
  uuid: string
  merchant_uuid: string
  group: string
  position: number
  label: string
  color: string
  clarity: string
  grade_name: 'ideal' | 'excellent' | 'very good'
  order: string | null
  created_on: WithDefault<Timestamp>
}

export interface MarginTable {
  uuid: string
  merchant_uuid: string
  product_type: WithDefault<'diamond' | 'gemstone'>
  weight_or_price: 'weight' | 'price'
  weight_min: NumericWithDefault
  weight_max: NumericWithDefault
  price_min: NumericWithDefault
  price_max: NumericWithDefault
  mined_percent: Numeric
  lab_percent: Numeric
}

interface ExchangeRateTable {
  currency_code: string
  rate: Numeric
  set_on: WithDefault<Timestamp>
}

interface IdempotencyKeyTable {
  owner: string
  key_hash: Buffer
  fingerprint: Buffer
  status: number
  body: Buffer
  created_on: WithDefault<Timestamp>
}
