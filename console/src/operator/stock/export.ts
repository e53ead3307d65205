import { listStock, type StockGem, type StockQuery } from '../../api/stock.ts'
import { t } from '../../language/language.ts'
import { downloadCsv } from '../../lib/download.ts'
import { fieldLabel } from '../../lib/field-name.ts'
import { count } from '../../lib/format.ts'
import { showToast } from '../../parts/toast.tsx'

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

const PAGE = 500
/** More rows than a person works through; a program reads the interface. */
const ROWS_MAX = 20_000

/** Saves the stones that were found as a CSV file, in the order of the list. */
export async function exportStock(search: Omit<StockQuery, 'limit' | 'offset'>): Promise<void> {
  const gems: StockGem[] = []
  let total = Number.POSITIVE_INFINITY
  while (gems.length < Math.min(total, ROWS_MAX)) {
    const page = await listStock({ ...search, limit: PAGE, offset: gems.length })
    if (page.gems.length === 0) break
    gems.push(...page.gems)
    total = page.total
  }
  const rows = gems.map((gem) => COLUMNS.map((column) => gem[column]))
  downloadCsv('stock.csv', COLUMNS.map(fieldLabel), rows)
  if (total > gems.length) {
    const values = { rows: count(gems.length), total: count(total) }
    showToast(t('The file has the first {rows} of {total} stones.', values))
  }
}
