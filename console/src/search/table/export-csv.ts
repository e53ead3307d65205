import type { Gem } from '../../api/gems.ts'
import { t } from '../../language/language.ts'
import { type Column, plainOf } from './columns.tsx'

/** Downloads stones as a file for spreadsheets, with the columns of the table. */
export function downloadStones(gems: readonly Gem[], columns: readonly Column[]): void {
  const head = ['SKU', ...columns.map(({ label }) => label), t('Currency')]
  const rows = gems.map((gem) => [
    gem.sku,
    ...columns.map((column) => plainOf(column, gem)),
    gem.currency_code,
  ])
  const text = [head, ...rows].map((cells) => cells.map(csvCell).join(',')).join('\r\n')
  // The mark at the beginning tells spreadsheets that the text is UTF-8.
  const url = URL.createObjectURL(new Blob(['\uFEFF', text, '\r\n'], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = t('stones.csv')
  link.click()
  URL.revokeObjectURL(url)
}

/** Spreadsheets run a text that begins like a formula, unless a quote stands before it. */
function csvCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  const text = value ?? ''
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
