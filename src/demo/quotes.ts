import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import type { Realm } from '../merchants/token.ts'
import { placeOrder } from '../orders/placing/place-order.ts'
import { acceptQuote, counterQuote, declineQuote } from '../orders/quotes/answer-quote.ts'
import { makeQuote } from '../orders/quotes/make-quote.ts'
import type { Quote } from '../orders/quotes/quote.ts'
import { BASE_CURRENCY } from '../pricing/exchange-rates.ts'

interface DemoQuotesOptions {
  realm: Realm
  publicUrl: string
  /** The quotes belong to these merchants in turn. */
  merchants: readonly { uuid: string }[]
  /** The time that the market is generated for, in milliseconds since 1970. */
  asOfMs: number
}

/** A quote of the demo market: what is offered for it, its age, and what happened to it. */
interface Story {
  stones: number
  /** The part of the market's price that the merchant offers; none when it takes the price. */
  offer?: number
  minutes: number
  hoursAgo: number
  after?: (tx: Tx, quote: Quote, options: DemoQuotesOptions) => Promise<unknown>
}

const accept = (tx: Tx, { uuid }: Quote) => acceptQuote(tx, uuid, {})
const decline = (tx: Tx, { uuid }: Quote) =>
  declineQuote(tx, uuid, { reason: 'below what the supplier asks' })
const counter = (tx: Tx, { uuid, lines }: Quote) =>
  counterQuote(tx, uuid, {
    line_items: lines.map(({ sku, market_price }) => ({ sku, price: partOf(market_price, 0.97) })),
  })

async function order(tx: Tx, quote: Quote, { realm, publicUrl }: DemoQuotesOptions) {
  const request = {
    merchant_uuid: quote.merchant_uuid,
    order_type: 'invoice',
    line_items: quote.lines.map(({ sku, quantity }) => ({ sku, quantity })),
    order_id: 'DEMO-1101',
    allow_unavailable: false,
    dry_run: false,
    order_channel: 'api',
    debug: realm === 'test',
    quote_uuid: quote.uuid,
  } as const
  await placeOrder(tx, request, { publicUrl, findSubstitutes: async () => [] })
}

const WEEK = 10_080

// biome-ignore format: a table reads best with one quote per line
const STORIES: Story[] = [
  { stones: 2, minutes: WEEK, hoursAgo: 5 },
  { stones: 1, offer: 0.9, minutes: WEEK, hoursAgo: 2 },
  { stones: 2, offer: 0.85, minutes: WEEK, hoursAgo: 20, after: counter },
  { stones: 1, offer: 0.95, minutes: WEEK, hoursAgo: 26, after: accept },
  { stones: 1, offer: 0.5, minutes: WEEK, hoursAgo: 30, after: decline },
  { stones: 1, minutes: WEEK, hoursAgo: 8, after: order },
  { stones: 1, minutes: 1_440, hoursAgo: 50 },
]

/** Makes a few quotes in every status, through the same functions as all other quotes. */
export async function createDemoQuotes(tx: Tx, options: DemoQuotesOptions): Promise<void> {
  const { merchants, publicUrl } = options
  if (merchants.length === 0) return
  const stones = await chooseStones(tx)
  for (const [index, story] of STORIES.entries()) {
    const chosen = stones.splice(0, story.stones)
    if (chosen.length < story.stones) return
    const quote = await makeQuote(
      tx,
      {
        merchant_uuid: merchants[index % merchants.length].uuid,
        line_items: chosen.map(({ sku, price }) => ({
          sku,
          quantity: 1,
          ...(story.offer && { offer_price: partOf(price, story.offer) }),
        })),
        minutes: story.minutes,
        hold: false,
        // An offer is a part of the stone's price, which is in US dollars.
        ...(story.offer && { currency_code: BASE_CURRENCY }),
        byOperator: false,
      },
      { publicUrl, findSubstitutes: async () => [] },
    )
    await story.after?.(tx, quote, options)
    await makeOlder(tx, quote.uuid, story.hoursAgo)
  }
  // The same seed must give the same `updated_on`, so it is set to the time of the market.
  await sql`
    update gem set updated_on = ${new Date(options.asOfMs).toISOString()}::timestamptz
    where sku in (select sku from quote_line)`.execute(tx)
}

/** In whole units of the currency, as people offer. */
function partOf(price: string, part: number): number {
  return Math.max(1, Math.round(Number(price) * part))
}

async function chooseStones(tx: Tx): Promise<{ sku: string; price: string }[]> {
  const count = STORIES.reduce((total, { stones }) => total + stones, 0)
  const { rows } = await sql<{ sku: string; price: string }>`
    select sku, wholesale_price as price from gem
    where product_type = 'diamond' and state = 'available' and quantity = 1
      and hold_uuid is null and cert_num is not null and weight between 0.9 and 2.2
    order by id limit ${count}`.execute(tx)
  return rows
}

/** Moves a quote and its answer into the past; its order is one of today. */
async function makeOlder(tx: Tx, uuid: string, hours: number): Promise<void> {
  const age = sql`make_interval(hours => ${hours})`
  await sql`
    update quote set created_on = created_on - ${age}, expires_on = expires_on - ${age},
      updated_on = case status when 'ordered' then updated_on else updated_on - ${age} / 2 end
    where uuid = ${uuid}`.execute(tx)
  await sql`
    update event set created_on = created_on - ${age} / 2
    where event_data @> jsonb_build_object('quote_uuid', ${uuid}::text)`.execute(tx)
}
