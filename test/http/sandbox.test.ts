import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { readOffsetSeconds } from '../../src/database/clock.ts'
import { buildApp } from '../../src/http/app.ts'
import type { App } from '../../src/http/route.ts'
import { PRIVATE_NETWORKS } from '../../src/lib/networks.ts'
import { remindMemos } from '../../src/orders/memos/remind-memos.ts'
import { SCENARIO_SKUS } from '../../src/orders/placing/plan-order.ts'
import { runScenarios } from '../../src/orders/sandbox/run-scenarios.ts'
import { createScenarios } from '../../src/orders/sandbox/scenarios.ts'
import { addStone } from '../orders/order-support.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'

let market: TestMarket
/** A second node on the same database. */
let node: App
let shop: TestMerchant
let orderCount = 0

const SLOW_MS = 300
const DAY = 86_400

beforeAll(async () => {
  market = await openTestMarket({ realm: 'test', slowOrderMs: SLOW_MS })
  shop = await market.merchant()
  node = await buildApp(market.deps)
  await node.ready()
  await createScenarios(market.database.db)
})
afterAll(async () => {
  await node.close()
  await market.close()
})

const clock = (body: object, token = shop.key) =>
  market.call('POST', '/api/sandbox/clock', { token, body })

const place = (skus: string[], more: object = {}, token = shop.key) =>
  market.call('POST', '/api/v3/orders/place', {
    token,
    body: {
      order_type: 'invoice',
      external_order_id: `SB-${++orderCount}`,
      line_items: skus.map((sku) => ({ sku, quantity: 1 })),
      ...more,
    },
  })

const get = (path: string, token = shop.key) => market.call('GET', path, { token })
const step = (uuid: string, name: string, token = shop.key) =>
  market.call('POST', `/api/sandbox/orders/${uuid}/${name}`, { token })

/** What the background does every second; here at once. */
const runNow = () =>
  runScenarios(market.database.db, { publicUrl: '', findSubstitutes: async () => [] })

describe('the scenarios of the sandbox', () => {
  it('are there once, however often they are created', async () => {
    await Promise.all([createScenarios(market.database.db), createScenarios(market.database.db)])
    const rows = await market.database.db
      .selectFrom('gem')
      .select('sku')
      .where('sku', 'like', 'TEST-%')
      .execute()
    expect(rows.map(({ sku }) => sku).toSorted()).toEqual([...SCENARIO_SKUS].toSorted())
  })

  it('refuse TEST-SOLD and TEST-HELD, each for its reason', async () => {
    for (let count = 0; count < 2; count++) {
      const sold = await place(['TEST-SOLD'])
      expect([sold.status, sold.body.code]).toEqual([409, 'sku_unavailable'])
      const held = await place(['TEST-HELD'])
      expect([held.status, held.body.code]).toEqual([409, 'sku_on_hold'])
    }
    const hold = await market.call('POST', '/api/v3/inventory/holds', {
      token: shop.key,
      body: { sku: 'TEST-HELD', minutes: 5 },
    })
    expect([hold.status, hold.body.code]).toEqual([409, 'sku_on_hold'])
  })

  it('answer TEST-SLOW late, and place the order', async () => {
    const startMs = performance.now()
    expect((await place(['TEST-SLOW'])).status).toBe(200)
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(SLOW_MS - 1)
    expect((await place(['TEST-SLOW'])).status).toBe(200)
  })

  it('decline TEST-DECLINED a moment after the order, and nothing else of it', async () => {
    const other = await addStone(market.database.db)
    const { body: placed } = await place(['TEST-DECLINED', other])
    await runNow()
    const path = `/api/v3/orders/${placed.uuid}`
    const { body: order } = await get(path)
    const events = await get('/api/v3/events?limit=100')
    const types = JSON.stringify(events.body)
    expect(types).toContain('order.line.decline')
    expect(order.order_status ?? null).toBeNull()
    const [declined, kept] = await market.database.db
      .selectFrom('order_line')
      .select(['sku', 'declined_on', 'open_quantity'])
      .where('order_uuid', '=', placed.uuid)
      .orderBy('position')
      .execute()
    expect(declined).toMatchObject({ sku: 'TEST-DECLINED', open_quantity: 0 })
    expect(declined.declined_on).not.toBeNull()
    expect(kept).toMatchObject({ sku: other, open_quantity: 1, declined_on: null })
    expect((await place(['TEST-DECLINED'])).status).toBe(200)
  })

  it('ship TEST-SHIPS a moment after the order, on whatever node', async () => {
    const { body: first } = await place(['TEST-SHIPS'])
    const { body: second } = await place(['TEST-SHIPS'])
    await Promise.all([runNow(), runNow(), runNow()])
    for (const { uuid } of [first, second]) {
      const { body } = await get(`/api/v3/orders/${uuid}`)
      expect(body.fulfillment_status).toBe('fulfilled')
      expect(body.fulfillments).toHaveLength(1)
    }
  })

  it('are run by the server itself', async () => {
    const { body } = await place(['TEST-SHIPS'])
    const statusOf = async () => (await get(`/api/v3/orders/${body.uuid}`)).body.fulfillment_status
    await expect.poll(statusOf).toBe('fulfilled')
  })

  it('make TEST-PRICE-UP 5 % dearer each time that it is priced', async () => {
    const priced = async () =>
      Number((await place(['TEST-PRICE-UP'], { dry_run: true })).body.total)
    const found = await get('/api/v3/inventory/gems/TEST-PRICE-UP')
    expect(found.status).toBe(200)
    const search = await market.call('POST', '/api/v3/diamonds/merchant_search', {
      token: shop.key,
      body: { filters: { sku: ['TEST-PRICE-UP'] } },
    })
    const prices = [Number(search.body.gems?.[0]?.wholesale_price ?? 0)]
    prices.push(await priced(), await priced())
    prices.push(Number((await place(['TEST-PRICE-UP'])).body.total), await priced())
    prices.slice(1).forEach((price, index) => {
      expect(price / prices[index]).toBeCloseTo(1.05, 4)
    })
  })
})

describe('the clock of the sandbox', () => {
  afterEach(async () => {
    await clock({ reset: true })
  })

  it('moves by what is asked for, for any key, and back', async () => {
    const first = await clock({ advance: '3d' })
    expect(first.status).toBe(200)
    expect(first.body.advanced_seconds).toBe(3 * DAY)
    expect(Date.parse(first.body.now) - Date.now()).toBeGreaterThan(2.9 * DAY * 1000)
    expect(first.body.now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/)
    const second = await clock({ advance: '1d12h' }, market.adminKey)
    expect(second.body.advanced_seconds).toBe(4.5 * DAY)
    expect((await get('/api/sandbox/clock')).body.advanced_seconds).toBe(4.5 * DAY)
    expect((await clock({ reset: true })).body.advanced_seconds).toBe(0)
  })

  it('adds up simultaneous advances of two nodes, which both see the result', async () => {
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        (index % 2 === 0 ? market.app : node).inject({
          method: 'POST',
          url: '/api/sandbox/clock',
          headers: { authorization: `Bearer ${shop.key}` },
          payload: { advance: '1h' },
        }),
      ),
    )
    expect(await readOffsetSeconds(market.database.db)).toBe(8 * 3600)
    for (const app of [market.app, node]) {
      const { clock: own } = app.services
      const hoursAhead = () => Math.round((own.now() - own.databaseNow()) / 3_600_000)
      await expect.poll(hoursAhead).toBe(8)
    }
  })

  it('refuses what it does not understand, and what is too far', async () => {
    for (const body of [
      {},
      { advance: '3 days' },
      { advance: '-3d' },
      { reset: false },
      { advance: '1d', reset: true },
      { advance: '3651d' },
    ]) {
      expect((await clock(body)).status, JSON.stringify(body)).toBe(422)
    }
    expect(await readOffsetSeconds(market.database.db)).toBe(0)
  })

  it('ends holds, quotes and tokens', async () => {
    const sku = await addStone(market.database.db)
    await market.app.services.catchUp()
    const hold = await market.call('POST', '/api/v3/inventory/holds', {
      token: shop.key,
      body: { sku, minutes: 60 },
    })
    expect(hold.status).toBe(201)
    const quoted = await addStone(market.database.db)
    const quote = await market.call('POST', '/api/v3/quotes', {
      token: shop.key,
      body: { line_items: [{ sku: quoted, quantity: 1 }], minutes: 120 },
    })
    expect(quote.status, quote.text).toBe(201)
    const brief = await market.token({
      merchant_uuid: shop.merchant.uuid,
      expires_on: new Date(Date.now() + 3_600_000),
    })
    expect((await get('/api/v3/session', brief.token)).status).toBe(200)
    const other = await market.merchant()
    expect((await place([sku], {}, other.key)).body.code).toBe('sku_on_hold')
    await clock({ advance: '3d' })
    expect((await place([sku], {}, other.key)).status).toBe(200)
    const late = await place([quoted], { quote_uuid: quote.body.uuid })
    expect(late.body.code).toBe('quote_expired')
    expect((await get('/api/v3/session', brief.token)).status).toBe(401)
    await clock({ reset: true })
    const back = async () => (await get('/api/v3/session', brief.token)).status
    await expect.poll(back).toBe(200)
  })

  it('does not keep an exchange rate in force that was set while it was ahead', async () => {
    const path = '/api/operator/exchange_rates'
    const set = (rate: number) =>
      market.call('POST', path, {
        token: market.adminKey,
        body: { currency_code: 'SEK', rate },
      })
    await clock({ advance: '10d' })
    expect((await set(9)).status).toBe(201)
    await clock({ reset: true })
    expect((await set(11)).status).toBe(201)
    const { exchange_rates } = (await get(path, market.adminKey)).body
    expect(exchange_rates).toMatchObject([{ currency_code: 'SEK', rate: 11 }])
    const { body: history } = await get(`${path}/SEK`, market.adminKey)
    expect(history.exchange_rates).toMatchObject([{ rate: 11 }, { rate: 9 }])
  })

  it('reminds of memos that are due', async () => {
    const sku = await addStone(market.database.db)
    const { body } = await place([sku], { order_type: 'memo' })
    const reminderOf = () =>
      market.database.db
        .selectFrom('orders')
        .select('memo_reminder')
        .where('uuid', '=', body.uuid)
        .executeTakeFirstOrThrow()
    expect((await reminderOf()).memo_reminder).toBeNull()
    await clock({ advance: '30d' })
    await remindMemos(market.database.db)
    await expect.poll(async () => (await reminderOf()).memo_reminder).toBe('overdue')
  })
})

describe('an order of the sandbox', () => {
  it('is paid and shipped by its merchant', async () => {
    const sku = await addStone(market.database.db)
    const { uuid } = (await place([sku])).body
    const paid = await step(uuid, 'pay')
    expect([paid.status, paid.body.payment_status]).toEqual([200, 'paid'])
    expect((await step(uuid, 'pay')).status).toBe(409)
    const shipped = await step(uuid, 'fulfill')
    expect([shipped.status, shipped.body.fulfillment_status]).toEqual([200, 'fulfilled'])
    expect((await step(uuid, 'decline')).status).toBe(409)
  })

  it('is declined by its merchant or by the operator', async () => {
    for (const token of [shop.key, market.adminKey]) {
      const sku = await addStone(market.database.db)
      const { uuid } = (await place([sku])).body
      expect((await step(uuid, 'decline', token)).status).toBe(200)
      const lines = await market.database.db
        .selectFrom('order_line')
        .select(['cancelled_quantity', 'open_quantity'])
        .where('order_uuid', '=', uuid)
        .execute()
      expect(lines).toEqual([{ cancelled_quantity: 1, open_quantity: 0 }])
    }
  })

  it('does not exist for another merchant', async () => {
    const sku = await addStone(market.database.db)
    const { uuid } = (await place([sku])).body
    const other = await market.merchant()
    for (const name of ['pay', 'fulfill', 'decline']) {
      expect((await step(uuid, name, other.key)).status).toBe(404)
    }
  })
})

describe('production', () => {
  it('has none of this, and sells a stone that is called like a scenario once', async () => {
    const live = await buildApp({ ...market.deps, realm: 'live' })
    try {
      const { token } = await market.token({ realm: 'live', merchant_uuid: shop.merchant.uuid })
      const headers = { authorization: `Bearer ${token}` }
      const missing = [
        ['POST', '/api/sandbox/clock'],
        ['GET', '/api/sandbox/clock'],
        ['POST', '/api/sandbox/orders/0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90/pay'],
      ]
      for (const [method, url] of missing) {
        const payload = method === 'POST' ? { payload: { reset: true } } : {}
        const response = await live.inject({ method: method as 'GET', url, headers, ...payload })
        expect(response.statusCode).toBe(404)
      }
      const order = async () => {
        const line_items = [{ sku: 'TEST-SLOW', quantity: 1 }]
        const payload = { order_type: 'invoice', line_items }
        const url = '/api/v2/orders/place'
        return (await live.inject({ method: 'POST', url, headers, payload })).statusCode
      }
      expect(await order()).toBe(200)
      expect(await order()).toBe(409)
    } finally {
      await live.close()
    }
  })
})

describe('SANDBOX_WEBHOOKS_LOCAL', () => {
  const read = (settings: NodeJS.ProcessEnv) => readConfig(settings, '/nowhere')
  const hosts = (settings: NodeJS.ProcessEnv) => read(settings).sandboxWebhookHosts

  it('is on when only this machine can reach the server', () => {
    for (const HOST of ['', '127.0.0.1', 'localhost', '::1']) {
      expect(hosts({ HOST })).toEqual([PRIVATE_NETWORKS])
    }
    for (const HOST of ['0.0.0.0', '::', '192.168.1.5']) expect(hosts({ HOST })).toEqual([])
  })

  it('is switched on and off, and never concerns production', () => {
    expect(hosts({ SANDBOX_WEBHOOKS_LOCAL: 'off' })).toEqual([])
    expect(hosts({ HOST: '0.0.0.0', SANDBOX_WEBHOOKS_LOCAL: 'on' })).toEqual([PRIVATE_NETWORKS])
    expect(read({ SANDBOX_WEBHOOKS_LOCAL: 'on' }).webhookAllowedHosts).toEqual([])
    expect(read({ SANDBOX_WEBHOOKS_LOCAL: 'on' }).sourceAllowedHosts).toEqual([])
    expect(() => hosts({ SANDBOX_WEBHOOKS_LOCAL: 'maybe' })).toThrow('SANDBOX_WEBHOOKS_LOCAL')
  })
})
