import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addParcel, addStone, type OrderMarket, openOrderMarket } from './order-support.ts'

let market: OrderMarket

beforeAll(async () => {
  market = await openOrderMarket()
  const { db } = market.database
  const stone = await addStone(db, { cert_num: 'C-1', vendor_sku: '"\\u00000" é 💎' })
  const melee = await addParcel(db, 10)
  const shipped = (await market.place([stone, melee])).body.uuid
  const waiting = (await market.place([await addStone(db, { cert_num: null })])).body.uuid
  // A certificate becomes a line of its own.
  const tracking = { tracking_company: 'Facet Express', tracking_number: 'FX-1' }
  await act(shipped, 'fulfill', tracking)
  await act(waiting, 'cancel', {})
})
afterAll(() => market.close())

const act = (uuid: string, step: string, body: object) =>
  market.call('POST', `/api/operator/orders/${uuid}/${step}`, { token: market.adminKey, body })

describe('an order of a page of whole orders', () => {
  it.each([
    ['the operator', '/api/operator/orders', '/api/operator/orders', 'adminKey'],
    ['the operator in v2', '/api/v2/orders/list', '/api/v2/orders', 'adminKey'],
    ['the merchant', '/api/v2/orders/list', '/api/v2/orders', 'buyer'],
  ] as const)('for %s is what it is alone', async (_, list, single, who) => {
    const token = who === 'buyer' ? market.buyer.key : market.adminKey
    const { body } = await market.call('GET', list, { token })
    expect(body.orders).toHaveLength(2)
    for (const { ordered_on, ...order } of body.orders) {
      const alone = (await market.call('GET', `${single}/${order.uuid}`, { token })).body
      expect({ ...order, ordered_on: alone.ordered_on }).toEqual(alone)
      expect(alone.ordered_on.startsWith(ordered_on)).toBe(true)
    }
    const [shipped] = body.orders
    expect(shipped.line_items).toHaveLength(3)
    expect(shipped.products.data).toHaveLength(2)
    expect(shipped.products.data[0].cost).toBe(who === 'buyer' ? 1700 : 1500)
    expect(shipped.fulfillments[0].line_items[0].product_data).toEqual(
      shipped.line_items[0].product_data,
    )
  })
})
