import {
  CLARITIES,
  COLORS,
  CULETS,
  CUT_CODES,
  CUT_GRADES,
  FANCY_INTENSITIES,
  FINISH_GRADES,
  FLUORESCENCES,
  GEM_TYPES,
  GIRDLES,
  HUES,
  LABS,
  SHAPES,
} from '../../reference/attributes.ts'
import { SHOWN_UPDATED_ON, STONE_HELD_UNTIL } from '../offer-store.ts'
import { type FieldTable, searchTableOf } from './fields.ts'

/** Prices jump at these weights: most tiers of margins begin there, and many searches do or end. */
const WEIGHT_CUTS = [0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4]

/** Every field by which diamonds are filtered and sorted in v2 and in v3. */
export const DIAMOND_FIELDS = {
  sku: { kind: 'text' },
  cert_num: { kind: 'text', nullable: true },
  lab: { kind: 'oneOf', values: LABS, nullable: true, noneWord: true },
  shape: { kind: 'oneOf', values: SHAPES },
  type: { kind: 'oneOf', values: GEM_TYPES },
  color: {
    kind: 'oneOf',
    values: [...COLORS, ...HUES],
    onlyWith: { values: HUES, flag: 'is_fancy' },
    graded: true,
    sort: true,
  },
  clarity: { kind: 'oneOf', values: CLARITIES, graded: true, sort: true },
  cut_code: { kind: 'oneOf', values: CUT_CODES },
  cut_grade: {
    kind: 'oneOf',
    values: CUT_GRADES,
    nullable: true,
    noneWord: true,
    graded: true,
    sort: true,
  },
  polish_grade: { kind: 'oneOf', values: FINISH_GRADES, nullable: true, graded: true },
  symmetry_grade: { kind: 'oneOf', values: FINISH_GRADES, nullable: true, graded: true },
  fluorescence: { kind: 'oneOf', values: FLUORESCENCES, nullable: true },
  country_code: { kind: 'oneOf', values: 'open', pattern: '^[A-Z]{3}$', nullable: true },
  grow_method: { kind: 'oneOf', values: ['CVD', 'HPHT'], nullable: true },
  eye_clean: { kind: 'oneOf', values: ['yes', 'borderline', 'no'], nullable: true },
  fancy_color_intensity: { kind: 'oneOf', values: FANCY_INTENSITIES, nullable: true },
  overtone: { kind: 'oneOf', values: 'open', nullable: true },
  girdle_min: { kind: 'oneOf', values: GIRDLES, nullable: true },
  girdle_max: { kind: 'oneOf', values: GIRDLES, nullable: true },
  culet_size: { kind: 'oneOf', values: CULETS, nullable: true },
  cut_code_shape: { kind: 'pairs', of: ['cut_code', 'shape'] },

  weight: { kind: 'range', decimals: 4, sort: true, cuts: WEIGHT_CUTS },
  retail_price: { kind: 'price', price: 'retail', sort: true },
  wholesale_price: { kind: 'price', price: 'wholesale', sort: true },
  price_per_carat: { kind: 'price', price: 'per_carat', sort: true },
  ratio: { kind: 'range', decimals: 3, sort: true },
  depth_percentage: { kind: 'range', decimals: 2, sort: true },
  table_percentage: { kind: 'range', decimals: 2, sort: true },
  length: { kind: 'range', decimals: 3, sort: true },
  width: { kind: 'range', decimals: 3 },
  depth: { kind: 'range', decimals: 3 },
  crown_angle: { kind: 'range', decimals: 2 },
  pavilion_angle: { kind: 'range', decimals: 2 },
  delivery_days: {
    kind: 'range',
    decimals: 0,
    bounds: { min: 'delivery_days_min', max: 'delivery_days_max' },
  },
  delivery_days_max: { kind: 'range', decimals: 0, sort: true, sortOnly: true },
  off_rap_percentage: { kind: 'price', price: 'off_list', sort: true },

  has_media: {
    kind: 'flag',
    sql: `num_nonnulls(image_top_url, image_bottom_url, video_url, ux_url, v360_json_base_url,
      v360_info) > 0`,
  },
  memo: { kind: 'flag' },
  returnable: { kind: 'flag' },
  // Fancy colours are found only when the request asks for them.
  is_fancy: { kind: 'flag', absent: false },
  on_hold: { kind: 'flag', sql: `${STONE_HELD_UNTIL} is not null` },
  // A stone whose supplier says nothing counts as not sustainable.
  is_sustainable: { kind: 'flag', sql: 'coalesce(is_sustainable, false)' },

  created_on: { kind: 'timestamp', sort: true },
  updated_on: { kind: 'timestamp', sort: true, since: 'updated_since', sql: SHOWN_UPDATED_ON },
} as const satisfies FieldTable

const LINKED = (...columns: string[]) => `num_nonnulls(${columns.join(', ')}) > 0`

/** What v3 filters stones of every kind by, besides the specified fields. */
const EXTENSION_FIELDS = {
  lab_name: { kind: 'oneOf', values: 'open', nullable: true, anyCase: true },
  shade: { kind: 'oneOf', values: 'open', nullable: true, anyCase: true },
  milky: { kind: 'oneOf', values: 'open', nullable: true, anyCase: true },
  has_image: { kind: 'flag', sql: LINKED('image_top_url', 'image_bottom_url') },
  has_video: { kind: 'flag', sql: LINKED('video_url') },
  has_v360: { kind: 'flag', sql: LINKED('ux_url', 'v360_json_base_url', 'v360_info') },
  has_certificate_file: { kind: 'flag', sql: LINKED('cert_url') },
} as const satisfies FieldTable

/** Every field of diamonds in v3, which has all of v2's. A new filter is one line here. */
export const DIAMOND_FIELDS_V3 = {
  ...DIAMOND_FIELDS,
  ...EXTENSION_FIELDS,
  // Treated diamonds are found only when the request asks for them; see visibility.ts.
  treatment: { kind: 'oneOf', values: 'open', nullable: true, anyCase: true },
} as const satisfies FieldTable

/**
 * Every field by which coloured stones are filtered and sorted; suppliers choose their words. They
 * are sorted by whatever diamonds are sorted by, except color: theirs has no grades.
 */
export const GEMSTONE_FIELDS = {
  sku: { kind: 'text' },
  cert_num: { kind: 'text', nullable: true },
  lab: { kind: 'oneOf', values: LABS, nullable: true, noneWord: true },
  shape: { kind: 'oneOf', values: SHAPES },
  type: { kind: 'oneOf', values: GEM_TYPES },
  species: { kind: 'oneOf', values: 'open', anyCase: true },
  color: { kind: 'oneOf', values: 'open', nullable: true },
  origin: { kind: 'oneOf', values: 'open', nullable: true },
  ...EXTENSION_FIELDS,
  treatment: DIAMOND_FIELDS_V3.treatment,
  weight: DIAMOND_FIELDS.weight,
  retail_price: { kind: 'price', price: 'retail', sort: true },
  wholesale_price: { kind: 'price', price: 'wholesale', sort: true },
  price_per_carat: { ...DIAMOND_FIELDS.price_per_carat, sortOnly: true },
  clarity: { ...DIAMOND_FIELDS.clarity, sortOnly: true },
  cut_grade: { ...DIAMOND_FIELDS.cut_grade, sortOnly: true },
  ratio: { ...DIAMOND_FIELDS.ratio, sortOnly: true },
  depth_percentage: { ...DIAMOND_FIELDS.depth_percentage, sortOnly: true },
  table_percentage: { ...DIAMOND_FIELDS.table_percentage, sortOnly: true },
  length: { ...DIAMOND_FIELDS.length, sortOnly: true },
  delivery_days_max: DIAMOND_FIELDS.delivery_days_max,
  off_rap_percentage: { ...DIAMOND_FIELDS.off_rap_percentage, sortOnly: true },
  has_media: DIAMOND_FIELDS.has_media,
  on_hold: DIAMOND_FIELDS.on_hold,
  created_on: { kind: 'timestamp', sort: true },
  updated_on: DIAMOND_FIELDS.updated_on,
} as const satisfies FieldTable

export const DIAMOND_SEARCH = searchTableOf(DIAMOND_FIELDS)
export const DIAMOND_SEARCH_V3 = searchTableOf(DIAMOND_FIELDS_V3)
export const GEMSTONE_SEARCH = searchTableOf(GEMSTONE_FIELDS)
