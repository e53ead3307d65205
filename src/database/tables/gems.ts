import type { ColumnType, Generated } from 'kysely'
import type {
  JsonOrNull,
  Numeric,
  NumericOrNull,
  NumericWithDefault,
  Timestamp,
  WithDefault,
} from './columns.ts'
import type { ProductType } from './jewelry.ts'

/** Suppliers, stones and the log of what happens to them; see migrations/0002-gems.sql. */
export interface GemTables {
  supplier: SupplierTable
  gem: GemTable
  change_clock: ChangeClockTable
  change: ChangeTable
  price_grid: PriceGridTable
  price_grid_cell: PriceGridCellTable
  offer: OfferTable
  price_change: PriceChangeTable
  certificate_decision: CertificateDecisionTable
}

interface ChangeClockTable {
  only_row: WithDefault<boolean>
  last: number
  /** The history of the server that gave the last number; see migrations/0055-log-history.sql. */
  history: string | null
  replicated: WithDefault<boolean>
  unbroken_after: WithDefault<number>
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
  can_hold: WithDefault<boolean>
  confirms: WithDefault<boolean>
  ships: WithDefault<boolean>
  memo: WithDefault<boolean>
  memo_days_to_return: WithDefault<number>
  internal_days_to_return: WithDefault<number>
  si3: WithDefault<'SI2' | 'I1'>
  fresh_days: WithDefault<number | null>
  mapping: JsonOrNull<Record<string, unknown>>
  jewelry_mapping: JsonOrNull<Record<string, unknown>>
  stone_type: StoneType | null
  reading: JsonOrNull<Record<string, unknown>>
  synced_on: Timestamp | null
  markup_set_on: Timestamp | null
  created_on: WithDefault<Timestamp>
  updated_on: WithDefault<Timestamp>
}

/** What a supplier sells. */
export type StoneType = 'mined' | 'lab grown' | 'both'

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
  lab_name: string | null
  cert_num: string | null
  cert_url: string | null
  country_code: string | null
  cost: Numeric
  /** With all decimals of the feed's price; null where `cost` has them. */
  cost_exact: NumericOrNull
  list_price: NumericOrNull
  list_price_from_grid: WithDefault<boolean>
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
  shade: string | null
  milky: string | null
  black_inclusion: string | null
  pair_vendor_sku: string | null
  pair_sku: string | null
  pair_separable: boolean | null
  feed_hash: Buffer | null
  feed_gone: Generated<boolean>
  feed_quantity: number | null
  /** What the operator set, by field; see gems/operator/override-fields.ts. */
  overrides: JsonOrNull<Record<string, unknown>>
  /** What the overridden columns would be without it; null when there are no overrides. */
  feed_values: JsonOrNull<Record<string, unknown>>
  note: string | null
  /** Computed from the laboratory and the number; null for parcels and without either. */
  certificate: ColumnType<string | null, never, never>
  apart: Generated<boolean>
  created_on: WithDefault<Timestamp>
  updated_on: WithDefault<Timestamp>
}

/** A sheet of reference prices; see migrations/0016-price-grids.sql. */
interface PriceGridTable {
  uuid: string
  shape: 'BR' | 'PS'
  dated_on: string
  file_name: string
  row_count: number
  loaded_on: WithDefault<Timestamp>
  applied_on: Timestamp | null
}

interface PriceGridCellTable {
  grid_uuid: string
  clarity: string
  color: string
  weight_min: Numeric
  weight_max: Numeric
  price_per_carat: Numeric
}

/** What a stone cost before a change of its prices; written by a trigger of gem. */
interface PriceChangeTable {
  gem_id: number
  n: number
  changed_on: WithDefault<Timestamp>
  wholesale_price_before: Numeric
  wholesale_price_us_before: Numeric
}

/** The listings of stones that have several; see migrations/0017-offers.sql. */
export interface OfferTable {
  gem_id: number
  certificate: string
  leads: boolean
  leads_us: boolean
  seen: boolean
  seen_us: boolean
  held_until: Timestamp | null
  held_by: string | null
  /** When merchants began to see this offer instead of another; null: when it was listed. */
  shown_on: Timestamp | null
  on_memo: WithDefault<boolean>
  on_memo_us: WithDefault<boolean>
}

interface CertificateDecisionTable {
  certificate: string
  decision: 'keep' | 'apart'
  sku: string | null
  decided_on: WithDefault<Timestamp>
}

/** What the operator did to stones; see migrations/0018-overrides.sql. */
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
  /** A change is of a gem, of a variant or, when the kind is `prices`, of neither. */
  gem_id: number | null
  variant_id: string | null
  sku: string | null
  merchant_uuid: string | null
  kind: ChangeKind
  /** Null: for the merchants of both price lists. */
  price_list: 'default' | 'us' | null
  /** What kind of product it was, where the change made it another kind or deleted it. */
  former_type: GemProductType | ProductType | null
  /** Null: for all merchants. */
  merchants: string[] | null
  changed_on: WithDefault<Timestamp>
}
