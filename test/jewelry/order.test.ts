import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { fillDemoJewelry } from '../../src/demo/jewelry/jewelry.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'

let market: TestMarket
let american: TestMerchant
let other: TestMerchant

beforeAll(async () => {
  market = await openTestMarket()
  american = await market.merchant()
  other = await market.merchant({ country_code: 'GB' })
  await inTransaction(market.database.db, (tx) =>
    fillDemoJewelry(tx, { seed: 2, publicUrl: 'https://x', merchants: [american.merchant] }),
  )
})
afterAll(() => market.close())

async function pick(where: string) {
  const { rows } = await market.database.pool.query(
    `select variant.id, sku, quantity, title, product.type, variant_options, wholesale_price,
       wholesale_price_us
     from variant join product on product.id = product_id
     join catalogue_product cp on cp.product_id = product.id
     join catalogue on uuid = catalogue_uuid where ${where} order by sku limit 1`,
  )
  return rows[0]
}

function place(key: string, lines: { sku: string; quantity: number }[]) {
  const body = { order_type: 'invoice', line_items: lines }
  return market.call('POST', '/api/v2/orders/place', { token: key, body })
}

async function quantityOf(sku: string): Promise<number> {
  const { rows } = await market.database.pool.query('select quantity from variant where sku = $1', [
    sku,
  ])
  return rows[0].quantity
}

it('sells jewelry and watches by SKU at the price list of the merchant', async () => {
  const ring = await pick("type = 'jewelry' and quantity >= 4 and name = 'General'")
  const watch = await pick("type = 'watch' and quantity >= 4 and name = 'General'")
  const lines = [ring, watch].map(({ sku }) => ({ sku, quantity: 2 }))
  for (const [{ key }, list] of [
    [american, 'wholesale_price_us'],
    [other, 'wholesale_price'],
  ] as const) {
    const before = [await quantityOf(ring.sku), await quantityOf(watch.sku)]
    const response = await place(key, lines)
    expect(response.status).toBe(200)
    const [first, second] = response.body.line_items
    expect(first).toMatchObject({
      sku: ring.sku,
      product_type: 'jewelry',
      price: Number(ring[list]),
    })
    expect(first.name).toContain(ring.title)
    for (const value of Object.values(ring.variant_options)) expect(first.name).toContain(value)
    expect(second).toMatchObject({ product_type: 'watch', price: Number(watch[list]) })
    expect(await quantityOf(ring.sku)).toBe(before[0] - 2)
    expect(await quantityOf(watch.sku)).toBe(before[1] - 2)
  }
})

it('refuses more than is in stock, and allocates nothing', async () => {
  const ring = await pick("type = 'jewelry' and quantity >= 2 and name = 'Bridal'")
  const more = { sku: ring.sku, quantity: ring.quantity + 1 }
  const response = await place(other.key, [more])
  expect([response.status, response.body.code]).toEqual([409, 'sku_unavailable'])
  expect(await quantityOf(ring.sku)).toBe(ring.quantity)
})

it('refuses a SKU of a catalogue that the merchant cannot see as unknown', async () => {
  const hidden = await pick("quantity > 0 and name = 'Trade preview'")
  const line = [{ sku: hidden.sku, quantity: 1 }]
  expect((await place(other.key, line)).status).toBe(422)
  expect((await place(american.key, line)).status).toBe(200)
})

it('sells each piece once to twenty simultaneous buyers', async () => {
  const ring = await pick("type = 'jewelry' and quantity between 3 and 6 and name = 'General'")
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => place(other.key, [{ sku: ring.sku, quantity: 1 }])),
  )
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(ring.quantity)
  expect(responses.filter(({ status }) => status === 409)).toHaveLength(20 - ring.quantity)
  expect(await quantityOf(ring.sku)).toBe(0)
})
