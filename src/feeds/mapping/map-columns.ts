import type { RawRow } from '../reading/raw-row.ts'
import { readUrl } from '../values/links-and-details.ts'
import type { NumberStyle } from '../values/numbers.ts'
import { saysParcel } from '../values/parcel-words.ts'
import { isBlankWord } from '../values/spelling.ts'
import { FIELDS, type FieldName } from './fields.ts'
import { fieldsNamed, SURE_NAME_MIN } from './header-names.ts'
import {
  type ColumnDecision,
  type ColumnMapping,
  DECIDED,
  type FeedMapping,
  type Misfit,
  shareOf,
} from './mapping.ts'
import { whyWithoutField } from './market-fields.ts'
import { decideNumberLinks } from './number-links.ts'
import { sniffNumberStyle } from './number-style.ts'
import { type DollarsPerUnit, decidePriceColumns } from './prices/price-columns.ts'
import { numbersTheRows } from './row-numbers.ts'
import { decideDepthAndTable } from './side-evidence.ts'
import { fitsField } from './value-fits.ts'

/** A field that a column may mean. */
interface Candidate {
  index: number
  field: FieldName
  certainty: number
  score: number
  fit: number
  /** How many values were checked; without any, only the name counts. */
  seen: number
  /** How many of them look like the field. */
  fits: number
  /** The column has the field's own name, which its values do not contradict. */
  isOwn: boolean
}

/** Below this share of fitting values, a column does not mean what its name says. */
const FIT_MIN = 0.35
const FIT_WITHOUT_VALUES = 0.8
const VALUES_CHECKED = 400
const VALUES_NEEDED = 3
/** Above the score of any other name. */
const OWN_NAME_SCORE = 2

/** What is known besides the file itself. */
interface MappingHints {
  /** What the operator's mapping decides, by the position of the column. */
  decisions?: ReadonlyMap<number, ColumnDecision>
  rules?: string
  /** What was understood of the supplier's last file. */
  learned?: { columns: Record<string, FieldName>; decimal_comma: boolean }
  dollarsPerUnit?: DollarsPerUnit
}

/** Decides what every column means, by its name and by its values. */
export function mapColumns(
  names: readonly string[],
  sample: readonly RawRow[],
  { decisions = new Map(), rules = '', learned, dollarsPerUnit = () => 1 }: MappingHints = {},
): FeedMapping {
  // A map, because a column may be called `constructor`, which every object has.
  const readBefore = new Map(Object.entries(learned?.columns ?? {}))
  const style = sniffNumberStyle(names, sample, { decisions, before: learned?.decimal_comma })
  const values = names.map((_, index) => valuesOf(sample, index))
  const columns: ColumnMapping[] = names.map((column) => unmapped(column, whyWithoutField(column)))
  const taken = new Map<FieldName, number>()
  const decided = new Set<number>()
  const misfits: Misfit[] = []

  function assign(index: number, field: FieldName, confidence: number, reason: string): void {
    columns[index] = { column: names[index], field, confidence, reason }
    taken.set(field, index)
    decided.add(index)
  }

  for (const [index, decision] of decisions) {
    decided.add(index)
    columns[index] = decidedColumn(names[index], decision)
    if (decision.field !== null) taken.set(decision.field, index)
  }
  for (const [index, name] of names.entries()) {
    const field = readBefore.get(name)
    if (field === undefined || decided.has(index) || taken.has(field)) continue
    // One or two odd values, such as a line of totals, do not contradict the last file.
    const isContradicted =
      values[index].length >= VALUES_NEEDED &&
      fitOf(field, values[index], fitting(field, values[index], style)) < FIT_MIN
    if (!isContradicted) assign(index, field, 1, DECIDED.before)
  }
  // Elsewhere a column called `Size` is the weight once more, or the size of a ring.
  const hasParcels = names.some((name, at) => isParcelColumn(name, values[at]))
  const candidates = names.flatMap((name, index) => {
    if (decided.has(index)) return []
    const isCount = numbersTheRows(name, values[index])
    if (isCount) columns[index] = unmapped(name, 'it numbers the rows, not the stones')
    return isCount ? [] : candidatesFor(name, index, values[index], style)
  })
  for (const candidate of candidates.sort(bestFirst)) {
    if (decided.has(candidate.index)) continue
    const other = taken.get(candidate.field)
    if (other !== undefined) {
      columns[candidate.index] = spare(names[candidate.index], candidate.field, names[other])
      continue
    }
    if (isSparePrice(candidate, taken)) continue
    if (candidate.field === 'parcel_size' && !hasParcels) continue
    const isInWords = candidate.seen > 0 && isNamedForWords(candidate, names, values)
    if (candidate.fit < FIT_MIN && !candidate.isOwn && !isInWords) {
      columns[candidate.index] = misfit(names[candidate.index], candidate)
      misfits.push(
        countFits(names[candidate.index], candidate.field, values[candidate.index], style),
      )
      continue
    }
    assign(candidate.index, candidate.field, confidenceOf(candidate), reasonOf(candidate))
  }
  guessByValues(names, values, style, { taken, decided, assign })
  const at = Object.fromEntries(taken)
  const mapping: FeedMapping = { columns, at, style, misfits, decisions, rules }
  decideNumberLinks(mapping, values)
  decideDepthAndTable(mapping, sample)
  decidePriceColumns(mapping, sample, dollarsPerUnit)
  return mapping
}

/**
 * Adds columns that first appear after the sample, because a JSON key may be absent until the last
 * stone. They are mapped by their names alone.
 */
export function mapLateColumns(mapping: FeedMapping, names: readonly string[]): void {
  for (let index = mapping.columns.length; index < names.length; index++) {
    const column = names[index]
    const decision = mapping.decisions.get(index)
    if (decision) {
      mapping.columns.push(decidedColumn(column, decision))
      if (decision.field !== null) mapping.at[decision.field] ??= index
      continue
    }
    const named = fieldsNamed(column).find(({ field }) => mapping.at[field] === undefined)
    if (!named) {
      mapping.columns.push(unmapped(column, 'no unused field has this name'))
      continue
    }
    const { field, certainty } = named
    const reason = `the name means ${field}; the column first appears after the sampled rows`
    mapping.columns.push({ column, field, confidence: Math.min(0.6, certainty), reason })
    mapping.at[field] = index
  }
}

/** A column that counts or weighs the stones of parcels, or calls a row a parcel. */
function isParcelColumn(name: string, texts: string[]): boolean {
  const isNumber = fieldsNamed(name).some(({ field }) => OF_PARCELS.has(field))
  return isNumber || texts.some((text) => saysParcel(name, text))
}

const OF_PARCELS: ReadonlySet<FieldName> = new Set(['parcel_stones', 'average_weight'])

function decidedColumn(column: string, decision: ColumnDecision): ColumnMapping {
  return { column, confidence: 1, ...decision }
}

function unmapped(column: string, reason: string, confidence = 0): ColumnMapping {
  return { column, field: null, confidence, reason }
}

/** Another column is the field that this one is named after. */
function spare(column: string, field: FieldName, other: string): ColumnMapping {
  return unmapped(column, `the name means ${field}, which ${other} already is`)
}

function misfit(column: string, { field, fits, seen }: Candidate): ColumnMapping {
  const reason = `the name means ${field}, but only ${shareOf(fits, seen)} fit`
  return unmapped(column, reason, 0.5)
}

function countFits(column: string, field: FieldName, texts: string[], style: NumberStyle): Misfit {
  const others = texts.filter((text) => !fitsField(field, text, style))
  const fitting = texts.length - others.length
  return { column, field, fitting, seen: texts.length, example: others[0] ?? '' }
}

function candidatesFor(name: string, index: number, texts: string[], style: NumberStyle) {
  return fieldsNamed(name).map(({ field, certainty, rank: nameRank, isOwn = false }): Candidate => {
    const fits = fitting(field, texts, style)
    const fit = fitOf(field, texts, fits)
    // Ties: the column with the better name wins, then the first column, then the likelier field.
    const rank = nameRank * 1e-5 + index * 1e-7 + FIELDS.indexOf(field) * 1e-9
    const score = (isOwn ? OWN_NAME_SCORE : certainty * fit * fit) - rank
    return { index, field, certainty, score, fit, seen: texts.length, fits, isOwn }
  })
}

/** Columns with values come first: an empty one gets only a field that none of them takes. */
function bestFirst(a: Candidate, b: Candidate): number {
  return Number(b.seen > 0) - Number(a.seen > 0) || b.score - a.score
}

/**
 * Whether a column has words that are not known, but is what its name says: a stone that may be
 * sold must not be offered because of that, nor lose its laboratory.
 */
function isNamedForWords(
  { field, certainty, index, fits }: Candidate,
  names: readonly string[],
  values: readonly string[][],
): boolean {
  if (certainty < 1) return false
  const texts = values[index]
  if (field === 'lab') return /^(grading )?lab/i.test(names[index]) && texts.every(isShortWord)
  if (field !== 'availability') return false
  if (fits === 0 && !/avail|stock/i.test(names[index])) return false
  return texts.every((text) => /\p{L}/u.test(text) && readUrl(text) === undefined)
}

/** The name of a laboratory that we do not know has letters only. */
const isShortWord = (text: string) => /^[\p{L}\s.-]{2,20}$/u.test(text)

const PRICES: readonly FieldName[] = ['price_per_carat', 'total_price']

/** Templates often have spare price columns: an empty one is ignored when another has prices. */
function isSparePrice(
  { field, seen, certainty }: Candidate,
  taken: ReadonlyMap<FieldName, number>,
): boolean {
  if (seen > 0 || certainty >= SURE_NAME_MIN || !PRICES.includes(field)) return false
  return PRICES.some((price) => taken.has(price))
}

/** How many of the values look like the field. */
function fitting(field: FieldName, texts: string[], style: NumberStyle): number {
  return texts.filter((text) => fitsField(field, text, style)).length
}

function fitOf(field: FieldName, texts: string[], fits: number): number {
  if (texts.length < VALUES_NEEDED) {
    return texts.length === 0 || fits > 0 ? FIT_WITHOUT_VALUES : 0
  }
  const share = fits / texts.length
  // A stock number identifies one stone, so a column that repeats itself does not hold them.
  return field === 'vendor_sku' ? share * Math.sqrt(new Set(texts).size / texts.length) : share
}

function confidenceOf({ score, seen }: Candidate): number {
  return Math.round(Math.min(seen === 0 ? 0.7 : 1, Math.max(0, score)) * 100) / 100
}

function reasonOf({ field, fits, seen }: Candidate): string {
  if (seen === 0) return `the name means ${field}; the column is empty`
  return `the name means ${field}, and ${shareOf(fits, seen)} fit`
}

/** Fields whose values are distinctive enough to recognize a column without its name. */
const DISTINCTIVE = ['shape', 'clarity', 'color', 'measurements'] as const
const GUESS_FIT_MIN = 0.9
const GUESS_VALUES_MIN = 5

function guessByValues(
  names: readonly string[],
  values: string[][],
  style: NumberStyle,
  state: {
    taken: Map<FieldName, number>
    decided: Set<number>
    assign(index: number, field: FieldName, confidence: number, reason: string): void
  },
): void {
  for (const field of DISTINCTIVE) {
    if (state.taken.has(field)) continue
    for (const index of names.keys()) {
      const texts = values[index]
      if (state.decided.has(index) || texts.length < GUESS_VALUES_MIN) continue
      if (fieldsNamed(names[index]).length > 0 || new Set(texts).size < 2) continue
      if (texts.every((text) => /^[\d.,\s-]+$/.test(text)) && field !== 'measurements') continue
      const fit = fitOf(field, texts, fitting(field, texts, style))
      if (fit < GUESS_FIT_MIN) continue
      state.assign(index, field, 0.4, `the name is unknown, but the values look like ${field}`)
      break
    }
  }
}

/** Returns the first values of a column that are not blank. */
function valuesOf(sample: readonly RawRow[], index: number): string[] {
  const texts: string[] = []
  for (const { cells } of sample) {
    const text = cells[index]?.trim()
    // Short texts stay: `NA` is an availability and `N` a grade.
    if (text !== undefined && text !== '' && (text.length <= 3 || !isBlankWord(text))) {
      texts.push(text)
    }
    if (texts.length >= VALUES_CHECKED) break
  }
  return texts
}
