import type { FieldName } from '../mapping/fields.ts'
import type { FeedMapping } from '../mapping/mapping.ts'
import { own } from '../reading/own-text.ts'
import type { RawRow } from '../reading/raw-row.ts'
import { storableText } from '../values/spelling.ts'
import type { Rejection } from './gem-draft.ts'

/** Reads the trimmed text of a field of the row at hand; empty when there is none. */
export type CellReader = (field: FieldName) => string

/**
 * One reader for all rows of a feed, turned to each in its turn: making its functions anew for
 * every row cost more than reading the row.
 */
export interface RowReader {
  turnTo(row: RawRow): void
  cell: CellReader
  /** The supplier's number of the stone; empty when the row has none. */
  vendorSku(): string
  fault(field: FieldName, reason: string): Rejection
}

const VALUE_CHARS_MAX = 200

export function createRowReader({ at, columns }: FeedMapping): RowReader {
  const skuAt = at.vendor_sku ?? at.cert_num ?? -1
  let row: RawRow = { row: 0, raw: '', cells: [] }

  const cell: CellReader = (field) => {
    const index = at[field]
    if (index === undefined) return ''
    const text = row.cells[index]
    return text === undefined || text === '' ? '' : text.trim()
  }
  return {
    turnTo(next) {
      row = next
    },
    cell,
    vendorSku: () => storableText((row.cells[skuAt] ?? '').trim()),
    fault(field, reason) {
      if (row.unreadable !== undefined) {
        return { row: row.row, column: '', value: own(row.raw.slice(0, VALUE_CHARS_MAX)), reason }
      }
      const isSku = field === 'vendor_sku' && skuAt !== -1
      const index = isSku ? skuAt : at[field]
      const column = index === undefined ? field : columns[index].column
      const value = own(isSku ? (row.cells[skuAt] ?? '').trim() : cell(field))
      return { row: row.row, column, value: value.slice(0, VALUE_CHARS_MAX), reason }
    },
  }
}
