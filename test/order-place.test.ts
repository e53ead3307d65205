import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addParcel, addStone, type OrderMarket, openOrderMarket } from './order-support.ts'

let market: OrderMarket
beforeAll(async () => {
  market = await openOrderMarket()
})
afterAll(() => market.close())

describe('POST /api/v2/orders/place', () => {
  it('sells a stone', async () => {
    const sku = await addStone(market.database.db)
    const { status, body } = await market.place([sku])
    expect(body).toMatchObject({ skus: [sku] })
    expect(status).toBe(200)
    expect(await market.stateOf(sku)).toEqual({ state: 'sold', quantity: 0 })
  })
  it('sells melee', async () => {
    const sku = await addParcel(market.database.db, 10)
    const { body } = await market.place([], { body: { line_items: [{ sku, quantity: 4 }] } })
    expect(body.line_items[0]).toMatchObject({ price: 1.625, quantity: 4 })
    expect(await market.stateOf(sku)).toEqual({ state: 'available', quantity: 6 })
  })
})
