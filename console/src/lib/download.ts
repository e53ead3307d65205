import type { Cell } from './workbook.ts'

export type TableFormat = 'csv' | 'xlsx'

/** Saves rows for spreadsheets, with the labels of their columns first; the name ends in `.csv`. */
export async function downloadTable(
  format: TableFormat,
  name: string,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  if (format === 'csv') return downloadCsv(name, head, rows)
  const { workbookOf } = await import('./workbook.ts')
  saveFile(workbookOf(head, rows), name.replace(/\.csv$/, '.xlsx'))
}

export function downloadCsv(
  name: string,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
): void {
  const text = [head, ...rows].map((cells) => cells.map(csvCell).join(',')).join('\r\n')
  // The mark at the beginning tells spreadsheets that the text is UTF-8.
  saveFile(new Blob(['\uFEFF', text, '\r\n'], { type: 'text/csv' }), name)
}

/** Spreadsheets run a text that begins like a formula, unless a quote stands before it. */
function csvCell(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const text = String(value ?? '')
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const RELEASE_MS = 60_000

export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), RELEASE_MS)
}
