import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/http/app.ts'
import type { App } from '../../../src/http/route.ts'
import type { TestMerchant } from '../../support/market.ts'
import { type OrderMarket, openOrderMarket } from '../order-support.ts'
import { operatorOf, PRICE, TRACKING } from './money-support.ts'

let market: OrderMarket
let operator: ReturnType<typeof operatorOf>
/** A second node on the same database. */
let node: App
beforeAll(async () => {
  market = await openOrderMarket()
  operator = operatorOf(market)
  node = await buildApp(market.deps)
  await node.ready()
})
afterAll(async () => {
  await node.close()
  await market.close()
})

const buy = (buyer: TestMerchant, skus: string[], body: object = {}) =>
  market.place(skus, { by: buyer.key, body: { ...body } })
const admin = (buyer: TestMerchant, skus: string[], body: object = {}) =>
  market.place(skus, {
    by: market.adminKey,
    body: { merchant_uuid: buyer.merchant.uuid, ...body },
  })

describe('the credit limit', () => {
  it('refuses an invoice beyond it, with the figures, and not a cent before', async () => {
    const buyer = await operator.buyerWith({ credit_limit: 2 * PRICE })
    const skus = await operator.stones(3)
    expect((await buy(buyer, [skus[0]])).status).toBe(200)
    const refused = await buy(buyer, skus.slice(1))
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'credit_limit_exceeded',
        limit_name: 'credit_limit',
        limit: 2 * PRICE,
        used: PRICE,
        requested: 2 * PRICE,
      },
    })
    expect(refused.body.detail).toBe(
      "The merchant's credit limit is $3,400.00; $1,700.00 are unpaid, and this order is " +
        '$3,400.00. Pay something first, or have the operator raise the limit.',
    )
    expect(await market.stateOf(skus[1])).toEqual({ state: 'available', quantity: 1 })
    expect((await buy(buyer, [skus[1]])).status).toBe(200)
    expect((await buy(buyer, [skus[2]], { dry_run: true })).body.code).toBe('credit_limit_exceeded')
    expect(await operator.account(buyer)).toMatchObject({ unpaid: 3400, available_credit: 0 })
  })

  it('counts charges, and no longer what was paid or cancelled', async () => {
    const buyer = await operator.buyerWith({ credit_limit: PRICE })
    const skus = await operator.stones(3)
    const first = await buy(buyer, [skus[0]])
    expect((await buy(buyer, [skus[1]])).status).toBe(409)
    await operator.pay(first.body.uuid, { amount: PRICE - 0.01 })
    expect((await buy(buyer, [skus[1]])).body).toMatchObject({ used: 0.01 })
    await operator.act(first.body.uuid, 'pay')
    const second = await buy(buyer, [skus[1]])
    expect(second.status).toBe(200)
    await operator.act(second.body.uuid, 'cancel')
    const token = market.adminKey
    const rule = { kind: 'fee', amount: 0.01 }
    const added = await market.call('POST', '/api/operator/charge_rules', { token, body: rule })
    expect((await buy(buyer, [skus[2]])).body).toMatchObject({ used: 0, requested: 1700.01 })
    await market.call('DELETE', `/api/operator/charge_rules/${added.body.uuid}`, { token })
    expect((await buy(buyer, [skus[2]])).status).toBe(200)
  })

  it('is overridden by an admin only', async () => {
    const buyer = await operator.buyerWith({ credit_limit: 0, memo_limit: 0 })
    const skus = await operator.stones(2)
    const ignoring = { ignore_limits: true }
    expect((await buy(buyer, [skus[0]], ignoring)).body.code).toBe('credit_limit_exceeded')
    expect((await admin(buyer, [skus[0]])).body.code).toBe('credit_limit_exceeded')
    expect((await admin(buyer, [skus[0]], ignoring)).status).toBe(200)
    const memo = { order_type: 'memo' }
    expect((await buy(buyer, [skus[1]], { ...memo, ...ignoring })).body).toMatchObject({
      code: 'memo_limit_exceeded',
      limit_name: 'memo_limit',
      limit: 0,
      used: 0,
      requested: PRICE,
    })
    expect((await admin(buyer, [skus[1]], { ...memo, ...ignoring })).status).toBe(200)
    expect(await operator.account(buyer)).toEqual({
      currency_code: 'USD',
      credit_limit: 0,
      memo_limit: 0,
      unpaid: PRICE,
      on_memo: PRICE,
      available_credit: -PRICE,
      overdue: 0,
    })
  })

  it('holds for orders to two nodes at once, and so does the memo limit', async () => {
    const limits = { credit_limit: 5 * PRICE + 1, memo_limit: 3 * PRICE }
    const buyer = await operator.buyerWith(limits)
    const skus = await operator.stones(24)
    const headers = { authorization: `Bearer ${buyer.key}`, 'content-type': 'application/json' }
    const answers = await Promise.all(
      skus.map((sku, at) => {
        const order_type = at % 3 === 0 ? 'memo' : 'invoice'
        const payload = JSON.stringify({ order_type, line_items: [{ sku, quantity: 1 }] })
        const app = at % 2 === 0 ? market.app : node
        return app.inject({ method: 'POST', url: '/api/v2/orders/place', headers, payload })
      }),
    )
    const codes = answers.map((answer) => answer.json().code ?? answer.json().order_type)
    const count = (code: string) => codes.filter((each) => each === code).length
    expect([count('invoice'), count('credit_limit_exceeded')]).toEqual([5, 11])
    expect([count('memo'), count('memo_limit_exceeded')]).toEqual([3, 5])
    expect(await operator.account(buyer)).toMatchObject({
      unpaid: 5 * PRICE,
      on_memo: 3 * PRICE,
      available_credit: 1,
    })
  })

  it('never deadlocks with payments, cancellations and orders for the same stones', async () => {
    const buyer = await operator.buyerWith({ credit_limit: 1_000_000 })
    const skus = await operator.stones(6)
    const first = await buy(buyer, await operator.stones(2))
    const shuffled = (at: number) => [...skus.slice(at), ...skus.slice(0, at)]
    const answers = await Promise.all(
      skus.flatMap((_, at) => [
        buy(buyer, shuffled(at)),
        operator.pay(first.body.uuid, { amount: 10 }),
        operator.act(first.body.uuid, 'cancel'),
        market.place(shuffled(at)),
      ]),
    )
    for (const { status } of answers) expect([200, 409, 422]).toContain(status)
  })
})

describe('GET /api/v3/account', () => {
  it('has no limits unless they are set, and is not for an admin', async () => {
    const buyer = await market.merchant()
    expect(await operator.account(buyer)).toEqual({
      currency_code: 'USD',
      credit_limit: null,
      memo_limit: null,
      unpaid: 0,
      on_memo: 0,
      available_credit: null,
      overdue: 0,
    })
    const call = await market.call('GET', '/api/v3/account', { token: market.adminKey })
    expect(call.status).toBe(403)
  })

  it('says what is overdue, and the operator sees by how long', async () => {
    const buyer = await operator.buyerWith({ payment_terms_days: 30 })
    const { db } = market.database
    for (const daysAgo of [null, 0, 30, 31, 60, 61, 90, 120, 121]) {
      const { body } = await buy(buyer, await operator.stones(1))
      if (daysAgo === null) continue
      await operator.act(body.uuid, 'fulfill', TRACKING)
      await sql`update orders set invoiced_on = invoiced_on - make_interval(days => ${daysAgo})
        where uuid = ${body.uuid}`.execute(db)
    }
    expect(await operator.account(buyer)).toMatchObject({ unpaid: 9 * PRICE, overdue: 6 * PRICE })
    const token = market.adminKey
    const path = `/api/operator/merchants/${buyer.merchant.uuid}/account`
    const { body } = await market.call('GET', path, { token })
    expect(body).toMatchObject({
      merchant_uuid: buyer.merchant.uuid,
      payment_terms_days: 30,
      ageing: [
        { bucket: 'current', orders: 3, amount: 3 * PRICE },
        { bucket: '1-30', orders: 2, amount: 2 * PRICE },
        { bucket: '31-60', orders: 2, amount: 2 * PRICE },
        { bucket: '61-90', orders: 1, amount: PRICE },
        { bucket: 'over 90', orders: 1, amount: PRICE },
      ],
    })
  })
})

describe('GET /api/operator/merchants/{uuid}/ledger', () => {
  it('lists the entries newest first, in pages, by order and by kind', async () => {
    const buyer = await market.merchant()
    const orders: string[] = []
    for (let count = 0; count < 3; count++) {
      orders.push((await buy(buyer, await operator.stones(1))).body.uuid)
    }
    await operator.pay(orders[0], { amount: 5, method: 'card', reference: 'R-1' })
    await operator.act(orders[1], 'cancel', { reason: 'too late' })
    const read = async (query: string) => {
      const path = `/api/operator/merchants/${buyer.merchant.uuid}/ledger${query}`
      return (await market.call('GET', path, { token: market.adminKey })).body
    }
    const all = await read('')
    const kinds = all.entries.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(['credit', 'payment', 'order', 'order', 'order'])
    expect(all.entries[0]).toMatchObject({
      amount: -PRICE,
      reason: 'too late',
      label: 'Cancelled goods',
    })
    expect(all.entries[1]).toMatchObject({ amount: -5, method: 'card', reference: 'R-1' })
    expect(all).toMatchObject({ total: 5, offset: 0, limit: 100 })
    const page = await read('?limit=2&offset=1')
    expect(page.entries).toEqual(all.entries.slice(1, 3))
    expect((await read(`?order_uuid=${orders[0]}`)).total).toBe(2)
    expect((await read('?kind=payment,credit')).total).toBe(2)
    expect((await read(`?kind=payment&order_uuid=${orders[1]}`)).entries).toEqual([])
  })
})

describe('the terms of a merchant', () => {
  it.each([
    { payment_terms_days: -1 },
    { payment_terms_days: 366 },
    { payment_terms_days: 1.5 },
    { payment_terms_days: null },
    { credit_limit: -0.01 },
    { credit_limit: 1.001 },
    { memo_limit: '5' },
  ])('refuse %j', async (terms) => {
    const path = `/api/operator/merchants/${market.buyer.merchant.uuid}`
    const call = { token: market.adminKey, body: terms }
    expect((await market.call('PATCH', path, call)).status).toBe(422)
  })

  it('are 30 days without limits at first, and a limit can be lifted', async () => {
    const buyer = await market.merchant()
    const path = `/api/operator/merchants/${buyer.merchant.uuid}`
    const token = market.adminKey
    const terms = { payment_terms_days: 30, credit_limit: null, memo_limit: null }
    expect((await market.call('GET', path, { token })).body).toMatchObject(terms)
    const set = await market.call('PATCH', path, { token, body: { credit_limit: 1234.56 } })
    expect(set.body.credit_limit).toBe(1234.56)
    const lifted = await market.call('PATCH', path, { token, body: { credit_limit: null } })
    expect(lifted.body.credit_limit).toBeNull()
  })
})
