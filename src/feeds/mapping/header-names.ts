import { withoutCurrency } from '../values/currency.ts'
import { cached } from '../values/spelling.ts'
import { FIELD_NAMES, FIELDS, type FieldName, isField } from './fields.ts'

/** A field that a column name can mean. */
interface NamedField {
  field: FieldName
  /** How certain the name alone is, 0 to 1. */
  certainty: number
  /** The name's rank among the field's names: of two columns the one ranked first is used. */
  rank: number
  /** The column has the field's own name, as the interface writes it: it can mean nothing else. */
  isOwn?: true
}

/** All names that are guesses share one rank, below the certain ones. */
const GUESS_RANK = 200

/**
 * Normalizes a column name: case, spaces, dots, underscores and hyphens do not matter. Signs that
 * carry meaning become words, so that `Depth` and `Depth %` stay different names.
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
    .replaceAll(/[>∠∡]/g, ' angle ')
    .replaceAll('360°', '360')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

const KNOWN = indexNames()

function indexNames(): Map<string, NamedField[]> {
  const known = new Map<string, NamedField[]>()
  for (const field of FIELDS) {
    let certainty = 1
    for (const [index, name] of namesOf(field).entries()) {
      if (name === '?') {
        certainty = 0.5
        continue
      }
      const folded = foldName(name)
      const fields = known.get(folded) ?? []
      const rank = certainty === 1 ? index : GUESS_RANK
      if (!fields.some((named) => named.field === field)) fields.push({ field, certainty, rank })
      known.set(folded, fields)
    }
  }
  return known
}

/** A field may always be called by its own name, unless that is a guess among its names. */
function namesOf(field: FieldName): readonly string[] {
  const names: readonly string[] = FIELD_NAMES[field]
  const own = foldName(field)
  return names.some((name) => foldName(name) === own) ? names : [field, ...names]
}

/** What a price or a discount means is proved by its values, whatever its name. */
const PROVED: ReadonlySet<string> = new Set<FieldName>([
  'vendor_sku',
  'is_active',
  'price_per_carat',
  'total_price',
  'list_price',
  'total_list_price',
  'discount_percentage',
])

/** Fields that merchants see, and the field that a feed's column of this name fills. */
const OTHER_OWN_NAMES = new Map<string, FieldName>([
  // The feed's column has the supplier's own number.
  ['pair_sku', 'pair_vendor_sku'],
  // The words of the grade.
  ['cut_grade_description', 'cut_grade'],
])

/** The field whose own name the column has: several words, joined as the interface joins them. */
function ownField(column: string): FieldName | undefined {
  if (!column.includes('_') || PROVED.has(column)) return undefined
  return isField(column) ? column : OTHER_OWN_NAMES.get(column)
}

/** Returns what a column name can mean, the likeliest field first; empty for an unknown name. */
export function fieldsNamed(column: string): NamedField[] {
  const own = ownField(column)
  if (own) return [{ field: own, certainty: 1, rank: own === column ? 0 : 1, isOwn: true }]
  const exact = KNOWN.get(foldName(column))
  // `certificate.id` in JSON may be its number, or its key in a database.
  if (exact) return /\.id$/i.test(column) ? scaled(exact, KEY_FACTOR) : exact
  const linked = linkField(column)
  if (linked) return linked
  // First of all: of `Price (EUR/ct)` only the currency has nothing to say.
  const unpriced = KNOWN.get(foldName(withoutSigns(withoutCurrency(column))))
  if (unpriced) return scaled(unpriced, 0.9)
  const bare = KNOWN.get(foldName(column.replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ' ')))
  if (bare) return OTHER_UNIT.test(column) ? [] : scaled(bare, 0.9)
  const discount = KNOWN.get(foldName(column.replaceAll('%', ' ')))?.filter(isDiscount)
  if (discount?.length) return scaled(discount, 0.9)
  const spelled = otherReadings(column)
    .map((name) => KNOWN.get(name))
    .find(Boolean)
  if (spelled) return scaled(spelled, 0.8)
  return []
}

/** Less certain than any number that is named by the last parts of its path. */
const KEY_FACTOR = 0.75

/** A less certain name only suggests its field. */
export const SURE_NAME_MIN = 0.8

/** Whether the name of a column alone says that it is the field; it may say another one, too. */
export function isSurelyNamed(column: string, field: FieldName): boolean {
  return fieldsNamed(column).some(
    (named) => named.field === field && named.certainty >= SURE_NAME_MIN,
  )
}

/** `Amt $` is the amount, and `SYM#` the symmetry. */
function withoutSigns(column: string): string {
  return column.replaceAll(/[$#]/g, ' ')
}

/** `Rap Disc %` is a discount like `Rap Disc`, while `Girdle %` is not a girdle. */
function isDiscount({ field }: NamedField): boolean {
  return field === 'discount_percentage'
}

/** What the hyperlink of a cell leads to, by the field of its column. */
const LINKED: Partial<Record<FieldName, FieldName>> = {
  vendor_sku: 'original_imported_ext_url',
  lab: 'cert_url',
  lab_name: 'cert_url',
  cert_num: 'cert_url',
  cert_url: 'cert_url',
  image_top_url: 'image_top_url',
  image_bottom_url: 'image_bottom_url',
  video_url: 'video_url',
  ux_url: 'ux_url',
}

/** A column `Report # link` has the hyperlinks of the column `Report #`. */
function linkField(column: string): NamedField[] | undefined {
  if (!column.endsWith(' link')) return undefined
  const [named] = KNOWN.get(foldName(column.slice(0, -' link'.length))) ?? []
  const field = named && LINKED[named.field]
  return field && [{ field, certainty: LINK_CERTAINTY, rank: GUESS_RANK }]
}

/** Below that of a guess: one cell with a link must not win over a column of addresses. */
const LINK_CERTAINTY = 0.45

/** `Weight (g)` is not a weight in carats. */
const OTHER_UNIT = /[([]\s*(g|gms?|gr|grams?|mg|pts?|points?|rati|inch(es)?|cents?)\.?\s*[)\]]/i

/** Words that suppliers add to a name without changing its meaning. */
const DECORATIONS = new RegExp(
  '^(?:diamond|stone|gem|vendor|supplier|our|the|net|final|offer|sales?|selling|asking|ask|cash)|' +
    '(?:title|name|value|code|mm|desc)$',
  'g',
)

/** Deeper paths are read by their last parts; each part costs one more reading of the name. */
const PATH_PARTS_MAX = 6

/**
 * Parts that are about something else than the stone: the `height` of `Cr.Height` is not its depth,
 * and the `amount` of `tax.amount` not its price.
 */
const OF_OTHERS = new RegExp(
  '(?<![a-z])(?:cr|crn|crown|pav|pavil|pavill?ion|pv|star|str|lr|lower|girdle|gir|culet|cul|' +
    'table|tbl|fl|flo|flr|fluo|fluor|fluorescence|tax|vat|gst|duty|shipping|delivery|freight|' +
    'insurance|handling|fees?|memo|retail|msrp|rrp|showcase|suggested|compare|original|old|' +
    'previous|deposit|commission|discount|estimated?|apprais(?:al|ed))(?![a-z])',
  'i',
)

function isOfOthers(part: string): boolean {
  return OF_OTHERS.test(part.replaceAll(/([\p{Ll}\d])([\p{Lu}])/gu, '$1 $2'))
}

/** Other readings of a name: the last parts of a JSON path, or the name without decorations. */
function otherReadings(column: string): string[] {
  const parts = column.split('.').slice(-PATH_PARTS_MAX)
  const tails: string[] = []
  const other = parts.findIndex(isOfOthers)
  // A part of something else stays in the reading.
  const start = other === -1 ? parts.length - 1 : other
  for (let from = 1; from <= start; from++) tails.push(foldName(parts.slice(from).join('.')))
  if (parts.length > 1 && /^(value|amount|title|name|code|text|label)$/i.test(parts.at(-1) ?? '')) {
    if (start >= parts.length - 2) tails.unshift(foldName(parts.at(-2) ?? ''))
    tails.unshift(foldName(parts.slice(0, -1).join('.')))
  }
  return [...tails, foldName(column).replaceAll(DECORATIONS, '')]
}

function scaled(fields: NamedField[], factor: number): NamedField[] {
  return fields.map((named) => ({ ...named, certainty: named.certainty * factor }))
}

/** Counts the fields that a row of cells names: a header names many, a stone almost none. */
export function countFieldNames(cells: readonly string[]): number {
  const seen = new Set<FieldName>()
  for (const cell of cells) {
    if (cell.length > 60 || !/\p{L}|%|#|\$/u.test(cell)) continue
    const first = firstFieldNamed(cell)
    if (first) seen.add(first)
  }
  return seen.size
}

/** The first rows are read several times: for the delimiter, and then for the header. */
const firstFieldNamed = cached((cell: string): FieldName | undefined => {
  const [first] = KNOWN.get(foldName(cell)) ?? fieldsNamed(cell)
  return first?.field
})
