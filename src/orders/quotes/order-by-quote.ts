import type { Tx } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { OrderRequest } from '../placing/plan-order.ts'
import type { Product } from '../product.ts'
import type { Stock } from '../stock/stock.ts'
import { type Quote, refuseUnlessOpen } from './quote.ts'
import { getQuote, lockQuote } from './quote-store.ts'
import { atQuotedPrice } from './quoted-prices.ts'

/**
 * The quote that an order names. It stays locked until the order is committed, so that of two
 * orders by one quote the second finds it ordered. A dry run locks nothing.
 */
export async function readQuote(
  tx: Tx,
  { quote_uuid, merchant_uuid, dry_run }: OrderRequest,
): Promise<Quote | undefined> {
  if (quote_uuid === undefined) return undefined
  if (dry_run) return getQuote(tx, quote_uuid, merchant_uuid)
  return (await lockQuote(tx, quote_uuid, merchant_uuid)).quote
}

/** Refuses an order by a quote that is not open, or of more than was quoted. */
export function refuseUnlessQuoted(quote: Quote, lines: OrderRequest['line_items']): void {
  refuseUnlessOpen(quote)
  const quoted = new Map(quote.lines.map(({ sku, quantity }) => [sku, quantity]))
  const errors = lines.flatMap(({ sku, quantity }, position) => {
    const most = quoted.get(sku)
    if (most === undefined) {
      const message = `${sku} is not in the quote; order it separately`
      return [{ field: `line_items[${position}].sku`, message }]
    }
    if (quantity <= most) return []
    const message = `${sku} was quoted for ${most}, ${quantity} were asked for`
    return [{ field: `line_items[${position}].quantity`, message }]
  })
  if (errors.length === 0) return
  throw new Refusal('invalid_request', `${errors[0].message}.`, { errors })
}

/** The products at the prices of the quote, which has all of them. */
export function atQuotedPrices(stock: Stock, quote: Quote): Stock {
  const priced = new Map<string, Product>()
  for (const line of quote.lines) {
    const product = stock.get(line.sku)
    if (product) priced.set(line.sku, atQuotedPrice(product, line))
  }
  return priced
}
