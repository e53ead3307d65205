import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import type {
  FilterOptions,
  JewelryTables,
  Medium,
  ProductTable,
  VariantOptions,
  VariantTable,
} from '../database/tables/jewelry.ts'

export type NewProduct = Insertable<ProductTable>
/** A new variant with its JSON as values, not yet as text. */
export type NewVariant = Omit<
  Insertable<VariantTable>,
  'variant_options' | 'filter_variant_options' | 'media' | 'details'
> & {
  variant_options: VariantOptions
  filter_variant_options: FilterOptions
  media: Medium[]
  details: Record<string, string>
}

/** Thousands of rows travel as one JSON text and are written by one statement. */
const ROWS_PER_STATEMENT = 5_000

/** All rows must have the columns of the first. */
export async function insertRows(
  tx: Tx,
  table: keyof JewelryTables,
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = sql.join(Object.keys(rows[0]).map((column) => sql.ref(column)))
  const name = sql.table(table)
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const lot = JSON.stringify(rows.slice(start, start + ROWS_PER_STATEMENT))
    await sql`
      insert into ${name} (${columns})
      select ${columns} from json_populate_recordset(null::${name}, ${lot}::json)`.execute(tx)
  }
}
