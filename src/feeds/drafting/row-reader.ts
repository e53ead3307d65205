import type { FieldName } from '../mapping/fields.ts'
import type { FeedMapping } from '../mapping/mapping.ts'
import { copyText, type RawRow } from '../reading/raw-row.ts'
import { storableText } from '../values/spelling.ts'
import type { Rejection } from './gem-draft.ts'

/** Returns the trimmed text of a field of the current row, or an empty string. */
export type CellReader = (field: FieldName) => string

/**
 * One reader for all rows of a feed. It is moved from row to row, because creating its functions
 * for every row would cost more than reading the row.
 */
export interface RowReader {
  setRow(row: RawRow): void
  cell: CellReader
  /** Returns the supplier's stock number; empty when the row has none. */
  vendorSku(): string
  rejection(field: FieldName, reason: string): Rejection
  /** Rejects the row because of a column that need not have a field. */
  rejectionAt(index: number, reason: string): Rejection
}

const VALUE_CHARS_MAX = 200

export function createRowReader({ at, columns }: FeedMapping): RowReader {
  const skuAt = at.vendor_sku ?? at.cert_num ?? -1
  let row: RawRow = { row: 0, raw: '', cells: [] }
  const rejectionAt = (index: number, reason: string): Rejection => {
    const value = copyText((row.cells[index] ?? '').trim().slice(0, VALUE_CHARS_MAX))
    return { row: row.row, column: columns[index].column, value, reason }
  }

  const cell: CellReader = (field) => {
    const index = at[field]
    if (index === undefined) return ''
    const text = row.cells[index]
    return text === undefined || text === '' ? '' : text.trim()
  }
  return {
    setRow(next) {
      row = next
    },
    cell,
    vendorSku: () => storableText((row.cells[skuAt] ?? '').trim()),
    rejectionAt,
    rejection(field, reason) {
      if (row.unreadable !== undefined) {
        return {
          row: row.row,
          column: '',
          value: copyText(row.raw.slice(0, VALUE_CHARS_MAX)),
          reason,
        }
      }
      const isSku = field === 'vendor_sku' && skuAt !== -1
      const index = isSku ? skuAt : at[field]
      if (index !== undefined) return rejectionAt(index, reason)
      return { row: row.row, column: field, value: '', reason }
    },
  }
}
