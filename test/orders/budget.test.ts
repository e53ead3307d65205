import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/http/app.ts'
import type { App } from '../../src/http/route.ts'
import { deleteOldBudgetUse } from '../../src/merchants/token-cleanup.ts'
import type { TokenRequest } from '../../src/merchants/token-store.ts'
import { SCOPES } from '../../src/reference/roles.ts'
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

/** Without the scope that a key with a budget cannot have. */
const KEY_SCOPES = SCOPES.filter((scope) => scope !== 'users:write')

const stones = (count: number, price: string) =>
  addStones(market.database.db, count, () => ({ wholesale_price_us: price }))

function keyWith(budget: TokenRequest['budget'], more: Partial<TokenRequest> = {}) {
  const { uuid } = market.buyer.merchant
  const request = { merchant_uuid: uuid, scopes: KEY_SCOPES, ...more }
  return market.token({ ...request, ...(budget && { budget }) })
}

const makeKey = (token: string, body: object = {}) =>
  market.call('POST', '/api/v3/tokens', { token, body: { name: 'child', ...body } })

async function orderOn(app: App, token: string, sku: string) {
  const response = await app.inject({
    method: 'POST',
    url: '/api/v2/orders/place',
    headers: { authorization: `Bearer ${token}` },
    payload: { order_type: 'invoice', line_items: [{ sku, quantity: 1 }] },
  })
  return response.statusCode === 200 ? 'placed' : response.json<{ code: string }>().code
}

describe('an order with a key that has a budget', () => {
  it('is refused when it is dearer than one order may be, to the cent', async () => {
    const { token: by } = await keyWith({ amount_per_order: 1000 })
    const [exact, dearer] = [...(await stones(1, '1000.00')), ...(await stones(1, '1000.01'))]
    expect((await market.place([exact], { by })).status).toBe(200)
    const { status, body } = await market.place([dearer], { by, version: 'v3' })
    expect(status).toBe(403)
    expect(body).toMatchObject({
      code: 'budget_exceeded',
      limit_name: 'amount_per_order',
      budget: { orders_per_day: null, amount_per_day: null, amount_per_order: 1000 },
      requested: 1000.01,
    })
    expect(body.detail).toContain('$1,000.00 in one order. This order is $1,000.01')
    expect(await market.stateOf(dearer)).toMatchObject({ state: 'available' })
  })

  it('is refused when the day is used up, and says what is left', async () => {
    const { token: by } = await keyWith({ amount_per_day: 2500, orders_per_day: 3 })
    const [first, second, third, small, other] = await stones(5, '1000.00')
    expect((await market.place([first], { by })).status).toBe(200)
    expect((await market.place([second], { by })).status).toBe(200)
    const refused = await market.place([third], { by })
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({
      limit_name: 'amount_per_day',
      used: { orders: 2, amount: 2000 },
      left: { orders: 1, amount: 500 },
      requested: 1000,
    })
    expect(refused.body.detail).toContain('1 orders and $500.00 are left today')
    const melee = await addParcel(market.database.db, 10, { wholesale_price_us: '0.01' })
    expect((await market.place([melee], { by })).status).toBe(200)
    const last = await market.place([small], { by })
    expect(last.body).toMatchObject({ code: 'budget_exceeded', limit_name: 'orders_per_day' })
    // Another key of the merchant is not concerned.
    expect((await market.place([other])).status).toBe(200)
  })

  it('counts once when it is repeated, and not when it is refused or a dry run', async () => {
    const { token: by } = await keyWith({ orders_per_day: 1 })
    const [sku, other] = await stones(2, '100.00')
    const dry = { by, body: { dry_run: true } }
    for (let count = 0; count < 3; count++) {
      expect((await market.place([sku], dry)).status).toBe(200)
    }
    expect((await market.place(['UNKNOWN-1'], { by })).status).toBe(422)
    const headers = { 'idempotency-key': 'budget-1' }
    const once = () =>
      market.call('POST', '/api/v2/orders/place', {
        token: by,
        headers,
        body: { order_type: 'invoice', line_items: [{ sku, quantity: 1 }] },
      })
    const placed = await once()
    expect(placed.status).toBe(200)
    expect((await once()).text).toBe(placed.text)
    expect((await market.place([other], { by })).status).toBe(403)
    expect((await market.place([other], dry)).status).toBe(200)
  })

  it('may order again on the next day', async () => {
    const { token: by } = await keyWith({ orders_per_day: 1 })
    const [first, second] = await stones(2, '100.00')
    const { db } = market.database
    expect((await market.place([first], { by })).status).toBe(200)
    await sql`update budget_use set day = day - 40`.execute(db)
    expect((await market.place([second], { by })).status).toBe(200)
    await deleteOldBudgetUse(db)
    const left = await db.selectFrom('budget_use').selectAll().execute()
    expect(left).toHaveLength(1)
  })

  it('holds for simultaneous orders on two nodes', async () => {
    const { token } = await keyWith({ amount_per_day: 700, orders_per_day: 100 })
    const all = await stones(30, '100.00')
    const outcomes = await Promise.all(
      all.map((sku, index) => orderOn(index % 2 === 0 ? market.app : node, token, sku)),
    )
    const placed = outcomes.filter((outcome) => outcome === 'placed')
    expect(placed).toHaveLength(7)
    expect(new Set(outcomes)).toEqual(new Set(['placed', 'budget_exceeded']))
  })

  it('holds for simultaneous orders with keys that it made', async () => {
    const { token } = await keyWith({ orders_per_day: 5 })
    const children = [token]
    for (let count = 0; count < 3; count++) {
      const budget = count === 0 ? { budget: { orders_per_day: 2 } } : {}
      children.push((await makeKey(token, budget)).body.token)
    }
    const all = await stones(24, '100.00')
    const outcomes = await Promise.all(
      all.map((sku, index) =>
        orderOn(index % 2 === 0 ? market.app : node, children[index % children.length], sku),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'placed')).toHaveLength(5)
  })
})

describe('what is made with a key that has a budget', () => {
  it('shares the budget: keys, their keys and sessions', async () => {
    const { token } = await keyWith({ orders_per_day: 3, amount_per_order: 5000 })
    const all = await stones(4, '100.00')
    const child = (await makeKey(token, { scopes: ['orders:write', 'keys:write'] })).body
    expect(child.budget).toEqual({
      orders_per_day: 3,
      amount_per_day: null,
      amount_per_order: 5000,
    })
    const grandchild = (await makeKey(child.token, { scopes: ['orders:write'] })).body
    const session = (await market.call('POST', '/api/v3/session', { body: { key: token } })).body
    for (const [index, by] of [child.token, grandchild.token, session.token].entries()) {
      expect((await market.place([all[index]], { by })).status).toBe(200)
    }
    const refused = await market.place([all[3]], { by: token })
    expect(refused.body).toMatchObject({ code: 'budget_exceeded', used: { orders: 3 } })
  })

  it('can have a smaller budget, which counts as well, and no larger one', async () => {
    const { token } = await keyWith({ orders_per_day: 2, amount_per_day: 1000 })
    const larger = await makeKey(token, { budget: { orders_per_day: 3 } })
    expect(larger.status).toBe(422)
    expect(larger.body.errors).toEqual([
      { field: 'budget.orders_per_day', message: 'must be at most 2, as of the calling token' },
    ])
    const { body: child } = await makeKey(token, { budget: { orders_per_day: 1 } })
    expect(child.budget).toMatchObject({ orders_per_day: 1, amount_per_day: 1000 })
    const all = await stones(3, '100.00')
    expect((await market.place([all[0]], { by: child.token })).status).toBe(200)
    expect((await market.place([all[1]], { by: child.token })).status).toBe(403)
    expect((await market.place([all[1]], { by: token })).status).toBe(200)
    expect((await market.place([all[2]], { by: token })).status).toBe(403)
  })

  it('goes on with the same budget when it is rotated', async () => {
    const { token } = await keyWith({ orders_per_day: 1 })
    const { body: child } = await makeKey(token, { budget: { amount_per_order: 500 } })
    const [sku, other] = await stones(2, '100.00')
    expect((await market.place([sku], { by: child.token })).status).toBe(200)
    const path = `/api/v3/tokens/${child.uuid}/rotate`
    const { body: rotated } = await market.call('POST', path, { token, body: {} })
    expect(rotated.budget).toEqual(child.budget)
    expect((await market.place([other], { by: rotated.token })).status).toBe(403)
  })
})

describe('a budget', () => {
  it('is accepted from the operator and shown in both lists and in the audit', async () => {
    const { uuid: merchant_uuid } = market.buyer.merchant
    const budget = { orders_per_day: 5, amount_per_day: 1234.56, amount_per_order: 99.9 }
    const made = await market.call('POST', '/api/operator/tokens', {
      token: market.adminKey,
      body: { type: 'api_key', merchant_uuid, budget },
    })
    expect(made.status).toBe(201)
    expect(made.body.budget).toEqual(budget)
    const lists = [
      await market.call('GET', `/api/operator/tokens?merchant_uuid=${merchant_uuid}&limit=100`, {
        token: market.adminKey,
      }),
      await market.call('GET', '/api/v3/tokens?limit=100', { token: market.buyer.key }),
    ]
    for (const { body } of lists) {
      const budgets = new Map<string, unknown>(
        body.tokens.map((each: { uuid: string; budget: unknown }) => [each.uuid, each.budget]),
      )
      expect(budgets.get(made.body.uuid)).toEqual(budget)
      expect([...budgets.values()]).toContain(null)
    }
    const audit = await market.call('GET', `/api/operator/audit?subject=${made.body.uuid}`, {
      token: market.adminKey,
    })
    expect(JSON.stringify(audit.body)).toContain('"amount_per_day":1234.56')
  })

  it('is refused for suppliers, without a limit, and with users:write', async () => {
    const { token, uuid } = await keyWith(undefined, { scopes: SCOPES })
    const withUsers = await makeKey(token, {
      scopes: ['orders:write', 'users:write'],
      budget: { orders_per_day: 1 },
    })
    expect(withUsers.status).toBe(422)
    expect(withUsers.body.errors[0].field).toBe('scopes')
    expect((await makeKey(token, { budget: {} })).status).toBe(422)
    expect((await makeKey(token, { budget: { orders_per_day: -1 } })).status).toBe(422)
    const supplier = market.token({
      type: 'supplier',
      supplier_uuid: uuid,
      scopes: ['orders:read'],
      budget: { orders_per_day: 1 },
    })
    await expect(supplier).rejects.toThrow()
  })

  it('of an operator limits its orders, and it cannot get the key of a merchant', async () => {
    const { token: admin } = (
      await market.call('POST', '/api/operator/tokens', {
        token: market.adminKey,
        body: { type: 'admin', budget: { orders_per_day: 0 } },
      })
    ).body
    const [sku] = await stones(1, '100.00')
    const { uuid: merchant_uuid } = market.buyer.merchant
    const refused = await market.place([sku], { by: admin, body: { merchant_uuid } })
    expect(refused.body.code).toBe('budget_exceeded')
    const { uuid } = await keyWith(undefined)
    const path = `/api/operator/tokens/${uuid}/rotate`
    expect((await market.call('POST', path, { token: admin, body: {} })).status).toBe(403)
    const made = await market.call('POST', '/api/operator/tokens', {
      token: admin,
      body: { type: 'api_key', merchant_uuid, scopes: ['orders:write'] },
    })
    const { token: by } = made.body
    expect((await market.place([sku], { by })).body.code).toBe('budget_exceeded')
  })
})
