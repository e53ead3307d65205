import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addParcel, type OrderMarket, openOrderMarket } from '../order-support.ts'

let market: OrderMarket
beforeAll(async () => {
  market = await openOrderMarket()
})
afterAll(() => market.close())

const act = (uuid: string, step: string, body: object = {}) =>
  market.call('POST', `/api/operator/orders/${uuid}/${step}`, { token: market.adminKey, body })

/** Orders four stones of a parcel, whose number the supplier then gives to a single stone. */
async function reusedNumber(order_type = 'invoice') {
  const sku = await addParcel(market.database.db, 10)
  const line_items = [{ sku, quantity: 4 }]
  const { status, body } = await market.place([], { body: { line_items, order_type } })
  expect(status).toBe(200)
  await sql`update gem set product_type = 'diamond', quantity = 1, feed_quantity = 1,
    weight = 1, color_max = null, clarity_max = null where sku = ${sku}`.execute(market.database.db)
  return { sku, uuid: body.uuid }
}

describe('the number of an ordered parcel, given to a single stone since', () => {
  it('keeps the stone as it is when the order is cancelled', async () => {
    const { sku, uuid } = await reusedNumber()
    const { status, body } = await act(uuid, 'cancel')
    expect([status, body.order_status]).toEqual([200, 'cancelled'])
    expect(await market.stateOf(sku)).toEqual({ state: 'available', quantity: 1 })
  })

  it.each(['cancel', 'decline'])('keeps the stone sold to the next order on %s', async (step) => {
    const { sku, uuid } = await reusedNumber()
    expect((await market.place([sku])).status).toBe(200)
    expect((await act(uuid, step, { reason: 'mislaid' })).status).toBe(200)
    expect(await market.stateOf(sku)).toEqual({ state: 'sold', quantity: 0 })
  })

  it('keeps the stone on the memo of the next order when the first becomes an invoice', async () => {
    const { sku, uuid } = await reusedNumber('memo')
    const next = await market.place([sku], { body: { order_type: 'memo' } })
    expect(next.status).toBe(200)
    expect((await act(uuid, 'convert')).status).toBe(200)
    expect(await market.stateOf(sku)).toEqual({ state: 'memo', quantity: 0 })
  })
})
