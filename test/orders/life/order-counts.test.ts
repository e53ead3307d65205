import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUpOrderCounts } from '../../../src/orders/order-counts.ts'
import {
  addStones,
  expectRightCounts,
  type OrderMarket,
  openOrderMarket,
} from '../order-support.ts'

let market: OrderMarket
beforeAll(async () => {
  market = await openOrderMarket()
})
afterAll(() => market.close())

const list = async (query: string, token = market.adminKey) =>
  (await market.call('GET', `/api/v3/orders/list?limit=1&${query}`, { token })).body.total

describe('the counts of orders', () => {
  it('are right while several nodes add them up and orders are placed and changed', async () => {
    const { db } = market.database
    const skus = await addStones(db, 60, () => ({}))
    const placeAndChange = async (sku: string, index: number) => {
      const { status, body } = await market.place([sku])
      expect(status).toBe(200)
      const step = ['fulfill', 'cancel', 'pay'][index % 3]
      const tracking = { tracking_company: 'Facet Express', tracking_number: 'FX-1' }
      await market.call('POST', `/api/operator/orders/${body.uuid}/${step}`, {
        token: market.adminKey,
        body: step === 'fulfill' ? tracking : {},
      })
      if (index % 5 === 0) await Promise.all([addUpOrderCounts(db, 0), addUpOrderCounts(db, 0)])
    }
    for (let from = 0; from < skus.length; from += 6) {
      await Promise.all(skus.slice(from, from + 6).map((sku, at) => placeAndChange(sku, from + at)))
    }
    await expectRightCounts(db)
    // Rows stay while a transaction is open that began before them, also of another test's database.
    await expect
      .poll(
        async () => {
          await addUpOrderCounts(db, 0)
          return (await db.selectFrom('order_count').selectAll().execute()).length
        },
        { timeout: 60_000 },
      )
      .toBeLessThanOrEqual(100)
    await expectRightCounts(db)
  })

  it('are what lists say, for a merchant and for the operator', async () => {
    const other = await market.merchant()
    const [one, two] = await addStones(market.database.db, 2, () => ({}))
    for (const sku of [one, two]) await market.place([sku], { by: other.key })
    expect(await list('')).toBe(62)
    expect(await list('', other.key)).toBe(2)
    expect(await list('payment_status=paid')).toBe(20)
    expect(await list('payment_status=unpaid&order_type=invoice')).toBe(42)
    expect(await list('fulfillment_status=fulfilled')).toBe(20)
    expect(await list('has_unfulfilled=true')).toBe(22)
    expect(await list('order_type=memo')).toBe(0)
  })
})
