import { Refusal } from '../../lib/refusal.ts'
import type { NumberStyle } from '../values/numbers.ts'
import type { FieldName } from './fields.ts'

/** What a column means, how certain that is (0 to 1), and why. */
export interface ColumnMapping {
  column: string
  /** Null for a column that is not used. */
  field: FieldName | null
  confidence: number
  reason: string
}

/** The meaning of all columns of a feed. */
export interface FeedMapping {
  columns: ColumnMapping[]
  /** The position of each field's column in a row. */
  at: Partial<Record<FieldName, number>>
  style: NumberStyle
  /** The only price column; undefined when the file has both prices, or none. */
  price?: PriceColumn
}

/** What a price column holds: the price of the whole stone, or of one carat of it. */
export type PriceMeaning = 'total' | 'per carat'

/** The only price column of a file, and how its meaning was decided. */
export interface PriceColumn {
  at: number
  meaning: PriceMeaning
  /** Only `unsure` needs an answer; `settled` has had one. */
  basis: 'proof' | 'name' | 'values' | 'unsure' | 'settled'
  /** A few stones, for which both readings can be shown. */
  examples: { weight: number; price: number }[]
}

/** The operator's own decisions: a field for a column, or null to ignore the column. */
export type MappingOverride = Record<string, string | null>

/** Checks the shape of an override that came as JSON; its fields are checked by the import. */
export function checkMapping(mapping: unknown): MappingOverride {
  const isObject = typeof mapping === 'object' && mapping !== null && !Array.isArray(mapping)
  const values = isObject ? Object.values(mapping) : [undefined]
  if (values.every((value) => value === null || typeof value === 'string')) {
    return mapping as MappingOverride
  }
  const detail = 'The mapping must be a JSON object of {"column": "field"} or {"column": null}.'
  throw new Refusal('invalid_request', detail)
}

export function percentOf(share: number): string {
  return `${Math.round(share * 100)}%`
}
