import type { Tx } from '../../database/open.ts'
import { type EventType, recordEvent } from '../../events/events.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import type { Quote } from './quote.ts'

/** Writes what happened to a quote into its merchant's event log, in the same transaction. */
export function recordQuoteEvent(
  tx: Tx,
  event_type: Extract<EventType, `quote.${string}`>,
  quote: Quote,
): Promise<void> {
  return recordEvent(tx, {
    merchant_uuid: quote.merchant_uuid,
    event_type,
    ...(event_type !== 'quote.request' && { before: { status: 'requested' } }),
    event_data: {
      quote_uuid: quote.uuid,
      status: quote.status,
      reason: quote.reason,
      currency_code: quote.currency_code,
      expires_on: isoWithOffset(quote.expires_on),
      line_items: quote.lines.map(({ sku, quantity, wholesale_price, offer_price }) => ({
        sku,
        quantity,
        wholesale_price: Number(wholesale_price),
        offer_price: offer_price === null ? null : Number(offer_price),
      })),
    },
  })
}
