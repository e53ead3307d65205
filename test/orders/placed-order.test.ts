import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { addAddress } from '../../src/merchants/address-store.ts'
import { replaceMargins } from '../../src/pricing/margin-store.ts'
import type { TestMerchant } from '../support/market.ts'
import {
  addGermanMerchant,
  addParcel,
  addStone,
  errorFieldsOf,
  type OrderMarket,
  openOrderMarket,
} from './order-support.ts'

let market: OrderMarket
let german: TestMerchant
beforeAll(async () => {
  market = await openOrderMarket()
  german = await addGermanMerchant(market)
})
afterAll(() => market.close())

const stone = (fields = {}) => addStone(market.database.db, fields)

describe('a placed order', () => {
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
  const ADDRESS = ['address_1', 'address_2', 'city', 'country_code', 'postal_code', 'region']
  // biome-ignore format: the specification's tables
  const MERCHANT = [
    'uuid', 'external_id', 'activated', 'deleted', 'approval_status', 'onboarding_status',
    'subscription_status', 'provider', 'first_name', 'last_name', 'legal_dba', 'email',
    'internal_email', 'cc_emails', 'business_phone', 'business_type', 'tax_id', 'url',
    'gateway_customer_id', 'merchant_settings', 'references',
    ...ADDRESS.map((part) => `billing_${part}`), ...ADDRESS.map((part) => `shipping_${part}`),
  ]
  const keys = (value: object) => Object.keys(value).sort()

  it('has every field of the specification and no other', async () => {
    const { body } = await market.place([await stone()])
    expect(keys(body)).toEqual([...ORDER].sort())
    expect(keys(body.line_items[0])).toEqual([...LINE].sort())
    expect(keys(body.merchant)).toEqual([...MERCHANT].sort())
    expect(keys(body.billing_address)).toEqual([...ADDRESS].sort())
    expect(keys(body.shipping_address)).toEqual([...ADDRESS].sort())
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

  it('is a new invoice: nothing is paid, shipped or closed', async () => {
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

  it('has empty margins when the merchant has price tiers only', async () => {
    const { key, merchant } = await market.merchant()
    const tiers = [{ min: 0, max: 5000, mined_percent: 10, lab_percent: 20 }]
    await inTransaction(market.database.db, (tx) =>
      replaceMargins(tx, merchant.uuid, { mode: 'price', product_type: 'diamond', tiers }),
    )
    const { body } = await market.place([await stone()], { by: key })
    expect(body.margins).toEqual({ mined: [], 'lab grown': [] })
    expect(body.products.data[0].retail_price).toBe(1870)
  })

  it('uses the default price list and the currency of a merchant abroad', async () => {
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

  it('ships to the default address or the named one, with the country in three letters', async () => {
    const { key, merchant } = await market.merchant({
      billing_address_1: '1 Bill Street',
      billing_country_code: 'US',
    })
    const boston = { city: 'Boston', postal_code: '02110', country_code: 'US' }
    const [home, harbor] = await inTransaction(market.database.db, async (tx) => [
      await addAddress(tx, merchant.uuid, { ...boston, name: 'Home', address_1: '1 Home' }),
      await addAddress(tx, merchant.uuid, { ...boston, name: 'Harbor', address_1: '2 Harbor' }),
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

  it('has a total in cents, and the price of one stone as the cost of melee', async () => {
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

  it("uses the merchant's country for an address without one", async () => {
    const { body } = await market.place([await stone()], { by: german.key })
    expect(body.billing_address.country_code).toBe('DEU')
    expect(body.shipping_address.country_code).toBe('DEU')
    expect(body.merchant.billing_country_code).toBe('DEU')
  })
})

describe('POST /api/v3/orders/place', () => {
  it('returns a summary, and requires the order id', async () => {
    const sku = await stone()
    const line_items = [{ sku, quantity: 1 }]
    const place = (body: object) =>
      market.call('POST', '/api/v3/orders/place', { token: market.buyer.key, body })
    const without = await place({ order_type: 'invoice', line_items })
    expect([without.status, errorFieldsOf(without.body)]).toEqual([422, ['external_order_id']])
    const { status, body } = await place({
      order_type: 'invoice',
      external_order_id: 'V3-1',
      order_reference: 'Ring 3',
      line_items,
    })
    expect(status).toBe(200)
    // biome-ignore format: the contract's list
    expect(Object.keys(body).sort()).toEqual([
      'balance', 'billing_address', 'charges', 'confirmation', 'currency_code', 'documents',
      'due_on', 'events', 'external_order_id', 'fulfillment_status', 'fulfillments', 'line_items',
      'merchant_uuid', 'notes', 'order_reference', 'order_type', 'ordered_on', 'payment_status',
      'total', 'tracking', 'uuid',
    ])
    // biome-ignore format: the contract's list
    expect(Object.keys(body.line_items[0]).sort()).toEqual([
      'created_on', 'description', 'fulfilled_quantity', 'fulfillment_status', 'name', 'position',
      'price', 'product_type', 'quantity', 'sku', 'uuid',
    ])
    expect(body).toMatchObject({ external_order_id: 'V3-1', order_reference: 'Ring 3' })
  })
})
