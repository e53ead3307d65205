import type { ColumnMapping } from '../mapping/mapping.ts'
import type { LoggedRejection } from './rejection-log.ts'

/**
 * Writes rejected rows as CSV, to send back to the supplier: the row's own cells, and the reason.
 * Where the cells were not kept, the stock number and the cell with the fault are filled in.
 */
export function rejectedCsv(
  mapped: readonly ColumnMapping[],
  rejections: readonly LoggedRejection[],
): string {
  // The constants of a mapping are not in the file.
  const columns = mapped.filter(({ constant }) => constant === undefined)
  const head = [...columns.map(({ column }) => column), 'Reason']
  const rows = rejections.map((rejection) => {
    const cells = rejection.cells ?? knownCells(columns, rejection)
    const padded = columns.map((_, at) => cells[at] ?? '')
    return [...padded, reasonOf(rejection)]
  })
  return csvOf([head, ...rows])
}

export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('')
}

function knownCells(columns: readonly ColumnMapping[], rejection: LoggedRejection): string[] {
  return columns.map(({ column, field }) => {
    if (column === rejection.column) return rejection.value
    return field === 'vendor_sku' ? (rejection.vendor_sku ?? '') : ''
  })
}

function reasonOf({ row, column, reason }: LoggedRejection): string {
  return column === '' ? `Row ${row}: ${reason}` : `Row ${row}, ${column}: ${reason}`
}

/** Spreadsheets run a text that begins so; a dash and numbers such as -30.5% are not formulas. */
const FORMULA = /^(?:[=@\t\r]|[+-](?![\d.,% ]*$))/

function quoted(cell: string): string {
  const safe = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
