import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUuid } from '../../src/lib/uuid.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'

/** Searches that merchants save: what they may say, who sees them, and what a run returns. */
let market: TestMarket
let own: TestMerchant
let other: TestMerchant

beforeAll(async () => {
  market = await openTestMarket()
  own = await market.merchant({ country_code: 'US' })
  other = await market.merchant({ country_code: 'DE' })
  await stockStones(
    market,
    { weight: '0.50', color: 'D', wholesale_price: 500, wholesale_price_us: 500 },
    { weight: '1.00', color: 'E', wholesale_price: 1000, wholesale_price_us: 1000 },
    { weight: '2.00', color: 'F', wholesale_price: 2000, wholesale_price_us: 2000 },
    {
      product_type: 'gemstone',
      species: 'sapphire',
      color: 'blue',
      weight: '3.00',
      treatment: 'heated',
    },
  )
  await market.app.services.gemstones.index.catchUp()
})
afterAll(() => market.close())

const PATH = '/api/v3/saved_searches'

function save(body: Record<string, unknown>, key = own.key) {
  return market.call('POST', PATH, { token: key, body })
}

async function saved(body: Record<string, unknown>, key = own.key) {
  const response = await save(body, key)
  expect(response.status, response.text).toBe(201)
  return response.body
}

const ROUNDS = { name: 'Rounds', kind: 'diamond', filters: { shape: ['round'] } }

describe('a saved search', () => {
  it('is returned as it was saved', async () => {
    const search = await saved({ ...ROUNDS, alert: 'daily', max_retail_price: 1234.5 })
    expect(search).toMatchObject({ ...ROUNDS, alert: 'daily', max_retail_price: 1234.5 })
    const { body } = await market.call('GET', `${PATH}/${search.uuid}`, { token: own.key })
    expect(body).toEqual(search)
    const list = await market.call('GET', `${PATH}?q=ROUND`, { token: own.key })
    expect(list.body).toMatchObject({ saved_searches: [search], total: 1, offset: 0, limit: 100 })
    const none = await market.call('GET', `${PATH}?q=oval`, { token: own.key })
    expect(none.body).toMatchObject({ saved_searches: [], total: 0 })
  })

  it('has no alert and no price limit unless it says so', async () => {
    expect(await saved(ROUNDS)).toMatchObject({ alert: 'off', max_retail_price: null })
  })

  it('changes in single fields', async () => {
    const search = await saved({ ...ROUNDS, max_retail_price: 900 })
    const change = (body: Record<string, unknown>) =>
      market.call('PATCH', `${PATH}/${search.uuid}`, { token: own.key, body })
    expect((await change({ name: 'Ovals' })).body).toMatchObject({ name: 'Ovals', alert: 'off' })
    const changed = await change({ filters: { shape: ['oval'] }, max_retail_price: null })
    expect(changed.body).toMatchObject({
      name: 'Ovals',
      filters: { shape: ['oval'] },
      max_retail_price: null,
    })
    expect((await change({})).status).toBe(422)
    expect((await change({ kind: 'gemstone' })).status).toBe(422)
    expect((await change({ filters: { shap: ['oval'] } })).body.errors).toEqual([
      { field: 'filters.shap', message: expect.stringContaining('shape') },
    ])
  })

  it('looks as if it did not exist to other merchants', async () => {
    const search = await saved(ROUNDS)
    for (const uuid of [search.uuid, newUuid()]) {
      const path = `${PATH}/${uuid}`
      const calls = [
        market.call('GET', path, { token: other.key }),
        market.call('PATCH', path, { token: other.key, body: { name: 'Mine' } }),
        market.call('DELETE', path, { token: other.key }),
        market.call('POST', `${path}/run`, { token: other.key }),
      ]
      for (const { status, body } of await Promise.all(calls)) {
        expect(status).toBe(404)
        expect(body.detail).toBe(`There is no saved search ${uuid}.`)
      }
    }
    const { body } = await market.call('GET', PATH, { token: other.key })
    expect(body.total).toBe(0)
  })

  it('is gone once it is deleted', async () => {
    const { uuid } = await saved({ ...ROUNDS, alert: 'instant' })
    const path = `${PATH}/${uuid}`
    expect((await market.call('DELETE', path, { token: own.key })).status).toBe(204)
    expect((await market.call('DELETE', path, { token: own.key })).status).toBe(404)
    expect((await market.call('GET', path, { token: own.key })).status).toBe(404)
  })

  it.each([
    [{ shape: [] }, 'filters.shape'],
    [{ shape: ['square'] }, 'filters.shape[0]'],
    [{ color: ['BK'] }, 'filters.color[0]'],
    [{ weight_min: 2, weight_max: 1 }, 'filters.weight_min'],
    [{ species: ['ruby'] }, 'filters.species'],
    [{ updated_since: 'yesterday' }, 'filters.updated_since'],
    [{ retail_price_min: 5000 }, 'filters.retail_price_min'],
  ])('refuses %j as the search does', async (filters, field) => {
    const { status, body } = await save({ ...ROUNDS, filters, max_retail_price: 1000 })
    expect(status).toBe(422)
    expect(body.errors.map((error: { field: string }) => error.field)).toContain(field)
  })

  it.each([
    [{ ...ROUNDS, kind: 'jewelry' }, 'kind'],
    [{ ...ROUNDS, alert: 'hourly' }, 'alert'],
    [{ ...ROUNDS, name: '' }, 'name'],
    [{ ...ROUNDS, name: 'two\nlines' }, 'name'],
    [{ name: 'Rounds', kind: 'diamond' }, 'filters'],
    [{ ...ROUNDS, max_retail_price: 0 }, 'max_retail_price'],
    [{ ...ROUNDS, max_retail_price: 1.005 }, 'max_retail_price'],
    [{ ...ROUNDS, limit: 10 }, 'limit'],
  ])('refuses %j', async (body, field) => {
    const response = await save(body)
    expect(response.status).toBe(422)
    expect(response.body.errors[0].field).toBe(field)
  })

  it('is saved once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': newUuid() }
    const call = () => market.call('POST', PATH, { token: own.key, body: ROUNDS, headers })
    const [first, second] = [await call(), await call()]
    expect(second.text).toBe(first.text)
    expect(second.headers['idempotent-replayed']).toBe('true')
  })

  it('is changed by keys that may order, and read by those that may search', async () => {
    const { token: reader } = await market.token({
      merchant_uuid: own.merchant.uuid,
      scopes: ['search'],
    })
    const search = await saved(ROUNDS)
    expect((await market.call('GET', PATH, { token: reader })).status).toBe(200)
    const run = await market.call('POST', `${PATH}/${search.uuid}/run`, { token: reader })
    expect(run.status).toBe(200)
    expect((await save(ROUNDS, reader)).status).toBe(403)
  })
})

describe('running a saved search', () => {
  const run = async (uuid: string, body?: Record<string, unknown>) => {
    const response = await market.call('POST', `${PATH}/${uuid}/run`, { token: own.key, body })
    expect(response.status, response.text).toBe(200)
    return response.body
  }

  it("returns what the search does, at the merchant's prices", async () => {
    const filters = { color: ['D', 'E', 'F'] }
    const { uuid } = await saved({ ...ROUNDS, filters })
    const search = await market.call('POST', '/api/v3/diamonds/merchant_search', {
      token: own.key,
      body: { filters },
    })
    expect(search.body.total).toBe(3)
    expect(await run(uuid)).toEqual(search.body)
    const page = { limit: 1, sort_col: 'weight', sort_order: 'desc', fields: ['sku', 'weight'] }
    const first = await run(uuid, page)
    expect(first).toMatchObject({ gems: [{ weight: 2 }], total: 3, limit: 1 })
    const second = await run(uuid, { ...page, cursor: first.next_cursor })
    expect(second.gems).toMatchObject([{ weight: 1 }])
  })

  it('keeps to the lower of two price limits', async () => {
    const all = await run((await saved(ROUNDS)).uuid)
    const prices = all.gems.map((gem: { retail_price: number }) => gem.retail_price)
    const totalOf = async (limit: number, filters: Record<string, unknown>) => {
      const body = { ...ROUNDS, filters, max_retail_price: limit }
      return (await run((await saved(body)).uuid)).total
    }
    expect(await totalOf(prices[1], {})).toBe(2)
    expect(await totalOf(prices[1], { retail_price_max: prices[0] })).toBe(1)
    expect(await totalOf(prices[0], { retail_price_max: prices[1] })).toBe(1)
  })

  it('finds gemstones with their own filters and fields', async () => {
    const filters = { species: ['sapphire'], treatment: ['Heated'] }
    const { uuid } = await saved({ name: 'Blue', kind: 'gemstone', filters })
    expect(await run(uuid, { fields: ['species'] })).toMatchObject({
      gems: [{ species: 'sapphire' }],
      total: 1,
    })
    const path = `${PATH}/${uuid}/run`
    const wrong = await market.call('POST', path, { token: own.key, body: { sort_col: 'color' } })
    expect(wrong.status).toBe(422)
    expect(wrong.body.errors[0].field).toBe('sort_col')
  })
})

describe('the limit of saved searches', () => {
  it('refuses the 101st, also when two are saved at once', async () => {
    const busy = await market.merchant()
    for (let i = 0; i < 99; i++) await saved({ ...ROUNDS, name: `Search ${i}` }, busy.key)
    const last = await Promise.all([save(ROUNDS, busy.key), save(ROUNDS, busy.key)])
    expect(last.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409])
    const refused = last.find(({ status }) => status === 409)
    expect(refused?.body).toMatchObject({ code: 'saved_search_limit', limit: 100, used: 100 })
    const { body } = await market.call('GET', PATH, { token: busy.key })
    expect(body.total).toBe(100)
    const [{ uuid }] = body.saved_searches
    await market.call('DELETE', `${PATH}/${uuid}`, { token: busy.key })
    expect((await save(ROUNDS, busy.key)).status).toBe(201)
  })
})
