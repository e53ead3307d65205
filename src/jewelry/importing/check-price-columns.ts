/** Several columns may be called a price, of which only one is what the supplier is paid. */
import { currencyOfHeader } from '../../feeds/values/currency.ts'
import { type NumberStyle, readNumber } from '../../feeds/values/numbers.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { MappedFile } from './map-file.ts'

/**
 * Refuses a file with two price columns in which the amounts of a row differ: which one counts
 * would depend on their order. Columns for different currencies say the same in each.
 */
export function checkPriceColumns(file: MappedFile, prices: string[], style: NumberStyle): void {
  const [first, ...others] = prices
  const currency = first === undefined ? undefined : currencyOfHeader(first)
  const compared = others.filter((column) => currencyOfHeader(column) === currency)
  if (compared.length === 0) return
  for (const { cells, row } of file.rows) {
    const own = readNumber(cells.get(first) ?? '', style)
    const other = compared.find((column) => {
      const amount = readNumber(cells.get(column) ?? '', style)
      return own !== undefined && amount !== undefined && amount !== own
    })
    if (other === undefined) continue
    const [one, two] = [first, other].map((name) => JSON.stringify(name))
    const detail =
      `The columns ${one} and ${two} are both called a price, and differ in row ${row}: ` +
      `${cells.get(first)} and ${cells.get(other)}. Write a mapping with --explain, in which one ` +
      'of them is the price and the other "ignore" or "retail_price", and import with --mapping.'
    throw new Refusal('invalid_request', detail)
  }
}
