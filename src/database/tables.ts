import type { ColumnType, Generated } from 'kysely'
import type { JewelryTables } from './jewelry-tables.ts'
import type { OrderTables } from './order-tables.ts'

/**
 * The tables as Kysely sees them. Columns keep the interface's names from SQL to JSON. `numeric`
 * arrives as a string, which is right for money; timestamps arrive as PostgreSQL prints them
 * (see lib/timestamps.ts), because a JavaScript Date would drop the microseconds.
 */
export interface Tables extends JewelryTables, OrderTables {
  merchant: MerchantTable
  token: TokenTable
  merchant_address: AddressTable
  merchant_template: TemplateTable
  profit_margin: MarginTable
  exchange_rate: ExchangeRateTable
  idempotency_key: IdempotencyKeyTable
  sign_in_link: SignInLinkTable
  supplier: SupplierTable
  gem: GemTable
  change_clock: { last: number }
  change: ChangeTable
  served_address: { only_row: WithDefault<boolean>; url: string }
}

/** A timestamp as PostgreSQL prints it in UTC: `2026-01-31 09:15:00.123456+00`. */
export type Timestamp = string
/** Exact decimal digits; written as a number or a string, read as a string. */
export type Numeric = ColumnType<string, string | number, string | number>
type NumericWithDefault = ColumnType<string, string | number | undefined, string | number>
type NumericOrNull = ColumnType<string | null, string | number | null, string | number | null>
type WithDefault<T> = Generated<T>
type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>

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
  created_on: WithDefault<Timestamp>
  updated_on: WithDefault<Timestamp>
}

export interface TokenTable {
  uuid: string
  merchant_uuid: string | null
  type: 'api_key' | 'merchant' | 'admin'
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
  opened_by: string | null
}

export interface SignInLinkTable {
  hash: Buffer
  merchant_uuid: string | null
  created_on: WithDefault<Timestamp>
  expires_on: Timestamp
  used_on: Timestamp | null
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
  order: number | null
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

export interface ExchangeRateTable {
  currency_code: string
  rate: Numeric
  set_on: WithDefault<Timestamp>
}

export interface IdempotencyKeyTable {
  owner: string
  key_hash: Buffer
  fingerprint: Buffer
  status: number
  body: Buffer
  created_on: WithDefault<Timestamp>
}

export interface SupplierTable {
  id: Generated<number>
  uuid: string
  name: string
  contact: WithDefault<string>
  country_code: string | null
  currency_code: WithDefault<string>
  markup: NumericWithDefault
  markup_us: NumericWithDefault
  delivery_days_min: WithDefault<number>
  delivery_days_max: WithDefault<number>
  returnable: WithDefault<boolean>
  days_to_return: WithDefault<number>
  memo: WithDefault<boolean>
  memo_days_to_return: WithDefault<number>
  internal_days_to_return: WithDefault<number>
  si3: WithDefault<'SI2' | 'I1'>
  fresh_days: WithDefault<number | null>
  mapping: JsonOrNull<Record<string, string | null>>
  synced_on: Timestamp | null
  created_on: WithDefault<Timestamp>
  updated_on: WithDefault<Timestamp>
}

export type GemState = 'available' | 'memo' | 'sold' | 'gone' | 'disabled'
export type GemMover = 'feed' | 'order' | 'operator' | 'hold'
export type GemProductType = 'diamond' | 'melee' | 'gemstone'

export interface GemTable {
  id: Generated<number>
  sku: string
  supplier_id: number
  vendor_sku: string
  product_type: GemProductType
  type: 'mined' | 'lab grown'
  species: string | null
  origin: string | null
  treatment: string | null
  shape: string
  cut_code: string
  weight: Numeric
  length: NumericOrNull
  width: NumericOrNull
  depth: NumericOrNull
  ratio: NumericOrNull
  ratio_group: 'square' | 'rectangular' | null
  depth_percentage: NumericOrNull
  table_percentage: NumericOrNull
  crown_angle: NumericOrNull
  pavilion_angle: NumericOrNull
  pavilion_depth: NumericOrNull
  culet_size: string | null
  girdle_min: string | null
  girdle_max: string | null
  color: string | null
  color_max: string | null
  clarity: string | null
  clarity_max: string | null
  is_fancy: WithDefault<boolean>
  fancy_color_intensity: string | null
  overtone: string | null
  cut_grade: string | null
  polish_grade: string | null
  symmetry_grade: string | null
  fluorescence: string | null
  eye_clean: string | null
  grow_method: string | null
  lab: string | null
  lab_original: string | null
  cert_num: string | null
  cert_url: string | null
  country_code: string | null
  cost: Numeric
  list_price: NumericOrNull
  wholesale_price: Numeric
  wholesale_price_us: Numeric
  state: WithDefault<GemState>
  /** Written with every change of state or lease; a trigger reads it and leaves null behind. */
  mover: ColumnType<null, null | undefined, GemMover>
  quantity: WithDefault<number>
  hold_uuid: string | null
  hold_merchant_uuid: string | null
  hold_created_on: Timestamp | null
  hold_expires_on: Timestamp | null
  can_hold: WithDefault<boolean>
  memo: WithDefault<boolean>
  returnable: WithDefault<boolean>
  is_manual: WithDefault<boolean>
  is_sustainable: boolean | null
  sustainability_details: JsonOrNull<Record<string, unknown>>
  memo_days_to_return: number | null
  days_to_return: number | null
  internal_days_to_return: number | null
  delivery_days_min: number | null
  delivery_days_max: number | null
  tolerance_positive: NumericOrNull
  tolerance_negative: NumericOrNull
  image_top_url: string | null
  image_bottom_url: string | null
  video_url: string | null
  ux_url: string | null
  cached_ux_url: string | null
  v360_json_base_url: string | null
  v360_info: JsonOrNull<Record<string, unknown>>
  original_imported_ext_url: string | null
  media_requested: WithDefault<boolean>
  pair_vendor_sku: string | null
  pair_separable: boolean | null
  feed_hash: Buffer | null
  feed_gone: Generated<boolean>
  created_on: WithDefault<Timestamp>
  updated_on: WithDefault<Timestamp>
}

export type ChangeKind =
  | 'new'
  | 'price'
  | 'media'
  | 'details'
  | 'hold'
  | 'release'
  | 'sold'
  | 'memo'
  | 'gone'
  | 'back'
  | 'prices'

export interface ChangeTable {
  sequence: number
  gem_id: number | null
  sku: string | null
  merchant_uuid: string | null
  kind: ChangeKind
  changed_on: WithDefault<Timestamp>
}
