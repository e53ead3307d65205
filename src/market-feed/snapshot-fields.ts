import {
  type ComputedField,
  EXTENSION_FIELDS,
  type ExtensionField,
  GEM_FIELDS,
  isComputed,
  type Shown,
  STONE_FIELDS,
  type StoneField,
} from '../gems/gem.ts'
import { CUT_GRADE_WORDS } from '../gems/gem-rendering.ts'
import { SHOWN_UPDATED_ON } from '../gems/offer-store.ts'
import { GEMSTONE_COLUMNS } from '../gems/search/gemstones.ts'

/**
 * What `stoneJson` and `extensionJson` write, as SQL: PostgreSQL prints the JSON of a million
 * stones in 26 s, where reading their rows and rendering them here takes 41 s (bench/snapshot).
 * The tests of snapshots compare the two renderings.
 */

/** All fields of a stone as one expression: the text of a JSON object without its closing brace. */
export function stoneExpression(kind: 'diamond' | 'gemstone', publicUrl: string): string {
  const computed = computedFields(publicUrl)
  const fields = [...STONE_FIELDS, ...EXTENSION_FIELDS].map(
    (name): [name: string, json: string] => [
      name,
      isComputed(name) ? computed[name] : columnJson(name),
    ],
  )
  for (const name of kind === 'gemstone' ? GEMSTONE_COLUMNS : []) {
    fields.push([name, JSON_OF.text(name)])
  }
  const parts = fields.flatMap(([name, json], position) => [
    literal(`${position === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    `coalesce(${json}, 'null')`,
  ])
  const groups: string[] = []
  for (let at = 0; at < parts.length; at += ARGUMENTS_MAX) {
    groups.push(`concat(${parts.slice(at, at + ARGUMENTS_MAX).join(', ')})`)
  }
  return `concat(${groups.join(', ')})`
}

/** A function of PostgreSQL takes a hundred arguments at most. */
const ARGUMENTS_MAX = 90

/** Expressions that print the JSON of a column, or null. */
const JSON_OF: Record<Exclude<Shown, 'computed'>, (column: string) => string> = {
  // to_json would look for characters to escape.
  word: (column) => `'"' || ${column} || '"'`,
  text: (column) => `to_json(${column})::text`,
  decimal: (column) => `trim_scale(${column})::text`,
  whole: (column) => `${column}::text`,
  flag: (column) => `${column}::text`,
  json: (column) => `${column}::text`,
  // As `spacedTimestamp` writes it; the connection is in UTC.
  timestamp: (column) => `to_char(${column}, '\\"YYYY-MM-DD HH24:MI:SS.US\\"')`,
}

function columnJson(name: Exclude<StoneField | ExtensionField, ComputedField>): string {
  const write = JSON_OF[GEM_FIELDS[name].shown]
  return write(name === 'updated_on' ? SHOWN_UPDATED_ON : name)
}

/** Parcels are rendered in another way, so nothing here is one. */
function computedFields(publicUrl: string): Record<ComputedField, string> {
  const picture = (ending: string) =>
    JSON_OF.word(`${literal(`${publicUrl}/shapes/`)} || shape || ${literal(`.${ending}`)}`)
  return {
    parcel: literal('false'),
    stone_type: JSON_OF.text('species'),
    quality: 'null',
    cut_grade_description: oneOf('cut_grade', CUT_GRADE_WORDS),
    enabled: literal('true'),
    is_sustainable: JSON_OF.flag('coalesce(is_sustainable, false)'),
    shape_icon_url: picture('svg'),
    shape_icon_url_png: picture('png'),
    shape_image_url: picture('png'),
  }
}

function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}

function oneOf(column: string, words: Readonly<Record<string, string>>): string {
  const cases = Object.entries(words).map(
    ([value, meaning]) => `when ${literal(value)} then ${literal(JSON.stringify(meaning))}`,
  )
  return `case ${column} ${cases.join(' ')} end`
}
