import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../../src/database/open.ts'
import { addParcel, addStone, addStones, errorFieldsOf } from '../order-support.ts'
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

/** Sends the same call to both nodes in turn, all at once. */
function atOnce(count: number, call: (index: number) => { url: string; payload: object }) {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { url, payload } = call(index)
      const response = await [market.app, market.node][index % 2].inject({
        method: 'POST',
        url,
        headers: { authorization: `Bearer ${market.buyer.key}` },
        payload,
      })
      return { status: response.statusCode, body: response.json<{ code: string; uuid: string }>() }
    }),
  )
}

describe('an order by a quote', () => {
  it.each(['v2', 'v3'] as const)('charges the prices of the quote (%s)', async (version) => {
    const [cheaper, dearer] = [await stone(), await stone()]
    const { uuid } = await market.quoted([cheaper, dearer])
    await setPrice(cheaper, '1000.00')
    await setPrice(dearer, '5000.00')
    const body = { quote_uuid: uuid }
    const dry = await market.place([dearer], { version, body: { ...body, dry_run: true } })
    expect(dry.body.line_items[0].price).toBe(1700)
    const { status, body: order } = await market.place([dearer, cheaper], { version, body })
    expect(status).toBe(200)
    expect(order.line_items.map((line: { price: number }) => line.price)).toEqual([1700, 1700])
    expect((await market.read(uuid)).body).toMatchObject({
      status: 'ordered',
      order_uuid: order.uuid,
    })
    const [created] = (await eventsOf(market, 'order.create')).slice(-1)
    expect(created.event_data).toMatchObject({ order_uuid: order.uuid, quote_uuid: uuid })
  })

  it('keeps the exchange rate and the retail price in the copy of the product', async () => {
    const { db } = market.database
    await sql`insert into exchange_rate (currency_code, rate) values ('CHF', 0.8)`.execute(db)
    const swiss = await market.merchant({ country_code: 'CH', currency_code: 'CHF' })
    const sku = await stone()
    const quote = await market.quoted([sku], { by: swiss.key })
    await sql`insert into exchange_rate (currency_code, rate, set_on)
      values ('CHF', 0.9, market_now() + interval '1 second')`.execute(db)
    const body = { quote_uuid: quote.uuid }
    const { body: order } = await market.place([sku], { by: swiss.key, body })
    expect(order.line_items[0].product_data.fields).toMatchObject({
      currency_code: 'CHF',
      exchange_rate: 0.8,
      base_wholesale_price: 1600,
      wholesale_price: 1280,
      retail_price: quote.line_items[0].retail_price,
    })
  })

  it('is refused for another stone that has the number of the quoted one', async () => {
    const change = (sku: string, fields: object) =>
      market.database.db.updateTable('gem').set(fields).where('sku', '=', sku).execute()
    const [heavier, certified, corrected, other] = await Promise.all([
      stone({ lab: null, cert_num: null, weight: '1.01' }),
      stone({ lab: 'GIA', cert_num: '2141438001' }),
      stone({ lab: 'GIA', cert_num: '2141438002', weight: '1.01' }),
      stone({ lab: null, cert_num: null, weight: '1.01' }),
    ])
    const { uuid } = await market.quoted([heavier, certified, corrected, other], {
      body: { hold: true },
    })
    await change(heavier, { weight: '2.01' })
    await change(certified, { cert_num: '2141438003' })
    await change(corrected, { cert_num: '214-143-8002', weight: '1.02', clarity: 'VS2' })
    await change(other, { weight: '1.02', lab: 'GIA', cert_num: '2141438004' })
    const body = { quote_uuid: uuid }
    const all = [heavier, certified, corrected, other]
    const refused = await market.place(all, { body })
    expect([refused.status, refused.body.code]).toEqual([409, 'sku_unavailable'])
    expect(errorFieldsOf(refused.body)).toEqual(['line_items[0].sku', 'line_items[1].sku'])
    expect(refused.body.errors[0].message).toContain('is not the stone that was quoted')
    const skipped = { ...body, on_unavailable: 'skip' }
    const { body: order } = await market.place(all, { version: 'v3', body: skipped })
    expect(order.line_items.map(({ sku }: { sku: string }) => sku)).toEqual([corrected, other])
    expect(order.skipped.map(({ code }: { code: string }) => code)).toEqual([
      'sku_unavailable',
      'sku_unavailable',
    ])
  })

  it('may be for a part of it, and is for one order only', async () => {
    const parcel = await addParcel(market.database.db, 100)
    const sku = await stone()
    const { uuid } = await market.quoted([{ sku: parcel, quantity: 10 }, sku])
    const part = { quote_uuid: uuid, line_items: [{ sku: parcel, quantity: 4 }] }
    const first = await market.place([], { body: part })
    expect(first.status).toBe(200)
    const again = await market.place([sku], { body: { quote_uuid: uuid } })
    expect([again.status, again.body.code]).toEqual([409, 'quote_ordered'])
    expect(again.body.order_uuid).toBe(first.body.uuid)
    const removed = await market.call('DELETE', `/api/v3/quotes/${uuid}`, {
      token: market.buyer.key,
    })
    expect([removed.status, removed.body.code]).toEqual([409, 'quote_ordered'])
  })

  it('refuses what is not in it, and more than it has', async () => {
    const parcel = await addParcel(market.database.db, 100)
    const other = await stone()
    const { uuid } = await market.quoted([{ sku: parcel, quantity: 10 }])
    const line_items = [
      { sku: parcel, quantity: 11 },
      { sku: other, quantity: 1 },
    ]
    const { status, body } = await market.place([], { body: { quote_uuid: uuid, line_items } })
    expect([status, errorFieldsOf(body)]).toEqual([
      422,
      ['line_items[0].quantity', 'line_items[1].sku'],
    ])
    expect((await market.read(uuid)).body.status).toBe('open')
  })

  it('refuses a stone that was sold meanwhile, and leaves the quote open', async () => {
    const [sold, kept] = [await stone(), await stone()]
    const { uuid } = await market.quoted([sold, kept])
    await market.place([sold], { by: (await market.merchant()).key })
    const body = { quote_uuid: uuid }
    const refused = await market.place([sold, kept], { body })
    expect([refused.status, refused.body.code]).toEqual([409, 'sku_unavailable'])
    expect((await market.read(uuid)).body.status).toBe('open')
    const skipping = { ...body, on_unavailable: 'skip' }
    const skipped = await market.place([sold, kept], { version: 'v3', body: skipping })
    expect(skipped.body).toMatchObject({ total: 1700, skipped: [{ sku: sold }] })
  })

  it('may be a memo, whose limits count the prices of the quote', async () => {
    const few = await market.merchant()
    await sql`update merchant set max_memo_value = 1600 where uuid = ${few.merchant.uuid}`.execute(
      market.database.db,
    )
    const sku = await stone()
    const { uuid } = await market.quoted([{ sku, offer_price: 1500 }], { by: few.key })
    await market.answer(uuid, 'accept')
    const body = { order_type: 'memo', quote_uuid: uuid }
    const memo = await market.place([sku], { by: few.key, body })
    expect([memo.status, memo.body.line_items?.[0].price]).toEqual([200, 1500])
  })

  it('may be placed by the operator for the merchant', async () => {
    const sku = await stone()
    const { uuid } = await market.quoted([sku])
    await setPrice(sku, '3000.00')
    const merchant_uuid = market.buyer.merchant.uuid
    const body = { quote_uuid: uuid, merchant_uuid }
    const placed = await market.place([sku], { by: market.adminKey, body })
    expect(placed.body.line_items[0].price).toBe(1700)
  })

  it("refuses another merchant's quote like an unknown one", async () => {
    const other = await market.merchant()
    const sku = await stone()
    const { uuid } = await market.quoted([sku])
    const unknown = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
    for (const quote_uuid of [uuid, unknown]) {
      const { status, body } = await market.place([sku], { by: other.key, body: { quote_uuid } })
      expect([status, body.code]).toEqual([404, 'not_found'])
      expect(body.detail).toBe(`There is no quote ${quote_uuid}.`)
      expect((await market.read(quote_uuid, other.key)).status).toBe(404)
      const removed = await market.call('DELETE', `/api/v3/quotes/${quote_uuid}`, {
        token: other.key,
      })
      expect(removed.status).toBe(404)
    }
    for (const verb of ['accept', 'decline']) {
      expect((await market.answer(unknown, verb)).status).toBe(404)
    }
    expect((await market.read(uuid)).body.status).toBe('open')
  })
})

describe('the clock of the market', () => {
  it('ends a quote, and what was decided in time stays', async () => {
    const [sku, offered, ordered] = await addStones(market.database.db, 3)
    const open = await market.quoted([sku], { body: { minutes: 30 } })
    const requested = await market.quoted([{ sku: offered, offer_price: 5 }], {
      body: { minutes: 30 },
    })
    const done = await market.quoted([ordered], { body: { minutes: 30 } })
    await market.place([ordered], { body: { quote_uuid: done.uuid } })
    await market.advance('31 minutes')
    for (const { uuid } of [open, requested]) {
      expect((await market.read(uuid)).body.status).toBe('expired')
      const { status, body } = await market.place([sku], { body: { quote_uuid: uuid } })
      expect([status, body.code]).toEqual([409, 'quote_expired'])
    }
    expect((await market.read(done.uuid)).body.status).toBe('ordered')
    const late = await market.answer(requested.uuid, 'accept', { minutes: 60 })
    expect([late.status, late.body.code]).toEqual([409, 'quote_expired'])
    const listed = await market.call('GET', '/api/v3/quotes?status=expired', {
      token: market.buyer.key,
    })
    expect(listed.body.quotes.map(({ uuid }: { uuid: string }) => uuid)).toEqual([
      requested.uuid,
      open.uuid,
    ])
  })

  it('decides after the wait for the lock', async () => {
    const sku = await stone()
    const { uuid } = await market.quoted([sku], { body: { minutes: 5 } })
    let waiting: ReturnType<typeof market.place> | undefined
    await market.database.db.transaction().execute(async (tx) => {
      await sql`select from quote where uuid = ${uuid} for update`.execute(tx)
      waiting = market.place([sku], { body: { quote_uuid: uuid } })
      await untilBlocked(tx)
      await sql`update quote set expires_on = market_clock() where uuid = ${uuid}`.execute(tx)
    })
    const refused = await waiting
    expect([refused?.status, refused?.body.code]).toEqual([409, 'quote_expired'])
  })
})

/** Waits until some other statement of this database waits for a lock. */
async function untilBlocked(tx: Tx): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ count: number }>`
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)
    if (rows[0].count > 0) return
    await sleep(5)
  }
}

describe('at the same time', () => {
  it('of ten orders by one quote, on two nodes, exactly one is placed', async () => {
    const parcel = await addParcel(market.database.db, 1_000)
    for (let round = 0; round < 4; round++) {
      const { uuid } = await market.quoted([{ sku: parcel, quantity: 5 }])
      const responses = await atOnce(10, () => ({
        url: '/api/v2/orders/place',
        payload: {
          order_type: 'invoice',
          line_items: [{ sku: parcel, quantity: 5 }],
          quote_uuid: uuid,
        },
      }))
      const placed = responses.filter(({ status }) => status === 200)
      expect(placed).toHaveLength(1)
      const codes = responses.flatMap(({ status, body }) => (status === 409 ? [body.code] : []))
      expect(new Set(codes)).toEqual(new Set(['quote_ordered']))
      expect(codes).toHaveLength(9)
      expect((await market.read(uuid)).body.order_uuid).toBe(placed[0].body.uuid)
    }
    expect((await market.stateOf(parcel)).quantity).toBe(980)
  })

  it('a quote is deleted or ordered, and never both', async () => {
    const stones = await addStones(market.database.db, 8)
    for (const sku of stones) {
      const { uuid } = await market.quoted([sku], { body: { hold: true } })
      const [placed, removed] = await Promise.all([
        market.place([sku], { body: { quote_uuid: uuid } }),
        market.call('DELETE', `/api/v3/quotes/${uuid}`, { token: market.buyer.key }),
      ])
      const isPlaced = placed.status === 200
      expect(removed.status).toBe(isPlaced ? 409 : 204)
      expect((await market.stateOf(sku)).state).toBe(isPlaced ? 'sold' : 'available')
    }
  })

  it('one answer of the operator counts, on two nodes', async () => {
    const sku = await stone()
    const { uuid } = await market.quoted([{ sku, offer_price: 1500 }])
    const verbs = ['accept', 'decline', 'accept', 'decline', 'accept', 'decline']
    const responses = await Promise.all(
      verbs.map((verb, index) =>
        [market.app, market.node][index % 2].inject({
          method: 'POST',
          url: `/api/operator/quotes/${uuid}/${verb}`,
          headers: { authorization: `Bearer ${market.adminKey}` },
        }),
      ),
    )
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const events = (await eventsOf(market, 'quote.')).filter(
      ({ event_data }) => event_data.quote_uuid === uuid,
    )
    // The offer itself, and one answer.
    expect(events).toHaveLength(2)
    expect(events[0].event_type).toBe('quote.request')
  })

  it('quotes with holds of the same stones, in opposite order, end without a deadlock', async () => {
    const stones = await addStones(market.database.db, 6)
    const keys = await Promise.all([market.merchant(), market.merchant(), market.merchant()])
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        market.quote(index % 2 === 0 ? stones : stones.toReversed(), {
          by: keys[index % 3].key,
          body: { hold: true, minutes: 5 },
        }),
      ),
    )
    const made = responses.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ body }) => body.merchant_uuid)).size).toBe(1)
    const refused = responses.filter(({ status }) => status !== 201)
    expect(refused.every(({ body }) => body.code === 'sku_on_hold')).toBe(true)
  })
})

describe('the lists of quotes', () => {
  it('are paged, newest first, and filtered by status', async () => {
    const lister = await market.merchant()
    const stones = await addStones(market.database.db, 4)
    const made: string[] = []
    for (const sku of stones) {
      const line = sku === stones[2] ? { sku, offer_price: 9 } : sku
      made.unshift((await market.quoted([line], { by: lister.key })).uuid)
    }
    await market.place([stones[0]], { by: lister.key, body: { quote_uuid: made[3] } })
    const list = async (query: string, token = lister.key, path = '/api/v3/quotes') => {
      const { body } = await market.call('GET', `${path}?${query}`, { token })
      return [body.total, body.quotes.map(({ uuid }: { uuid: string }) => uuid)]
    }
    expect(await list('')).toEqual([4, made])
    expect(await list('limit=2&offset=1')).toEqual([4, made.slice(1, 3)])
    expect(await list('status=requested')).toEqual([1, [made[1]]])
    expect(await list('status=ordered&status=requested')).toEqual([2, [made[1], made[3]]])
    expect(await list('status=declined')).toEqual([0, []])
    const own = `merchant_uuid=${lister.merchant.uuid}`
    const operator = await list(`${own}&status=open`, market.adminKey, '/api/operator/quotes')
    expect(operator).toEqual([2, [made[0], made[2]]])
    const all = await market.call('GET', '/api/v3/quotes?limit=1', { token: market.adminKey })
    expect(all.body.total).toBeGreaterThan(4)
    const one = await market.call('GET', `/api/operator/quotes/${made[0]}`, {
      token: market.adminKey,
    })
    expect(one.body).toEqual((await market.read(made[0], lister.key)).body)
    const wrong = await market.call('GET', '/api/v3/quotes?status=lost', { token: lister.key })
    expect(wrong.status).toBe(422)
  })
})
