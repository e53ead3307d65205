import { CUT_GRADE_WORDS, type renderStone } from '../gem-rendering.ts'

/**
 * How `renderStone` looks when PostgreSQL writes it: each field as an expression that prints its
 * JSON, or null. A million stones leave so in 26 instead of 41 s (bench/snapshot).
 * A field that one of the two lacks does not compile, and the tests of snapshots compare them.
 */
type StoneField = keyof ReturnType<typeof renderStone>

/** All fields of a stone as one expression: the text of a JSON object without its closing brace. */
export function stoneExpression(publicUrl: string): string {
  const parts = Object.entries(stoneFields(publicUrl)).flatMap(([name, value], place) => [
    literal(`${place === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    `coalesce(${value}, 'null')`,
  ])
  // A function takes a hundred arguments at most.
  const groups: string[] = []
  for (let at = 0; at < parts.length; at += ARGUMENTS) {
    groups.push(`concat(${parts.slice(at, at + ARGUMENTS).join(', ')})`)
  }
  return `concat(${groups.join(', ')})`
}

const ARGUMENTS = 90

function stoneFields(publicUrl: string): Record<StoneField, string> {
  return {
    id: word('id'),
    sku: plain('sku'),
    product_type: plain('product_type'),
    type: plain('type'),
    parcel: literal('false'),
    stone_type: text('species'),
    quality: 'null',
    shape: plain('shape'),
    cut_code: plain('cut_code'),
    weight: number('weight'),
    length: number('length'),
    width: number('width'),
    depth: number('depth'),
    ratio: number('ratio'),
    ratio_group: plain('ratio_group'),
    depth_percentage: number('depth_percentage'),
    table_percentage: number('table_percentage'),
    crown_angle: number('crown_angle'),
    pavilion_angle: number('pavilion_angle'),
    pavilion_depth: number('pavilion_depth'),
    culet_size: plain('culet_size'),
    girdle_min: plain('girdle_min'),
    girdle_max: plain('girdle_max'),
    color: plain('color'),
    color_max: plain('color_max'),
    clarity: plain('clarity'),
    clarity_max: plain('clarity_max'),
    fancy_color_intensity: plain('fancy_color_intensity'),
    overtone: text('overtone'),
    is_fancy: word('is_fancy'),
    cut_grade: plain('cut_grade'),
    cut_grade_description: oneOf('cut_grade', CUT_GRADE_WORDS),
    polish_grade: plain('polish_grade'),
    symmetry_grade: plain('symmetry_grade'),
    fluorescence: plain('fluorescence'),
    eye_clean: plain('eye_clean'),
    grow_method: plain('grow_method'),
    lab: plain('lab'),
    cert_num: text('cert_num'),
    cert_url: text('cert_url'),
    country_code: plain('country_code'),
    quantity: word('quantity'),
    enabled: literal('true'),
    can_hold: word('can_hold'),
    memo: word('memo'),
    returnable: word('returnable'),
    is_manual: word('is_manual'),
    is_sustainable: word('coalesce(is_sustainable, false)'),
    sustainability_details: word('sustainability_details'),
    memo_days_to_return: word('memo_days_to_return'),
    days_to_return: word('days_to_return'),
    delivery_days_min: word('delivery_days_min'),
    delivery_days_max: word('delivery_days_max'),
    created_on: moment('created_on'),
    updated_on: moment('updated_on'),
    ...mediaFields(publicUrl),
  }
}

function mediaFields(publicUrl: string) {
  const picture = (end: string) =>
    plain(`${literal(`${publicUrl}/shapes/`)} || shape || ${literal(`.${end}`)}`)
  return {
    image_top_url: text('image_top_url'),
    image_bottom_url: text('image_bottom_url'),
    video_url: text('video_url'),
    ux_url: text('ux_url'),
    v360_info: word('v360_info'),
    v360_json_base_url: text('v360_json_base_url'),
    shape_icon_url: picture('svg'),
    shape_icon_url_png: picture('png'),
    shape_image_url: picture('png'),
    media_requested: word('media_requested'),
    original_imported_ext_url: text('original_imported_ext_url'),
  }
}

function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}

/** A text out of our own lists, with nothing in it to escape: to_json would look for it. */
function plain(sql: string): string {
  return `'"' || ${sql} || '"'`
}

function text(sql: string): string {
  return `to_json(${sql})::text`
}

/** What is JSON when it is printed: whole numbers, flags and documents. */
function word(sql: string): string {
  return `${sql}::text`
}

/** Digits without zeros at their end are a number of JSON. */
function number(column: string): string {
  return `trim_scale(${column})::text`
}

/** As `spacedTimestamp` writes it; the connection is in UTC. */
function moment(column: string): string {
  return `to_char(${column}, '\\"YYYY-MM-DD HH24:MI:SS.US\\"')`
}

function oneOf(column: string, words: Readonly<Record<string, string>>): string {
  const cases = Object.entries(words).map(
    ([value, meaning]) => `when ${literal(value)} then ${literal(JSON.stringify(meaning))}`,
  )
  return `case ${column} ${cases.join(' ')} end`
}
