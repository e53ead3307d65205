import { Refusal } from '../../lib/refusal.ts'
import type { RawRow } from '../reading/raw-row.ts'
import { type NumberStyle, sniffDecimalComma } from '../values/numbers.ts'
import { saysNothing } from '../values/spelling.ts'
import { FIELDS, type FieldName } from './fields.ts'
import { fieldsNamed } from './header-names.ts'
import { settlePrices } from './settle-prices.ts'
import { FITS } from './value-fits.ts'

/** What one column was taken for, how sure that is from 0 to 1, and why. */
export interface ColumnMapping {
  column: string
  field: FieldName | null
  confidence: number
  reason: string
}

/** The operator's own word on columns: a field, or null for a column to be left alone. */
export type MappingOverride = Record<string, string | null>

/** A mapping is an object of column names, each with a field or null. */
export function checkMapping(mapping: unknown): MappingOverride {
  const isObject = typeof mapping === 'object' && mapping !== null && !Array.isArray(mapping)
  const values = isObject ? Object.values(mapping) : [undefined]
  if (values.every((value) => value === null || typeof value === 'string')) {
    return mapping as MappingOverride
  }
  const detail = 'The mapping must be a JSON object of {"column": "field"} or {"column": null}.'
  throw new Refusal('invalid_request', detail)
}

export interface FeedMapping {
  columns: ColumnMapping[]
  /** Where each field's column stands in a row. */
  at: Partial<Record<FieldName, number>>
  style: NumberStyle
}

interface Candidate {
  index: number
  field: FieldName
  certainty: number
  score: number
  fit: number
  /** Values looked at; without any, the name alone speaks. */
  seen: number
}

/** A column whose values fit worse than this is not what its name says. */
const FIT_MIN = 0.35
const FIT_WITHOUT_VALUES = 0.8
const VALUES_LOOKED_AT = 400
const VALUES_NEEDED = 3
const SURE_NAME_MIN = 0.8

/** Decides for every column what it means, by its name and by what its values look like. */
export function mapColumns(
  names: readonly string[],
  sample: readonly RawRow[],
  override: MappingOverride = {},
): FeedMapping {
  const style = sniffStyle(names, sample)
  const values = names.map((_, index) => valuesOf(sample, index))
  const columns: ColumnMapping[] = names.map((column) => unmapped(column, 'no field has this name'))
  const taken = new Map<FieldName, number>()
  const decided = new Set<number>()

  function assign(index: number, field: FieldName, confidence: number, reason: string): void {
    columns[index] = { column: names[index], field, confidence, reason }
    taken.set(field, index)
    decided.add(index)
  }

  for (const [index, name] of names.entries()) {
    const chosen = override[name]
    if (chosen === undefined) continue
    decided.add(index)
    if (chosen === null) columns[index] = unmapped(name, 'left out by the operator', 1)
    else assign(index, chosen as FieldName, 1, 'chosen by the operator')
  }
  const candidates = names.flatMap((name, index) =>
    decided.has(index) ? [] : candidatesFor(name, index, values[index], style),
  )
  for (const candidate of candidates.sort(bestFirst)) {
    if (decided.has(candidate.index) || taken.has(candidate.field)) continue
    if (isIdlePrice(candidate, taken)) continue
    if (candidate.fit < FIT_MIN) {
      columns[candidate.index] = misfit(names[candidate.index], candidate)
      continue
    }
    assign(candidate.index, candidate.field, confidenceOf(candidate), reasonOf(candidate))
  }
  guessByValues(names, values, style, { taken, decided, assign })
  const mapping: FeedMapping = { columns, at: Object.fromEntries(taken), style }
  settlePrices(mapping, sample, new Set(Object.keys(override)))
  return mapping
}

/**
 * Takes in columns that were first seen after the sample: in JSON a key may be left out until the
 * last stone. Only their names can speak for them.
 */
export function mapLateColumns(mapping: FeedMapping, names: readonly string[]): void {
  for (let index = mapping.columns.length; index < names.length; index++) {
    const column = names[index]
    const named = fieldsNamed(column).find(({ field }) => mapping.at[field] === undefined)
    if (!named) {
      mapping.columns.push(unmapped(column, 'no free field has this name'))
      continue
    }
    const { field, certainty } = named
    const reason = `named like ${field}; first seen after the rows that were looked at`
    mapping.columns.push({ column, field, confidence: Math.min(0.6, certainty), reason })
    mapping.at[field] = index
  }
}

function unmapped(column: string, reason: string, confidence = 0): ColumnMapping {
  return { column, field: null, confidence, reason }
}

function misfit(column: string, { field, fit }: Candidate): ColumnMapping {
  const reason = `named like ${field}, but only ${percentOf(fit)} of its values look like one`
  return unmapped(column, reason, 0.5)
}

function candidatesFor(name: string, index: number, texts: string[], style: NumberStyle) {
  return fieldsNamed(name).map(({ field, certainty, place }): Candidate => {
    const fit = fitOf(field, texts, style)
    // Between two columns the better named one wins, of one name the first; between two fields the
    // likelier.
    const rank = place * 1e-5 + index * 1e-7 + FIELDS.indexOf(field) * 1e-9
    const score = certainty * fit * fit - rank
    return { index, field, certainty, score, fit, seen: texts.length }
  })
}

/** An empty column takes only what no column with values wants. */
function bestFirst(a: Candidate, b: Candidate): number {
  return Number(b.seen > 0) - Number(a.seen > 0) || b.score - a.score
}

const PRICES: readonly FieldName[] = ['price_per_carat', 'total_price']

/** An empty column that may be a price is none where another one is: most templates have spares. */
function isIdlePrice(
  { field, seen, certainty }: Candidate,
  taken: ReadonlyMap<FieldName, number>,
): boolean {
  if (seen > 0 || certainty >= SURE_NAME_MIN || !PRICES.includes(field)) return false
  return PRICES.some((price) => taken.has(price))
}

function fitOf(field: FieldName, texts: string[], style: NumberStyle): number {
  if (texts.length < VALUES_NEEDED) {
    const fits = texts.filter((text) => FITS[field](text, style)).length
    return texts.length === 0 || fits > 0 ? FIT_WITHOUT_VALUES : 0
  }
  const share = texts.filter((text) => FITS[field](text, style)).length / texts.length
  // A stock number names one stone: a column that repeats itself is none.
  return field === 'vendor_sku' ? share * Math.sqrt(new Set(texts).size / texts.length) : share
}

function confidenceOf({ score, seen }: Candidate): number {
  return Math.round(Math.min(seen === 0 ? 0.7 : 1, Math.max(0, score)) * 100) / 100
}

function reasonOf({ field, fit, seen }: Candidate): string {
  if (seen === 0) return `named like ${field}; the column is empty`
  return `named like ${field}, and ${percentOf(fit)} of its values look like one`
}

function percentOf(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** Fields whose values are unlike any other's, so that a column can be known without its name. */
const TELLING = ['shape', 'clarity', 'color', 'measurements'] as const
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
  for (const field of TELLING) {
    if (state.taken.has(field)) continue
    for (const index of names.keys()) {
      const texts = values[index]
      if (state.decided.has(index) || texts.length < GUESS_VALUES_MIN) continue
      if (fieldsNamed(names[index]).length > 0 || new Set(texts).size < 2) continue
      if (texts.every((text) => /^[\d.,\s-]+$/.test(text)) && field !== 'measurements') continue
      const fit = fitOf(field, texts, style)
      if (fit < GUESS_FIT_MIN) continue
      state.assign(index, field, 0.4, `its name says nothing, but its values look like ${field}`)
      break
    }
  }
}

/** The first values of a column that say something. */
function valuesOf(sample: readonly RawRow[], index: number): string[] {
  const texts: string[] = []
  for (const { cells } of sample) {
    const text = cells[index]?.trim()
    // `NA` says nothing except about availability, and `N` is a grade; only blanks drop out.
    if (text !== undefined && text !== '' && (text.length <= 3 || !saysNothing(text))) {
      texts.push(text)
    }
    if (texts.length >= VALUES_LOOKED_AT) break
  }
  return texts
}

function sniffStyle(names: readonly string[], sample: readonly RawRow[]): NumberStyle {
  const texts: string[] = []
  for (const [index, name] of names.entries()) {
    const isNumeric = fieldsNamed(name).some(({ field }) => NUMERIC.has(field))
    if (isNumeric) for (const { cells } of sample.slice(0, 200)) texts.push(cells[index] ?? '')
  }
  return { decimalComma: sniffDecimalComma(texts) }
}

const NUMERIC = new Set<FieldName>([
  'weight',
  'length',
  'width',
  'depth',
  'depth_percentage',
  'table_percentage',
  'price_per_carat',
  'total_price',
])
