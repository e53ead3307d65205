import type { Tx } from '../../database/open.ts'
import { lockHolder } from '../../gems/holds/hold-store.ts'
import { HOLD_MINUTES_MAX } from '../../gems/holds/place-hold.ts'
import { announceHolds, holdStones } from '../../gems/holds/quoted-holds.ts'
import { Refusal } from '../../lib/refusal.ts'
import { earliestOf } from '../../lib/timestamps.ts'
import { newUuid } from '../../lib/uuid.ts'
import { type Buyer, getBuyer } from '../placing/buyer.ts'
import { planOrder, refusalOf } from '../placing/plan-order.ts'
import type { FindSubstitutes } from '../placing/substitutes.ts'
import type { Product } from '../product.ts'
import { readStock } from '../stock/stock.ts'
import { LIVE_QUOTES_MAX, type Quote, type QuoteLine } from './quote.ts'
import { recordQuoteEvent } from './quote-event.ts'
import { countLiveQuotes, insertQuote, recordQuote } from './quote-store.ts'
import { isMelee, marketPrices, readAmounts, retailPrice, termsOf } from './quoted-prices.ts'

interface QuoteRequest {
  merchant_uuid: string
  line_items: readonly QuoteLineRequest[]
  /** Fractions are allowed. */
  minutes: number
  /** Whether the stones are held for as long, or for as long as stones can be held. */
  hold: boolean
  /** The merchant's own currency unless given. */
  currency_code?: string | undefined
  /** The operator quotes for the merchant, and may quote what the merchant does not see. */
  byOperator: boolean
}

interface QuoteLineRequest {
  sku: string
  quantity: number
  /** For one, in the currency of the quote. */
  offer_price?: number | undefined
}

interface QuoteDeps {
  findSubstitutes: FindSubstitutes
  publicUrl: string
}

/** Promises the prices of this moment. What cannot be ordered now is refused as an order is. */
export async function makeQuote(tx: Tx, request: QuoteRequest, deps: QuoteDeps): Promise<Quote> {
  const { merchant_uuid, line_items, minutes, hold } = request
  const order_channel = request.byOperator ? 'operator' : 'api'
  const buyer = await getBuyer(tx, { ...request, order_channel }, deps.publicUrl)
  await refuseTooMany(tx, merchant_uuid)
  const limits = hold ? await lockHolder(tx, merchant_uuid) : undefined
  const products = await findProducts(tx, request, buyer, deps)
  if (limits) refuseUnholdable(products)
  const lines = draftLines(line_items, products, buyer)
  const held =
    limits &&
    (await holdStones(tx, merchant_uuid, limits, {
      skus: line_items.map(({ sku }) => sku),
      minutes: Math.min(minutes, HOLD_MINUTES_MAX),
    }))
  const holdFor = new Map(held?.holds.map(({ sku, uuid }) => [sku, uuid]))
  const quote = await insertQuote(
    tx,
    {
      uuid: newUuid(),
      merchant_uuid,
      status: line_items.some(({ offer_price }) => offer_price !== undefined)
        ? 'requested'
        : 'open',
      currency_code: buyer.diamondRules.currency_code,
      exchange_rate: buyer.exchange_rate,
      hold,
      held_until: earliestOf(held?.holds.map(({ expires_on }) => expires_on) ?? []) ?? null,
      created_on: buyer.now,
    },
    lines.map((line) => ({ ...line, hold_uuid: holdFor.get(line.sku) ?? null })),
    minutes,
  )
  await recordQuote(tx, 'quote.create', null, quote)
  const { status } = quote
  if (status === 'requested' && !request.byOperator)
    await recordQuoteEvent(tx, 'quote.request', quote)
  if (held) await announceHolds(tx, held)
  return quote
}

async function refuseTooMany(tx: Tx, merchantUuid: string): Promise<void> {
  const live = await countLiveQuotes(tx, merchantUuid)
  if (live < LIVE_QUOTES_MAX) return
  const detail =
    `The merchant has ${live} quotes that are open or requested; at most ${LIVE_QUOTES_MAX} are ` +
    'possible. Delete some of them first.'
  throw new Refusal('quote_limit', detail, { extra: { limit: LIVE_QUOTES_MAX, used: live } })
}

/** The products of the lines, in their order; refuses them as an invoice of them is refused. */
async function findProducts(
  tx: Tx,
  request: QuoteRequest,
  buyer: Buyer,
  { findSubstitutes }: QuoteDeps,
): Promise<Product[]> {
  const skus = request.line_items.map(({ sku }) => sku)
  const stock = await readStock(tx, skus, buyer, { lock: request.hold })
  const order = { ...request, order_type: 'invoice', allow_unavailable: false } as const
  const { allocations, faults } = planOrder(order, stock)
  if (faults.length === 0) return allocations.map(({ product }) => product)
  const refused = faults.flatMap(({ product }) => (product.kind === 'gem' ? [product] : []))
  const substitutes = await findSubstitutes(tx, { refused, buyer, except: skus, memo: false })
  throw refusalOf(faults, { substitutes }, 'nothing was quoted')
}

/** The caller relies on `hold`, so a quote of which something cannot be held is refused. */
function refuseUnholdable(products: readonly Product[]): void {
  const errors = products.flatMap((product, position) => {
    const isStone = product.kind === 'gem' && product.single
    const what = product.kind === 'gem' ? 'a parcel' : 'a piece of jewelry'
    const message = `${product.sku} is ${what}; only single stones can be held`
    return isStone ? [] : [{ field: `line_items[${position}].sku`, message }]
  })
  if (errors.length === 0) return
  const detail = `${errors[0].message}. Quote it without hold.`
  throw new Refusal('not_holdable', detail, { errors })
}

function draftLines(
  requested: readonly QuoteLineRequest[],
  products: readonly Product[],
  { exchange_rate }: Buyer,
): QuoteLine[] {
  const offers = requested.flatMap(({ offer_price: amount }, position) => {
    const field = `line_items[${position}].offer_price`
    return amount === undefined ? [] : [{ amount, field, melee: isMelee(products[position]) }]
  })
  const digits = readAmounts(offers, exchange_rate)
  return products.map((product, position) => {
    const { sku, name, description, product_type } = product
    const prices = marketPrices(product, exchange_rate)
    const { quantity, offer_price } = requested[position]
    return {
      position,
      sku,
      quantity,
      name,
      description,
      product_type,
      melee: isMelee(product),
      ...prices,
      market_price: prices.wholesale_price,
      retail_price: retailPrice(product),
      offer_price: offer_price === undefined ? null : (digits.shift() ?? null),
      terms: termsOf(product),
      hold_uuid: null,
    }
  })
}
