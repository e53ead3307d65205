import { hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { GemTable } from '../database/tables/gems.ts'
import { GEM_RATIOS, type Shape } from '../reference/attributes.ts'

export type Gem = Selectable<GemTable>

interface GemField {
  /** How a merchant sees the field in search; without it, merchants do not see it there. */
  shown?: Shown
  /** A feed writes the column; a new value is this kind of change for a merchant's copy. */
  feed?: FeedChange
  /** Beyond the specification: v3 shows the field, and v2 does not. */
  extension?: true
}

/**
 * How a value becomes JSON. A `word` is a SKU or limited to a list by a check of the table, so it
 * has nothing to escape; a `text` may have. A `computed` field is made from other columns: see
 * gem-rendering.ts.
 */
export type Shown =
  | 'word'
  | 'text'
  | 'decimal'
  | 'whole'
  | 'flag'
  | 'json'
  | 'timestamp'
  | 'computed'

/** A stone's `identity` never changes; its `quantity` has a rule of its own in the importer. */
type FeedChange = 'identity' | 'quantity' | 'price' | 'media' | 'details'

/** Fields that merchants see, but that are not columns. */
const NOT_STORED = [
  'parcel',
  'stone_type',
  'quality',
  'cut_grade_description',
  'enabled',
  'shape_icon_url',
  'shape_icon_url_png',
  'shape_image_url',
] as const

/**
 * What a stone is: every column of the table and every field that a merchant sees, in the order of
 * the rendered JSON. Renderings, exports, imports and the demo market all take their lists of
 * columns from here, so that a new column is added once. A column without a line does not compile.
 */
export const GEM_FIELDS = {
  id: { shown: 'whole' },
  sku: { shown: 'word' },
  supplier_id: {},
  vendor_sku: { feed: 'identity' },
  product_type: { shown: 'word', feed: 'details' },
  type: { shown: 'word', feed: 'details' },
  parcel: { shown: 'computed' },
  species: { feed: 'details' },
  origin: { feed: 'details' },
  stone_type: { shown: 'computed' },
  quality: { shown: 'computed' },
  shape: { shown: 'word', feed: 'details' },
  cut_code: { shown: 'word', feed: 'details' },
  weight: { shown: 'decimal', feed: 'details' },
  length: { shown: 'decimal', feed: 'details' },
  width: { shown: 'decimal', feed: 'details' },
  depth: { shown: 'decimal', feed: 'details' },
  ratio: { shown: 'decimal', feed: 'details' },
  ratio_group: { shown: 'word', feed: 'details' },
  depth_percentage: { shown: 'decimal', feed: 'details' },
  table_percentage: { shown: 'decimal', feed: 'details' },
  crown_angle: { shown: 'decimal', feed: 'details' },
  pavilion_angle: { shown: 'decimal', feed: 'details' },
  pavilion_depth: { shown: 'decimal', feed: 'details' },
  culet_size: { shown: 'word', feed: 'details' },
  girdle_min: { shown: 'word', feed: 'details' },
  girdle_max: { shown: 'word', feed: 'details' },
  color: { shown: 'text', feed: 'details' },
  color_max: { shown: 'text', feed: 'details' },
  clarity: { shown: 'word', feed: 'details' },
  clarity_max: { shown: 'word', feed: 'details' },
  fancy_color_intensity: { shown: 'word', feed: 'details' },
  overtone: { shown: 'text', feed: 'details' },
  is_fancy: { shown: 'flag', feed: 'details' },
  cut_grade: { shown: 'word', feed: 'details' },
  cut_grade_description: { shown: 'computed' },
  polish_grade: { shown: 'word', feed: 'details' },
  symmetry_grade: { shown: 'word', feed: 'details' },
  fluorescence: { shown: 'word', feed: 'details' },
  eye_clean: { shown: 'word', feed: 'details' },
  grow_method: { shown: 'word', feed: 'details' },
  lab: { shown: 'word', feed: 'details' },
  cert_num: { shown: 'text', feed: 'details' },
  cert_url: { shown: 'text', feed: 'media' },
  country_code: { shown: 'word', feed: 'details' },
  cost: { feed: 'price' },
  cost_exact: { feed: 'price' },
  list_price: { feed: 'price' },
  list_price_from_grid: { feed: 'price' },
  wholesale_price: { feed: 'price' },
  wholesale_price_us: { feed: 'price' },
  state: {},
  mover: {},
  quantity: { shown: 'whole', feed: 'quantity' },
  enabled: { shown: 'computed' },
  hold_uuid: {},
  hold_merchant_uuid: {},
  hold_created_on: {},
  hold_expires_on: {},
  can_hold: { shown: 'flag', feed: 'details' },
  memo: { shown: 'flag', feed: 'details' },
  returnable: { shown: 'flag', feed: 'details' },
  is_manual: { shown: 'flag' },
  is_sustainable: { shown: 'computed', feed: 'details' },
  sustainability_details: { shown: 'json', feed: 'details' },
  memo_days_to_return: { shown: 'whole', feed: 'details' },
  days_to_return: { shown: 'whole', feed: 'details' },
  internal_days_to_return: { feed: 'details' },
  delivery_days_min: { shown: 'whole', feed: 'details' },
  delivery_days_max: { shown: 'whole', feed: 'details' },
  tolerance_positive: { feed: 'details' },
  tolerance_negative: { feed: 'details' },
  created_on: { shown: 'timestamp' },
  updated_on: { shown: 'timestamp' },
  image_top_url: { shown: 'text', feed: 'media' },
  image_bottom_url: { shown: 'text', feed: 'media' },
  video_url: { shown: 'text', feed: 'media' },
  ux_url: { shown: 'text', feed: 'media' },
  cached_ux_url: { feed: 'media' },
  v360_info: { shown: 'json', feed: 'media' },
  v360_json_base_url: { shown: 'text', feed: 'media' },
  shape_icon_url: { shown: 'computed' },
  shape_icon_url_png: { shown: 'computed' },
  shape_image_url: { shown: 'computed' },
  media_requested: { shown: 'flag', feed: 'details' },
  original_imported_ext_url: { shown: 'text', feed: 'media' },
  lab_name: { shown: 'text', feed: 'details', extension: true },
  treatment: { shown: 'text', feed: 'details', extension: true },
  shade: { shown: 'text', feed: 'details', extension: true },
  milky: { shown: 'text', feed: 'details', extension: true },
  black_inclusion: { shown: 'text', feed: 'details', extension: true },
  pair_vendor_sku: { feed: 'details' },
  pair_sku: { shown: 'text', feed: 'details', extension: true },
  pair_separable: { shown: 'flag', feed: 'details', extension: true },
  feed_hash: {},
  feed_gone: {},
  feed_quantity: {},
  overrides: {},
  feed_values: {},
  note: {},
  certificate: {},
  apart: {},
} as const satisfies Record<keyof GemTable | (typeof NOT_STORED)[number], GemField>

type Fields = typeof GEM_FIELDS
type FieldsWith<Mark extends GemField> = {
  [Name in keyof Fields]: Fields[Name] extends Mark ? Name : never
}[keyof Fields]

type GemColumn = keyof GemTable
export type FeedColumn = FieldsWith<{ feed: FeedChange }>
export type ExtensionField = FieldsWith<{ shown: Shown; extension: true }>
export type StoneField = Exclude<FieldsWith<{ shown: Shown }>, ExtensionField>
export type ComputedField = FieldsWith<{ shown: 'computed' }>

const NAMES = Object.keys(GEM_FIELDS) as (keyof Fields)[]

function fieldOf(name: keyof Fields): GemField {
  return GEM_FIELDS[name]
}

/** Every column of the table. */
export const GEM_COLUMNS = NAMES.filter(
  (name): name is GemColumn => !(NOT_STORED as readonly string[]).includes(name),
)

/** `GEM_COLUMNS` in SQL: a statement with `*` would not be prepared (database/connections). */
export const COLUMNS_OF_GEM = GEM_COLUMNS.map((column) => `gem.${column}`).join(', ')

/** The fields of a rendered stone, in their order. */
export const STONE_FIELDS = NAMES.filter(
  (name): name is StoneField =>
    fieldOf(name).shown !== undefined && fieldOf(name).extension !== true,
)

/** The fields that v3 shows behind them. */
export const EXTENSION_FIELDS = NAMES.filter(
  (name): name is ExtensionField => fieldOf(name).extension === true,
)

export function isComputed(name: StoneField | ExtensionField): name is ComputedField {
  return GEM_FIELDS[name].shown === 'computed'
}

/** The fields that are shown as numbers with decimals. */
export const DECIMAL_FIELDS = NAMES.filter((name) => fieldOf(name).shown === 'decimal')

/** The columns that a feed writes. */
export const FEED_COLUMNS = NAMES.filter(
  (name): name is FeedColumn => fieldOf(name).feed !== undefined,
)

/** Columns of a feed's stone that the operator's markups and sheets of prices decide. */
export const MADE_BY_THE_OPERATOR = [
  'wholesale_price',
  'wholesale_price_us',
  'list_price_from_grid',
] as const satisfies FeedColumn[]

/** Those of them whose new value is one of these kinds of change. */
export function feedColumns(...changes: FeedChange[]): FeedColumn[] {
  return FEED_COLUMNS.filter((column) => changes.includes(GEM_FIELDS[column].feed))
}

/** No stock number of a supplier is longer. */
export const VENDOR_SKU_CHARS_MAX = 100
/** Origins, colors and remarks are kept in the supplier's own words, up to this length. */
export const WORDS_CHARS_MAX = 60

/** Crockford's alphabet: no I, L, O and U, which are misread on paper and on the phone. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LETTERS = DIGITS.slice(10)
export const SKU_PATTERN = /^[A-HJKMNP-TV-Z][0-9A-HJKMNP-TV-Z]{9}$/

/**
 * Pavilion's own number of a supplier's stone. It is taken from a digest, so it is the same at
 * every import and reveals nothing about other stones. It starts with a letter, and never with
 * the `LG` of a laboratory, so that nobody mistakes it for a certificate number.
 *
 * There are 7.7e14 of them: among two million stones the chance that any two collide is 0.3 %.
 * The unique index refuses the second; `attempt` then gives it another number, which is as stable
 * as the first because a known stone keeps the number it has.
 */
export function skuOf(supplierUuid: string, vendorSku: string, attempt = 0): string {
  const salt = attempt === 0 ? '' : ` ${attempt}`
  // A line break separates the parts: a UUID has none, so no two pairs give the same text. The
  // digest comes as a string of bytes, which takes a third of the time of a Buffer.
  const digest = hash('sha256', `${supplierUuid}\n${vendorSku}${salt}`, 'binary')
  let sku = LETTERS[(digest.charCodeAt(0) * 256 + digest.charCodeAt(1)) % LETTERS.length]
  for (let at = 2; at < 11; at++) sku += DIGITS[digest.charCodeAt(at) & 31]
  return sku
}

/** The upper bound of a square outline in the table of ratios. */
const SQUARE_RATIO_MAX = GEM_RATIOS.princess.square.ratio_max

/** Whether the outline is square or rectangular; null for shapes without such forms. */
export function ratioGroupOf(shape: Shape, ratio: number): Gem['ratio_group'] {
  if (!(shape in GEM_RATIOS)) return null
  return ratio <= SQUARE_RATIO_MAX ? 'square' : 'rectangular'
}
