import { csvOf } from '../../feeds/importing/rejected-rows.ts'
import { ALL_CELLS_CHARS_MAX, REJECTIONS_KEPT_MAX } from '../../feeds/importing/rejection-log.ts'
import type { ImportSummary } from '../../feeds/importing/report.ts'
import type { FileRow } from './reading/kept-rows.ts'

/** The cells of the rejected rows, in the order of the report's rejections. */
export interface RejectedRows {
  columns: string[]
  /** Null where a row was not kept. */
  cells: (string[] | null)[]
}

/** Keeps the cells of the first rejected rows, to send them back to the supplier. */
export function keepRejected(columns: string[], rows: readonly FileRow[]): RejectedRows {
  let chars = 0
  const cells = rows.slice(0, REJECTIONS_KEPT_MAX).map((row) => {
    const own = row.ownCells ?? row.cells
    for (const text of own.values()) chars += text.length
    return chars > ALL_CELLS_CHARS_MAX ? null : columns.map((column) => own.get(column) ?? '')
  })
  return { columns, cells }
}

/** Writes rejected rows as CSV: their own cells, or the cell with the fault, and the reason. */
export function rejectedJewelryCsv(
  { columns, cells }: RejectedRows,
  { rejections }: Pick<ImportSummary, 'rejections'>,
): string {
  const named = columns.length > 0 ? columns : [...new Set(rejections.map(({ column }) => column))]
  const rows = rejections.map(({ row, column, value, reason }, at) => {
    const own = cells[at] ?? named.map((name) => (name === column ? value : ''))
    return [...own, column === '' ? `Row ${row}: ${reason}` : `Row ${row}, ${column}: ${reason}`]
  })
  return csvOf([[...named, 'Reason'], ...rows])
}
