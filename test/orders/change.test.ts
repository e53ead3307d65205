import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { numberChanges } from '../../src/events/number-changes.ts'
import { addParcel, addStone, type OrderMarket, openOrderMarket } from './order-support.ts'

let market: OrderMarket
beforeAll(async () => {
  market = await openOrderMarket()
})
afterAll(() => market.close())

const stone = (fields = {}) => addStone(market.database.db, fields)
const parcel = (quantity: number, fields = {}) => addParcel(market.database.db, quantity, fields)
const tracking = { tracking_company: 'Facet Express', tracking_number: 'FX-1' }

const act = (uuid: string, verb: string, body?: object, token = market.adminKey) =>
  market.call('POST', `/api/operator/orders/${uuid}/${verb}`, { token, body })

async function placed(skus: string[], body: object = {}) {
  const response = await market.place(skus, { body: { ...body } })
  expect(response.status).toBe(200)
  return response.body
}
const placedMemo = (skus: string[], body: object = {}) =>
  placed(skus, { order_type: 'memo', ...body })

async function listed(uuid: string) {
  const { body } = await market.call('GET', '/api/v2/orders/list?sort_order=desc&limit=5', {
    token: market.buyer.key,
  })
  return body.orders.find((order: { uuid: string }) => order.uuid === uuid)
}

async function lastChanges(count: number): Promise<string[]> {
  await numberChanges(market.database.db)
  const rows = await market.database.db
    .selectFrom('change')
    .select(['sku', 'kind'])
    .orderBy('sequence', 'desc')
    .limit(count)
    .execute()
  return rows.map(({ sku, kind }) => `${sku} ${kind}`)
}

describe('fulfill', () => {
  it('ships everything, with the certificates as lines of their own', async () => {
    const [certified, plain] = [await stone({ cert_num: 'C-77' }), await stone({ cert_num: null })]
    const { uuid } = await placed([certified, plain])
    const url = { tracking_url: 'https://track.example/FX-1' }
    const { status, body } = await act(uuid, 'fulfill', { ...tracking, ...url })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      fulfillment_status: 'fulfilled',
      shipping_status: 'shipped',
      order_status: null,
      open_quantity: 0,
      tracking: { company: 'Facet Express', number: 'FX-1', url: url.tracking_url },
    })
    expect(body.line_items).toHaveLength(3)
    const [first, , certificate] = body.line_items
    expect(first).toMatchObject({ fulfilled_quantity: 1, fulfillment_status: 'fulfilled' })
    expect(certificate).toMatchObject({
      product_type: 'cert',
      price: 0,
      sku: '',
      product_id: null,
      position: 2,
      product_data: { fields: {} },
      properties: [
        { name: 'cert_num', value: 'C-77' },
        { name: 'lab', value: 'GIA' },
        { name: 'type', value: 'mined' },
      ],
    })
    expect(body.fulfillments).toHaveLength(1)
    const [fulfillment] = body.fulfillments
    // biome-ignore format: the specification's list
    expect(Object.keys(fulfillment).sort()).toEqual([
      'created_on', 'line_items', 'status', 'tracking_company', 'tracking_number', 'tracking_url',
      'updated_on', 'uuid',
    ])
    expect(fulfillment).toMatchObject({ status: 'success', ...tracking, ...url })
    expect(fulfillment.line_items.map((line: { uuid: string }) => line.uuid)).toEqual(
      body.line_items.map((line: { uuid: string }) => line.uuid),
    )
    expect(body.skus).toEqual([certified, plain])
    expect(body.products.data).toHaveLength(2)
  })

  it('writes the event as specified', async () => {
    const { uuid, line_items } = await placed([await stone({ cert_num: null })])
    await act(uuid, 'fulfill', tracking)
    const order = await listed(uuid)
    expect(order.events).toEqual([
      {
        event_type: 'order.fulfillments.create',
        event_data: {
          order_uuid: uuid,
          ...tracking,
          line_items: [{ uuid: line_items[0].uuid, quantity: 1 }],
        },
        created_on: expect.stringMatching(/\+00:00$/),
        updated_on: expect.stringMatching(/\+00:00$/),
      },
    ])
  })

  it('ships in parts, and never more than is left', async () => {
    const sku = await parcel(10)
    const { uuid, line_items } = await placed([], { line_items: [{ sku, quantity: 5 }] })
    const ship = (quantity: number) =>
      act(uuid, 'fulfill', { ...tracking, line_items: [{ uuid: line_items[0].uuid, quantity }] })
    const first = await ship(2)
    expect(first.body).toMatchObject({
      fulfillment_status: 'partial',
      shipping_status: 'partially_shipped',
      line_items: [{ fulfilled_quantity: 2, fulfillment_status: null, quantity: 5 }],
      fulfillments: [{ line_items: [{ quantity: 2, fulfilled_quantity: 2 }] }],
    })
    const tooMuch = await ship(4)
    expect([tooMuch.status, tooMuch.body.code]).toEqual([409, 'wrong_state'])
    expect(tooMuch.body.errors[0].field).toBe('line_items[0].quantity')
    expect(tooMuch.body.detail).toContain('3 left to ship')
    const rest = await ship(3)
    expect(rest.body.fulfillment_status).toBe('fulfilled')
    expect(rest.body.fulfillments).toHaveLength(2)
    const again = await act(uuid, 'fulfill', tracking)
    expect([again.status, again.body.allowed]).toEqual([409, ['pay']])
  })

  it('refuses lines of another order, and a line named twice', async () => {
    const other = await placed([await stone()])
    const { uuid, line_items } = await placed([await stone()])
    const units = (line: { uuid: string }) => ({ uuid: line.uuid, quantity: 1 })
    const foreign = { ...tracking, line_items: [units(other.line_items[0])] }
    expect((await act(uuid, 'fulfill', foreign)).status).toBe(422)
    const twice = { ...tracking, line_items: [units(line_items[0]), units(line_items[0])] }
    const { status, body } = await act(uuid, 'fulfill', twice)
    expect([status, body.errors[0].field]).toEqual([422, 'line_items[1].uuid'])
  })
})

describe('pay', () => {
  it('is recorded once, and closes an order that has shipped', async () => {
    const { uuid } = await placed([await stone()])
    const paid = await act(uuid, 'pay')
    expect(paid.body).toMatchObject({ payment_status: 'paid', order_status: null })
    const again = await act(uuid, 'pay')
    expect([again.status, again.body.code, again.body.allowed]).toEqual([
      409,
      'wrong_state',
      ['fulfill', 'charge', 'cancel', 'decline', 'invoice'],
    ])
    const shipped = await act(uuid, 'fulfill', tracking)
    expect(shipped.body.order_status).toBe('closed')
    expect(
      (await listed(uuid)).events.map((event: { event_type: string }) => event.event_type),
    ).toEqual(['order.pay', 'order.fulfillments.create'])
  })

  it('refuses a memo, and a body with an unknown field', async () => {
    const { uuid } = await placedMemo([await stone()])
    expect((await act(uuid, 'pay')).body.allowed).toEqual([
      'fulfill',
      'cancel',
      'decline',
      'return',
      'convert',
      'extend',
    ])
    expect((await act(uuid, 'pay', { amount: 1 })).status).toBe(422)
  })
})

describe('cancel', () => {
  it('puts the whole order back into stock, once', async () => {
    const [sku, melee] = [await stone(), await parcel(10)]
    const line_items = [
      { sku, quantity: 1 },
      { sku: melee, quantity: 4 },
    ]
    const { uuid } = await placed([], { line_items })
    const { body } = await act(uuid, 'cancel', { reason: 'ordered twice' })
    expect(body).toMatchObject({
      order_status: 'cancelled',
      open_quantity: 0,
      cancellations: [
        { quantity: 1, reason: 'ordered twice', line_item_uuid: body.line_items[0].uuid },
        { quantity: 4, reason: 'ordered twice', line_item_uuid: body.line_items[1].uuid },
      ],
      events: [{ event_type: 'order.cancel' }],
    })
    expect(await market.stateOf(sku)).toEqual({ state: 'available', quantity: 1 })
    expect(await market.stateOf(melee)).toEqual({ state: 'available', quantity: 10 })
    expect(await lastChanges(2)).toEqual([`${melee} details`, `${sku} back`])
    const again = await act(uuid, 'cancel')
    expect([again.status, again.body.allowed]).toEqual([409, []])
    expect(again.body.detail).toContain('nothing is left to do')
    expect(await market.stateOf(melee)).toEqual({ state: 'available', quantity: 10 })
    expect((await market.place([sku])).status).toBe(200)
  })

  it('cancels single lines before they ship, and leaves what has shipped', async () => {
    const sku = await parcel(10)
    const { uuid, line_items } = await placed([], { line_items: [{ sku, quantity: 5 }] })
    const units = (quantity: number) => ({ line_items: [{ uuid: line_items[0].uuid, quantity }] })
    await act(uuid, 'fulfill', { ...tracking, ...units(2) })
    const whole = await act(uuid, 'cancel')
    expect([whole.status, whole.body.code]).toEqual([409, 'wrong_state'])
    expect((await act(uuid, 'cancel', units(4))).status).toBe(409)
    const rest = await act(uuid, 'cancel', units(3))
    expect(rest.body).toMatchObject({ fulfillment_status: 'fulfilled', order_status: null })
    expect(await market.stateOf(sku)).toEqual({ state: 'available', quantity: 8 })
    expect((await act(uuid, 'pay')).body.order_status).toBe('closed')
  })

  it('of a backorder puts nothing into stock', async () => {
    const gone = await stone({ state: 'gone', quantity: 0 })
    const empty = await parcel(0)
    const merchant_uuid = market.buyer.merchant.uuid
    const { body } = await market.place([gone, empty], {
      by: market.adminKey,
      body: { merchant_uuid, allow_unavailable: true },
    })
    expect((await act(body.uuid, 'cancel')).body.order_status).toBe('cancelled')
    expect(await market.stateOf(gone)).toEqual({ state: 'gone', quantity: 0 })
    expect(await market.stateOf(empty)).toEqual({ state: 'available', quantity: 0 })
  })
})

describe('a memo', () => {
  it('is returned by line, and is closed when everything is back', async () => {
    const skus = [await stone(), await stone()]
    const { uuid, line_items } = await placedMemo(skus)
    await act(uuid, 'fulfill', tracking)
    const part = { line_items: [{ uuid: line_items[0].uuid, quantity: 1 }] }
    expect((await act(uuid, 'return', part)).body.order_status).toBeNull()
    expect(await market.stateOf(skus[0])).toEqual({ state: 'available', quantity: 1 })
    expect(await market.stateOf(skus[1])).toEqual({ state: 'memo', quantity: 0 })
    expect((await act(uuid, 'return', part)).status).toBe(409)
    const { body } = await act(uuid, 'return')
    expect(body).toMatchObject({ order_status: 'returned', memo_id: expect.any(String) })
    expect(await market.stateOf(skus[1])).toEqual({ state: 'available', quantity: 1 })
    expect((await act(uuid, 'return')).status).toBe(409)
    const types = body.events.map((event: { event_type: string }) => event.event_type)
    expect(types).toEqual(['order.fulfillments.create', 'order.memo.return', 'order.memo.return'])
  })

  it('counts shipped and unshipped units separately', async () => {
    const sku = await parcel(10, { memo: true })
    const { uuid, line_items } = await placedMemo([], { line_items: [{ sku, quantity: 5 }] })
    const units = (quantity: number) => ({ line_items: [{ uuid: line_items[0].uuid, quantity }] })
    await act(uuid, 'fulfill', { ...tracking, ...units(2) })
    // Two units come back from the merchant, one never shipped.
    expect((await act(uuid, 'return', units(3))).body.open_quantity).toBe(2)
    expect((await act(uuid, 'fulfill', { ...tracking, ...units(3) })).status).toBe(409)
    await act(uuid, 'fulfill', { ...tracking, ...units(2) })
    expect((await act(uuid, 'return')).body.order_status).toBe('returned')
    expect(await market.stateOf(sku)).toEqual({ state: 'available', quantity: 10 })
  })

  it('becomes an invoice: the same order, sold, no longer due', async () => {
    const [kept, back] = [await stone(), await stone()]
    const { uuid, line_items, memo_id } = await placedMemo([kept, back])
    await act(uuid, 'return', { line_items: [{ uuid: line_items[1].uuid, quantity: 1 }] })
    const { body } = await act(uuid, 'convert')
    expect(body).toMatchObject({
      order_type: 'invoice',
      memo_id,
      memo_due_date: null,
      order_status: null,
    })
    expect(await market.stateOf(kept)).toEqual({ state: 'sold', quantity: 0 })
    expect(await market.stateOf(back)).toEqual({ state: 'available', quantity: 1 })
    expect(await lastChanges(1)).toEqual([`${kept} sold`])
    expect((await act(uuid, 'convert')).body.allowed).toEqual([
      'fulfill',
      'pay',
      'cancel',
      'decline',
    ])
    expect((await act(uuid, 'return')).status).toBe(409)
    await act(uuid, 'pay')
    expect((await act(uuid, 'fulfill', tracking)).body.order_status).toBe('closed')
  })

  it('is overdue when its due date has passed and it is still open', async () => {
    const { uuid } = await placedMemo([await stone()])
    const overdue = async () => {
      const { body } = await market.call('GET', '/api/operator/orders?overdue=true', {
        token: market.adminKey,
      })
      return body.orders.map((order: { uuid: string }) => order.uuid)
    }
    expect(await overdue()).not.toContain(uuid)
    await sql`update orders set memo_due_date = now() - interval '1 hour'
      where uuid = ${uuid}`.execute(market.database.db)
    expect(await overdue()).toContain(uuid)
    await act(uuid, 'return')
    expect(await overdue()).not.toContain(uuid)
  })
})

describe('the operator’s endpoints', () => {
  it('are for the operator only, and return 404 for an unknown order', async () => {
    const { uuid } = await placed([await stone()])
    expect((await act(uuid, 'cancel', {}, market.buyer.key)).status).toBe(403)
    const unknown = await act('0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90', 'pay')
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
    const token = market.adminKey
    const shown = await market.call('GET', `/api/operator/orders/${uuid}`, { token })
    expect(shown.body).toMatchObject({ uuid, debug: false, total: 1700 })
  })

  it('change an order once for one Idempotency-Key', async () => {
    const sku = await parcel(10)
    const { uuid } = await placed([], { line_items: [{ sku, quantity: 4 }] })
    const call = () =>
      market.call('POST', `/api/operator/orders/${uuid}/cancel`, {
        token: market.adminKey,
        headers: { 'idempotency-key': `cancel ${uuid}` },
      })
    const first = await call()
    expect((await call()).text).toBe(first.text)
    expect(await market.stateOf(sku)).toEqual({ state: 'available', quantity: 10 })
  })
})
