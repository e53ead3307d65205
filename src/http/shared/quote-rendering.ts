import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import { type Quote, totalOf } from '../../orders/quotes/quote.ts'

/** Renders a quote, for merchants and for the operator. */
export function renderQuote(quote: Quote) {
  const { uuid, merchant_uuid, status, currency_code, hold, order_uuid } = quote
  return {
    uuid,
    merchant_uuid,
    status,
    currency_code,
    exchange_rate: Number(quote.exchange_rate),
    total: totalOf(quote),
    line_items: quote.lines.map((line) => ({
      sku: line.sku,
      quantity: line.quantity,
      name: line.name,
      description: line.description,
      product_type: line.product_type,
      wholesale_price: Number(line.wholesale_price),
      retail_price: Number(line.retail_price),
      market_price: Number(line.market_price),
      offer_price: line.offer_price === null ? null : Number(line.offer_price),
    })),
    hold,
    held_until: isoOrNull(quote.held_until),
    reason: quote.status === 'declined' ? quote.reason : null,
    order_uuid,
    created_on: isoWithOffset(quote.created_on),
    updated_on: isoWithOffset(quote.updated_on),
    expires_on: isoWithOffset(quote.expires_on),
  }
}
