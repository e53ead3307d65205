import fc from 'fast-check'
import fastify from 'fastify'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import type { Gem } from '../../src/gems/gem.ts'
import { renderGem, stoneJson } from '../../src/gems/gem-rendering.ts'
import { joinPage, pricePage } from '../../src/gems/search/page.ts'
import { GemSchema } from '../../src/http/schemas/gem.ts'
import { find } from '../../src/index/index.ts'
import { setExchangeRate } from '../../src/pricing/exchange-rates.ts'
import { replaceMargins } from '../../src/pricing/margin-store.ts'
import { readPriceRules } from '../../src/pricing/price-rules-cache.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { SPECIFIED } from '../support/specified-stone.ts'
import { indexed } from '../support/stocked.ts'
import {
  bruteSearch,
  type Caller,
  callerArbitrary,
  pricesOf,
  requestArbitrary,
  rulesOf,
  type Stone,
  stoneArbitrary,
} from './search-oracle.ts'
import { changeStone, removeStone, stockStones } from './search-stock.ts'

const PATH = '/api/v2/diamonds/merchant_search'
const V3_PATH = '/api/v3/diamonds/merchant_search'
const STONES = 150

let market: TestMarket
let stones: Stone[]
const shops: { shop: TestMerchant; caller: Caller }[] = []

beforeAll(async () => {
  market = await openTestMarket()
  stones = Array.from(
    { length: STONES },
    (_, i) => fc.sample(stoneArbitrary(i + 1), { seed: i, numRuns: 1 })[0],
  )
  const { db } = market.database
  // Where the table does not know, merchants see that the stone is not sustainable.
  await stockStones(
    db,
    stones.map((stone, place) =>
      place % 2 === 0 && !stone.is_sustainable ? { ...stone, is_sustainable: null } : stone,
    ),
  )
  await inTransaction(db, (tx) => setExchangeRate(tx, 'EUR', '0.92'))
  await inTransaction(db, (tx) => setExchangeRate(tx, 'JPY', '157.31'))
  const tiers = [
    { from: 0, mined: 35, lab: 50 },
    { from: 0.76, mined: 30, lab: 45 },
    { from: 1, mined: 30, lab: 45 },
    { from: 2, mined: 25, lab: 40 },
  ]
  const american = await market.merchant()
  shops.push({
    shop: american,
    caller: { us: true, mode: 'weight', tiers, rate: '1', adjustment: null },
  })
  const german = await market.merchant({ country_code: 'DE', currency_code: 'EUR' })
  shops.push({
    shop: german,
    caller: { us: false, mode: 'weight', tiers, rate: '0.92', adjustment: null },
  })
  const byPrice = await market.merchant({ country_code: 'JP', currency_code: 'JPY' })
  const own = [
    { min: 0, max: 10, mined_percent: 250, lab_percent: 45.5 },
    { min: 10.01, max: 1000, mined_percent: 0, lab_percent: 10 },
  ]
  await inTransaction(db, (tx) =>
    replaceMargins(tx, byPrice.merchant.uuid, {
      mode: 'price',
      product_type: 'diamond',
      tiers: own,
    }),
  )
  shops.push({
    shop: byPrice,
    caller: {
      us: false,
      mode: 'price',
      tiers: [
        { from: 0, mined: 250, lab: 45.5 },
        { from: 10.01, mined: 0, lab: 10 },
      ],
      rate: '157.31',
      adjustment: null,
    },
  })
  const favoured = await market.merchant({ country_code: 'DE', currency_code: 'EUR' })
  shops.push({
    shop: favoured,
    caller: { us: false, mode: 'weight', tiers, rate: '0.92', adjustment: null },
  })
  await indexed(market)
})

afterAll(() => market.close())

const search = (body: unknown, { shop }: { shop: TestMerchant } = shops[0], path = PATH) =>
  market.call('POST', path, { token: shop.key, body })

/** The operator agrees with the merchant on other terms, which are in force at once. */
async function adjust(of: { shop: TestMerchant; caller: Caller }, seed: number): Promise<void> {
  const [{ adjustment }] = fc.sample(callerArbitrary, { seed, numRuns: 1 })
  of.caller = { ...of.caller, adjustment }
  const price_adjustment = adjustment && {
    mined_percent: adjustment.mined,
    lab_percent: adjustment.lab,
  }
  const path = `/api/operator/merchants/${of.shop.merchant.uuid}`
  const { status } = await market.call('PATCH', path, {
    token: market.adminKey,
    body: { price_adjustment },
  })
  expect(status).toBe(200)
}

describe('POST /api/v2/diamonds/merchant_search', () => {
  it('finds what brute force finds, for every merchant, while stones change', async () => {
    const samples = fc.sample(fc.tuple(requestArbitrary, fc.nat(3), fc.nat(STONES - 1)), {
      seed: 11,
      numRuns: 150,
    })
    for (const [i, [request, who, at]] of samples.entries()) {
      if (i % 5 === 0) {
        const [fresh] = fc.sample(stoneArbitrary(0), { seed: 1000 + i, numRuns: 1 })
        stones[at] = { ...fresh, id: stones[at].id, sku: stones[at].sku }
        await changeStone(market.database.db, stones[at])
        await indexed(market)
      }
      if (i % 4 === 0) await adjust(shops[i % 8 === 0 ? 2 : 3], i)
      const { caller } = shops[who]
      const answer = await search(request, shops[who], V3_PATH)
      expect(answer.status).toBe(200)
      const { ids, total, found } = bruteSearch(stones, request, caller)
      expect(answer.body.gems.map((gem: { id: number }) => gem.id)).toEqual(ids)
      const { limit, offset } = request
      expect(answer.body).toMatchObject({ limit, offset, total })
      expect(new Set(answer.body.filters.cut_code)).toEqual(new Set(found.map((s) => s.cut_code)))
      for (const gem of answer.body.gems) {
        const stone = stones.find(({ id }) => id === gem.id)!
        const { price_per_carat: _, ...prices } = pricesOf(stone, caller)
        expect(gem).toMatchObject({ ...prices, sku: stone.sku, shape: stone.shape })
      }
    }
  })

  it('shows every specified field except what a merchant must not see', async () => {
    const { body } = await search({ limit: 1 })
    const fields = Object.keys(body.gems[0])
    expect(fields.toSorted()).toEqual(SPECIFIED.toSorted())
    expect(body.gems[0]).toMatchObject({
      base_currency_code: 'USD',
      enabled: true,
      parcel: false,
      on_hold: false,
      merchant_template_uuid: null,
      shape_icon_url: `http://pavilion.test/shapes/${body.gems[0].shape}.svg`,
    })
  })

  it('accepts the specified example and uses defaults for what is absent', async () => {
    const { body, status } = await search({})
    expect(status).toBe(200)
    expect(body.metadata).toMatchObject({ limit: 50, offset: 0 })
    expect(body.filters.is_fancy).toBe(false)
    expect(body.gems.every((gem: { is_fancy: boolean }) => !gem.is_fancy)).toBe(true)
    expect(body.filters.type).toEqual(['mined', 'lab grown'])
  })

  it('prices in the currency of the call', async () => {
    const { body } = await search({ limit: 1, currency_code: 'JPY' })
    expect(body.gems[0]).toMatchObject({ currency_code: 'JPY', exchange_rate: 157.31 })
    const { status, body: refused } = await search({ currency_code: 'XTS' })
    expect([status, refused.code]).toEqual([422, 'unknown_currency'])
  })

  it('pages without repeating or missing a stone', async () => {
    const seen: number[] = []
    for (let offset = 0; offset < STONES; offset += 7) {
      const { body } = await search({ limit: 7, offset, sort_col: 'cut_grade', sort_order: 'desc' })
      seen.push(...body.gems.map((gem: { id: number }) => gem.id))
    }
    const all = stones.filter((stone) => !stone.is_fancy).map(({ id }) => id)
    expect(seen.toSorted((a, b) => a - b)).toEqual(all.toSorted((a, b) => a - b))
  })

  it('no longer finds a stone that left the market, without being called', async () => {
    const [stone] = stones.filter((candidate) => !candidate.is_fancy)
    await removeStone(market.database.db, stone)
    stones = stones.filter((other) => other !== stone)
    await expect
      .poll(async () => (await search({ filters: { sku: [stone.sku] } })).body.metadata.total_count)
      .toBe(0)
  })

  it.each([
    ['an unknown filter with the nearest name', { filters: { shap: ['round'] } }, 'shape'],
    ['an unknown value', { filters: { color: ['D', 'DD'] } }, 'filters.color[1]'],
    ['an empty array', { filters: { shape: [] } }, 'filters.shape'],
    ['a minimum above the maximum', { filters: { weight_min: 2, weight_max: 1 } }, 'weight_min'],
    ['a hue without is_fancy', { filters: { color: ['YL'] } }, 'filters.color[0]'],
    ['null where the attribute is never null', { filters: { shape: [null] } }, 'filters.shape[0]'],
    ['a pair of unknown values', { filters: { cut_code_shape: ['a:b'] } }, 'cut_code_shape[0]'],
    ['a moment that is none', { filters: { updated_since: 'soon' } }, 'updated_since'],
    ['a day that is none', { filters: { updated_since: '2026-02-31' } }, 'updated_since'],
    [
      'three of a pair',
      { filters: { cut_code_shape: ['brilliant_cut:round:x'] } },
      'cut_code_shape[0]',
    ],
    ['text for a number', { filters: { weight_min: '1' } }, 'filters.weight_min'],
    ['an unknown sort column', { sort_col: 'cost' }, 'sort_col'],
    ['more than a thousand stones', { limit: 1001 }, '1000'],
    ['a negative offset', { offset: -1 }, 'offset'],
    ['an unknown key', { sort: 'asc' }, 'sort'],
  ])('refuses %s with 422', async (_, body, word) => {
    const answer = await search(body)
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_request'])
    expect(JSON.stringify(answer.body.errors)).toContain(word)
  })

  it('refuses the operator with 403', async () => {
    const answer = await market.call('POST', PATH, { token: market.adminKey, body: {} })
    expect(answer.status).toBe(403)
  })

  it('finds as many stones by each value of a facet as the facet counts', async () => {
    const { histograms: _, ...facets } = (await search({ limit: 1, include: ['facets'] })).body
      .facets
    const counts: Record<string, { value: string | null; count: number }[]> = facets
    expect(counts.polish_grade.map(({ value }) => value)).toContain(null)
    for (const [filter, values] of Object.entries(counts)) {
      for (const { value, count } of values) {
        const { status, body } = await search({ limit: 1, filters: { [filter]: [value] } })
        expect([filter, value, status, body.metadata?.total_count]).toEqual([
          filter,
          value,
          200,
          count,
        ])
      }
    }
  })

  it('counts facets over all matches, and names relaxations when there are none', async () => {
    const { body } = await search({ limit: 1, include: ['facets', 'relaxations'] })
    const counted = body.facets.shape.reduce(
      (sum: number, one: { count: number }) => sum + one.count,
      0,
    )
    expect(counted).toBe(body.metadata.total_count)
    expect(body.facets.histograms.weight.bins).toHaveLength(30)
    expect(body.relaxations).toEqual([])
    const filters = { shape: ['asscher', 'baguette'], retail_price_max: 0.01 }
    const none = await search({ filters, include: ['relaxations'] })
    expect(none.body.metadata.total_count).toBe(0)
    expect(none.body.relaxations[0]).toMatchObject({
      filter: 'retail_price_max',
      filters: ['retail_price_max'],
      change: 'dropped',
    })
    const impossible = { retail_price_max: 0.01, weight_min: 15 }
    const pairs = await search({ filters: impossible, include: ['relaxations'] })
    expect(pairs.body.relaxations[0]).toMatchObject({
      filters: ['retail_price_max', 'weight_min'],
      change: 'dropped',
      value: null,
    })
    expect(pairs.body.relaxations[0]).not.toHaveProperty('filter')
  })
})

describe('the bytes of a page', () => {
  it('are those that the response schema serialises', async () => {
    const { db } = market.database
    const gems = await db.selectFrom('gem').selectAll().where('state', '=', 'available').execute()
    // Quotes, control characters and characters of several bytes must be the same too.
    const odd = { ...gems[0], overtone: 'gräulich "\u2028\u0001\\ 💎', v360_info: { n: [1, 'é'] } }
    const rules = await readPriceRules(db, shops[1].shop.merchant)
    const app = fastify()
    // What publishable keys do not see is optional, and would be serialised behind the rest.
    const response = { 200: Type.Array(Type.Required(GemSchema)) }
    app.get('/', { schema: { response } }, () =>
      [odd, ...gems].map((gem) => renderGem(gem as Gem, rules, 'http://pavilion.test', Date.now())),
    )
    const serialised = (await app.inject('/')).body
    const stones = [odd, ...gems].map((gem) =>
      Buffer.from(stoneJson(gem as Gem, 'http://pavilion.test')),
    )
    const store = market.app.services.diamonds.index.store()
    const found = [gems[0], ...gems].map(({ id }) => find(store, id)!)
    const page = joinPage(pricePage(found, rules), stones, Buffer.from(''), Buffer.from(''))
    expect(page.toString()).toBe(serialised)
  })

  it('allow any characters around the stones, and leave out one that was deleted meanwhile', () => {
    const terms = [',"price":1}', ',"price":22}', ',"price":333}']
    const stones = [Buffer.from('{"id":"é"'), undefined, Buffer.from('{"id":3')]
    const [head, tail] = [Buffer.from('{"ö":"💎","gems":'), Buffer.from(',"é":1}')]
    const join = (from: number, to: number) =>
      joinPage({ ids: [], terms: terms.slice(from, to) }, stones.slice(from, to), head, tail)
    const middle = '{"id":"é","price":1},{"id":3,"price":333}'
    expect(join(0, 3).toString()).toBe(`{"ö":"💎","gems":[${middle}],"é":1}`)
    expect(join(1, 2).toString()).toBe('{"ö":"💎","gems":[],"é":1}')
    expect(join(0, 0).toString()).toBe('{"ö":"💎","gems":[],"é":1}')
  })

  it('are not written from a row of the index that holds another stone by now', () => {
    const store = market.app.services.diamonds.index.store()
    const [{ id }, other] = stones.map((stone) => find(store, stone.id)!)
    const rules = rulesOf(shops[0].caller)
    expect(() => pricePage([{ ...other, id }], rules)).toThrow('holds another stone')
  })
})

describe('POST /api/v3/diamonds/merchant_search', () => {
  it('returns the same stones with total, offset and limit', async () => {
    const request = { filters: { type: ['mined'] }, limit: 5 }
    const v2 = await search(request)
    const v3 = await search(request, shops[0], V3_PATH)
    const specified = v3.body.gems.map((gem: object) =>
      Object.fromEntries(Object.entries(gem).filter(([name]) => SPECIFIED.includes(name))),
    )
    expect(specified).toEqual(v2.body.gems)
    expect(v3.body).toMatchObject({ total: v2.body.metadata.total_count, offset: 0, limit: 5 })
  })
})
