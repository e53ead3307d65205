import type { Gem } from '../../api/gems.ts'
import { t } from '../../language/language.ts'
import { downloadTable, type TableFormat } from '../../lib/download.ts'
import { type Column, exportedColumns, plainOf } from './columns.ts'

/** Downloads stones as a file for spreadsheets, with the columns of the table. */
export function downloadStones(
  format: TableFormat,
  gems: readonly Gem[],
  chosen: readonly Column[],
): Promise<void> {
  const columns = exportedColumns(gems, chosen)
  const head = ['SKU', ...columns.map(({ label }) => label), t('Currency')]
  const rows = gems.map((gem) => [
    gem.sku,
    ...columns.map((column) => plainOf(column, gem)),
    gem.currency_code,
  ])
  return downloadTable(format, t('stones.csv'), head, rows)
}
