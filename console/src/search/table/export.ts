import type { Gem } from '../../api/gems.ts'
import { t } from '../../language/language.ts'
import { downloadTable, type TableFormat } from '../../lib/download.ts'
import { type Column, plainOf } from './columns.tsx'

/** Downloads stones as a file for spreadsheets, with the columns of the table. */
export function downloadStones(
  format: TableFormat,
  gems: readonly Gem[],
  columns: readonly Column[],
): Promise<void> {
  const head = ['SKU', ...columns.map(({ label }) => label), t('Currency')]
  const rows = gems.map((gem) => [
    gem.sku,
    ...columns.map((column) => plainOf(column, gem)),
    gem.currency_code,
  ])
  return downloadTable(format, t('stones.csv'), head, rows)
}
