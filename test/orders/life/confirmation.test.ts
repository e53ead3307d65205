import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../src/database/transaction.ts'
import { getSupplier } from '../../../src/gems/supplier-store.ts'
import { Refusal } from '../../../src/lib/refusal.ts'
import { confirmLines, declineLines } from '../../../src/orders/steps/confirm-lines.ts'
import { fulfillOrder } from '../../../src/orders/steps/fulfill-order.ts'
import { addParcel, addStone, type OrderMarket, openOrderMarket } from '../order-support.ts'

let market: OrderMarket
/** The suppliers of the stones: one that confirms its orders, and one that does not. */
let confirming: { id: number; uuid: string }
let other: { id: number; uuid: string }
beforeAll(async () => {
  market = await openOrderMarket()
  confirming = await supplier('Confirming Stones', { confirms: true })
  other = await supplier('Other Stones', {})
})
afterAll(() => market.close())

async function supplier(name: string, settings: object) {
  const { body } = await operator('POST', '/api/operator/suppliers', { name, ...settings })
  const { id } = await getSupplier(market.database.db, name)
  return { id, uuid: String(body.uuid) }
}

function operator(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) {
  return market.call(method, path, { token: market.adminKey, body })
}

const stoneOf = ({ id }: { id: number }, fields = {}) =>
  addStone(market.database.db, { supplier_id: id, ...fields })

async function placed(skus: string[], body: Record<string, unknown> = {}) {
  const response = await market.place(skus, { body, version: 'v3' })
  expect(response.status).toBe(200)
  return response.body
}

const act = (uuid: string, verb: string, body?: object) =>
  operator('POST', `/api/operator/orders/${uuid}/${verb}`, body)
const cancel = (uuid: string, body?: object, token = market.buyer.key) =>
  market.call('POST', `/api/v3/orders/${uuid}/cancel`, { token, body })
const shown = async (uuid: string) =>
  (await market.call('GET', `/api/v3/orders/${uuid}`, { token: market.buyer.key })).body
const eventTypes = (order: { events: { event_type: string }[] | null }) =>
  (order.events ?? []).map(({ event_type }) => event_type)
const tracking = { tracking_company: 'Facet Express', tracking_number: 'FX-1' }

describe('the settings of a supplier', () => {
  it('say whether it confirms and ships', async () => {
    const path = `/api/operator/suppliers/${other.uuid}`
    expect((await operator('GET', path)).body).toMatchObject({ confirms: false, ships: false })
    const changed = await operator('PATCH', path, { ships: true })
    expect(changed.body).toMatchObject({ confirms: false, ships: true, changed: 0 })
  })
})

describe('confirmation', () => {
  it('is not needed for suppliers that do not confirm', async () => {
    const order = await placed([await stoneOf(other)])
    expect(order.confirmation).toBe('confirmed')
    const refused = await act(order.uuid, 'confirm')
    expect([refused.status, refused.body.code]).toEqual([409, 'wrong_state'])
    const { body } = await operator('GET', `/api/operator/orders/${order.uuid}`)
    expect(body.line_items[0]).toMatchObject({
      confirmation: 'confirmed',
      confirmed_by: 'placement',
      declined_on: null,
      open_quantity: 1,
    })
    expect(eventTypes(body)).toEqual([])
  })

  it('is given line by line, once, with an event', async () => {
    const order = await placed([await stoneOf(confirming), await stoneOf(confirming)])
    const [first, second] = order.line_items.map((line: { uuid: string }) => line.uuid)
    expect(order.confirmation).toBeNull()
    const part = await act(order.uuid, 'confirm', { line_item_uuids: [second] })
    expect(part.body).toMatchObject({
      confirmation: 'partial',
      line_items: [
        { confirmation: null, confirmed_on: null, confirmed_by: null },
        { confirmation: 'confirmed', confirmed_by: 'operator' },
      ],
    })
    const again = await act(order.uuid, 'confirm', { line_item_uuids: [second] })
    expect([again.status, again.body.errors[0].field]).toEqual([409, 'line_item_uuids[0]'])
    expect((await act(order.uuid, 'confirm')).body.confirmation).toBe('confirmed')
    const now = await shown(order.uuid)
    expect(now.confirmation).toBe('confirmed')
    expect(now.events).toMatchObject([
      { event_type: 'order.confirm', event_data: { line_items: [{ uuid: second, quantity: 1 }] } },
      { event_type: 'order.confirm', event_data: { line_items: [{ uuid: first, quantity: 1 }] } },
    ])
    const late = await act(order.uuid, 'decline', { reason: 'broken' })
    expect([late.status, late.body.allowed]).toEqual([
      409,
      ['fulfill', 'pay', 'charge', 'cancel', 'invoice'],
    ])
  })

  it('refuses lines of another order, a line named twice, and unknown names', async () => {
    const order = await placed([await stoneOf(confirming)])
    const foreign = await placed([await stoneOf(confirming)])
    const [line] = order.line_items
    const unknown = { line_item_uuids: [line.uuid, foreign.line_items[0].uuid] }
    const refused = await act(order.uuid, 'confirm', unknown)
    expect([refused.status, refused.body.errors[0].field]).toEqual([422, 'line_item_uuids[1]'])
    const twice = await act(order.uuid, 'confirm', { line_item_uuids: [line.uuid, line.uuid] })
    expect([twice.status, twice.body.errors[0].message]).toEqual([422, 'is named twice'])
    expect((await act(order.uuid, 'decline', {})).status).toBe(422)
    expect((await act(order.uuid, 'decline', { reason: ' ' })).status).toBe(422)
    expect((await act(line.uuid, 'confirm')).status).toBe(404)
    expect((await shown(order.uuid)).confirmation).toBeNull()
  })

  it('comes with shipping', async () => {
    const order = await placed([await stoneOf(confirming), await stoneOf(other)])
    expect(order.confirmation).toBe('partial')
    const { body } = await act(order.uuid, 'fulfill', tracking)
    expect(body.confirmation).toBe('confirmed')
    expect(eventTypes(body)).toEqual(['order.confirm', 'order.fulfillments.create'])
    expect(body.events[0].event_data.line_items).toEqual([
      { uuid: order.line_items[0].uuid, quantity: 1 },
    ])
  })

  it('is what the operator finds orders by', async () => {
    const waiting = await placed([await stoneOf(confirming)])
    const answered = await placed([await stoneOf(other)])
    const { body } = await operator('GET', '/api/operator/orders?unconfirmed=true&limit=500')
    const found = body.orders.map(({ uuid }: { uuid: string }) => uuid)
    expect(found).toContain(waiting.uuid)
    expect(found).not.toContain(answered.uuid)
  })
})

describe('declining', () => {
  it('cancels the line, tells why with substitutes, and takes the stone off sale', async () => {
    const near = await stoneOf(other, { weight: '1.53' })
    const [sku, kept] = [await stoneOf(confirming), await stoneOf(confirming)]
    const order = await placed([sku, kept])
    const [line] = order.line_items
    const answer = { line_item_uuids: [line.uuid], reason: 'sold elsewhere' }
    const { status, body } = await act(order.uuid, 'decline', answer)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      order_status: null,
      confirmation: 'partial',
      open_quantity: 1,
      line_items: [{ confirmation: 'declined', cancelled_quantity: 1, open_quantity: 0 }, {}],
      cancellations: [{ line_item_uuid: line.uuid, quantity: 1, reason: 'sold elsewhere' }],
    })
    expect(eventTypes(body)).toEqual(['order.line.decline'])
    const { event_data } = body.events[0]
    expect(event_data).toMatchObject({
      order_uuid: order.uuid,
      reason: 'sold elsewhere',
      line_items: [{ uuid: line.uuid, sku, quantity: 1 }],
      substitutes: [{ sku }],
    })
    const offered = event_data.substitutes[0].stones.map((stone: { sku: string }) => stone.sku)
    expect(offered).toContain(near)
    expect(offered).not.toContain(kept)
    expect(await market.stateOf(sku)).toEqual({ state: 'gone', quantity: 0 })
    expect((await market.place([sku])).body.code).toBe('sku_unavailable')
    const all = await act(order.uuid, 'decline', { reason: 'sold, too' })
    expect(all.body).toMatchObject({ order_status: 'cancelled', confirmation: 'declined' })
    expect((await act(order.uuid, 'decline', { reason: 'again' })).status).toBe(409)
  })

  it('works for a line that needed no confirmation, until it has shipped', async () => {
    const [first, second] = [await stoneOf(other), await stoneOf(other)]
    const order = await placed([first, second], { order_type: 'memo' })
    const [line] = order.line_items
    await act(order.uuid, 'fulfill', {
      ...tracking,
      line_items: [{ uuid: line.uuid, quantity: 1 }],
    })
    const shipped = { line_item_uuids: [line.uuid], reason: 'lost' }
    const refused = await act(order.uuid, 'decline', shipped)
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      expect.stringContaining('has shipped'),
    ])
    const { body } = await act(order.uuid, 'decline', { reason: 'lost' })
    expect(body).toMatchObject({ confirmation: 'partial', fulfillment_status: 'fulfilled' })
    expect(await market.stateOf(first)).toEqual({ state: 'memo', quantity: 0 })
    expect(await market.stateOf(second)).toEqual({ state: 'gone', quantity: 0 })
  })

  it('leaves the units of a parcel out of it, and a stone disabled that is disabled', async () => {
    const parcel = await addParcel(market.database.db, 10, { supplier_id: confirming.id })
    const sku = await stoneOf(confirming)
    const order = await placed([sku], {
      line_items: [
        { sku: parcel, quantity: 4 },
        { sku, quantity: 1 },
      ],
    })
    const path = `/api/operator/inventory/gems/${sku}`
    expect((await operator('PATCH', path, { enabled: false })).status).toBe(200)
    await act(order.uuid, 'decline', { reason: 'not found' })
    expect(await market.stateOf(parcel)).toEqual({ state: 'available', quantity: 6 })
    expect(await market.stateOf(sku)).toEqual({ state: 'disabled', quantity: 0 })
    await operator('PATCH', path, { enabled: null })
    expect(await market.stateOf(sku)).toEqual({ state: 'gone', quantity: 0 })
  })
})

describe('a supplier', () => {
  it('answers for its own lines only', async () => {
    const order = await placed([await stoneOf(confirming), await stoneOf(other)])
    const [own, foreign] = order.line_items.map((line: { uuid: string }) => line.uuid)
    const actor = { role: 'supplier', supplier_id: confirming.id, ships: false } as const
    const { db } = market.database
    const deps = { findSubstitutes: async () => [], publicUrl: 'http://pavilion.test' }
    const answer = (uuids?: string[]) =>
      inTransaction(db, (tx) => confirmLines(tx, order.uuid, { line_item_uuids: uuids }, actor))
    await expect(answer([foreign])).rejects.toMatchObject({ code: 'invalid_request' })
    const stranger = { ...actor, supplier_id: 0 }
    await expect(
      inTransaction(db, (tx) => confirmLines(tx, order.uuid, {}, stranger)),
    ).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      inTransaction(db, (tx) => fulfillOrder(tx, order.uuid, tracking, actor)),
    ).rejects.toMatchObject({ code: 'forbidden' })
    const confirmed = await answer()
    expect(confirmed.lines[0]).toMatchObject({ uuid: own, confirmed_by: 'supplier' })
    await expect(
      inTransaction(db, (tx) => declineLines(tx, order.uuid, { reason: 'x' }, actor, deps)),
    ).rejects.toBeInstanceOf(Refusal)
    const shipping = { ...actor, ships: true }
    const shipped = await inTransaction(db, (tx) =>
      fulfillOrder(tx, order.uuid, tracking, shipping),
    )
    expect(shipped.lines.map((line) => line.fulfilled_quantity)).toEqual([1, 0, 1])
    expect(shipped.fulfillment_status).toBe('partial')
  })
})

describe('a merchant', () => {
  it('cancels its order before an answer, and has the stock back on sale', async () => {
    const [first, second] = [await stoneOf(confirming), await stoneOf(other)]
    const order = await placed([first, second])
    const [line] = order.line_items
    const part = await cancel(order.uuid, { line_items: [{ uuid: line.uuid, quantity: 1 }] })
    expect(part.status).toBe(200)
    expect(await market.stateOf(first)).toEqual({ state: 'available', quantity: 1 })
    const whole = await cancel(order.uuid, { reason: 'the customer left' })
    expect(whole.body.events).toMatchObject([
      { event_type: 'order.cancel' },
      { event_type: 'order.cancel', event_data: { reason: 'the customer left' } },
    ])
    expect(await market.stateOf(second)).toEqual({ state: 'available', quantity: 1 })
    const again = await cancel(order.uuid)
    expect([again.status, again.body.code, again.body.allowed]).toEqual([409, 'wrong_state', []])
  })

  it('is too late when a line is confirmed or anything has shipped', async () => {
    const order = await placed([await stoneOf(confirming), await stoneOf(confirming)])
    const [first, second] = order.line_items
    const units = ({ uuid }: { uuid: string }) => ({ line_items: [{ uuid, quantity: 1 }] })
    await act(order.uuid, 'confirm', { line_item_uuids: [first.uuid] })
    const whole = await cancel(order.uuid)
    expect([whole.status, whole.body.code]).toEqual([409, 'too_late_to_cancel'])
    expect(whole.body.detail).toContain('name them in line_items')
    const named = await cancel(order.uuid, units(first))
    expect([named.body.code, named.body.errors[0].field]).toEqual([
      'too_late_to_cancel',
      'line_items[0].uuid',
    ])
    expect((await cancel(order.uuid, units(second))).status).toBe(200)

    const shipped = await placed([await stoneOf(other), await stoneOf(other)])
    await act(shipped.uuid, 'fulfill', { ...tracking, ...units(shipped.line_items[0]) })
    const late = await cancel(shipped.uuid, units(shipped.line_items[1]))
    expect([late.status, late.body.code]).toEqual([409, 'too_late_to_cancel'])
    // The operator can still cancel what has not shipped.
    expect((await act(shipped.uuid, 'cancel', units(shipped.line_items[1]))).status).toBe(200)
  })

  it('cannot cancel the order of another merchant, which it does not see', async () => {
    const stranger = await market.merchant({ legal_dba: 'Stranger' })
    const order = await placed([await stoneOf(other)])
    const refused = await cancel(order.uuid, undefined, stranger.key)
    expect([refused.status, refused.body.code]).toEqual([404, 'not_found'])
    expect((await cancel(order.uuid, undefined, market.adminKey)).status).toBe(403)
    const unknown = await cancel(order.uuid, { line_items: [{ uuid: order.uuid, quantity: 1 }] })
    expect([unknown.status, unknown.body.errors[0].field]).toEqual([422, 'line_items[0].uuid'])
  })

  it('cancels once for one Idempotency-Key', async () => {
    const parcel = await addParcel(market.database.db, 10)
    const order = await placed([], { line_items: [{ sku: parcel, quantity: 4 }] })
    const call = () =>
      market.call('POST', `/api/v3/orders/${order.uuid}/cancel`, {
        token: market.buyer.key,
        headers: { 'idempotency-key': `cancel ${order.uuid}` },
      })
    const first = await call()
    expect((await call()).text).toBe(first.text)
    expect(await market.stateOf(parcel)).toEqual({ state: 'available', quantity: 10 })
  })
})
