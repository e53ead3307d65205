import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listChanges } from '../support/change-log.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'
import { insertStone } from '../support/stones.ts'

let market: TestMarket
let stranger: TestMerchant

beforeAll(async () => {
  market = await openTestMarket()
  stranger = await market.merchant()
})
afterAll(() => market.close())

async function open() {
  const shop = await market.merchant()
  const call = (method: string, path: string, body?: unknown) =>
    market.call(method, `/api/v3/${path}`, { token: shop.key, ...(body !== undefined && { body }) })
  return { ...shop, call }
}

const ADDRESS = {
  name: 'Store',
  address_1: '1 Facet Street',
  city: 'New York',
  postal_code: '10036',
  region: 'NY',
  country_code: 'US',
}
const TEMPLATE = {
  group: 'BRIDAL',
  label: 'A',
  color: 'F',
  clarity: 'VS1',
  grade_name: 'ideal',
} as const
const TIER = { weight_min: 0, weight_max: 0.99, mined_percent: 35, lab_percent: 50 }

async function priceChanges(uuid: string) {
  const changes = await listChanges(market.database.db, 0, 1000)
  return changes.filter(({ kind, merchant_uuid }) => kind === 'prices' && merchant_uuid === uuid)
}

describe('the addresses of a merchant', () => {
  it('are added, changed and removed, and one of them is always the default', async () => {
    const { call } = await open()
    const first = await call('POST', 'merchant_addresses', ADDRESS)
    expect(first).toMatchObject({ status: 201, body: { ...ADDRESS, is_default: true } })
    const second = await call('POST', 'merchant_addresses', { ...ADDRESS, name: 'Workshop' })
    expect(second.body.is_default).toBe(false)

    const path = `merchant_addresses/${second.body.uuid}`
    const moved = await call('PATCH', path, { is_default: true, country_code: 'DEU' })
    expect(moved).toMatchObject({ status: 200, body: { is_default: true, country_code: 'DE' } })
    const listed = await call('GET', 'merchant_addresses/list')
    expect(listed.body.merchant_addresses.map((row: { name: string }) => row.name)).toEqual([
      'Workshop',
      'Store',
    ])
    expect((await call('DELETE', path)).status).toBe(204)
    const left = await call('GET', 'merchant_addresses/list')
    expect(left.body.merchant_addresses).toMatchObject([{ name: 'Store', is_default: true }])
  })

  it('cannot be left without a default, with an unknown country or with an empty change', async () => {
    const { call } = await open()
    const { body } = await call('POST', 'merchant_addresses', ADDRESS)
    const path = `merchant_addresses/${body.uuid}`
    expect(await call('PATCH', path, { is_default: false })).toMatchObject({
      status: 409,
      body: { code: 'wrong_state' },
    })
    expect(await call('PATCH', path, { country_code: 'XQ' })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'country_code' }] },
    })
    expect((await call('PATCH', path, {})).status).toBe(422)
    expect((await call('PATCH', path, { citty: 'Rome' })).body.errors[0].message).toContain('city')
  })

  it('are changed and removed by the operator, and only under the merchant they belong to', async () => {
    const { call, merchant } = await open()
    const { uuid } = merchant
    const operator = (method: string, path: string, body?: unknown) =>
      market.call(method, `/api/operator/merchants/${path}`, { token: market.adminKey, body })
    const { body: first } = await call('POST', 'merchant_addresses', ADDRESS)
    const second = await operator('POST', `${uuid}/addresses`, { ...ADDRESS, name: 'Workshop' })
    const path = `addresses/${second.body.uuid}`
    const moved = await operator('PATCH', `${uuid}/${path}`, { is_default: true, city: 'Boston' })
    expect(moved).toMatchObject({ status: 200, body: { is_default: true, city: 'Boston' } })
    expect((await call('GET', `merchant_addresses/${second.body.uuid}`)).body).toEqual(moved.body)
    expect((await operator('GET', `${uuid}/${path}`)).body).toEqual(moved.body)

    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { city: 'X' } : undefined
      expect((await operator(method, `${stranger.merchant.uuid}/${path}`, body)).status).toBe(404)
    }
    expect((await operator('PATCH', `${uuid}/${path}`, { is_default: false })).status).toBe(409)
    expect((await operator('PATCH', `${uuid}/${path}`, { country_code: 'XQ' })).status).toBe(422)
    expect((await operator('DELETE', `${uuid}/${path}`)).status).toBe(204)
    const left = await call('GET', 'merchant_addresses/list')
    expect(left.body.merchant_addresses).toMatchObject([{ uuid: first.uuid, is_default: true }])
  })

  it('are hidden from every other merchant', async () => {
    const { call } = await open()
    const { body } = await call('POST', 'merchant_addresses', ADDRESS)
    const path = `/api/v3/merchant_addresses/${body.uuid}`
    const token = stranger.key
    expect((await market.call('PATCH', path, { token, body: { city: 'X' } })).status).toBe(404)
    expect((await market.call('DELETE', path, { token })).status).toBe(404)
    expect((await call('GET', 'merchant_addresses/list')).body.total).toBe(1)
  })
})

describe('the templates of a merchant', () => {
  it('are added, moved between groups and removed', async () => {
    const { call } = await open()
    const first = await call('POST', 'merchant_templates', TEMPLATE)
    expect(first).toMatchObject({ status: 201, body: { ...TEMPLATE, position: 1, order: null } })
    const second = await call('POST', 'merchant_templates', { ...TEMPLATE, label: 'B' })
    expect(second.body.position).toBe(2)
    const path = `merchant_templates/${first.body.uuid}`
    const moved = await call('PATCH', path, { group: 'STUDS', color: 'H' })
    expect(moved.body).toMatchObject({ group: 'STUDS', position: 1, color: 'H', clarity: 'VS1' })
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('DELETE', path)).status).toBe(404)
    expect((await call('GET', 'merchant_templates/list')).body.total).toBe(4)
  })

  it('cannot take an occupied position (422)', async () => {
    const { call } = await open()
    await call('POST', 'merchant_templates', TEMPLATE)
    const { body } = await call('POST', 'merchant_templates', TEMPLATE)
    const taken = await call('PATCH', `merchant_templates/${body.uuid}`, { position: 1 })
    expect(taken).toMatchObject({ status: 422, body: { errors: [{ field: 'position' }] } })
  })

  it('do not include the predefined ones, which cannot be changed (403)', async () => {
    const { call } = await open()
    const path = 'merchant_templates/DEFAULT_IDEAL'
    expect((await call('PATCH', path, { color: 'D' })).status).toBe(403)
    expect((await call('DELETE', path)).status).toBe(403)
    expect((await call('DELETE', 'merchant_templates/DEFAULT_NONE')).status).toBe(404)
  })
})

describe('the margins of a merchant', () => {
  it('are replaced as a table, and the change log records that prices changed', async () => {
    const { call, merchant } = await open()
    const tiers = [
      { min: 500, max: 9000, mined_percent: 20, lab_percent: 30 },
      { min: 0, max: 499.99, mined_percent: 40, lab_percent: 60 },
    ]
    const response = await call('PUT', 'profit_margins', { mode: 'price', tiers })
    expect(response).toMatchObject({ status: 200, body: { margin_mode: 'price' } })
    expect(response.body.profit_margins).toMatchObject([
      { price_min: 0, price_max: 499.99, weight_max: 0, weight_or_price: 'price' },
      { price_min: 500, mined_percent: 20 },
    ])
    expect(await priceChanges(merchant.uuid)).toHaveLength(1)
    const operator = `/api/operator/merchants/${merchant.uuid}/margins`
    await market.call('PUT', operator, { token: market.adminKey, body: { tiers: [] } })
    expect(await priceChanges(merchant.uuid)).toHaveLength(2)
    expect((await call('GET', 'profit_margins/list')).body.total).toBe(0)
  })

  it('are listed for the operator by kind of product, each with the tag of the whole', async () => {
    const { merchant } = await open()
    const path = `/api/operator/merchants/${merchant.uuid}/margins`
    const tier = { min: 0, max: 9, mined_percent: 20, lab_percent: 30 }
    for (const [product_type, percent] of [
      ['diamond', 20],
      ['gemstone', 50],
    ] as const) {
      const body = { product_type, tiers: [{ ...tier, mined_percent: percent }] }
      await market.call('PUT', path, { token: market.adminKey, body })
    }
    const read = (query: string) => market.call('GET', path + query, { token: market.adminKey })
    const percents = ({ body }: Awaited<ReturnType<typeof read>>) =>
      body.profit_margins.map(({ mined_percent }: { mined_percent: number }) => mined_percent)
    const [whole, gemstones] = [await read(''), await read('?product_type=gemstone')]
    expect(percents(whole).sort()).toEqual([20, 50])
    expect(percents(gemstones)).toEqual([50])
    expect(gemstones.headers.etag).toBe(whole.headers.etag)
    expect((await read('?product_type=watch')).status).toBe(422)
  })

  it('are added, changed and removed one by one', async () => {
    const { call, merchant } = await open()
    const low = await call('POST', 'profit_margins', TIER)
    expect(low).toMatchObject({ status: 201, body: { ...TIER, weight_or_price: 'weight' } })
    const high = await call('POST', 'profit_margins', { ...TIER, weight_min: 1, weight_max: 2 })
    const path = `profit_margins/${high.body.uuid}`
    const changed = await call('PATCH', path, { weight_max: 5.5, lab_percent: 12.25 })
    expect(changed.body).toMatchObject({ weight_min: 1, weight_max: 5.5, lab_percent: 12.25 })
    expect(changed.body.uuid).toBe(high.body.uuid)
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', 'profit_margins/list')).body.profit_margins).toEqual([low.body])
    expect(await priceChanges(merchant.uuid)).toHaveLength(4)
  })

  it('are not changed by an overlap, wrong bounds or a mixture', async () => {
    const { call, merchant } = await open()
    const { body } = await call('POST', 'profit_margins', TIER)
    await call('POST', 'profit_margins', { ...TIER, weight_min: 1, weight_max: 2 })
    const refusals = [
      ['POST', 'profit_margins', { ...TIER, weight_min: 0.5 }, 422, 'tiers_overlap'],
      ['PATCH', `profit_margins/${body.uuid}`, { weight_max: 1 }, 422, 'tiers_overlap'],
      ['PATCH', `profit_margins/${body.uuid}`, { weight_min: 0.995 }, 422, 'invalid_request'],
      ['PATCH', `profit_margins/${body.uuid}`, { price_max: 5 }, 422, 'invalid_request'],
      ['POST', 'profit_margins', { ...TIER, weight_min: 3, weight_max: 1e6 }, 422, ''],
      ['POST', 'profit_margins', { ...TIER, weight_min: 3.00001, weight_max: 4 }, 422, ''],
      ['POST', 'profit_margins', { mined_percent: 1, lab_percent: 1 }, 422, 'invalid_request'],
      [
        'POST',
        'profit_margins',
        { weight_or_price: 'price', price_min: 0, price_max: 9, mined_percent: 1, lab_percent: 1 },
        409,
        'wrong_state',
      ],
      ['PUT', 'profit_margins', { tiers: [{ min: 0, max: 1e8, ...PERCENTS }] }, 422, ''],
    ] as const
    for (const [method, path, draft, status, code] of refusals) {
      const response = await call(method, path, draft)
      expect([response.status, JSON.stringify(draft)]).toEqual([status, JSON.stringify(draft)])
      if (code) expect(response.body.code).toBe(code)
    }
    expect((await call('GET', 'profit_margins/list')).body.total).toBe(2)
    expect(await priceChanges(merchant.uuid)).toHaveLength(2)
  })

  it('keep one of twenty overlapping tiers that are sent at once', async () => {
    const { call } = await open()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', 'profit_margins', TIER)),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(responses.filter(({ body }) => body.code === 'tiers_overlap')).toHaveLength(19)
  })

  it('apply to the very next search, even when the table changes between weight and price', async () => {
    const { call, key: token } = await open()
    await stockStones(market, { weight: '1.5', wholesale_price_us: 1000 })
    for (let percent = 10; percent < 16; percent++) {
      const mode = percent % 2 === 0 ? 'price' : 'weight'
      const tiers = [{ min: 0, max: 9000, mined_percent: percent, lab_percent: 0 }]
      await call('PUT', 'profit_margins', { mode, tiers })
      const body = { filters: { wholesale_price_max: 1000, wholesale_price_min: 1000 } }
      const found = await market.call('POST', '/api/v2/diamonds/merchant_search', { token, body })
      expect(found.body.gems[0].retail_price).toBe(1000 + percent * 10)
    }
  })

  it('need the scope settings:write', async () => {
    const { merchant } = await open()
    const { token } = await market.token({
      merchant_uuid: merchant.uuid,
      scopes: ['settings:read'],
    })
    const response = await market.call('POST', '/api/v3/profit_margins', { token, body: TIER })
    expect(response).toMatchObject({ status: 403, body: { code: 'missing_scope' } })
  })

  it('can be sent again with an idempotency key without adding a second tier', async () => {
    const { key, call } = await open()
    const headers = { 'idempotency-key': 'tier-1' }
    const send = () =>
      market.call('POST', '/api/v3/profit_margins', { token: key, body: TIER, headers })
    const first = await send()
    const second = await send()
    expect(second.text).toBe(first.text)
    expect((await call('GET', 'profit_margins/list')).body.total).toBe(1)
  })
})

const PERCENTS = { mined_percent: 1, lab_percent: 1 }

describe("the operator's change of a merchant", () => {
  it("shows new margins in the merchant's very next search", async () => {
    const { merchant, key: token } = await market.merchant()
    await stockStones(market, { weight: '1.5', wholesale_price_us: 1100 })
    // Without notifications the index learns of the change only because the request waits for it.
    for (const table of ['merchant', 'profit_margin']) {
      await sql`alter table ${sql.table(table)} disable trigger user`.execute(market.database.db)
    }
    for (let percent = 10; percent < 30; percent++) {
      const mode = percent % 2 === 0 ? 'price' : 'weight'
      const tiers = [{ min: 0, max: 9000, mined_percent: percent, lab_percent: 0 }]
      await market.call('PUT', `/api/operator/merchants/${merchant.uuid}/margins`, {
        token: market.adminKey,
        body: { mode, tiers },
      })
      const body = { filters: { wholesale_price_max: 1100, wholesale_price_min: 1100 } }
      const found = await market.call('POST', '/api/v2/diamonds/merchant_search', { token, body })
      expect(found.body.gems[0].retail_price).toBe(1100 + percent * 11)
    }
    for (const table of ['merchant', 'profit_margin']) {
      await sql`alter table ${sql.table(table)} enable trigger user`.execute(market.database.db)
    }
  })

  it('logs new prices when the country or the currency changes, and only then', async () => {
    const { merchant } = await market.merchant({ country_code: 'DE' })
    const rate = { currency_code: 'EUR', rate: 0.92 }
    await market.call('POST', '/api/operator/exchange_rates', {
      token: market.adminKey,
      body: rate,
    })
    const change = (body: object) =>
      market.call('PATCH', `/api/operator/merchants/${merchant.uuid}`, {
        token: market.adminKey,
        body,
      })
    await change({ legal_dba: 'New name' })
    expect(await priceChanges(merchant.uuid)).toHaveLength(0)
    await change({ country_code: 'US' })
    await change({ currency_code: 'EUR' })
    expect(await priceChanges(merchant.uuid)).toHaveLength(2)
  })
})

describe('POST /api/v3/profit_margins/preview', () => {
  it('returns how many prices would rise and fall and by how much, and saves nothing', async () => {
    const { call, merchant } = await open()
    const { db } = market.database
    await db.deleteFrom('gem').execute()
    for (const weight of ['0.50', '0.60', '1.50', '2.50']) {
      await insertStone(db, { weight, wholesale_price_us: 1000 })
    }
    await insertStone(db, { weight: '0.50', state: 'gone', quantity: 0 })
    const draft = {
      tiers: [
        { min: 0, max: 0.99, mined_percent: 62, lab_percent: 0 },
        { min: 1, max: 1.99, mined_percent: 30, lab_percent: 0 },
        { min: 2, max: 9, mined_percent: 0, lab_percent: 0 },
      ],
    }
    const { status, body } = await call('POST', 'profit_margins/preview', draft)
    expect(status).toBe(200)
    expect(body).toEqual({
      stones: 4,
      share_up: 0.5,
      share_down: 0.25,
      share_same: 0.25,
      // Halfway between no change and 1.62 / 1.35.
      median_change_percent: 10,
    })
    expect((await call('GET', 'profit_margins/list')).body.total).toBe(0)
    expect(await priceChanges(merchant.uuid)).toHaveLength(0)
    const overlap = { tiers: [draft.tiers[0], draft.tiers[0]] }
    expect((await call('POST', 'profit_margins/preview', overlap)).body.code).toBe('tiers_overlap')
  })
})
