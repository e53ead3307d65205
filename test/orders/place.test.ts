import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { numberChanges } from '../../src/events/number-changes.ts'
import type { TestMerchant } from '../support/market.ts'
import { indexed } from '../support/stocked.ts'
import { leaseOf } from '../support/stones.ts'
import {
  addGermanMerchant,
  addParcel,
  addStone,
  addStones,
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

async function countOrders(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from orders`.execute(
    market.database.db,
  )
  return rows[0].count
}

describe('stock', () => {
  it('of a single stone becomes zero, and the stone is sold', async () => {
    const sku = await stone()
    expect((await market.place([sku])).status).toBe(200)
    expect(await market.stateOf(sku)).toEqual({ state: 'sold', quantity: 0 })
  })

  it('of a parcel falls by the ordered quantity, at a price with four decimals', async () => {
    const sku = await addParcel(market.database.db, 10)
    const { body } = await market.place([], { body: { line_items: [{ sku, quantity: 4 }] } })
    expect(body.line_items[0]).toMatchObject({ price: 1.625, quantity: 4, product_type: 'gem' })
    expect(await market.stateOf(sku)).toEqual({ state: 'available', quantity: 6 })
  })

  it('that is missing is refused line by line with the nearest stones, and nothing is taken', async () => {
    const { db } = market.database
    const weights = ['3.05', '3.01', '3.4', '3', '2.9', '3.1', '5']
    const near = await addStones(db, 7, (index) => ({ shape: 'oval', weight: weights[index] }))
    const sold = await stone({ shape: 'oval', weight: '3', state: 'sold', quantity: 0 })
    const gone = await stone({ shape: 'heart', state: 'gone', quantity: 0 })
    const fine = await stone()
    const before = await countOrders()
    await indexed(market)
    const { status, body } = await market.place([sold, fine, gone])
    expect([status, body.code]).toEqual([409, 'sku_unavailable'])
    expect(errorFieldsOf(body)).toEqual(['line_items[0].sku', 'line_items[2].sku'])
    const [ovals, hearts] = body.substitutes
    expect(ovals.stones.map(({ sku }: { sku: string }) => sku)).toEqual(
      [3, 1, 0, 4, 5].map((index) => near[index]),
    )
    expect(ovals.stones[0]).toMatchObject({ shape: 'oval', base_wholesale_price: 1700 })
    expect(hearts).toEqual({ sku: gone, stones: [] })
    expect(await market.stateOf(fine)).toEqual({ state: 'available', quantity: 1 })
    expect(await countOrders()).toBe(before)
  })

  it('is refused with 422 and the line of an unknown SKU', async () => {
    const { status, body } = await market.place([await stone(), 'NOSUCHSKU0'])
    expect([status, body.code]).toEqual([422, 'invalid_request'])
    expect(errorFieldsOf(body)).toEqual(['line_items[1].sku'])
  })

  it('is refused beyond what there is, and for two of a single stone', async () => {
    const parcel = await addParcel(market.database.db, 3)
    const line_items = [
      { sku: parcel, quantity: 4 },
      { sku: await stone(), quantity: 2 },
    ]
    const { status, body } = await market.place([], { body: { line_items } })
    expect([status, errorFieldsOf(body)]).toEqual([409, ['line_items[0].sku', 'line_items[1].sku']])
    expect(body.errors[0].message).toContain('3 in stock')
  })

  it('that is out can be ordered by an admin with allow_unavailable, and by no other caller', async () => {
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

  it('keeps a parcel gone when the operator backorders it, unlike a single stone', async () => {
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
  it('block the order of another merchant, are consumed by the holder’s own, and are ignored once expired', async () => {
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
    expect([status, body.code, errorFieldsOf(body)]).toEqual([
      409,
      'not_memoable',
      ['line_items[1].sku'],
    ])
  })
})

describe('the id and the reference of an order', () => {
  it('are unique per merchant, and a second use names the first order', async () => {
    const first = await market.place([await stone()], {
      body: { order_id: 'SAME', order_reference: 'ref' },
    })
    const sameId = await market.place([await stone()], { body: { order_id: 'SAME' } })
    expect([sameId.status, sameId.body.code]).toEqual([409, 'duplicate_order_id'])
    expect(sameId.body.order_uuid).toBe(first.body.uuid)
    const sameReference = await market.place([await stone()], { body: { order_reference: 'ref' } })
    expect([sameReference.status, sameReference.body.code, sameReference.body.order_uuid]).toEqual([
      409,
      'duplicate_order_reference',
      first.body.uuid,
    ])
    const body = { order_id: 'SAME', order_reference: 'ref' }
    expect((await market.place([await stone()], { by: german.key, body })).status).toBe(200)
  })

  it('refuse a repeated order as a duplicate, not because its stone is sold', async () => {
    const sku = await stone()
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => market.place([sku], { body: { order_id: 'AGAIN' } })),
    )
    const refused = responses.filter(({ status }) => status !== 200)
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

  it('shows the supplier of a stone to the operator, and to a merchant only once ordered', async () => {
    const sku = await stone({ list_price: '2518.50' })
    const supplierFields = ['off_rap_price', 'supplier_id', 'vendor_sku']
    const shown = (body: { line_items: unknown[]; products: { data: object[] } }) => {
      const [line] = body.line_items as { product_data: { fields: object } }[]
      const copies = [line.product_data.fields, body.products.data[0]]
      return copies.map((copy) => supplierFields.filter((name) => name in copy))
    }
    const body = { dry_run: true, merchant_uuid: market.buyer.merchant.uuid }
    const dry = await market.place([sku], { body })
    expect(shown(dry.body)).toEqual([[], []])
    expect(dry.body.line_items[0].product_data.fields).toMatchObject({ sku, shape: 'round' })
    const byOperator = await market.place([sku], { by: market.adminKey, body })
    expect(shown(byOperator.body)).toEqual([supplierFields, supplierFields])
    const summary = await market.call('POST', '/api/v3/orders/place', {
      token: market.buyer.key,
      body: {
        order_type: 'invoice',
        external_order_id: 'DRY-V3',
        dry_run: true,
        line_items: [{ sku, quantity: 1 }],
      },
    })
    expect(summary.status).toBe(200)
    expect(summary.text).not.toMatch(/supplier_id|vendor_sku|off_rap_price|"V-\d/)
    expect(shown((await market.place([sku])).body)).toEqual([supplierFields, supplierFields])
    const list = await market.call('GET', '/api/v2/orders/list?sort_order=desc&limit=1', {
      token: market.buyer.key,
    })
    expect(shown(list.body.orders[0])).toEqual([supplierFields, supplierFields])
  })
})

describe('what a caller may not set', () => {
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
    const response = await market.place([await stone()], { body })
    expect([response.status, response.body.code]).toEqual([422, 'invalid_request'])
  })

  it('another merchant is refused with 403, and an admin must name one', async () => {
    const body = { merchant_uuid: german.merchant.uuid }
    const foreign = await market.place([await stone()], { body })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'forbidden'])
    const own = { merchant_uuid: market.buyer.merchant.uuid }
    expect((await market.place([await stone()], { body: own })).status).toBe(200)
    const unnamed = await market.place([await stone()], { by: market.adminKey })
    expect([unnamed.status, errorFieldsOf(unnamed.body)]).toEqual([422, ['merchant_uuid']])
    const named = await market.place([await stone()], { by: market.adminKey, body })
    expect(named.body.merchant_uuid).toBe(german.merchant.uuid)
  })

  it('a token without the scope is refused with 403', async () => {
    const merchant_uuid = market.buyer.merchant.uuid
    const { token } = await market.token({ merchant_uuid, scopes: ['orders:read'] })
    const { status, body } = await market.place([await stone()], { by: token })
    expect([status, body.code]).toEqual([403, 'missing_scope'])
  })
})

describe('lines that cannot be ordered', () => {
  const skip = { body: { on_unavailable: 'skip' }, version: 'v3' } as const

  it('are left out when the request says so, and listed with substitutes', async () => {
    const [sold, held, kept] = await addStones(market.database.db, 3, () => ({ weight: '7.77' }))
    await market.place([sold])
    const hold = { token: german.key, body: { sku: held, minutes: 10 } }
    expect((await market.call('POST', '/api/v3/inventory/holds', hold)).status).toBe(201)
    const near = await stone({ weight: '7.78' })
    await indexed(market)
    const { status, body } = await market.place([sold, held, kept], skip)
    expect(status).toBe(200)
    expect(body.line_items.map(({ sku }: { sku: string }) => sku)).toEqual([kept])
    expect(body.total).toBe(1700)
    expect(body.skipped).toMatchObject([
      { sku: sold, code: 'sku_unavailable', substitutes: [{ sku: near }] },
      { sku: held, code: 'sku_on_hold', substitutes: [{ sku: near }] },
    ])
  })

  it('refuse the order when none is left, or when nothing else was asked for', async () => {
    const [sold, free] = [await stone(), await stone()]
    await market.place([sold])
    const before = await countOrders()
    const none = await market.place([sold], skip)
    expect([none.status, none.body.code]).toEqual([409, 'sku_unavailable'])
    const refused = await market.place([sold, free], { version: 'v3' })
    expect([refused.status, refused.body.skipped]).toEqual([409, undefined])
    expect(await countOrders()).toBe(before)
    const whole = await market.place([free], skip)
    expect(whole.body.skipped).toEqual([])
  })

  it('are left out in v2, too, and in a dry run', async () => {
    const [sold, free] = [await stone(), await stone()]
    await market.place([sold])
    const body = { on_unavailable: 'skip', dry_run: true }
    const dry = await market.place([sold, free], { body })
    expect([dry.status, dry.body.skus, dry.body.skipped]).toEqual([200, [free], undefined])
    const placed = await market.place([sold, free], { body: { on_unavailable: 'skip' } })
    expect(placed.body.skus).toEqual([free])
  })
})

describe('an empty order id', () => {
  it('counts as absent in v2, as an empty reference does', async () => {
    const body = { order_id: '', order_reference: '' }
    const first = await market.place([await stone()], { body })
    const second = await market.place([await stone()], { body })
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.body.order_id).toMatch(/^ORD-/)
    expect(second.body.order_id).not.toBe(first.body.order_id)
    const v3 = await market.place([await stone()], {
      version: 'v3',
      body: { external_order_id: '' },
    })
    expect(v3.status).toBe(422)
  })
})

describe('an Idempotency-Key', () => {
  it('returns the first response again, byte for byte', async () => {
    const headers = { 'idempotency-key': 'once' }
    const sku = await stone()
    const first = await market.place([sku], { headers })
    const second = await market.place([sku], { headers })
    expect(second.text).toBe(first.text)
    expect(second.headers['idempotent-replayed']).toBe('true')
    const reused = await market.place([await stone()], { headers })
    expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused'])
  })

  it('of a refused order is free for another try, once the reason is gone', async () => {
    const headers = { 'idempotency-key': 'refused' }
    const sku = await stone()
    const { body: earlier } = await market.place([sku])
    const refused = await market.place([sku], { headers })
    expect([refused.status, refused.body.code]).toEqual([409, 'sku_unavailable'])
    const token = market.adminKey
    await market.call('POST', `/api/operator/orders/${earlier.uuid}/cancel`, { token })
    const placed = await market.place([sku], { headers })
    expect([placed.status, placed.headers['idempotent-replayed']]).toEqual([200, undefined])
    expect((await market.place([sku], { headers })).text).toBe(placed.text)
  })

  it('used fifty times at once places one order, and all successful responses are the same', async () => {
    const headers = { 'idempotency-key': 'fifty' }
    const sku = await stone()
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => market.place([sku], { headers })),
    )
    const others = responses.filter(({ status }) => status !== 200)
    expect(others.every(({ body }) => body.code === 'idempotency_key_in_use')).toBe(true)
    const texts = new Set(responses.filter(({ status }) => status === 200).map(({ text }) => text))
    texts.add((await market.place([sku], { headers })).text)
    expect(texts.size).toBe(1)
  })
})

describe('the change log and the events', () => {
  it('record the order in its own transaction', async () => {
    const { db } = market.database
    const sku = await stone()
    const parcel = await addParcel(db, 5)
    const { body } = await market.place([sku, parcel])
    await numberChanges(db)
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
