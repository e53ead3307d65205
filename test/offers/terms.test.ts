import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findOrCreateSupplier } from '../../src/gems/supplier-store.ts'
import { lastNumber } from '../support/change-log.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'

let market: TestMarket
let shop: TestMerchant
let other: TestMerchant
let second: number

beforeAll(async () => {
  market = await openTestMarket()
  shop = await market.merchant({ country_code: 'DE' })
  other = await market.merchant({ country_code: 'DE' })
  const { db } = market.database
  second = (await db.transaction().execute((tx) => findOrCreateSupplier(tx, 'Second Stones'))).id
})
afterAll(() => market.close())

const post = (path: string, body: unknown, token: string) =>
  market.call('POST', path, { token, body })

/** Two suppliers list one certificate, and do not agree on what the stone is. */
const listTwice = (cert_num: string, mined: string, lab: string) =>
  stockStones(
    market,
    { lab: 'GIA', cert_num, wholesale_price: mined },
    { lab: 'GIA', cert_num, wholesale_price: lab, type: 'lab grown', supplier_id: second },
  )

describe('of a stone with several offers', () => {
  it("the one that leads is decided by the list, whatever a merchant's own terms are", async () => {
    const [mined, lab] = await listTwice('7712345678', '1000', '1010')
    const path = `/api/operator/merchants/${shop.merchant.uuid}`
    const price_adjustment = { mined_percent: 20, lab_percent: -20 }
    await market.call('PATCH', path, { token: market.adminKey, body: { price_adjustment } })
    const search = async (key: string) =>
      (
        await post(
          '/api/v2/diamonds/merchant_search',
          { filters: { cert_num: ['7712345678'] } },
          key,
        )
      ).body.gems
    expect(await search(other.key)).toMatchObject([{ sku: mined.sku, base_wholesale_price: 1000 }])
    expect(await search(shop.key)).toMatchObject([{ sku: mined.sku, base_wholesale_price: 1200 }])
    const { text } = await market.call('GET', '/api/v3/inventory/snapshot', { token: shop.key })
    expect(text).toContain(mined.sku)
    expect(text).not.toContain(lab.sku)
    const order = { order_type: 'invoice', line_items: [{ sku: lab.sku, quantity: 1 }] }
    const { status, body } = await post('/api/v2/orders/place', order, shop.key)
    expect([status, body.line_items?.[0].price]).toEqual([200, 808])
    expect(await search(shop.key)).toEqual([])
  })

  it('one is counted by the preview of margins and by the overview', async () => {
    const overview = async () =>
      (await market.call('GET', '/api/operator/overview', { token: market.adminKey })).body.stock
    const preview = async () => {
      const tiers = [{ min: 0, max: 10, mined_percent: 99, lab_percent: 99 }]
      return (await post('/api/v3/profit_margins/preview', { tiers }, other.key)).body
    }
    const before = await overview()
    const { stones } = await preview()
    await listTwice('7700000001', '900', '950')
    await stockStones(market, { wholesale_price: '800' })
    const after = await overview()
    expect(after.total).toBe(before.total + 2)
    const inState = (stock: typeof before, state: string): number =>
      stock.by_state.find((each: { state: string }) => each.state === state)?.stones ?? 0
    expect(inState(after, 'available')).toBe(inState(before, 'available') + 2)
    // Of the stone above one offer was sold and the other is still listed.
    expect(inState(after, 'sold')).toBe(1)
    expect(inState(after, 'available')).toBe(after.total)
    expect((await preview()).stones).toBe(stones + 2)
  })

  it('a converted memo is told as sold of the offer of which memo was told', async () => {
    const cert_num = '7700000009'
    const offers = await stockStones(
      market,
      { lab: 'GIA', cert_num, wholesale_price: 500, wholesale_price_us: 700 },
      { lab: 'GIA', cert_num, wholesale_price: 600, wholesale_price_us: 650, supplier_id: second },
    )
    const american = await market.merchant()
    await market.database.pool.query('update gem set memo = true where cert_num = $1', [cert_num])
    const after = await lastNumber(market.database.db)
    const body = { order_type: 'memo', line_items: [{ sku: offers[1].sku, quantity: 1 }] }
    const { body: order } = await post('/api/v2/orders/place', body, other.key)
    const convert = `/api/operator/orders/${order.uuid}/convert`
    expect((await post(convert, {}, market.adminKey)).status).toBe(200)
    const told = async ({ key }: TestMerchant) => {
      const path = `/api/v3/inventory/changes?after=${after}`
      const { changes } = (await market.call('GET', path, { token: key })).body
      return changes.map((change: { kind: string; sku: string }) => [change.kind, change.sku])
    }
    // The first offer leads in the default list, the one that was ordered in the US list.
    expect(await told(other)).toEqual([
      ['memo', offers[0].sku],
      ['sold', offers[0].sku],
    ])
    expect(await told(american)).toEqual([
      ['memo', offers[1].sku],
      ['sold', offers[1].sku],
    ])
  })
})
