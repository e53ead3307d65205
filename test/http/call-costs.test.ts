import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestMarket, type TestMarket, type TestResponse } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'

const LIST = '/api/v3/profit_margins/list'
const SEARCH = '/api/v3/diamonds/merchant_search'
const CURATED = '/api/v3/diamonds/get_diamonds_by_merchant_templates'

let market: TestMarket

beforeAll(async () => {
  market = await openTestMarket({ rateLimitPerMinute: 1_000, merchantRateLimitPerMinute: 1_500 })
  await stockStones(market, { weight: '1.00' })
})
afterAll(() => market.close())

// All calls of a test are in the same minute.
beforeEach(() => {
  const { clock } = market.app.services
  const minute = Math.floor(clock.now() / 60_000) * 60_000
  vi.spyOn(clock, 'now').mockReturnValue(minute + 1_000)
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** What is left in the minute, by policy. */
function leftIn({ headers }: TestResponse): Record<string, number> {
  const items = String(headers.ratelimit).matchAll(/"(\w+)";r=(\d+);t=\d+/g)
  return Object.fromEntries([...items].map(([, policy, left]) => [policy, Number(left)]))
}

function lines(count: number) {
  return Array.from({ length: count }, (_, n) => ({ sku: `NONE${n}`, quantity: 1 }))
}

describe('what a call counts as', () => {
  const cases: [string, number, string, string, object?][] = [
    ['a list of settings', 1, 'GET', LIST],
    ['a plain search', 1, 'POST', SEARCH, {}],
    ['a page of 1,000 stones', 4, 'POST', SEARCH, { limit: 1_000 }],
    ['a search with facets', 4, 'POST', SEARCH, { include: ['facets'] }],
    ['a search with relaxations', 4, 'POST', SEARCH, { include: ['relaxations'] }],
    ['an order of one line', 1, 'POST', '/api/v2/orders/place', { line_items: lines(1) }],
    ['an order of 30 lines', 30, 'POST', '/api/v2/orders/place', { line_items: lines(30) }],
    ['500 orders of a list', 2, 'GET', '/api/v3/orders/list?limit=500'],
    ['a product query', 1, 'POST', '/api/v3/products/query', {}],
    ['a preview', 50, 'POST', '/api/v3/profit_margins/preview', { tiers: [] }],
    ['a snapshot', 100, 'GET', '/api/v3/inventory/snapshot'],
    ['a request that is not valid', 1, 'POST', SEARCH, { limit: 'many' }],
  ]
  it.each(cases)('%s counts as %i', async (_name, cost, method, path, body) => {
    const { merchant } = await market.merchant()
    const { token } = await market.token({ merchant_uuid: merchant.uuid, type: 'merchant' })
    const order = body && 'line_items' in body && { order_type: 'invoice' }
    const response = await market.call(method, path, {
      token,
      ...(body && { body: { ...body, ...order } }),
    })
    expect(leftIn(response)).toEqual({ token: 1_000 - cost, merchant: 1_500 - cost })
  })

  it('a curated search counts as one for each template', async () => {
    const { merchant, key } = await market.merchant()
    for (let n = 1; n <= 12; n++) {
      const body = { group: 'A', label: `T${n}`, position: n, color: 'G', clarity: 'VS1' }
      const { token } = await market.token({ merchant_uuid: merchant.uuid, type: 'merchant' })
      const path = '/api/v3/merchant_templates'
      const made = await market.call('POST', path, {
        token,
        body: { ...body, grade_name: 'ideal' },
      })
      expect(made.status).toBe(201)
    }
    const body = { weight: 1, shape: 'round', types: ['mined'] }
    const curate = (more: object) =>
      market.call('POST', CURATED, { token: key, body: { ...body, ...more } })
    expect(leftIn(await curate({})).token).toBe(1_000 - 12)
    expect(leftIn(await curate({ count_per_grade: 2 })).token).toBe(1_000 - 12 - 12)
    const one = { merchant_template_filters: { label: 'T3' } }
    expect(leftIn(await curate(one)).token).toBe(1_000 - 12 - 12 - 1)
  })

  it('a page of changes counts as what it has, not as what it asks for', async () => {
    const { key } = await market.merchant()
    const { body } = await market.call('GET', '/api/v3/inventory/changes?after=0', { token: key })
    expect(body.changes.length).toBeLessThan(250)
    const stones = Array.from({ length: 251 }, () => ({ weight: '1.50' }))
    await stockStones(market, ...stones)
    const path = `/api/v3/inventory/changes?after=${body.next}`
    expect(leftIn(await market.call('GET', path, { token: key })).token).toBe(1_000 - 1 - 2)
  })

  it('is in the documents', async () => {
    const { body } = await market.call('GET', '/openapi/v3.json')
    const { description } = body.paths['/api/v3/orders/place'].post
    expect(description).toContain('Counts as 1 for each line.')
  })
})

describe('a call that costs more than is left', () => {
  it('is refused with 429, and leaves the rest to smaller calls', async () => {
    const { merchant } = await market.merchant()
    const { token } = await market.token({
      merchant_uuid: merchant.uuid,
      rate_limit_per_minute: 40,
    })
    const place = (count: number) =>
      market.call('POST', '/api/v2/orders/place', {
        token,
        body: { order_type: 'invoice', line_items: lines(count) },
      })
    expect((await place(30)).status).not.toBe(429)
    const refused = await place(30)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.body.detail).toContain('this one counts as 30')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await place(5)).status).not.toBe(429)
  })

  it('is possible once a minute when it costs more than the whole limit', async () => {
    const { merchant } = await market.merchant()
    const { token } = await market.token({
      merchant_uuid: merchant.uuid,
      rate_limit_per_minute: 40,
    })
    const take = () => market.call('GET', '/api/v3/inventory/snapshot', { token })
    const first = await take()
    expect(first.status).toBe(200)
    expect(leftIn(first).token).toBe(0)
    expect((await take()).status).toBe(429)
  })
})

describe('the limit of a merchant', () => {
  it('holds for all its keys together, and for no other merchant', async () => {
    const { merchant, key } = await market.merchant()
    const others = await Promise.all(
      [1, 2, 3].map(() => market.token({ merchant_uuid: merchant.uuid })),
    )
    const spend = (token: string) =>
      market.call('POST', '/api/v2/orders/place', {
        token,
        body: { order_type: 'invoice', line_items: lines(200) },
      })
    const accepted = []
    for (const token of [key, ...others.map((other) => other.token)]) {
      for (let n = 0; n < 6; n++) accepted.push((await spend(token)).status !== 429)
    }
    // One key alone spends its own 1,000; all four together 1,500, less what refused calls counted.
    expect(accepted.slice(0, 6)).toEqual([true, true, true, true, true, false])
    expect(accepted.filter(Boolean)).toHaveLength(7)
    const refused = await spend(others[2].token)
    expect(refused.headers['ratelimit-policy']).toBe('"token";q=1000;w=60, "merchant";q=1500;w=60')
    expect(refused.body.detail).toContain('All tokens of the merchant together')
    expect((await spend((await market.merchant()).key)).status).not.toBe(429)
  })

  it('does not lower a higher limit that the operator gave one of its keys', async () => {
    const { merchant, key } = await market.merchant()
    const high = await market.token({ merchant_uuid: merchant.uuid, rate_limit_per_minute: 4_000 })
    const free = await market.token({ merchant_uuid: merchant.uuid, rate_limit_per_minute: 0 })
    const first = await market.call('GET', LIST, { token: high.token })
    expect(leftIn(first)).toEqual({ token: 3_999, merchant: 5_999 })
    expect(leftIn(await market.call('GET', LIST, { token: key }))).toEqual({
      token: 999,
      merchant: 5_998,
    })
    const unlimited = await market.call('GET', LIST, { token: free.token })
    expect(unlimited.headers.ratelimit).toBeUndefined()
  })

  it('is what the operator sets for it, whatever the limits of its keys', async () => {
    const { merchant, key } = await market.merchant()
    const high = await market.token({ merchant_uuid: merchant.uuid, rate_limit_per_minute: 4_000 })
    const set = async (rate_limit_per_minute: number | null) => {
      const path = `/api/operator/merchants/${merchant.uuid}`
      const body = { rate_limit_per_minute }
      const changed = await market.call('PATCH', path, { token: market.adminKey, body })
      expect(changed.body.rate_limit_per_minute).toBe(rate_limit_per_minute)
    }
    const policyOf = async (token: string) =>
      (await market.call('GET', LIST, { token })).headers['ratelimit-policy']
    await set(7)
    await expect.poll(() => policyOf(high.token)).toBe('"token";q=4000;w=60, "merchant";q=7;w=60')
    await set(0)
    await expect.poll(() => policyOf(key)).toBe('"token";q=1000;w=60')
    await set(null)
    await expect.poll(() => policyOf(key)).toMatch(/"merchant";q=\d{4};w=60/)
  })
})
