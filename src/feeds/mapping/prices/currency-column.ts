import { type RawRow, textAt } from '../../reading/raw-row.ts'
import { readPositive } from '../../values/numbers.ts'
import type { FeedMapping } from '../mapping.ts'
import { isProduct } from './price-evidence.ts'

/** `total_sales_price_in_currency` is `total_sales_price` in the currency of `currency_code`. */
const IN_CURRENCY = /in[ _-]?currency$/i

/**
 * Drops a column of currencies that belongs to a second price, beside the one that is used. Where
 * both prices are the same number, they are in the same currency, and it stays.
 */
export function dropOtherCurrency(mapping: FeedMapping, sample: readonly RawRow[]): void {
  const { at, style } = mapping
  const currencyAt = at.currency_code
  const priceAt = at.total_price ?? at.price_per_carat
  if (currencyAt === undefined || mapping.decisions.has(currencyAt)) return
  const otherAt = mapping.columns.findIndex(({ column }) => IN_CURRENCY.test(column))
  if (priceAt === undefined || otherAt === -1 || otherAt === priceAt) return
  const isSame = sample.every(({ cells }) => {
    const numberAt = (index: number) => readPositive(textAt(cells, index), style)
    const [price, other] = [numberAt(priceAt), numberAt(otherAt)]
    return price === undefined || other === undefined || isProduct(price, 1, other)
  })
  if (isSame) return
  const { column } = mapping.columns[currencyAt]
  const reason = `is the currency of ${mapping.columns[otherAt].column}, which is not used`
  mapping.columns[currencyAt] = { column, field: null, confidence: 1, reason }
  delete mapping.at.currency_code
}
