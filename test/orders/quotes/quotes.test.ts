import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QuoteRow } from '../../../src/orders/quotes/quote.ts'
import { STEPS } from '../../../src/orders/quotes/quote.ts'
import { addGermanMerchant, addParcel, addStone, errorFieldsOf } from '../order-support.ts'
import { eventsOf, openQuoteMarket, type QuoteMarket } from './quote-support.ts'

let market: QuoteMarket
beforeAll(async () => {
  market = await openQuoteMarket()
})
afterAll(() => market.close())

const stone = (fields = {}) => addStone(market.database.db, fields)
const setPrice = (sku: string, price: string) =>
  sql`update gem set wholesale_price = ${price}, wholesale_price_us = ${price}
    where sku = ${sku}`.execute(market.database.db)

const HOLDS = '/api/v3/inventory/holds'
const heldSkus = async () => {
  const { body } = await market.call('GET', `${HOLDS}?limit=1000`, { token: market.buyer.key })
  return body.holds.map(({ sku }: { sku: string }) => sku)
}

describe('POST /api/v3/quotes', () => {
  it("freezes the merchant's prices for a day", async () => {
    const sku = await stone()
    const quote = await market.quoted([sku])
    expect(quote).toMatchObject({
      status: 'open',
      merchant_uuid: market.buyer.merchant.uuid,
      currency_code: 'USD',
      exchange_rate: 1,
      total: 1700,
      hold: false,
      held_until: null,
      reason: null,
      order_uuid: null,
      line_items: [
        { sku, quantity: 1, wholesale_price: 1700, market_price: 1700, offer_price: null },
      ],
    })
    expect(quote.line_items[0].retail_price).toBeGreaterThan(1700)
    expect(Date.parse(quote.expires_on) - Date.parse(quote.created_on)).toBe(1440 * 60_000)
    await setPrice(sku, '1900.00')
    expect((await market.read(quote.uuid)).body).toEqual(quote)
  })

  it('takes fractions of a minute, and another currency', async () => {
    const german = await addGermanMerchant(market)
    const sku = await stone()
    const quote = await market.quoted([sku], { by: german.key, body: { minutes: 0.5 } })
    expect(Date.parse(quote.expires_on) - Date.parse(quote.created_on)).toBe(30_000)
    expect(quote).toMatchObject({ currency_code: 'EUR', exchange_rate: 0.92, total: 1472 })
    const dollars = await market.quoted([sku], { by: german.key, body: { currency_code: 'USD' } })
    expect(dollars).toMatchObject({ currency_code: 'USD', exchange_rate: 1, total: 1600 })
  })

  it('quotes the stones of a parcel with four decimals, and rounds the total once', async () => {
    const sku = await addParcel(market.database.db, 500)
    const quote = await market.quoted([{ sku, quantity: 33 }])
    // 0.0025 ct at 650 a carat.
    expect(quote.line_items[0].wholesale_price).toBe(1.625)
    expect(quote.total).toBe(53.63)
  })

  it.each([
    [{ minutes: 0 }, 'minutes'],
    [{ minutes: 10_081 }, 'minutes'],
    [{ minutes: 'long' }, 'minutes'],
    [{ hold: 'yes' }, 'hold'],
    [{ currency_code: 'euro' }, 'currency_code'],
    [{ currency_code: 'XTS' }, 'currency_code'],
    [{ line_items: [] }, 'line_items'],
    [{ line_items: [{ sku: 'NOPE', quantity: 1 }] }, 'line_items[0].sku'],
    [{ colour: 'blue' }, 'colour'],
  ])('refuses %j with 422', async (body, field) => {
    const { status, body: problem } = await market.quote([await stone()], { body })
    expect([status, errorFieldsOf(problem)[0]]).toEqual([422, field])
  })

  it.each([0, -5, 1_000_000_001, 12.345])(
    'refuses an offer of %d with 422',
    async (offer_price) => {
      const { status, body } = await market.quote([{ sku: await stone(), offer_price }])
      expect([status, errorFieldsOf(body)]).toEqual([422, ['line_items[0].offer_price']])
    },
  )

  it('refuses a SKU that is named twice', async () => {
    const sku = await stone()
    const { status, body } = await market.quote([sku, sku])
    expect([status, errorFieldsOf(body)]).toEqual([422, ['line_items[1].sku']])
  })

  it('refuses what cannot be ordered, with substitutes, and writes nothing', async () => {
    const sold = await stone({ shape: 'pear' })
    const near = await stone({ shape: 'pear', weight: '1.51' })
    await market.place([sold])
    const before = await market.call('GET', '/api/v3/quotes', { token: market.buyer.key })
    const { status, body } = await market.quote([sold])
    expect([status, body.code]).toEqual([409, 'sku_unavailable'])
    expect(body.detail).toContain('nothing was quoted')
    expect(body.substitutes[0].stones.map((each: { sku: string }) => each.sku)).toContain(near)
    const after = await market.call('GET', '/api/v3/quotes', { token: market.buyer.key })
    expect(after.body.total).toBe(before.body.total)
    const parcel = await addParcel(market.database.db, 5)
    const short = await market.quote([{ sku: parcel, quantity: 6 }])
    expect([short.status, short.body.code]).toEqual([409, 'sku_unavailable'])
  })

  it('is made once for an Idempotency-Key', async () => {
    const sku = await stone()
    const call = () =>
      market.call('POST', '/api/v3/quotes', {
        token: market.buyer.key,
        body: { line_items: [{ sku, quantity: 1 }] },
        headers: { 'idempotency-key': `quote ${sku}` },
      })
    const [first, again] = [await call(), await call()]
    expect([first.status, again.text]).toEqual([201, first.text])
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  it('is made by the operator for a merchant that it names', async () => {
    const sku = await stone()
    const nobody = await market.quote([sku], { by: market.adminKey })
    expect([nobody.status, errorFieldsOf(nobody.body)]).toEqual([422, ['merchant_uuid']])
    const merchant_uuid = market.buyer.merchant.uuid
    const quote = await market.quoted([sku], { by: market.adminKey, body: { merchant_uuid } })
    expect((await market.read(quote.uuid)).status).toBe(200)
    const unknown = await market.quote([sku], {
      by: market.adminKey,
      body: { merchant_uuid: '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90', hold: true },
    })
    expect(unknown.status).toBe(404)
    const other = await market.merchant()
    const foreign = await market.quote([sku], { by: other.key, body: { merchant_uuid } })
    expect(foreign.status).toBe(403)
  })

  it('refuses more live quotes than a merchant may have', async () => {
    const busy = await market.merchant()
    const sku = await stone()
    await sql`
      insert into quote (uuid, merchant_uuid, status, currency_code, exchange_rate, hold,
        created_on, updated_on, expires_on)
      select gen_random_uuid(), ${busy.merchant.uuid}, 'open', 'USD', 1, false, market_now(),
        market_now(), market_now() + interval '1 hour'
      from generate_series(1, 1000)`.execute(market.database.db)
    const { status, body } = await market.quote([sku], { by: busy.key })
    expect([status, body.code, body.limit]).toEqual([409, 'quote_limit', 1000])
  })
})

describe('a quote with a hold', () => {
  it('keeps the stones from others, for at most two days', async () => {
    const sku = await stone()
    const other = await market.merchant()
    const quote = await market.quoted([sku], { body: { hold: true, minutes: 10_080 } })
    expect(quote.hold).toBe(true)
    const heldMs = Date.parse(quote.held_until) - Date.parse(quote.created_on)
    expect(Math.abs(heldMs - 2880 * 60_000)).toBeLessThan(60_000)
    const refused = await market.place([sku], { by: other.key })
    expect([refused.status, refused.body.code]).toEqual([409, 'sku_on_hold'])
    const placed = await market.place([sku], { body: { quote_uuid: quote.uuid } })
    expect(placed.status).toBe(200)
  })

  it('that is deleted ends its holds', async () => {
    const [sku, second] = [await stone(), await stone()]
    const { uuid } = await market.quoted([second, sku], { body: { hold: true } })
    const removed = await market.call('DELETE', `/api/v3/quotes/${uuid}`, {
      token: market.buyer.key,
    })
    expect(removed.status).toBe(204)
    expect((await market.read(uuid)).status).toBe(404)
    const other = await market.merchant()
    expect((await market.place([sku, second], { by: other.key })).status).toBe(200)
    const released = await eventsOf(market, 'hold.release')
    expect(released.map(({ event_data }) => event_data.sku)).toEqual(
      expect.arrayContaining([sku, second]),
    )
  })

  it('leaves a hold that another quote needs', async () => {
    const sku = await stone()
    const first = await market.quoted([sku], { body: { hold: true, minutes: 60 } })
    const second = await market.quoted([sku], { body: { hold: true, minutes: 5 } })
    expect(second.held_until).toBe(first.held_until)
    await market.call('DELETE', `/api/v3/quotes/${first.uuid}`, { token: market.buyer.key })
    expect(await heldSkus()).toContain(sku)
    await market.call('DELETE', `/api/v3/quotes/${second.uuid}`, { token: market.buyer.key })
    expect(await heldSkus()).not.toContain(sku)
  })

  it('that is deleted or declined leaves an earlier hold that ends later', async () => {
    const sku = await stone()
    const { body: hold } = await market.call('POST', HOLDS, {
      token: market.buyer.key,
      body: { sku, minutes: 500 },
    })
    const deleted = await market.quoted([sku], { body: { hold: true, minutes: 60 } })
    expect(deleted.held_until).toBe(hold.expires_on)
    const offer = { sku, offer_price: 1 }
    const declined = await market.quoted([offer], { body: { hold: true, minutes: 60 } })
    await market.call('DELETE', `/api/v3/quotes/${deleted.uuid}`, { token: market.buyer.key })
    expect((await market.answer(declined.uuid, 'decline')).status).toBe(200)
    const { body } = await market.call('GET', `${HOLDS}?limit=1000`, { token: market.buyer.key })
    expect(body.holds).toContainEqual(hold)
  })

  it('is refused for parcels, for stones that others hold, and beyond the limit of holds', async () => {
    const sku = await stone()
    const parcel = await addParcel(market.database.db, 10)
    const mixed = await market.quote([sku, parcel], { body: { hold: true } })
    expect([mixed.status, mixed.body.code]).toEqual([409, 'not_holdable'])
    expect(errorFieldsOf(mixed.body)).toEqual(['line_items[1].sku'])
    const never = await stone({ can_hold: false })
    const unholdable = await market.quote([never], { body: { hold: true } })
    expect([unholdable.status, unholdable.body.code]).toEqual([409, 'not_holdable'])
    const other = await market.merchant()
    await market.quoted([sku], { by: other.key, body: { hold: true } })
    const held = await market.quote([sku], { body: { hold: true } })
    expect([held.status, held.body.code]).toEqual([409, 'sku_on_hold'])
    const few = await market.merchant()
    await sql`update merchant set max_holds = 1 where uuid = ${few.merchant.uuid}`.execute(
      market.database.db,
    )
    const pair = [await stone(), await stone()]
    const limited = await market.quote(pair, { by: few.key, body: { hold: true } })
    expect([limited.status, limited.body.code]).toEqual([409, 'hold_limit'])
    // All or nothing: the first of the two is not held either.
    expect((await market.place(pair, { by: other.key })).status).toBe(200)
  })
})

describe('an offer', () => {
  it('waits for the operator, and is accepted', async () => {
    const [sku, second] = [await stone(), await stone()]
    const quote = await market.quoted([{ sku, offer_price: 1500 }, second])
    expect(quote).toMatchObject({ status: 'requested', total: 3400 })
    const early = await market.place([sku], { body: { quote_uuid: quote.uuid } })
    expect([early.status, early.body.code]).toEqual([409, 'quote_not_open'])
    const accepted = await market.answer(quote.uuid, 'accept')
    expect(accepted.status).toBe(200)
    expect(accepted.body).toMatchObject({ status: 'open', total: 3200 })
    expect(accepted.body.line_items[0]).toMatchObject({
      wholesale_price: 1500,
      market_price: 1700,
      offer_price: 1500,
    })
    const placed = await market.place([sku, second], {
      version: 'v3',
      body: { quote_uuid: quote.uuid },
    })
    expect(placed.body).toMatchObject({ total: 3200, currency_code: 'USD' })
    expect(placed.body.line_items.map((line: { price: number }) => line.price)).toEqual([
      1500, 1700,
    ])
    const events = await eventsOf(market, 'quote.')
    expect(events.at(-1)).toMatchObject({
      event_type: 'quote.accept',
      event_data: { quote_uuid: quote.uuid, status: 'open', line_items: [{ sku }, {}] },
    })
  })

  it('is countered, with a new end where the operator sets one', async () => {
    const [sku, second] = [await stone(), await stone()]
    const { uuid } = await market.quoted([
      { sku, offer_price: 1000 },
      { sku: second, offer_price: 1000 },
    ])
    const line_items = [{ sku, price: 1650.5 }]
    const countered = await market.answer(uuid, 'counter', { line_items, minutes: 10 })
    expect(countered.body).toMatchObject({ status: 'open', total: 3350.5 })
    const { expires_on, updated_on } = countered.body
    expect(Date.parse(expires_on) - Date.parse(updated_on)).toBe(600_000)
    const again = await market.answer(uuid, 'accept')
    expect([again.status, again.body.code, again.body.allowed]).toEqual([409, 'wrong_state', []])
    const placed = await market.place([sku], { body: { quote_uuid: uuid } })
    expect(placed.body.line_items[0].price).toBe(1650.5)
    const listed = await market.call('GET', `/api/v2/orders/${placed.body.uuid}`, {
      token: market.buyer.key,
    })
    // What the buyer paid is the price of the quote in the copy of the product as well.
    expect(listed.body.line_items[0].product_data.fields).toMatchObject({
      cost: 1650.5,
      base_wholesale_price: 1650.5,
      wholesale_price: 1650.5,
    })
    expect((await eventsOf(market, 'quote.')).at(-1)?.event_type).toBe('quote.counter')
  })

  it('is declined, which ends its holds', async () => {
    const sku = await stone()
    const { uuid } = await market.quoted([{ sku, offer_price: 1 }], { body: { hold: true } })
    const declined = await market.answer(uuid, 'decline', { reason: 'below our cost' })
    expect(declined.body).toMatchObject({ status: 'declined', reason: 'below our cost' })
    const refused = await market.place([sku], { body: { quote_uuid: uuid } })
    expect([refused.status, refused.body.code]).toEqual([409, 'quote_not_open'])
    expect(refused.body.detail).toContain('below our cost')
    const other = await market.merchant()
    expect((await market.place([sku], { by: other.key })).status).toBe(200)
    expect((await eventsOf(market, 'quote.')).at(-1)?.event_type).toBe('quote.decline')
    const removed = await market.call('DELETE', `/api/v3/quotes/${uuid}`, {
      token: market.buyer.key,
    })
    expect(removed.status).toBe(204)
  })

  it('in another currency becomes whole cents of US dollars in the order', async () => {
    const euro = await market.merchant({ country_code: 'DE', currency_code: 'EUR' })
    const sku = await stone()
    const { uuid, total } = await market.quoted([{ sku, offer_price: 1400 }], { by: euro.key })
    expect(total).toBe(1472)
    const accepted = await market.answer(uuid, 'accept')
    expect(accepted.body).toMatchObject({ currency_code: 'EUR', total: 1400 })
    const body = { quote_uuid: uuid }
    const placed = await market.place([sku], { by: euro.key, version: 'v3', body })
    // 1400 / 0.92 = 1521.739…
    expect(placed.body).toMatchObject({ currency_code: 'USD', total: 1521.74 })
  })

  it('of the price of the market is that price in US dollars, and so is a counteroffer', async () => {
    const euro = await market.merchant({ country_code: 'DE', currency_code: 'EUR' })
    // 1600.06 x 0.92 is 1472.06, and 1472.06 / 0.92 is 1600.07.
    const [sku, second] = await Promise.all([0, 1].map(() => stone({ wholesale_price: '1600.06' })))
    const lines = [sku, second].map((each) => ({ sku: each, offer_price: 1472.06 }))
    const offered = await market.quoted(lines, { by: euro.key })
    const countered = await market.quoted([{ sku: second, offer_price: 1 }], { by: euro.key })
    await market.answer(offered.uuid, 'accept')
    const line_items = [{ sku: second, price: 1472.06 }]
    await market.answer(countered.uuid, 'counter', { line_items })
    for (const [uuid, ordered] of [
      [offered.uuid, sku],
      [countered.uuid, second],
    ]) {
      const placed = await market.place([ordered], { by: euro.key, body: { quote_uuid: uuid } })
      const [line] = placed.body.line_items
      expect(line.price).toBe(1600.06)
      expect(line.product_data.fields).toMatchObject({
        base_wholesale_price: 1600.06,
        wholesale_price: 1472.06,
      })
    }
  })

  it.each([
    [{ line_items: [] }, 'line_items'],
    [{ line_items: [{ sku: 'NOPE', price: 5 }] }, 'line_items[0].sku'],
    [{ line_items: [{ sku: 'SKU', price: 0 }] }, 'line_items[0].price'],
    [{ line_items: [{ sku: 'SKU', price: 5.001 }] }, 'line_items[0].price'],
    [
      {
        line_items: [
          { sku: 'SKU', price: 5 },
          { sku: 'SKU', price: 6 },
        ],
      },
      'line_items[1].sku',
    ],
  ])('is not countered with %j', async (body, field) => {
    const sku = await stone()
    const { uuid } = await market.quoted([{ sku, offer_price: 1000 }])
    const lines = body.line_items.map((line) => (line.sku === 'SKU' ? { ...line, sku } : line))
    const { status, body: problem } = await market.answer(uuid, 'counter', { line_items: lines })
    expect([status, errorFieldsOf(problem)[0]]).toEqual([422, field])
    expect((await market.read(uuid)).body.status).toBe('requested')
  })

  it('is refused, like a counteroffer, when it is nothing in US dollars', async () => {
    await sql`insert into exchange_rate (currency_code, rate) values ('JPY', 155)`.execute(
      market.database.db,
    )
    const sku = await stone()
    const body = { currency_code: 'JPY' }
    const offered = await market.quote([{ sku, offer_price: 0.5 }], { body })
    expect([offered.status, ...errorFieldsOf(offered.body)]).toEqual([
      422,
      'line_items[0].offer_price',
    ])
    const { uuid } = await market.quoted([{ sku, offer_price: 1 }], { body })
    const countered = await market.answer(uuid, 'counter', { line_items: [{ sku, price: 0.5 }] })
    expect([countered.status, ...errorFieldsOf(countered.body)]).toEqual([
      422,
      'line_items[0].price',
    ])
    const accepted = await market.answer(uuid, 'accept')
    expect(accepted.body).toMatchObject({ status: 'open', total: 1 })
    const placed = await market.place([sku], { version: 'v3', body: { quote_uuid: uuid } })
    expect(placed.body).toMatchObject({ total: 0.01, payment_status: null })
  })

  it('of a parcel is for one stone, and may have four decimals', async () => {
    const sku = await addParcel(market.database.db, 500)
    const { uuid } = await market.quoted([{ sku, quantity: 40, offer_price: 1.5125 }])
    await market.answer(uuid, 'accept')
    const body = { quote_uuid: uuid, line_items: [{ sku, quantity: 40 }] }
    const placed = await market.place([], { version: 'v3', body })
    expect(placed.body).toMatchObject({ total: 60.5, line_items: [{ price: 1.5125 }] })
  })
})

describe('the steps of a quote', () => {
  it('are the same in SQL, and the illegal ones are refused there', async () => {
    const statuses = Object.keys(STEPS) as QuoteRow['status'][]
    const { db } = market.database
    const { body } = await market.place([await stone()])
    const orderOf = (status: string) => (status === 'ordered' ? body.uuid : null)
    for (const from of statuses) {
      for (const to of statuses.filter((status) => status !== from)) {
        const { uuid } = await market.quoted([await stone()])
        await sql`alter table quote disable trigger quote_steps`.execute(db)
        await sql`update quote set status = ${from}, order_uuid = ${orderOf(from)}
          where uuid = ${uuid}`.execute(db)
        await sql`alter table quote enable trigger quote_steps`.execute(db)
        const step = sql`update quote set status = ${to}, order_uuid = ${orderOf(to)}
          where uuid = ${uuid}`.execute(db)
        const isPossible = await step.then(
          () => true,
          (error: Error) => {
            expect(error.message).toContain('cannot become')
            return false
          },
        )
        expect(isPossible, `${from} to ${to}`).toBe(STEPS[from].includes(to))
        await sql`delete from quote where uuid = ${uuid}`.execute(db)
      }
    }
  })
})
