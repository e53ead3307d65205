import type { NumberStyle } from '../../../feeds/values/numbers.ts'
import type { Supplier } from '../../../gems/supplier.ts'
import type { ColumnMeaning } from '../columns.ts'
import type { JewelryNotes } from './jewelry-notes.ts'

/** Everything besides the row itself that decides what piece a row describes. */
export interface DraftSettings {
  supplier: Supplier
  meanings: ReadonlyMap<string, ColumnMeaning>
  /** The currency of rows that name none. */
  currency: string
  /** Digits of the rate per currency. */
  rates: ReadonlyMap<string, string>
  style: NumberStyle
  /** Some prices have decimals after a point, so that it groups no thousands. */
  hasDecimalPrices: boolean
  notes: JewelryNotes
  /** Whether the supplier has a variant of this stock number. */
  isKnown: (vendorSku: string) => boolean
}
