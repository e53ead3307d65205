import { FIELD_NAMES, FIELDS, type FieldName } from './fields.ts'

/** How sure a column's name alone makes us, 0 to 1, for each field it can mean. */
export interface NamedField {
  field: FieldName
  certainty: number
  /** Its place among the field's sure names: of two columns the earlier named one is taken. */
  place: number
}

/** Names that are guesses have no order among themselves. */
const GUESS_PLACE = 60

/**
 * Folds a column name: case, spaces, dots, underscores and hyphens do not matter; signs that carry
 * meaning become words, so that `Depth` and `Depth %` or `Rap` and `Rap %` stay apart.
 */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/([\p{Ll}\d])([\p{Lu}])/gu, '$1 $2')
    .toLowerCase()
    .replaceAll('%', ' pct ')
    .replaceAll('#', ' num ')
    .replaceAll('$', ' usd ')
    .replaceAll('/', ' per ')
    .replaceAll('360°', '360')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

const KNOWN = indexNames()

function indexNames(): Map<string, NamedField[]> {
  const known = new Map<string, NamedField[]>()
  for (const field of FIELDS) {
    let certainty = 1
    for (const [index, name] of FIELD_NAMES[field].entries()) {
      if (name === '?') {
        certainty = 0.5
        continue
      }
      const folded = foldName(name)
      const fields = known.get(folded) ?? []
      const place = certainty === 1 ? index : GUESS_PLACE
      if (!fields.some((named) => named.field === field)) fields.push({ field, certainty, place })
      known.set(folded, fields)
    }
  }
  return known
}

/** What a column's name can mean, the likeliest first; empty when the name says nothing. */
export function fieldsNamed(column: string): NamedField[] {
  const exact = KNOWN.get(foldName(column))
  if (exact) return exact
  const bare = KNOWN.get(foldName(column.replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ' ')))
  if (bare) return weaker(bare, 0.9)
  const spelled = spellings(column)
    .map((name) => KNOWN.get(name))
    .find(Boolean)
  if (spelled) return weaker(spelled, 0.8)
  return []
}

/** Words that suppliers put around a name without changing what it means. */
const DECORATIONS = /^(diamond|stone|gem|vendor|supplier|the)|(title|name|value|code|mm|desc)$/g

/** Other ways to read a name: the last parts of a JSON path, or the name without decorations. */
function spellings(column: string): string[] {
  const parts = column.split('.')
  const tails: string[] = []
  for (let from = 1; from < parts.length; from++) tails.push(foldName(parts.slice(from).join('.')))
  if (parts.length > 1 && /^(value|amount|title|name|code|text|label)$/i.test(parts.at(-1) ?? '')) {
    tails.unshift(foldName(parts.slice(0, -1).join('.')), foldName(parts.at(-2) ?? ''))
  }
  return [...tails, foldName(column).replaceAll(DECORATIONS, '')]
}

function weaker(fields: NamedField[], by: number): NamedField[] {
  return fields.map((named) => ({ ...named, certainty: named.certainty * by }))
}

/** How many different fields a row of cells names: a header names many, a stone names none. */
export function countRecognised(cells: readonly string[]): number {
  const seen = new Set<FieldName>()
  for (const cell of cells) {
    if (cell.length > 60 || !/\p{L}|%|#|\$/u.test(cell)) continue
    const [first] = KNOWN.get(foldName(cell)) ?? fieldsNamed(cell)
    if (first) seen.add(first.field)
  }
  return seen.size
}
