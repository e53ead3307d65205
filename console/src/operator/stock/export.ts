import { PAGE_ROWS_MAX } from '../../api/client.ts'
import { listStock, type StockGem, type StockQuery } from '../../api/stock.ts'
import { fieldLabel } from '../../lib/field-name.ts'

const COLUMNS = [
  'sku',
  'supplier',
  'vendor_sku',
  'product_type',
  'type',
  'species',
  'shape',
  'weight',
  'color',
  'clarity',
  'lab',
  'cert_num',
  'state',
  'quantity',
  'wholesale_price',
  'wholesale_price_us',
  'is_manual',
  'note',
  'created_on',
  'updated_on',
] as const satisfies readonly (keyof StockGem)[]

/** The columns of an exported list of stones. */
export const EXPORTED = COLUMNS.map(
  (column) => [fieldLabel(column), (gem: StockGem) => gem[column]] as const,
)

/** Reads what was found page by page, in the order of the list. */
export function exportOf(search: Omit<StockQuery, 'limit' | 'offset'>) {
  return async (offset: number) => {
    const { gems, total } = await listStock({ ...search, limit: PAGE_ROWS_MAX, offset })
    return { rows: gems, total }
  }
}
