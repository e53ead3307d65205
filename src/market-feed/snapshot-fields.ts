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

/**
 * What `stoneJson` and `extensionJson` write, as SQL: PostgreSQL prints the JSON of a million
 * stones in 26 s, where reading their rows and rendering them here takes 41 s (bench/snapshot).
 * The tests of snapshots compare the two renderings.
 */

/** All fields of a stone as one expression: the text of a JSON object without its closing brace. */
export function stoneExpression(publicUrl: string): string {
  const computed = computedFields(publicUrl)
  const parts = [...STONE_FIELDS, ...EXTENSION_FIELDS].flatMap((name, position) => [
    literal(`${position === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    `coalesce(${isComputed(name) ? computed[name] : columnJson(name)}, 'null')`,
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
  return JSON_OF[GEM_FIELDS[name].shown](name)
}

/** A snapshot has diamonds only, so nothing in it is a parcel. */
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
