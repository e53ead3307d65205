import type { Tx } from '../../database/open.ts'
import { logChanges } from '../../events/change-log.ts'
import { endHolds } from '../../gems/holds.ts'
import { lockOffers } from '../../gems/offer-store.ts'
import { type FieldError, Refusal } from '../../lib/refusal.ts'
import { alreadyOrdered, type Quote, type QuoteLine, refuseUnlessRequested } from './quote.ts'
import { recordQuoteEvent } from './quote-event.ts'
import { deleteQuote, listOwnHolds, lockQuote, recordQuote, saveAnswer } from './quote-store.ts'
import { agreedPrices, readAmounts, type UnitPrices } from './quoted-prices.ts'

interface AcceptRequest {
  /** The quote ends so many minutes from now; its end stays unless given. */
  minutes?: number | undefined
}

interface CounterRequest extends AcceptRequest {
  line_items: readonly { sku: string; price: number }[]
}

/** Accepts what the merchant offers: the quote is open at these prices. */
export async function acceptQuote(tx: Tx, uuid: string, request: AcceptRequest): Promise<Quote> {
  const { quote, now } = await lockRequested(tx, uuid)
  const prices = quote.lines.flatMap(({ position, offer_price, melee }) =>
    offer_price === null
      ? []
      : [[position, agreedPrices(offer_price, quote.exchange_rate, melee)] as const],
  )
  const answer = { ...request, status: 'open', prices: new Map(prices) } as const
  const accepted = await saveAnswer(tx, quote.uuid, answer, now)
  await recordQuoteEvent(tx, 'quote.accept', accepted)
  return accepted
}

/** Sets other prices: the quote is open at these; lines that are not named keep their price. */
export async function counterQuote(tx: Tx, uuid: string, request: CounterRequest): Promise<Quote> {
  const { quote, now } = await lockRequested(tx, uuid)
  const prices = counterPrices(quote, request.line_items)
  const answer = { status: 'open', minutes: request.minutes, prices } as const
  const countered = await saveAnswer(tx, quote.uuid, answer, now)
  await recordQuoteEvent(tx, 'quote.counter', countered)
  return countered
}

function counterPrices(
  quote: Quote,
  requested: CounterRequest['line_items'],
): Map<number, UnitPrices> {
  const known = new Map(quote.lines.map((line) => [line.sku, line]))
  const seen = new Set<string>()
  const errors: FieldError[] = []
  for (const [position, { sku }] of requested.entries()) {
    const field = `line_items[${position}].sku`
    if (!known.has(sku)) errors.push({ field, message: `${sku} is not in the quote` })
    else if (seen.has(sku)) errors.push({ field, message: `${sku} is named twice` })
    seen.add(sku)
  }
  if (errors.length > 0) {
    throw new Refusal('invalid_request', `${errors[0].message}.`, { errors })
  }
  const lines = requested.map(({ sku }) => known.get(sku) as QuoteLine)
  const amounts = requested.map(({ price: amount }, position) => {
    return { amount, field: `line_items[${position}].price`, melee: lines[position].melee }
  })
  const digits = readAmounts(amounts, quote.exchange_rate)
  return new Map(
    lines.map(({ position, melee }, at) => [
      position,
      agreedPrices(digits[at], quote.exchange_rate, melee),
    ]),
  )
}

/** Declines what the merchant offers. The stones are no longer held for it. */
export async function declineQuote(
  tx: Tx,
  uuid: string,
  { reason }: { reason?: string | undefined },
): Promise<Quote> {
  const { quote, now } = await lockRequested(tx, uuid)
  const changes = await releaseStones(tx, quote)
  const declined = await saveAnswer(tx, quote.uuid, { status: 'declined', reason }, now)
  await recordQuoteEvent(tx, 'quote.decline', declined)
  await logChanges(tx, changes)
  return declined
}

/** Deletes a quote and ends its holds. One that was ordered stays, as a part of its order. */
export async function removeQuote(
  tx: Tx,
  uuid: string,
  merchantUuid: string | undefined,
): Promise<void> {
  const { quote } = await lockQuote(tx, uuid, merchantUuid)
  if (quote.status === 'ordered') throw alreadyOrdered(quote)
  const changes = await releaseStones(tx, quote)
  await deleteQuote(tx, quote.uuid)
  await recordQuote(tx, 'quote.remove', quote, null)
  await logChanges(tx, changes)
}

async function lockRequested(tx: Tx, uuid: string): Promise<{ quote: Quote; now: string }> {
  const locked = await lockQuote(tx, uuid)
  refuseUnlessRequested(locked.quote)
  return locked
}

/** Ends the holds that were made for the quote; the caller logs the changes that are returned. */
async function releaseStones(tx: Tx, quote: Quote) {
  const held = quote.lines.filter(({ hold_uuid }) => hold_uuid !== null)
  if (held.length === 0) return []
  await lockOffers(
    tx,
    held.map(({ sku }) => sku),
  )
  return endHolds(tx, quote.merchant_uuid, await listOwnHolds(tx, quote))
}
