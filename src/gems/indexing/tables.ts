import { DIAMOND_FIELDS, GEMSTONE_FIELDS } from '../search/field-tables.ts'
import type { FieldTable } from '../search/fields.ts'
import { type GemColumns, gemColumnsOf } from './columns.ts'

/** One index over a part of the gem table. */
export interface IndexTable {
  readonly fields: FieldTable
  readonly columns: GemColumns
  /** Which stones are in it, in SQL. */
  readonly where: string
}

export const INDEX_TABLES = {
  diamond: indexTable('diamond', DIAMOND_FIELDS),
  gemstone: indexTable('gemstone', GEMSTONE_FIELDS),
} as const

export type IndexName = keyof typeof INDEX_TABLES

/** Only what is on sale is in an index; see isOnSale in gem-life.ts. */
function indexTable(productType: string, fields: FieldTable): IndexTable {
  const where = `product_type = '${productType}' and state = 'available' and quantity > 0`
  return { fields, columns: gemColumnsOf(fields), where }
}
