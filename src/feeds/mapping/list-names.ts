/** The names by which a list is recognized: stones and jewelry have different ones. */
import type { FieldName } from './fields.ts'
import { countFieldNames, fieldsNamed } from './header-names.ts'
import type { OwnMapping } from './mapping-file.ts'

export interface ListNames {
  /** Counts the fields that a row of cells names. */
  count: (cells: readonly string[]) => number
  /** The fields that the name of a column may mean. */
  fieldsOf: (name: string) => readonly string[]
  /** What a list needs, and the fields that are it. */
  needed: readonly (readonly [what: string, fields: readonly string[]])[]
  /** Fields that must have the same columns in all parts: a mistake sells something wrong. */
  decisive: readonly string[]
  /** Columns that a header usually has, for messages. */
  usual: string
  /** A mapping by position, for messages. */
  example: string
  /** No value is longer; of longer cells the rest is cut off. */
  cellCharsMax: number
}

const DECISIVE: readonly FieldName[] = [
  ...(['vendor_sku', 'weight', 'shape', 'price_per_carat', 'total_price'] as const),
  ...(['list_price', 'discount_percentage', 'currency_code'] as const),
]

const NEEDED: readonly (readonly [string, readonly FieldName[]])[] = [
  ['a stock number', ['vendor_sku', 'cert_num']],
  ['the weight', ['weight', 'average_weight']],
  ['the shape', ['shape']],
  ['the price', ['price_per_carat', 'total_price', 'list_price', 'discount_percentage']],
]

export const STONE_NAMES: ListNames = {
  count: countFieldNames,
  fieldsOf: (name) => fieldsNamed(name).map(({ field }) => field),
  needed: NEEDED,
  decisive: DECISIVE,
  usual: 'weight, shape and price',
  example: '{"1": "vendor_sku", "2": "shape", "3": "weight"}',
  // Web addresses are the longest values of a stone.
  cellCharsMax: 4_096,
}

/** Columns that the operator's mapping names, or their positions, and their fields if it has. */
export type MappedNames = ReadonlyMap<string, string | null | undefined>

export function mappedNames({ columns }: Pick<OwnMapping, 'columns'>): MappedNames {
  return new Map([...columns].map(([name, { field }]) => [name, field]))
}
