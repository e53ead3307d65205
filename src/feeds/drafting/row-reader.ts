import { VENDOR_SKU_CHARS_MAX } from '../../gems/gem.ts'
import type { FieldName } from '../mapping/fields.ts'
import type { FeedMapping } from '../mapping/mapping.ts'
import { withoutFormatCurrency } from '../reading/excel/format-currency.ts'
import { cellTextOf, type RawRow, textAt } from '../reading/raw-row.ts'
import { isDamagedNumber } from '../values/certificate.ts'
import { isCellError, storableText } from '../values/spelling.ts'
import { type Rejection, rejectionOf } from './gem-draft.ts'

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

/** The fields in which the currency of a cell's format counts. */
const AMOUNTS: ReadonlySet<FieldName> = new Set<FieldName>([
  'price_per_carat',
  'total_price',
  'list_price',
  'total_list_price',
])

export function createRowReader({ at, columns, decisions }: FeedMapping): RowReader {
  const skuAt = at.vendor_sku ?? at.cert_num ?? -1
  let row: RawRow = { row: 0, raw: '', cells: [] }
  const constants = [...decisions.values()].filter(({ constant }) => constant !== undefined).length
  const rejectionAt = (index: number, reason: string): Rejection => {
    // The supplier knows its own text, not the translation of it.
    const own = index < constants ? undefined : row.ownCells?.[index - constants]
    const value = own?.trim() ?? textAt(row.cells, index)
    return rejectionOf(row, columns[index].column, value, reason)
  }

  const ownCell: CellReader = (field) => {
    const index = at[field]
    if (index === undefined) return ''
    const text = row.cells[index]
    if (text === undefined || text === '' || isCellError(text)) return ''
    return AMOUNTS.has(field) ? text.trim() : withoutFormatCurrency(text.trim())
  }
  const cell: CellReader = (field) => {
    const text = ownCell(field)
    return text === '' && field === 'shape' ? (row.namedShape ?? '') : text
  }
  return {
    setRow(next) {
      row = next
    },
    cell,
    vendorSku() {
      return skuAt === -1 ? '' : stockNumberIn(withoutFormatCurrency(cellTextOf(row, skuAt)))
    },
    rejectionAt,
    rejection(field, reason) {
      if (row.unreadable !== undefined) return rejectionOf(row, '', row.raw, reason)
      const isSku = field === 'vendor_sku' && skuAt !== -1
      const index = isSku ? skuAt : at[field]
      if (index !== undefined) return rejectionAt(index, reason)
      return rejectionOf(row, field, '', reason)
    },
  }
}

const TOTALS = /^((grand|sub)[ -]?)?totals?( :|:|$)/i
/**
 * The row of a template that shows how to fill it in: `Sample`, `e.g. AB123`. `SAMPLE-12` and
 * `TEST-1` may be stock numbers of somebody.
 */
const EXAMPLE = new RegExp(
  '^(?:(?:sample|example|exemple|beispiel|muster|ejemplo)' +
    '(?:[ _-](?:stone|row|stock|diamond|sku)(?: (?:no|number|id|#))?)?|' +
    '(?:e\\.? ?g\\.|for example:?|example:|sample:) ?\\S.{0,60})$',
  'i',
)

/** Returns why a row with this stock number is not a stone. */
export function findNumberFault(stockNumber: string): string | undefined {
  if (stockNumber === '') return 'The stock number is missing'
  if (stockNumber.length > VENDOR_SKU_CHARS_MAX) return 'The stock number is too long'
  if (isDamagedNumber(stockNumber)) return 'The stock number was damaged by a spreadsheet'
  if (TOTALS.test(stockNumber)) return 'This is a line of totals'
  return EXAMPLE.test(stockNumber) ? 'This is the example of a template' : undefined
}

/** The apostrophe before a number tells a spreadsheet that it is a text; it is left out. */
export function stockNumberIn(text: string): string {
  return isCellError(text) ? '' : storableText(text.replace(/^'(?=[^'\s])(?!.*'$)/, ''))
}
