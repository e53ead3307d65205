import type { Selectable } from 'kysely'
import type { QuoteLineTable, QuoteTable } from '../../database/tables/quotes.ts'
import { amountFrom, divideHalfUp, scaledFrom } from '../../lib/money.ts'
import { Refusal } from '../../lib/refusal.ts'

/**
 * A quote promises prices and an exchange rate to a merchant until a time. Where the merchant
 * offers to pay something else, the quote is `requested` until the operator has answered.
 */
export interface Quote extends Omit<QuoteRow, 'status'> {
  status: QuoteStatus
  lines: QuoteLine[]
}

export type QuoteRow = Selectable<QuoteTable>
export type QuoteLine = Omit<Selectable<QuoteLineTable>, 'quote_uuid'>

/** `expired` is never stored: the market's clock decides it for open and requested quotes. */
export const QUOTE_STATUSES = ['open', 'requested', 'declined', 'ordered', 'expired'] as const
export type QuoteStatus = (typeof QUOTE_STATUSES)[number]

/** The stored status that a quote may have next; a trigger in SQL repeats the table. */
export const STEPS: Record<QuoteRow['status'], readonly QuoteRow['status'][]> = {
  requested: ['open', 'declined'],
  open: ['ordered'],
  declined: [],
  ordered: [],
}

export const QUOTE_MINUTES_DEFAULT = 1_440
/** A week: nobody promises the price of a stone for longer. */
export const QUOTE_MINUTES_MAX = 10_080
/** More than a buyer keeps track of; the lists and their counts stay fast. */
export const LIVE_QUOTES_MAX = 1_000
/** In any currency; a higher price is a slip of the pen. */
export const OFFER_MAX = 1_000_000_000

/** The sum of price x quantity in the currency of the quote, rounded once. */
export function totalOf({ lines }: Pick<Quote, 'lines'>): number {
  const sum = lines.reduce(
    (total, { wholesale_price, quantity }) =>
      total + scaledFrom(wholesale_price, 4) * BigInt(quantity),
    0n,
  )
  return amountFrom(Number(divideHalfUp(sum, 100n)))
}

/** Refuses an order by a quote that is not open, with the reason. */
export function refuseUnlessOpen(quote: Quote): void {
  const { uuid, status } = quote
  if (status === 'open') return
  if (status === 'expired') throw expired(quote)
  if (status === 'ordered') throw alreadyOrdered(quote)
  const why =
    status === 'requested'
      ? 'waits for the answer of the operator to your offer'
      : `was declined${quote.reason ? `: ${quote.reason}` : ''}`
  const detail = `Quote ${uuid} ${why}; only an open quote can be ordered. Request a new one.`
  throw new Refusal('quote_not_open', detail, { extra: { quote_status: status } })
}

/** Refuses an answer of the operator unless the merchant waits for one. */
export function refuseUnlessRequested(quote: Quote): void {
  if (quote.status === 'requested') return
  if (quote.status === 'expired') throw expired(quote)
  const detail =
    `Quote ${quote.uuid} is ${quote.status}; only a quote with an offer that was not answered ` +
    'yet can be accepted, declined or countered.'
  throw new Refusal('wrong_state', detail, { extra: { allowed: [], quote_status: quote.status } })
}

export function alreadyOrdered({ uuid, order_uuid }: Quote): Refusal {
  const detail = `Quote ${uuid} was ordered already, by order ${order_uuid}.`
  return new Refusal('quote_ordered', detail, { extra: { order_uuid } })
}

function expired({ uuid, expires_on }: Quote): Refusal {
  const detail = `Quote ${uuid} expired at ${expires_on.slice(0, 19)} UTC; request a new one.`
  return new Refusal('quote_expired', detail)
}
