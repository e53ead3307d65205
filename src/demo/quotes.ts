import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import type { Realm } from '../merchants/token.ts'
import { placeOrder } from '../orders/placing/place-order.ts'
import { acceptQuote, counterQuote, declineQuote } from '../orders/quotes/answer-quote.ts'
import { makeQuote } from '../orders/quotes/make-quote.ts'
import type { Quote } from '../orders/quotes/quote.ts'
import { BASE_CURRENCY } from '../pricing/exchange-rates.ts'
import { asMerchant, asOperator } from './actors.ts'
import type { Happening } from './calendar.ts'
import { amongEarlyStones } from './stones/early-stones.ts'

interface DemoQuotesOptions {
  realm: Realm
  publicUrl: string
  /** The quotes belong to these merchants in turn. */
  merchants: readonly { uuid: string }[]
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

const accept = async (tx: Tx, { uuid }: Quote) => acceptQuote(await asOperator(tx), uuid, {})
const decline = async (tx: Tx, { uuid }: Quote) =>
  declineQuote(await asOperator(tx), uuid, { reason: 'below what the supplier asks' })
const counter = async (tx: Tx, { uuid, lines }: Quote) =>
  counterQuote(await asOperator(tx), uuid, {
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
  const buyer = await asMerchant(tx, quote.merchant_uuid)
  await placeOrder(buyer, request, { publicUrl, findSubstitutes: async () => [] })
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
  { stones: 1, offer: 0.93, minutes: WEEK, hoursAgo: 1.5 },
  { stones: 1, offer: 0.88, minutes: WEEK, hoursAgo: 1 },
]

/** A few quotes in every status, through the same functions as all other quotes. */
export function demoQuotes(tx: Tx, options: DemoQuotesOptions): Happening[] {
  return STORIES.map((story, index) => ({
    daysAgo: story.hoursAgo / 24,
    async run(plan) {
      const merchant = options.merchants[index % options.merchants.length]
      const quote = await makeDemoQuote(tx, story, merchant.uuid, options)
      if (!quote) return
      const run = async () => void (await story.after?.(tx, quote, options))
      plan({ daysAgo: story.hoursAgo / 48, run })
    },
  }))
}

async function makeDemoQuote(
  tx: Tx,
  story: Story,
  merchant_uuid: string,
  { publicUrl }: DemoQuotesOptions,
): Promise<Quote | undefined> {
  const chosen = await chooseStones(tx, story.stones)
  if (chosen.length < story.stones) return undefined
  return makeQuote(
    await asMerchant(tx, merchant_uuid),
    {
      merchant_uuid,
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
}

/** In whole units of the currency, as people offer. */
function partOf(price: string, part: number): number {
  return Math.max(1, Math.round(Number(price) * part))
}

async function chooseStones(tx: Tx, count: number): Promise<{ sku: string; price: string }[]> {
  const { rows } = await sql<{ sku: string; price: string }>`
    select sku, wholesale_price as price from gem
    where ${await amongEarlyStones(tx)}
      and product_type = 'diamond' and state = 'available' and quantity = 1
      and hold_uuid is null and cert_num is not null and weight between 0.9 and 2.2
      and sku not in (select sku from quote_line)
    order by id limit ${count}`.execute(tx)
  return rows
}
