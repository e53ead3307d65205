import type { Tx } from '../../database/open.ts'
import { logChanges } from '../../events/change-log.ts'
import { lockHolder } from '../../gems/holds/hold-store.ts'
import { HOLD_MINUTES_MAX } from '../../gems/holds/place-hold.ts'
import {
  announceHolds,
  endQuotedHolds,
  moveHolds,
  type QuotedHolds,
} from '../../gems/holds/quoted-holds.ts'
import { lockOffers } from '../../gems/offer-store.ts'
import { type FieldError, Refusal } from '../../lib/refusal.ts'
import { daysAfter, earliestOf } from '../../lib/timestamps.ts'
import { alreadyOrdered, type Quote, type QuoteLine, refuseUnlessRequested } from './quote.ts'
import { recordQuoteEvent } from './quote-event.ts'
import {
  deleteQuote,
  listOwnHolds,
  lockQuote,
  recordQuote,
  saveAnswer,
  saveHeldUntil,
} from './quote-store.ts'
import { answeredPrices, readAmounts, type UnitPrices } from './quoted-prices.ts'

const MINUTES_OF_DAY = 1_440

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
  const prices = quote.lines.flatMap((line) =>
    line.offer_price === null
      ? []
      : [[line.position, answeredPrices(line, line.offer_price, quote.exchange_rate)] as const],
  )
  return openQuote(tx, quote, 'quote.accept', { ...request, prices: new Map(prices) }, now)
}

/** Sets other prices: the quote is open at these; lines that are not named keep their price. */
export async function counterQuote(tx: Tx, uuid: string, request: CounterRequest): Promise<Quote> {
  const { quote, now } = await lockRequested(tx, uuid)
  const prices = counterPrices(quote, request.line_items)
  return openQuote(tx, quote, 'quote.counter', { minutes: request.minutes, prices }, now)
}

/** Opens the quote at these prices; its stones are held until its new end. */
async function openQuote(
  tx: Tx,
  { uuid }: Quote,
  event: 'quote.accept' | 'quote.counter',
  answer: AcceptRequest & { prices: ReadonlyMap<number, UnitPrices> },
  now: string,
): Promise<Quote> {
  const opened = await saveAnswer(tx, uuid, { ...answer, status: 'open' }, now)
  if (answer.minutes === undefined) {
    await recordQuoteEvent(tx, event, opened)
    return opened
  }
  const moved = await moveQuotedHolds(tx, opened, answer.minutes)
  const quote = await saveHeldUntil(tx, opened, moved.holds)
  await recordQuoteEvent(tx, event, quote)
  await announceHolds(tx, moved)
  return quote
}

/**
 * The quote holds its stones as long as it stands, but no longer in all than stones are held at a
 * time. A hold that has ended meanwhile stays ended: somebody else may have the stone.
 */
async function moveQuotedHolds(tx: Tx, quote: Quote, minutes: number): Promise<QuotedHolds> {
  if (!quote.hold) return { holds: [], changes: [] }
  const { merchant_uuid, created_on, expires_on } = quote
  const limits = await lockHolder(tx, merchant_uuid)
  const held = await lockHeld(tx, quote)
  const unshared = await listOwnHolds(tx, quote)
  const latest = daysAfter(created_on, HOLD_MINUTES_MAX / MINUTES_OF_DAY)
  const until = earliestOf([expires_on, latest]) ?? latest
  const ends = held.map((holdUuid) => {
    return { holdUuid, minutes, until, mayShorten: unshared.includes(holdUuid) }
  })
  return moveHolds(tx, merchant_uuid, limits, ends)
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
    lines.map((line, at) => [line.position, answeredPrices(line, digits[at], quote.exchange_rate)]),
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
  const held = await lockHeld(tx, quote)
  if (held.length === 0) return []
  return endQuotedHolds(tx, quote.merchant_uuid, await listOwnHolds(tx, quote))
}

/** Locks the stones that were held for the quote, and returns the uuids of their holds. */
async function lockHeld(tx: Tx, { lines }: Quote): Promise<string[]> {
  const held = lines.filter(({ hold_uuid }) => hold_uuid !== null)
  if (held.length > 0) {
    await lockOffers(
      tx,
      held.map(({ sku }) => sku),
    )
  }
  return held.flatMap(({ hold_uuid }) => hold_uuid ?? [])
}
