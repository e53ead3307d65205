import type { NumberStyle } from '../values/numbers.ts'
import type { FieldName } from './fields.ts'

/** What a column means, how certain that is (0 to 1), and why. */
export interface ColumnMapping {
  column: string
  /** Null for a column that is not used. */
  field: FieldName | null
  confidence: number
  reason: string
  /** How many of the sampled rows have a value; unknown for a column that appears later. */
  filled?: number
  sampled?: number
  /** The value that a mapping gives to all stones; such a column is not in the file. */
  constant?: string
}

/** What the operator's mapping decides about a column. */
export interface ColumnDecision {
  field: FieldName | null
  reason: string
  constant?: string
}

/** Reasons of mappings that a person has decided or seen before. */
export const DECIDED = {
  chosen: 'chosen by the operator',
  placed: 'chosen by the operator, by its position',
  ignored: 'ignored by the operator',
  unused: 'not used, as the mapping says',
  before: "as in the supplier's last file",
} as const

/** A person should look at a mapping of less confidence. */
export const SURE_CONFIDENCE_MIN = 0.8

/** The operator wants the column to be left out, so that nothing in it counts. */
export function isIgnored({ reason }: Pick<ColumnMapping, 'reason'>): boolean {
  return reason === DECIDED.ignored
}

/** The meaning of all columns of a feed. */
export interface FeedMapping {
  columns: ColumnMapping[]
  /** The position of each field's column in a row. */
  at: Partial<Record<FieldName, number>>
  style: NumberStyle
  /** What the operator's mapping decides, by the position of the column. */
  decisions: ReadonlyMap<number, ColumnDecision>
  /** A text of the mapping's constants, translations and ignored columns, to tell a change by. */
  rules: string
  /** Columns that are named like a field, but whose values do not fit it. */
  misfits?: Misfit[]
  /** The only price column; undefined when the file has both prices, or none. */
  price?: PriceColumn
  /** Two columns that may both be the price and contradict each other. */
  rival?: RivalPrice
}

/**
 * Returns a function that finds the columns which matter for something, and finds them again when
 * there are more: a JSON file may bring new columns with any stone.
 */
export function createColumnScan<Found>(
  mapping: FeedMapping,
  scan: (mapping: FeedMapping) => Found[],
): () => Found[] {
  let found: Found[] = []
  let scanned = -1
  return () => {
    if (scanned !== mapping.columns.length) found = scan(mapping)
    scanned = mapping.columns.length
    return found
  }
}

/** Whether the file has the weight of each row: its own, or that of one stone and their number. */
export function hasWeight({ at }: Pick<FeedMapping, 'at'>): boolean {
  const isComputed = at.average_weight !== undefined && at.parcel_stones !== undefined
  return at.weight !== undefined || isComputed
}

/** A column that is named like a field, and how few of its values fit. */
export interface Misfit {
  column: string
  field: FieldName
  fitting: number
  seen: number
  /** A value that does not fit. */
  example: string
}

/** What a price column holds: the price of the whole stone, or of one carat of it. */
export type PriceMeaning = 'total' | 'per carat'

/** The meanings as options of the command line and of the interface name them. */
export const PRICE_OPTIONS = ['total', 'per-carat'] as const
export type PriceOption = (typeof PRICE_OPTIONS)[number]

export function priceMeaningOf(option: PriceOption | undefined): PriceMeaning | undefined {
  return option === 'per-carat' ? 'per carat' : option
}

/** The only price column of a file, and how its meaning was decided. */
export interface PriceColumn {
  at: number
  meaning: PriceMeaning
  /** Only `unsure` needs an answer; `settled` and `mapping` have had one. */
  basis: 'proof' | 'name' | 'values' | 'unsure' | 'settled' | 'mapping'
  /** A few stones, for which both readings can be shown. */
  examples: { weight: number; price: number }[]
}

/** A second column that may be the price, and how it differs from the first. */
interface RivalPrice {
  at: number
  otherAt: number
  difference: string
}

/** A percentage of fewer values would claim more than they can tell. */
const PERCENT_VALUES_MIN = 20

/** `2 of 2 values`, or `98% of the values` where there are many. */
export function shareOf(count: number, values: number): string {
  if (values < PERCENT_VALUES_MIN) return `${count} of ${values} values`
  return `${Math.round((count / values) * 100)}% of the values`
}
