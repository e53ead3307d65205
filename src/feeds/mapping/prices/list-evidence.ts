/** What a file says about its list price and its discount: pure functions over its first rows. */
import { type RawRow, textAt } from '../../reading/raw-row.ts'
import { readNumber, readPositive } from '../../values/numbers.ts'
import type { FeedMapping } from '../mapping.ts'
import {
  isProduct,
  leftBy,
  PROOF_ROWS_MAX,
  PROOF_ROWS_MIN,
  PROOF_SHARE_MIN,
  type PricedRow,
  pricedRows,
  shareOfDiscount,
  WEIGHT_LOG_MIN,
} from './price-evidence.ts'

/** Smaller discounts hardly change a price. */
const DISCOUNT_MIN = 0.01

/**
 * A column called `Rap` may hold the list price of the whole stone. Price and discount tell: the
 * list price less the discount is the price per carat, or that of the stone.
 */
export function decideListColumn(mapping: FeedMapping, sample: readonly RawRow[]): void {
  const { list_price: listAt, total_list_price: totalAt } = mapping.at
  const priceAt = mapping.at.price_per_carat ?? mapping.at.total_price
  if (listAt === undefined || totalAt !== undefined || priceAt === undefined) return
  const isPerCarat = priceAt === mapping.at.price_per_carat
  let both = 0
  let total = 0
  for (const row of discountedRows(mapping, sample, priceAt)) {
    const list = positiveAt(mapping, row, listAt)
    if (list === undefined || Math.abs(Math.log(row.weight)) < WEIGHT_LOG_MIN) continue
    both++
    const perStone = isPerCarat ? row.price * row.weight : row.price
    if (row.left.some((left) => isProduct(list, left, perStone))) total++
  }
  if (both < PROOF_ROWS_MIN || total < both * PROOF_SHARE_MIN) return
  const { column } = mapping.columns[listAt]
  const reason = `less the discount it is the price of the whole stone in ${total} of ${both} rows`
  mapping.columns[listAt] = { column, field: 'total_list_price', confidence: 1, reason }
  mapping.at.total_list_price = listAt
  delete mapping.at.list_price
}

/**
 * Looks for another column that is the price less the discount. The price is then a list price, or
 * the other one a price for payment in cash: which one counts is not said.
 */
export function findNetPrice(
  mapping: FeedMapping,
  sample: readonly RawRow[],
  priceAt: number,
): number | undefined {
  if (mapping.at.list_price !== undefined || mapping.at.total_list_price !== undefined) {
    return undefined
  }
  const rows = [...discountedRows(mapping, sample, priceAt)]
  if (rows.length < PROOF_ROWS_MIN) return undefined
  for (const [at, { field }] of mapping.columns.entries()) {
    if (at === priceAt || field !== null) continue
    const agreeing = rows.filter((row) => {
      const other = positiveAt(mapping, row, at)
      if (other === undefined) return false
      const { price, weight } = row
      return [price, price * weight, price / weight].some((value) =>
        isProduct(value, row.below, other),
      )
    })
    if (agreeing.length >= rows.length * PROOF_SHARE_MIN) return at
  }
  return undefined
}

interface DiscountedRow extends PricedRow {
  /** What is left of a list price below it by the discount. */
  below: number
  left: ReturnType<typeof leftBy>
}

function* discountedRows(
  mapping: FeedMapping,
  sample: readonly RawRow[],
  priceAt: number,
): Generator<DiscountedRow> {
  const { discount_percentage: discountAt } = mapping.at
  if (discountAt === undefined) return
  for (const row of pricedRows(mapping, sample, priceAt, PROOF_ROWS_MAX)) {
    const value = readNumber(textAt(row.cells, discountAt), mapping.style)
    if (value === undefined) continue
    const share = shareOfDiscount(value)
    if (share < DISCOUNT_MIN || share >= 1) continue
    yield { ...row, below: 1 - share, left: leftBy(share) }
  }
}

function positiveAt({ style }: FeedMapping, { cells }: PricedRow, at: number): number | undefined {
  return readPositive(textAt(cells, at), style)
}
