/** Rows that imports and the demo market insert in bulk. */
import { type Insertable, sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import type {
  FilterOptions,
  JewelryTables,
  Medium,
  ProductTable,
  VariantOptions,
  VariantTable,
} from '../database/tables/jewelry.ts'
import { skuOf } from '../gems/gem.ts'

export type NewProduct = Insertable<ProductTable>

/** A new variant whose JSON columns are still values. */
export type NewVariant = Omit<
  Insertable<VariantTable>,
  'variant_options' | 'filter_variant_options' | 'media' | 'details'
> & {
  variant_options: VariantOptions
  filter_variant_options: FilterOptions
  media: Medium[]
  details: Record<string, string>
}

/** One statement writes thousands of rows, which it gets as one JSON text. */
const ROWS_PER_STATEMENT = 2_000

/** Writing the text of more rows at once would keep requests waiting. */
export function* jsonBatches(rows: readonly object[]): Generator<string> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    yield JSON.stringify(rows.slice(start, start + ROWS_PER_STATEMENT))
  }
}

/** All rows must have the columns of the first. */
export async function insertRows(
  tx: Tx,
  table: keyof JewelryTables,
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = sql.join(Object.keys(rows[0]).map((column) => sql.ref(column)))
  const name = sql.table(table)
  for (const batch of jsonBatches(rows)) {
    await sql`
      insert into ${name} (${columns})
      select ${columns} from json_populate_recordset(null::${name}, ${batch}::json)`.execute(tx)
  }
}

/**
 * Returns the SKU of a supplier's variant, which is the same at every import. It has eleven
 * characters and a gem's SKU has ten, so the two never collide, although orders contain both.
 */
export function variantSkuOf(supplierUuid: string, vendorSku: string, attempt = 0): string {
  return `J${skuOf(supplierUuid, vendorSku, attempt)}`
}
