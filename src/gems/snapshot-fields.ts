import { spacedTimestamp } from '../lib/timestamps.ts'
import { CUT_GRADE_WORDS, type renderStone } from './gem-rendering.ts'

/**
 * How `renderStone` looks when it is written from what COPY prints, without an object in between:
 * a million stones take a third of the time. A field that one of the two lacks does not compile,
 * and the tests of snapshots compare their results.
 */
export interface SnapshotField {
  /** What is selected for it; undefined for a constant. */
  sql?: string
  /** JSON from what PostgreSQL printed; never called for null. */
  json: (printed: string) => string
}

type StoneField = keyof ReturnType<typeof renderStone>

export function snapshotFields(publicUrl: string): Record<StoneField, SnapshotField> {
  return {
    id: asIs('id'),
    sku: text('sku'),
    product_type: text('product_type'),
    type: text('type'),
    parcel: constant('false'),
    stone_type: text('species'),
    quality: constant('null'),
    shape: text('shape'),
    cut_code: text('cut_code'),
    weight: number('weight'),
    length: number('length'),
    width: number('width'),
    depth: number('depth'),
    ratio: number('ratio'),
    ratio_group: text('ratio_group'),
    depth_percentage: number('depth_percentage'),
    table_percentage: number('table_percentage'),
    crown_angle: number('crown_angle'),
    pavilion_angle: number('pavilion_angle'),
    pavilion_depth: number('pavilion_depth'),
    culet_size: text('culet_size'),
    girdle_min: text('girdle_min'),
    girdle_max: text('girdle_max'),
    color: text('color'),
    color_max: text('color_max'),
    clarity: text('clarity'),
    clarity_max: text('clarity_max'),
    fancy_color_intensity: text('fancy_color_intensity'),
    overtone: text('overtone'),
    is_fancy: flag('is_fancy'),
    cut_grade: text('cut_grade'),
    cut_grade_description: {
      sql: 'cut_grade',
      json: (grade) => JSON.stringify(CUT_GRADE_WORDS[grade]),
    },
    polish_grade: text('polish_grade'),
    symmetry_grade: text('symmetry_grade'),
    fluorescence: text('fluorescence'),
    eye_clean: text('eye_clean'),
    grow_method: text('grow_method'),
    lab: text('lab'),
    cert_num: text('cert_num'),
    cert_url: text('cert_url'),
    country_code: text('country_code'),
    quantity: asIs('quantity'),
    enabled: constant('true'),
    can_hold: flag('can_hold'),
    memo: flag('memo'),
    returnable: flag('returnable'),
    is_manual: flag('is_manual'),
    is_sustainable: flag('is_sustainable'),
    sustainability_details: document('sustainability_details'),
    memo_days_to_return: asIs('memo_days_to_return'),
    days_to_return: asIs('days_to_return'),
    delivery_days_min: asIs('delivery_days_min'),
    delivery_days_max: asIs('delivery_days_max'),
    created_on: moment('created_on'),
    updated_on: moment('updated_on'),
    ...mediaFields(publicUrl),
  }
}

function mediaFields(publicUrl: string) {
  const picture = (end: string): SnapshotField => ({
    sql: 'shape',
    json: (shape) => JSON.stringify(`${publicUrl}/shapes/${shape}.${end}`),
  })
  return {
    image_top_url: text('image_top_url'),
    image_bottom_url: text('image_bottom_url'),
    video_url: text('video_url'),
    ux_url: text('ux_url'),
    v360_info: document('v360_info'),
    v360_json_base_url: text('v360_json_base_url'),
    shape_icon_url: picture('svg'),
    shape_icon_url_png: picture('png'),
    shape_image_url: picture('png'),
    media_requested: flag('media_requested'),
    original_imported_ext_url: text('original_imported_ext_url'),
  }
}

function constant(json: string): SnapshotField {
  return { json: () => json }
}

function asIs(sql: string): SnapshotField {
  return { sql, json: (printed) => printed }
}

/** Digits without zeros at their end are a number of JSON. */
function number(column: string): SnapshotField {
  return asIs(`trim_scale(${column})`)
}

/** As text a boolean is a word of JSON. */
function flag(column: string): SnapshotField {
  return asIs(`${column}::text`)
}

function document(sql: string): SnapshotField {
  return { sql, json: unescapeText }
}

function moment(sql: string): SnapshotField {
  return { sql, json: (printed) => `"${spacedTimestamp(printed)}"` }
}

/** COPY writes control characters and backslashes with a backslash; quotes it leaves alone. */
const PLAIN = /^[^"\\]*$/

function text(sql: string): SnapshotField {
  return {
    sql,
    json: (printed) =>
      PLAIN.test(printed) ? `"${printed}"` : JSON.stringify(unescapeText(printed)),
  }
}

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function unescapeText(value: string): string {
  if (!value.includes('\\')) return value
  return value.replaceAll(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter)
}
