import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/http/app.ts'
import type { App } from '../../src/http/route.ts'
import type { TestMerchant } from '../support/market.ts'
import { addParcel, addStones, type OrderMarket, openOrderMarket } from './order-support.ts'

let market: OrderMarket
/** A second node on the same database. */
let node: App

beforeAll(async () => {
  market = await openOrderMarket()
  node = await buildApp(market.deps)
  await node.ready()
})
afterAll(async () => {
  await node.close()
  await market.close()
})

const PRICE = 1700
const stones = (count: number) => addStones(market.database.db, count)
const merchantPath = ({ merchant }: TestMerchant) => `/api/operator/merchants/${merchant.uuid}`

async function buyerWith(limits: object): Promise<TestMerchant> {
  const buyer = await market.merchant()
  const token = market.adminKey
  const set = await market.call('PATCH', merchantPath(buyer), { token, body: { limits } })
  expect(set.status).toBe(200)
  return buyer
}

const memo = (buyer: TestMerchant, skus: string[], body: object = {}) =>
  market.place(skus, { by: buyer.key, body: { order_type: 'memo', ...body } })
const change = (uuid: string, verb: string) =>
  market.call('POST', `/api/operator/orders/${uuid}/${verb}`, { token: market.adminKey, body: {} })
const usageOf = async (buyer: TestMerchant) =>
  (await market.call('GET', merchantPath(buyer), { token: market.adminKey })).body.usage

describe('the memo limits of a merchant', () => {
  it('refuse a memo with too many stones, say the figures, and take nothing', async () => {
    const buyer = await buyerWith({ max_memo_stones: 3 })
    const skus = await stones(4)
    expect((await memo(buyer, skus.slice(0, 2))).status).toBe(200)
    const refused = await memo(buyer, skus.slice(2))
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'memo_limit_exceeded',
        limit_name: 'max_memo_stones',
        limit: 3,
        used: 2,
        requested: 2,
      },
    })
    expect(refused.body.detail).toBe(
      "The merchant's limit of stones on memo is 3; 2 are in use, and 2 more were requested. " +
        'Return or buy some of them first, or have the operator raise the limit.',
    )
    expect(await market.stateOf(skus[3])).toEqual({ state: 'available', quantity: 1 })
    expect((await memo(buyer, [skus[2]])).status).toBe(200)
    expect(await usageOf(buyer)).toMatchObject({ memo_stones: 3, memo_value: 3 * PRICE })
  })

  it('refuse a memo of too much value, and not a cent before', async () => {
    const buyer = await buyerWith({ max_memo_value: 2 * PRICE })
    const skus = await stones(3)
    expect((await memo(buyer, [skus[0]])).status).toBe(200)
    expect((await memo(buyer, skus.slice(1))).body).toMatchObject({
      code: 'memo_limit_exceeded',
      limit_name: 'max_memo_value',
      limit: 2 * PRICE,
      used: PRICE,
      requested: 2 * PRICE,
    })
    expect((await memo(buyer, [skus[1]])).status).toBe(200)
    expect((await memo(buyer, [skus[2]])).body.used).toBe(2 * PRICE)
  })

  it('are none unless they are set', async () => {
    const buyer = await market.merchant()
    const [dear] = await stones(1)
    await sql`update gem set wholesale_price = 30000000, wholesale_price_us = 30000000
      where sku = ${dear}`.execute(market.database.db)
    expect((await memo(buyer, [dear], { dry_run: true })).status).toBe(200)
  })

  it('are said by a dry run, too', async () => {
    const buyer = await buyerWith({ max_memo_stones: 1 })
    const skus = await stones(2)
    const dry = { dry_run: true }
    expect((await memo(buyer, skus, dry)).body.code).toBe('memo_limit_exceeded')
    expect((await memo(buyer, [skus[0]], dry)).status).toBe(200)
  })

  it('do not count what was returned, cancelled or bought', async () => {
    const buyer = await buyerWith({ max_memo_stones: 1 })
    for (const verb of ['return', 'cancel', 'convert']) {
      const [first, second] = await stones(2)
      const { body } = await memo(buyer, [first])
      expect((await memo(buyer, [second])).body.code).toBe('memo_limit_exceeded')
      expect((await change(body.uuid, verb)).status).toBe(200)
      const { body: next } = await memo(buyer, [second])
      expect((await change(next.uuid, 'return')).status).toBe(200)
    }
    expect(await usageOf(buyer)).toMatchObject({ memo_stones: 0, memo_value: 0 })
  })

  it('count what was shipped and not returned, and the certificate not as a stone', async () => {
    const buyer = await buyerWith({ max_memo_stones: 2 })
    const skus = await stones(3)
    const { body } = await memo(buyer, skus.slice(0, 2))
    await market.call('POST', `/api/operator/orders/${body.uuid}/fulfill`, {
      token: market.adminKey,
      body: { tracking_company: 'Carrier', tracking_number: '1' },
    })
    expect(await usageOf(buyer)).toMatchObject({ memo_stones: 2, memo_value: 2 * PRICE })
    expect((await memo(buyer, [skus[2]])).body).toMatchObject({ used: 2, requested: 1 })
  })

  it('count a line of melee as one stone, at its full value', async () => {
    const buyer = await buyerWith({ max_memo_stones: 2, max_memo_value: 200 })
    const sku = await addParcel(market.database.db, 1000)
    const line = (quantity: number) => ({ line_items: [{ sku, quantity }] })
    expect((await memo(buyer, [], line(100))).status).toBe(200)
    expect(await usageOf(buyer)).toMatchObject({ memo_stones: 1, memo_value: 162.5 })
    expect((await memo(buyer, [], line(24))).body).toMatchObject({ used: 162.5, requested: 39 })
    expect((await memo(buyer, [], line(23))).status).toBe(200)
  })

  it('do not stop invoices', async () => {
    const buyer = await buyerWith({ max_memo_stones: 0, max_memo_value: 0 })
    expect((await market.place(await stones(2), { by: buyer.key })).status).toBe(200)
  })

  it('hold for orders to two nodes at once', async () => {
    const buyer = await buyerWith({ max_memo_stones: 5 })
    const skus = await stones(20)
    const headers = { authorization: `Bearer ${buyer.key}`, 'content-type': 'application/json' }
    const answers = await Promise.all(
      skus.map((sku, at) => {
        const body = { order_type: 'memo', line_items: [{ sku, quantity: 1 }] }
        const app = at % 2 === 0 ? market.app : node
        const url = '/api/v2/orders/place'
        return app.inject({ method: 'POST', url, headers, payload: JSON.stringify(body) })
      }),
    )
    const codes = answers.map((answer) => answer.json().code ?? answer.statusCode)
    expect(codes.filter((code) => code === 200)).toHaveLength(5)
    expect(codes.filter((code) => code === 'memo_limit_exceeded')).toHaveLength(15)
    expect(await usageOf(buyer)).toMatchObject({ memo_stones: 5 })
  })

  it('never deadlock with invoices and holds of the same merchant on the same stones', async () => {
    const { key } = market.buyer
    const skus = await stones(6)
    const shuffled = (at: number) => [...skus.slice(at), ...skus.slice(0, at)]
    const calls = skus.flatMap((sku, at) => [
      memo(market.buyer, shuffled(at)),
      market.place(shuffled(at)),
      market.call('POST', '/api/v3/inventory/holds', { token: key, body: { sku } }),
    ])
    for (const { status } of await Promise.all(calls)) expect([200, 201, 409]).toContain(status)
  })
})
