import buildSerializer from 'fast-json-stringify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OperatorOrderPage } from '../../src/http/operator/orders.ts'
import { OrderListSchema } from '../../src/http/schemas/orders/order.ts'
import type { TestMerchant } from '../support/market.ts'
import { addStone, type OrderMarket, openOrderMarket } from './order-support.ts'

let market: OrderMarket
let other: TestMerchant
/** The first merchant's orders, oldest first. */
const mine: string[] = []

const PRICES = ['300.00', '100.00', '200.00', '100.00', '500.00', '400.00']

beforeAll(async () => {
  market = await openOrderMarket()
  other = await market.merchant({ legal_dba: 'Another Shop', last_name: 'Lovelace' })
  for (const [position, price] of PRICES.entries()) {
    const sku = await addStone(market.database.db, {
      wholesale_price_us: price,
      weight: position === 0 ? '1.525' : '0.9',
      cert_num: `CERT${position}`,
      vendor_sku: `VENDOR-${position}`,
    })
    const body = {
      order_id: `PO-2026/${position}`,
      order_reference: `Ring ${position}`,
      order_type: position === 5 ? 'memo' : 'invoice',
    }
    mine.push((await market.place([sku], { body })).body.uuid)
  }
  const sku = await addStone(market.database.db)
  await market.place([sku], { by: other.key, body: { order_id: 'THEIRS' } })
  // The states of orders are set directly; change.test.ts tests how they change.
  const [paid, partial, fulfilled] = mine
  const { db } = market.database
  await sql`update orders set payment_status = 'paid' where uuid = ${paid}`.execute(db)
  await sql`update orders set fulfillment_status = 'partial' where uuid = ${partial}`.execute(db)
  await sql`update orders set fulfillment_status = 'fulfilled', open_quantity = 0
    where uuid = ${fulfilled}`.execute(db)
  await sql`update orders set debug = true where uuid = ${paid}`.execute(db)
})
afterAll(() => market.close())

const read = (path: string, token = market.buyer.key) => market.call('GET', path, { token })
const uuidsOf = ({ body }: Awaited<ReturnType<typeof read>>) =>
  body.orders.map(({ uuid }: { uuid: string }) => uuid)
const at = (...positions: number[]) => positions.map((position) => mine[position])

describe('pages of whole orders', () => {
  it.each([
    ['/api/v2/orders/list', OrderListSchema],
    ['/api/v2/orders/search?query=Ring', OrderListSchema],
    ['/api/operator/orders', OperatorOrderPage],
  ])('of %s have what their schema has, and nothing else', async (path, schema) => {
    const { body } = await read(path, market.adminKey)
    expect(body.orders.length).toBeGreaterThan(5)
    const serialize = buildSerializer(schema as Parameters<typeof buildSerializer>[0])
    expect(JSON.parse(serialize(body))).toEqual(body)
  })
})

describe('GET /api/v2/orders/list', () => {
  it('lists whole orders, oldest first, in pages', async () => {
    const page = await read('/api/v2/orders/list?limit=2&offset=1')
    expect(page.body.metadata).toEqual({ limit: 2, offset: 1, total_count: 6 })
    expect(uuidsOf(page)).toEqual(at(1, 2))
    const [order] = page.body.orders
    expect(order.ordered_on).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/)
    expect(order.line_items[0].created_on).toMatch(/\+00:00$/)
    expect(order.products.data[0].cost).toBe(100)
  })

  it.each([
    ['payment_status=paid', [0]],
    ['payment_status=unpaid', [1, 2, 3, 4, 5]],
    ['payment_status=paid&payment_status=unpaid', [0, 1, 2, 3, 4, 5]],
    ['fulfillment_status=partial,fulfilled', [1, 2]],
    ['fulfillment_status[]=unfulfilled', [0, 3, 4, 5]],
    ['order_type=memo', [5]],
    ['sort_col=total', [1, 3, 2, 0, 5, 4]],
    ['sort_col=total&sort_order=desc', [4, 5, 0, 2, 1, 3]],
    ['sort_col=ordered_on&sort_order=desc&limit=2', [5, 4]],
  ])('understands %s', async (query, positions) => {
    expect(uuidsOf(await read(`/api/v2/orders/list?${query}`))).toEqual(at(...positions))
  })

  it.each(['limit=501', 'limit=0', 'payment_status=owed', 'sort_col=price', 'sortcol=total'])(
    'refuses %s',
    async (query) => {
      expect((await read(`/api/v2/orders/list?${query}`)).status).toBe(422)
    },
  )

  it('shows an admin all orders, also sorted by merchant', async () => {
    const all = await read('/api/v2/orders/list?sort_col=merchant_legal_dba', market.adminKey)
    expect(all.body.metadata.total_count).toBe(7)
    expect(all.body.orders[0].merchant.legal_dba).toBe('Another Shop')
  })

  it('returns 304 to a caller that has the page', async () => {
    const first = await read('/api/v2/orders/list')
    const again = await market.call('GET', '/api/v2/orders/list', {
      token: market.buyer.key,
      headers: { 'if-none-match': String(first.headers.etag) },
    })
    expect(again.status).toBe(304)
  })
})

describe('GET /api/v3/orders/list', () => {
  it('lists summaries', async () => {
    const { body } = await read('/api/v3/orders/list?limit=1')
    expect(body).toMatchObject({ total: 6, offset: 0, limit: 1 })
    // biome-ignore format: the specification's list
    expect(Object.keys(body.orders[0]).sort()).toEqual([
      'created_on', 'external_order_id', 'fulfillment_status', 'line_items', 'merchant_uuid',
      'order_reference', 'order_type', 'ordered_on', 'payment_status', 'uuid',
    ])
    expect(body.orders[0]).toMatchObject({ external_order_id: 'PO-2026/0', payment_status: 'paid' })
    expect(body.orders[0].ordered_on).toMatch(/\+00:00$/)
  })

  it('has pages of a hundred by default', async () => {
    expect((await read('/api/v3/orders/list')).body.limit).toBe(100)
  })

  it.each([
    ['has_unfulfilled=true', [0, 1, 3, 4, 5]],
    ['has_unfulfilled=false', [0, 1, 2, 3, 4, 5]],
    ['debug=true', [0]],
    ['debug=false', [1, 2, 3, 4, 5]],
    ['order_by=total&order=desc&limit=2', [4, 5]],
    ['sort_col=created_on&sort_order=desc&limit=1', [5]],
    ['fulfillment_status=partial&order_type=invoice', [1]],
  ])('understands %s', async (query, positions) => {
    expect(uuidsOf(await read(`/api/v3/orders/list?${query}`))).toEqual(at(...positions))
  })

  it('refuses a sort and an alias that contradict each other', async () => {
    const { status, body } = await read('/api/v3/orders/list?sort_col=total&order_by=created_on')
    expect([status, body.errors[0].field]).toEqual([422, 'order_by'])
  })
})

describe('the dates of orders', () => {
  const search = async (version: string, query: string) =>
    uuidsOf(await read(`/api/${version}/orders/list?sort_col=ordered_on&${query}`))

  beforeAll(async () => {
    const { db } = market.database
    for (const [position, uuid] of mine.entries()) {
      const day = `2026-03-0${position + 1} 12:00:00.000001+00`
      await sql`update orders set ordered_on = ${day}::timestamptz,
        updated_on = ${day}::timestamptz where uuid = ${uuid}`.execute(db)
    }
  })

  it.each(['v2', 'v3'])('are ranges with both bounds in %s', async (version) => {
    const exact = '2026-03-03T12:00:00.000001Z'
    expect(await search(version, `ordered_from=${exact}`)).toEqual(at(2, 3, 4, 5))
    expect(await search(version, 'ordered_from=2026-03-03T12:00:00.000002Z')).toEqual(at(3, 4, 5))
    expect(await search(version, `ordered_to=${exact}`)).toEqual(at(0, 1, 2))
    expect(await search(version, 'ordered_to=2026-03-03T12:00:00Z')).toEqual(at(0, 1))
    expect(await search(version, 'ordered_from=2026-03-02&ordered_to=2026-03-03')).toEqual(at(1, 2))
    expect(await search(version, `updated_since=${exact}`)).toEqual(at(2, 3, 4, 5))
  })

  it('are read as answers print them, also where the + of the offset is not encoded', async () => {
    const printed = '2026-03-03T12:00:00.000001+00:00'
    expect(await search('v3', `ordered_from=${printed}`)).toEqual(at(2, 3, 4, 5))
    expect(await search('v3', `ordered_from=${encodeURIComponent(printed)}`)).toEqual(
      at(2, 3, 4, 5),
    )
    expect(await search('v3', 'ordered_to=2026-03-03T14:00:00+02:00')).toEqual(at(0, 1))
  })

  it('are found for the operator, too, and refused when they are none', async () => {
    const path = '/api/operator/orders?ordered_to=2026-03-02'
    expect(uuidsOf(await read(path, market.adminKey))).toEqual(at(0, 1))
    for (const name of ['ordered_from', 'ordered_to', 'updated_since']) {
      const { status, body } = await read(`/api/v3/orders/list?${name}=yesterday`)
      expect([status, body.errors[0].field]).toEqual([422, name])
    }
  })
})

describe('a single order', () => {
  it('is as in the v2 list, with the offset timestamps of a placement', async () => {
    const { body } = await read(`/api/v2/orders/${mine[0]}`)
    const [listed] = (await read('/api/v2/orders/list?limit=1')).body.orders
    expect(body).toEqual({ ...listed, ordered_on: `${listed.ordered_on}+00:00` })
    const { body: asAdmin } = await read(`/api/v2/orders/${mine[0]}`, market.adminKey)
    expect(asAdmin.products.data[0].cost).toBe(1500)
  })

  it('has the total, its currency, the tracking and the events in v3', async () => {
    const third = await market.merchant()
    const sku = await addStone(market.database.db, { wholesale_price_us: '250.00' })
    const placed = (await market.place([sku], { by: third.key, version: 'v3' })).body
    const untouched = { currency_code: 'USD', total: 250, tracking: null, events: null }
    expect(placed).toMatchObject(untouched)
    const path = `/api/v3/orders/${placed.uuid}`
    expect((await read(path, third.key)).body).toEqual(placed)
    await market.call('POST', `/api/operator/orders/${placed.uuid}/fulfill`, {
      token: market.adminKey,
      body: { tracking_company: 'Facet Express', tracking_number: 'FX-1' },
    })
    const { body } = await read(path, third.key)
    expect(body).toMatchObject({
      fulfillment_status: 'fulfilled',
      tracking: { company: 'Facet Express', number: 'FX-1', url: '' },
      events: [{ event_type: 'order.fulfillments.create' }],
    })
    expect((await read(path, market.adminKey)).body).toEqual(body)
  })

  it('of another merchant is not found', async () => {
    for (const version of ['v2', 'v3']) {
      const path = `/api/${version}/orders/${mine[0]}`
      const foreign = await read(path, other.key)
      expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found'])
      const unknown = await read(path.replace(/.{4}$/, '0000'), other.key)
      expect(unknown.status).toBe(404)
    }
  })
})

describe('text search', () => {
  it.each([
    ['po-2026/3', [3]],
    ['PO-2026', [0, 1, 2, 3, 4, 5]],
    ['2026', [0, 1, 2, 3, 4, 5]],
    ['ring cert2', [2]],
    ['M-0', [5]],
    ['facet', [0, 1, 2, 3, 4, 5]],
    ['ADA cert4', [4]],
    ['1.52', [0]],
    ['1.525', [0]],
    ['0.90', [1, 2, 3, 4, 5]],
    ['525', []],
    ['acet', []],
    ['facet nothing', []],
    ['vendor-1', [1]],
    ['theirs', []],
    ["it's & | ! ( ) : * \\ '", []],
  ])('finds %s in both versions', async (text, positions) => {
    const v3 = await read(`/api/v3/orders/search?q=${encodeURIComponent(text)}`)
    expect(uuidsOf(v3)).toEqual(at(...positions))
    expect(v3.body.total).toBe(positions.length)
    const v2 = await read(`/api/v2/orders/search?query=${encodeURIComponent(text)}`)
    expect(uuidsOf(v2)).toEqual(at(...positions))
  })

  it('finds SKUs and the uuid of an order', async () => {
    const { sku } = (await read('/api/v3/orders/list?limit=1')).body.orders[0].line_items[0]
    expect(uuidsOf(await read(`/api/v3/orders/search?q=${sku.toLowerCase()}`))).toEqual(at(0))
    expect(uuidsOf(await read(`/api/v3/orders/search?q=${mine[2]}`))).toEqual(at(2))
    const theirs = await read('/api/v3/orders/search?q=lovelace', market.adminKey)
    expect(theirs.body.total).toBe(1)
  })

  it('finds the beginning of a Greek word in capitals', async () => {
    const third = await market.merchant()
    const sku = await addStone(market.database.db)
    await market.place([sku], { by: third.key, body: { order_reference: 'ΣΊΣΥΦΟΣ' } })
    for (const q of ['ΣΊΣ', 'σίσυφος', 'ΣΊΣΥΦΟΣ']) {
      const { body } = await read(`/api/v3/orders/search?q=${encodeURIComponent(q)}`, third.key)
      expect([q, body.total]).toEqual([q, 1])
    }
  })

  it('refuses more words than the limit', async () => {
    for (const path of ['/api/v3/orders/search?q=', '/api/v2/orders/search?query=']) {
      const { status, body } = await read(`${path}${'facet+'.repeat(21)}`)
      const message = 'A search takes at most 20 words.'
      expect([status, body.errors]).toEqual([422, [{ field: 'request', message }]])
    }
  })

  it('combines with filters and pages', async () => {
    const page = await read('/api/v3/orders/search?q=facet&order_by=total&limit=2&offset=1')
    expect(uuidsOf(page)).toEqual(at(3, 2))
    expect(page.body.total).toBe(6)
  })
})

describe('another merchant', () => {
  it('sees none of these orders through any parameter', async () => {
    const { body } = await read('/api/v2/orders/list', other.key)
    expect(body.orders.map(({ order_id }: { order_id: string }) => order_id)).toEqual(['THEIRS'])
    for (const q of ['PO-2026', 'cert0', 'facet', '1.52', 'ring', mine[0]]) {
      const found = await read(`/api/v3/orders/search?q=${encodeURIComponent(q)}`, other.key)
      expect(found.body.orders.map(({ uuid }: { uuid: string }) => uuid)).not.toContain(mine[0])
    }
    const named = await read(
      `/api/v3/orders/list?merchant_uuid=${market.buyer.merchant.uuid}`,
      other.key,
    )
    expect(named.status).toBe(422)
  })
})

// The last, because the tests above count the orders of all merchants.
describe('an order of another country', () => {
  it('shows countries in two letters, and the supplier’s cost to an admin', async () => {
    const sku = await addStone(market.database.db)
    const { key } = await market.merchant({ billing_country_code: 'DE' })
    const placed = await market.place([sku], { by: key, body: { order_type: 'memo' } })
    expect(placed.body.billing_address.country_code).toBe('DEU')
    expect(placed.body.merchant.billing_country_code).toBe('DEU')
    const own = await read('/api/v2/orders/list', key)
    expect(own.body.orders[0].billing_address.country_code).toBe('DE')
    expect(own.body.orders[0].merchant.billing_country_code).toBe('DE')
    const all = await read('/api/v2/orders/list?sort_order=desc&limit=1', market.adminKey)
    expect(all.body.orders[0]).toMatchObject({ products: { data: [{ cost: 1500 }] } })
  })
})
