import { centsFrom } from '../lib/money.ts'

/** Every product has a price in two wholesale lists; the merchant's country decides which. */
export type PriceList = 'default' | 'us'

/** A merchant in the USA buys from the US list, every other one from the default list. */
export function priceListOf(merchant: { country_code: string }): PriceList {
  return merchant.country_code === 'US' ? 'us' : 'default'
}

/** The column of a table or an index that holds a price of the list. */
export function listColumn<Column extends string>(
  column: Column,
  list: PriceList,
): Column | `${Column}_us` {
  return list === 'us' ? `${column}_us` : column
}

/** The wholesale price of a product in the list, in cents. */
export function wholesaleOf(
  product: { wholesale_price: string; wholesale_price_us: string },
  list: PriceList,
): number {
  return centsFrom(product[listColumn('wholesale_price', list)])
}
