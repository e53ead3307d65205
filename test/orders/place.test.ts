import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { addAddress } from '../../src/merchants/address-store.ts'
import { replaceMargins } from '../../src/pricing/margin-store.ts'
import type { TestMerchant } from '../support/market.ts'
import { leaseOf } from '../support/stones.ts'
import {
  addParcel,
  addStone,
  addStones,
  type OrderMarket,
  openOrderMarket,
} from './order-support.ts'

let market: OrderMarket
let german: TestMerchant
beforeAll(async () => {
  market = await openOrderMarket()
  german = await market.merchant({ country_code: 'DE', currency_code: 'EUR' })
  await market.database.db
    .insertInto('exchange_rate')
    .values({ currency_code: 'EUR', rate: '0.92' })
    .execute()
})
afterAll(() => market.close())

const stone = (fields = {}) => addStone(market.database.db, fields)
const errorsOf = (body: { errors: { field: string; message: string }[] }) =>
  body.errors.map(({ field }) => field)

async function countOrders(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from orders`.execute(
    market.database.db,
  )
  return rows[0].count
}

describe('what a placed order says', () => {
  // biome-ignore format: the specification's tables
  const ORDER = [
    'uuid', 'order_id', 'order_reference', 'order_type', 'order_channel', 'order_status',
    'payment_status', 'fulfillment_status', 'shipping_status', 'ordered_on', 'merchant_uuid',
    'merchant', 'provider', 'notes', 'memo_id', 'memo_due_date', 'billing_address',
    'shipping_address', 'line_items', 'products', 'skus', 'fulfillments', 'cancellations',
    'events', 'margins', 'tracking',
  ]
  // biome-ignore format: the specification's tables
  const LINE = [
    'uuid', 'name', 'description', 'position', 'sku', 'product_id', 'product_type',
    'product_data', 'properties', 'quantity', 'fulfilled_quantity', 'fulfillment_status', 'price',
    'vendor', 'created_on', 'updated_on',
  ]
  const PLACE = ['address_1', 'address_2', 'city', 'country_code', 'postal_code', 'region']
  // biome-ignore format: the specification's tables
  const MERCHANT = [
    'uuid', 'external_id', 'activated', 'deleted', 'approval_status', 'onboarding_status',
    'subscription_status', 'provider', 'first_name', 'last_name', 'legal_dba', 'email',
    'internal_email', 'cc_emails', 'business_phone', 'business_type', 'tax_id', 'url',
    'gateway_customer_id', 'merchant_settings', 'references',
    ...PLACE.map((part) => `billing_${part}`), ...PLACE.map((part) => `shipping_${part}`),
  ]
  const keys = (value: object) => Object.keys(value).sort()

  it('has each field of the specification and no other', async () => {
    const { body } = await market.place([await stone()])
    expect(keys(body)).toEqual([...ORDER].sort())
    expect(keys(body.line_items[0])).toEqual([...LINE].sort())
    expect(keys(body.merchant)).toEqual([...MERCHANT].sort())
    expect(keys(body.billing_address)).toEqual([...PLACE].sort())
    expect(keys(body.shipping_address)).toEqual([...PLACE].sort())
    expect(keys(body.margins)).toEqual(['lab grown', 'mined'])
  })

  it('keeps no column that is added to merchants later', async () => {
    const { db } = market.database
    await sql`alter table merchant add column added text not null default 'private'`.execute(db)
    const { body } = await market.place([await stone()])
    const order = await db
      .selectFrom('orders')
      .select('merchant')
      .where('uuid', '=', body.uuid)
      .executeTakeFirstOrThrow()
    expect(keys(order.merchant)).toEqual([...MERCHANT].sort())
  })

  it('is a fresh invoice: nothing paid, shipped or closed', async () => {
    const sku = await stone()
    const { body } = await market.place([sku], { body: { order_id: 'PO-1', notes: 'Ring' } })
    expect(body).toMatchObject({
      order_id: 'PO-1',
      order_reference: '',
      order_type: 'invoice',
      order_channel: 'api',
      order_status: null,
      payment_status: null,
      fulfillment_status: null,
      shipping_status: null,
      merchant_uuid: market.buyer.merchant.uuid,
      provider: 'pavilion',
      notes: 'Ring',
      memo_id: null,
      memo_due_date: null,
      skus: [sku],
      fulfillments: [],
      cancellations: null,
      events: null,
      tracking: null,
    })
    expect(body.ordered_on).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/)
    expect(body.line_items[0]).toMatchObject({
      name: `Gem ${sku}`,
      position: 0,
      sku,
      product_type: 'gem',
      quantity: 1,
      fulfilled_quantity: 0,
      fulfillment_status: null,
      price: 1700,
      properties: null,
    })
  })

  it('keeps the product, the margins and the merchant as they were', async () => {
    const { db } = market.database
    const { key, merchant } = await market.merchant({ legal_dba: 'Before' })
    const sku = await stone({ list_price: '2000.00', weight: '1.5' })
    const { body } = await market.place([sku], { by: key })
    expect(body.margins.mined[0]).toEqual({ percent: 35, weight_min: 0, weight_max: 0.75 })
    await db.updateTable('gem').set({ color: 'Z' }).where('sku', '=', sku).execute()
    await db.updateTable('merchant').set({ legal_dba: 'After' }).execute()
    const tiers = [{ min: 0, max: 9, mined_percent: 99, lab_percent: 99 }]
    await inTransaction(db, (tx) =>
      replaceMargins(tx, merchant.uuid, { mode: 'weight', product_type: 'diamond', tiers }),
    )
    const list = await market.call('GET', '/api/v2/orders/list', { token: key })
    const [listed] = list.body.orders
    expect(listed.merchant.legal_dba).toBe('Before')
    expect(listed.margins).toEqual(body.margins)
    expect(listed.products.data[0]).toEqual({ ...body.products.data[0], cost: 1700 })
    expect(body.products.data).toEqual([body.line_items[0].product_data.fields])
    expect(body.products.data[0]).toMatchObject({
      sku,
      product_type: 'diamond',
      parcel: false,
      base_wholesale_price: 1700,
      base_retail_price: 2210,
      retail_price: 2210,
      off_rap_percentage: -15,
      off_rap_price: 2000,
      color: 'F',
      weight: 1.5,
      vendor_sku: expect.stringMatching(/^V-/),
    })
    expect(body.products.data[0]).not.toHaveProperty('cost')
  })

  it('has price tiers only: empty margins', async () => {
    const { key, merchant } = await market.merchant()
    const tiers = [{ min: 0, max: 5000, mined_percent: 10, lab_percent: 20 }]
    await inTransaction(market.database.db, (tx) =>
      replaceMargins(tx, merchant.uuid, { mode: 'price', product_type: 'diamond', tiers }),
    )
    const { body } = await market.place([await stone()], { by: key })
    expect(body.margins).toEqual({ mined: [], 'lab grown': [] })
    expect(body.products.data[0].retail_price).toBe(1870)
  })

  it('takes the default price list and the currency of a merchant abroad', async () => {
    const { body } = await market.place([await stone()], { by: german.key })
    expect(body.line_items[0].price).toBe(1600)
    expect(body.products.data[0]).toMatchObject({
      currency_code: 'EUR',
      exchange_rate: 0.92,
      base_wholesale_price: 1600,
      wholesale_price: 1472,
      base_retail_price: 2080,
      retail_price: 1913.6,
    })
  })

  it('goes to the default address, or to the one that was named, in three letters', async () => {
    const { key, merchant } = await market.merchant({
      billing_address_1: '1 Bill Street',
      billing_country_code: 'US',
    })
    const place = { city: 'Boston', postal_code: '02110', country_code: 'US' }
    const [home, harbor] = await inTransaction(market.database.db, async (tx) => [
      await addAddress(tx, merchant.uuid, { ...place, name: 'Home', address_1: '1 Home' }),
      await addAddress(tx, merchant.uuid, { ...place, name: 'Harbor', address_1: '2 Harbor' }),
    ])
    const byDefault = await market.place([await stone()], { by: key })
    expect(byDefault.body.shipping_address).toEqual({
      address_1: '1 Home',
      address_2: '',
      city: 'Boston',
      country_code: 'USA',
      postal_code: '02110',
      region: '',
    })
    expect(byDefault.body.billing_address.address_1).toBe('1 Bill Street')
    expect(byDefault.body.billing_address.country_code).toBe('USA')
    const body = { shipping_address_uuid: harbor.uuid }
    const named = await market.place([await stone()], { by: key, body })
    expect(named.body.shipping_address.address_1).toBe('2 Harbor')
    const foreign = await market.place([await stone()], { body: { ...body } })
    expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found'])
    expect(home.is_default).toBe(true)
  })

  it('has a total in cents, and the price of a stone as the cost of melee', async () => {
    const sku = await addParcel(market.database.db, 100, { weight: '0.0045' })
    const line_items = [{ sku, quantity: 3 }]
    const { body } = await market.place([], { body: { line_items } })
    const [{ price }] = body.line_items
    expect(price).toBe(2.925)
    const path = `/api/operator/orders/${body.uuid}`
    const shown = await market.call('GET', path, { token: market.adminKey })
    expect(shown.body.total).toBe(8.78)
    const found = `/api/v2/orders/search?query=${body.order_id}`
    const listed = await market.call('GET', found, { token: market.buyer.key })
    expect(listed.body).toMatchObject({ orders: [{ uuid: body.uuid }] })
    const [order] = listed.body.orders
    expect(order.line_items[0].product_data.fields.cost).toBe(price)
  })

  it("goes to the merchant's country when nothing else of its address is known", async () => {
    const { body } = await market.place([await stone()], { by: german.key })
    expect(body.billing_address.country_code).toBe('DEU')
    expect(body.shipping_address.country_code).toBe('DEU')
    expect(body.merchant.billing_country_code).toBe('DEU')
  })
})

describe('POST /api/v3/orders/place', () => {
  it('answers in short, and needs the order id', async () => {
    const sku = await stone()
    const line_items = [{ sku, quantity: 1 }]
    const place = (body: object) =>
      market.call('POST', '/api/v3/orders/place', { token: market.buyer.key, body })
    const without = await place({ order_type: 'invoice', line_items })
    expect([without.status, errorsOf(without.body)]).toEqual([422, ['external_order_id']])
    const { status, body } = await place({
      order_type: 'invoice',
      external_order_id: 'V3-1',
      order_reference: 'Ring 3',
      line_items,
    })
    expect(status).toBe(200)
    // biome-ignore format: the contract's list
    expect(Object.keys(body).sort()).toEqual([
      'billing_address', 'external_order_id', 'fulfillment_status', 'fulfillments', 'line_items',
      'merchant_uuid', 'notes', 'order_reference', 'order_type', 'ordered_on', 'payment_status',
      'uuid',
    ])
    // biome-ignore format: the contract's list
    expect(Object.keys(body.line_items[0]).sort()).toEqual([
      'created_on', 'description', 'fulfilled_quantity', 'fulfillment_status', 'name', 'position',
      'price', 'product_type', 'quantity', 'sku', 'uuid',
    ])
    expect(body).toMatchObject({ external_order_id: 'V3-1', order_reference: 'Ring 3' })
  })
})

describe('stock', () => {
  it('goes down, and a single stone is sold', async () => {
    const sku = await stone()
    expect((await market.place([sku])).status).toBe(200)
    expect(await market.stateOf(sku)).toEqual({ state: 'sold', quantity: 0 })
  })

  it('of a parcel falls by the stone, at four decimals', async () => {
    const sku = await addParcel(market.database.db, 10)
    const { body } = await market.place([], { body: { line_items: [{ sku, quantity: 4 }] } })
    expect(body.line_items[0]).toMatchObject({ price: 1.625, quantity: 4, product_type: 'gem' })
    expect(await market.stateOf(sku)).toEqual({ state: 'available', quantity: 6 })
  })

  it('is refused line by line, takes nothing, and offers the nearest stones', async () => {
    const { db } = market.database
    const weights = ['3.05', '3.01', '3.4', '3', '2.9', '3.1', '5']
    const near = await addStones(db, 7, (place) => ({ shape: 'oval', weight: weights[place] }))
    const sold = await stone({ shape: 'oval', weight: '3', state: 'sold', quantity: 0 })
    const gone = await stone({ shape: 'heart', state: 'gone', quantity: 0 })
    const fine = await stone()
    const before = await countOrders()
    await market.app.services.diamonds.index.catchUp()
    const { status, body } = await market.place([sold, fine, gone])
    expect([status, body.code]).toEqual([409, 'sku_unavailable'])
    expect(errorsOf(body)).toEqual(['line_items[0].sku', 'line_items[2].sku'])
    const [ovals, hearts] = body.substitutes
    expect(ovals.stones.map(({ sku }: { sku: string }) => sku)).toEqual(
      [3, 1, 0, 4, 5].map((place) => near[place]),
    )
    expect(ovals.stones[0]).toMatchObject({ shape: 'oval', base_wholesale_price: 1700 })
    expect(hearts).toEqual({ sku: gone, stones: [] })
    expect(await market.stateOf(fine)).toEqual({ state: 'available', quantity: 1 })
    expect(await countOrders()).toBe(before)
  })

  it('names the line of an unknown SKU with 422', async () => {
    const { status, body } = await market.place([await stone(), 'NOSUCHSKU0'])
    expect([status, body.code]).toEqual([422, 'invalid_request'])
    expect(errorsOf(body)).toEqual(['line_items[1].sku'])
  })

  it('refuses more than there is, and two of a single stone', async () => {
    const parcel = await addParcel(market.database.db, 3)
    const line_items = [
      { sku: parcel, quantity: 4 },
      { sku: await stone(), quantity: 2 },
    ]
    const { status, body } = await market.place([], { body: { line_items } })
    expect([status, errorsOf(body)]).toEqual([409, ['line_items[0].sku', 'line_items[1].sku']])
    expect(body.errors[0].message).toContain('3 in stock')
  })

  it('is ordered out of stock by an admin with allow_unavailable, and by nobody else', async () => {
    const merchant_uuid = market.buyer.merchant.uuid
    const gone = await stone({ state: 'gone', quantity: 0 })
    const empty = await addParcel(market.database.db, 0)
    const body = { merchant_uuid, allow_unavailable: true }
    expect((await market.place([gone], { body })).status).toBe(409)
    const placed = await market.place([gone, empty], { by: market.adminKey, body })
    expect(placed.status).toBe(200)
    expect(placed.body.order_channel).toBe('operator')
    expect(await market.stateOf(gone)).toEqual({ state: 'sold', quantity: 0 })
    expect(await market.stateOf(empty)).toEqual({ state: 'available', quantity: 0 })
    const again = await market.place([gone], { by: market.adminKey, body })
    expect([again.status, again.body.code]).toEqual([409, 'sku_unavailable'])
  })

  it('of a parcel that is gone stays gone when it is ordered, unlike a single stone', async () => {
    const skus = [
      await addParcel(market.database.db, 0, { state: 'gone' }),
      await stone({ state: 'gone', quantity: 0 }),
    ]
    const body = { merchant_uuid: market.buyer.merchant.uuid, allow_unavailable: true }
    expect((await market.place(skus, { by: market.adminKey, body })).status).toBe(200)
    expect(await market.stateOf(skus[0])).toEqual({ state: 'gone', quantity: 0 })
    expect(await market.stateOf(skus[1])).toEqual({ state: 'sold', quantity: 0 })
  })

  it('of a disabled stone is refused even to an admin', async () => {
    const sku = await stone({ state: 'disabled' })
    const body = { merchant_uuid: market.buyer.merchant.uuid, allow_unavailable: true }
    expect((await market.place([sku], { by: market.adminKey, body })).status).toBe(409)
  })
})

describe('holds', () => {
  it('of another refuse the order; an own one is consumed; an expired one is nobody’s', async () => {
    const other = await stone(leaseOf(german.merchant.uuid, 60))
    const refused = await market.place([other])
    expect([refused.status, refused.body.code]).toEqual([409, 'sku_on_hold'])
    const own = await stone(leaseOf(market.buyer.merchant.uuid, 60))
    const expired = await stone(leaseOf(german.merchant.uuid, -1))
    expect((await market.place([own, expired])).status).toBe(200)
    const { hold_uuid } = await market.database.db
      .selectFrom('gem')
      .select('hold_uuid')
      .where('sku', '=', own)
      .executeTakeFirstOrThrow()
    expect(hold_uuid).toBeNull()
  })
})

describe('memo', () => {
  it('has a number, the earliest due date, and stones out on memo', async () => {
    const skus = [await stone({ memo_days_to_return: 21 }), await stone({ memo_days_to_return: 7 })]
    const { body } = await market.place(skus, { body: { order_type: 'memo' } })
    expect(body.memo_id).toMatch(/^M-\d{6}$/)
    const days = (Date.parse(body.memo_due_date) - Date.parse(body.ordered_on)) / 86_400_000
    expect(days).toBe(7)
    expect(body.memo_due_date.slice(19)).toBe(body.ordered_on.slice(19))
    expect(await market.stateOf(skus[0])).toEqual({ state: 'memo', quantity: 0 })
  })

  it('needs every stone to be offered on memo', async () => {
    const skus = [await stone(), await stone({ memo: false })]
    const { status, body } = await market.place(skus, { body: { order_type: 'memo' } })
    expect([status, body.code, errorsOf(body)]).toEqual([
      409,
      'not_memoable',
      ['line_items[1].sku'],
    ])
  })
})

describe('names of an order', () => {
  it('are unique per merchant, and a second use names the first order', async () => {
    const first = await market.place([await stone()], {
      body: { order_id: 'TWIN', order_reference: 'ref' },
    })
    const sameId = await market.place([await stone()], { body: { order_id: 'TWIN' } })
    expect([sameId.status, sameId.body.code]).toEqual([409, 'duplicate_order_id'])
    expect(sameId.body.order_uuid).toBe(first.body.uuid)
    const sameReference = await market.place([await stone()], { body: { order_reference: 'ref' } })
    expect([sameReference.status, sameReference.body.code, sameReference.body.order_uuid]).toEqual([
      409,
      'duplicate_order_reference',
      first.body.uuid,
    ])
    const body = { order_id: 'TWIN', order_reference: 'ref' }
    expect((await market.place([await stone()], { by: german.key, body })).status).toBe(200)
  })

  it('tell a repeated order of its twin, not that its stone is sold', async () => {
    const sku = await stone()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => market.place([sku], { body: { order_id: 'AGAIN' } })),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ body }) => body.code)).toEqual(Array(7).fill('duplicate_order_id'))
  })
})

describe('a dry run', () => {
  it('checks and prices everything and writes nothing', async () => {
    const sku = await stone()
    const before = await countOrders()
    const { status, body } = await market.place([sku], { body: { dry_run: true, order_id: 'DRY' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ dry_run: true, skus: [sku], line_items: [{ price: 1700 }] })
    expect(await market.stateOf(sku)).toEqual({ state: 'available', quantity: 1 })
    expect(await countOrders()).toBe(before)
    const sold = await stone({ state: 'sold', quantity: 0 })
    expect((await market.place([sold], { body: { dry_run: true } })).status).toBe(409)
  })
})

describe('what is not the caller’s to say', () => {
  it.each([
    ['a price', { price: 1 }],
    ['a status', { payment_status: 'paid' }],
    ['a merchant', { merchant: { uuid: 'x' } }],
    ['a memo id', { memo_id: 'M-1' }],
    ['an unknown type', { order_type: 'gift' }],
    ['no lines', { line_items: [] }],
    ['a zero quantity', { line_items: [{ sku: 'A', quantity: 0 }] }],
    ['a fraction', { line_items: [{ sku: 'A', quantity: 1.5 }] }],
    ['a line’s price', { line_items: [{ sku: 'A', quantity: 1, price: 1 }] }],
    ['a SKU twice', { line_items: Array(2).fill({ sku: 'A', quantity: 1 }) }],
    [
      '201 lines',
      { line_items: Array.from({ length: 201 }, (_, n) => ({ sku: `${n}`, quantity: 1 })) },
    ],
    ['a null character', { notes: 'a\u0000b' }],
    ['a long note', { notes: 'x'.repeat(2001) }],
  ])('%s is refused with 422', async (_, body) => {
    const answer = await market.place([await stone()], { body })
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_request'])
  })

  it('another merchant is 403, and an admin must name one', async () => {
    const body = { merchant_uuid: german.merchant.uuid }
    const foreign = await market.place([await stone()], { body })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'forbidden'])
    const own = { merchant_uuid: market.buyer.merchant.uuid }
    expect((await market.place([await stone()], { body: own })).status).toBe(200)
    const unnamed = await market.place([await stone()], { by: market.adminKey })
    expect([unnamed.status, errorsOf(unnamed.body)]).toEqual([422, ['merchant_uuid']])
    const named = await market.place([await stone()], { by: market.adminKey, body })
    expect(named.body.merchant_uuid).toBe(german.merchant.uuid)
  })

  it('a token without the scope is 403', async () => {
    const merchant_uuid = market.buyer.merchant.uuid
    const { token } = await market.token({ merchant_uuid, scopes: ['orders:read'] })
    const { status, body } = await market.place([await stone()], { by: token })
    expect([status, body.code]).toEqual([403, 'missing_scope'])
  })
})

describe('an Idempotency-Key', () => {
  it('gives the first answer again, byte for byte, refusals too', async () => {
    const headers = { 'idempotency-key': 'once' }
    const sku = await stone()
    const first = await market.place([sku], { headers })
    const second = await market.place([sku], { headers })
    expect(second.text).toBe(first.text)
    expect(second.headers['idempotent-replayed']).toBe('true')
    const refusedHeaders = { 'idempotency-key': 'refused' }
    const refused = await market.place([sku], { headers: refusedHeaders })
    expect(refused.status).toBe(409)
    expect((await market.place([sku], { headers: refusedHeaders })).text).toBe(refused.text)
    const reused = await market.place([await stone()], { headers })
    expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused'])
  })

  it('used fifty times at once places one order, and all that answer say the same', async () => {
    const headers = { 'idempotency-key': 'fifty' }
    const sku = await stone()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => market.place([sku], { headers })),
    )
    const others = answers.filter(({ status }) => status !== 200)
    expect(others.every(({ body }) => body.code === 'idempotency_key_in_use')).toBe(true)
    const texts = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text))
    texts.add((await market.place([sku], { headers })).text)
    expect(texts.size).toBe(1)
  })
})

describe('the change log and the events', () => {
  it('tell of the order in its own transaction', async () => {
    const { db } = market.database
    const sku = await stone()
    const parcel = await addParcel(db, 5)
    const { body } = await market.place([sku, parcel])
    const changes = await db
      .selectFrom('change')
      .select(['sku', 'kind'])
      .orderBy('sequence', 'desc')
      .limit(2)
      .execute()
    expect(changes).toEqual([
      { sku: parcel, kind: 'details' },
      { sku, kind: 'sold' },
    ])
    const event = await db
      .selectFrom('event')
      .selectAll()
      .where('order_uuid', '=', body.uuid)
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({
      event_type: 'order.create',
      merchant_uuid: market.buyer.merchant.uuid,
    })
    expect(event.event_data).toMatchObject({ order_uuid: body.uuid, order_id: body.order_id })
  })
})
