import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { logChanges } from '../../src/events/change-log.ts'
import { DIAMOND_FIELDS } from '../../src/gems/search/field-tables.ts'
import { sortableFields } from '../../src/gems/search/fields.ts'
import { setMargins } from '../../src/pricing/set-margins.ts'
import { CLARITIES, CUT_GRADES } from '../../src/reference/attributes.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { indexed } from '../support/stocked.ts'
import { insertStone } from '../support/stones.ts'

let market: TestMarket
let shop: TestMerchant
let all: Gemstone[]

type Gemstone = Record<string, string | number | boolean | null>
const PATH = '/api/v3/gemstones/search'
const SPECIES = ['sapphire', 'ruby', 'emerald']
const COLORS = ['blue', 'red', 'green']
const ORIGINS = ['Sri Lanka', 'Colombia', null]
const TREATMENTS = ['heated', 'none', null]
const SHAPES = ['oval', 'round', 'cushion']

beforeAll(async () => {
  market = await openTestMarket()
  shop = await market.merchant()
  const stones: { id: number; sku: string }[] = []
  for (let n = 0; n < 80; n++) {
    const pick = <T>(values: readonly T[], step: number) => values[(n * step) % values.length]
    stones.push(
      await insertStone(market.database.db, {
        product_type: 'gemstone',
        species: pick(SPECIES, 1),
        color: pick(COLORS, 2),
        origin: ORIGINS[Math.floor(n / 3) % 3],
        treatment: TREATMENTS[Math.floor(n / 9) % 3],
        shape: SHAPES[Math.floor(n / 2) % 3],
        type: n % 7 === 0 ? 'lab grown' : 'mined',
        lab: n % 4 === 0 ? 'GIA' : null,
        cert_num: n % 4 === 0 ? `G${n}` : null,
        clarity: n % 5 === 0 ? null : CLARITIES[n % 8],
        cut_grade: n % 3 === 0 ? null : CUT_GRADES[n % 5],
        ratio: n % 6 === 0 ? null : (1 + (n % 9) / 20).toFixed(2),
        depth_percentage: (55 + (n % 13)).toFixed(1),
        table_percentage: (50 + (n % 7)).toFixed(1),
        length: (4 + (n % 17) / 10).toFixed(2),
        delivery_days_min: 1,
        delivery_days_max: 2 + (n % 6),
        list_price: n % 4 === 0 ? null : 1000 + n,
        weight: (0.5 + (n % 11) / 4).toFixed(2),
        wholesale_price_us: 100 + ((n * 37) % 900),
        image_top_url: n % 3 === 0 ? 'https://media.example/top.jpg' : null,
      }),
    )
  }
  await insertStone(market.database.db, {})
  await insertStone(market.database.db, {
    product_type: 'gemstone',
    species: 'ruby',
    state: 'gone',
    quantity: 0,
  })
  await inTransaction(market.database.db, (tx) =>
    logChanges(
      tx,
      stones.map(({ id, sku }) => ({ gem_id: id, sku, kind: 'new' as const })),
    ),
  )
  await indexed(market)
  all = (await search({ limit: 1000 })).body.gems
})
afterAll(() => market.close())

const search = (body: object, token = shop.key) => market.call('POST', PATH, { token, body })

describe('POST /api/v3/gemstones/search', () => {
  it('finds only the gemstones on sale, with species, origin and treatment', async () => {
    const { body } = await search({})
    expect(body).toMatchObject({ offset: 0, limit: 50, total: 80 })
    expect(body.gems).toHaveLength(50)
    expect(body.gems[0]).toMatchObject({ product_type: 'gemstone', parcel: false })
    for (const gem of body.gems) {
      expect(SPECIES).toContain(gem.species)
      expect(gem.stone_type).toBe(gem.species)
      expect(ORIGINS).toContain(gem.origin)
      expect(TREATMENTS).toContain(gem.treatment)
      expect(gem).not.toHaveProperty('cost')
    }
  })

  it('filters by each field as brute force does, and pages in a total order', async () => {
    const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), ANY)
    const range = (max: number) => fc.tuple(fc.nat(max), fc.nat(max)).map(([a, b]) => [a, b])
    const requests = fc.sample(
      fc.record(
        {
          species: some(SPECIES),
          color: some(COLORS),
          origin: some(ORIGINS),
          treatment: some(TREATMENTS),
          shape: some(SHAPES),
          lab: some(['GIA', 'IGI', null]),
          type: some(['mined', 'lab grown']),
          has_media: fc.boolean(),
          weight: range(3),
          retail_price: range(1500),
          wholesale_price: range(1000),
        },
        { requiredKeys: [] },
      ),
      { numRuns: 60, seed: 3 },
    )
    for (const wanted of requests) {
      const filters = filtersOf(wanted)
      const { status, body } = await search({ filters, limit: 1000, sort_col: 'weight' })
      expect(status).toBe(200)
      const expected = all
        .filter((gem) => isMatch(gem, wanted))
        .toSorted((a, b) => Number(a.weight) - Number(b.weight) || Number(a.id) - Number(b.id))
      expect(body.gems.map((gem: Gemstone) => gem.id)).toEqual(expected.map(({ id }) => id))
      expect(body.total).toBe(expected.length)
      const page = await search({ filters, limit: 3, offset: 2, sort_col: 'weight' })
      expect(page.body.gems).toEqual(expected.slice(2, 5))
    }
  })

  it('finds a species in upper and lower case', async () => {
    const rubies = all.filter(({ species }) => species === 'ruby').length
    for (const species of ['Ruby', 'RUBY', 'ruby']) {
      expect((await search({ filters: { species: [species] } })).body.total).toBe(rubies)
    }
  })

  it('finds by SKU and by certificate', async () => {
    const { sku } = all[7]
    expect((await search({ filters: { sku: [sku] } })).body.gems).toEqual([all[7]])
    expect((await search({ filters: { cert_num: ['G8', 'X'] } })).body.total).toBe(1)
  })

  it('sorts by price in both directions', async () => {
    const prices = async (sort_order: string) => {
      const { body } = await search({ sort_order, limit: 1000 })
      return body.gems.map((gem: Gemstone) => gem.retail_price)
    }
    const up = await prices('asc')
    expect(up).toEqual(up.toSorted((a: number, b: number) => a - b))
    expect(await prices('desc')).toEqual(up.toReversed())
  })

  it('sorts by whatever diamonds are sorted by, with nulls last and then by id', async () => {
    const grades: Record<string, readonly string[]> = { clarity: CLARITIES, cut_grade: CUT_GRADES }
    const sorts = sortableFields(DIAMOND_FIELDS).filter((name) => name !== 'color')
    expect(sorts).toEqual(expect.arrayContaining(['price_per_carat', 'ratio', 'clarity']))
    for (const sort_col of sorts) {
      const keyOf = (gem: Gemstone) => {
        if (sort_col === 'price_per_carat') {
          return Math.round((Number(gem.wholesale_price) / Number(gem.weight)) * 100)
        }
        const value = gem[sort_col]
        return value !== null && grades[sort_col] ? grades[sort_col].indexOf(String(value)) : value
      }
      for (const sort_order of ['asc', 'desc']) {
        const { status, body } = await search({ sort_col, sort_order, limit: 1000 })
        expect([sort_col, status]).toEqual([sort_col, 200])
        const sign = sort_order === 'asc' ? 1 : -1
        const expected = all.toSorted((a, b) => {
          const [first, second] = [keyOf(a), keyOf(b)]
          const byId = Number(a.id) - Number(b.id)
          if (first === null || second === null) {
            return Number(first === null) - Number(second === null) || byId
          }
          return first === second ? byId : (first < second ? -1 : 1) * sign
        })
        const ids = (gems: Gemstone[]) => gems.map(({ id }) => id)
        expect([sort_col, ids(body.gems)]).toEqual([sort_col, ids(expected)])
      }
    }
  })

  it('prices by the gemstone tiers, also when they go by price and diamonds by weight', async () => {
    const { merchant, key } = await market.merchant()
    const tiers = [
      { min: 0, max: 499.99, mined_percent: 100, lab_percent: 0 },
      { min: 500, max: 9999, mined_percent: 50, lab_percent: 0 },
    ]
    await inTransaction(market.database.db, (tx) =>
      setMargins(tx, merchant.uuid, { mode: 'price', product_type: 'gemstone', tiers }),
    )
    const { body } = await search({ filters: { type: ['mined'] }, limit: 1000 }, key)
    for (const gem of body.gems) {
      const factor = gem.wholesale_price < 500 ? 2 : 1.5
      expect(gem.retail_price).toBeCloseTo(gem.wholesale_price * factor, 6)
    }
    // An order stores what the search showed.
    const [{ sku, retail_price }] = body.gems
    const order = { order_type: 'invoice', dry_run: true, line_items: [{ sku, quantity: 1 }] }
    const placed = await market.call('POST', '/api/v2/orders/place', { token: key, body: order })
    expect(placed.body.line_items[0].product_data.fields.retail_price).toBe(retail_price)
  })

  it('shows a hold and an order at once', async () => {
    const { sku } = all[3]
    const token = shop.key
    await market.call('POST', '/api/v3/inventory/holds', { token, body: { sku } })
    expect((await search({ filters: { sku: [sku] } })).body.gems[0].on_hold).toBe(true)
    const address = {
      name: 'Store',
      address_1: '1 Facet Street',
      city: 'New York',
      postal_code: '10036',
      country_code: 'US',
    }
    await market.call('POST', '/api/v3/merchant_addresses', { token, body: address })
    const order = { order_type: 'invoice', line_items: [{ sku, quantity: 1 }] }
    const placed = await market.call('POST', '/api/v2/orders/place', { token, body: order })
    expect(placed.status).toBe(200)
    expect((await search({ filters: { sku: [sku] } })).body.total).toBe(0)
  })

  it('refuses unknown filters, sorts and values with 422, and the operator with 403', async () => {
    const cases: [object, string][] = [
      [{ filters: { clarity: ['VS1'] } }, 'filters.clarity'],
      [{ filters: { shape: ['rond'] } }, 'filters.shape[0]'],
      [{ filters: { species: [] } }, 'filters.species'],
      [{ filters: { weight_min: 2, weight_max: 1 } }, 'filters.weight_min'],
      [{ sort_col: 'color' }, 'sort_col'],
      [{ limit: 1001 }, 'limit'],
      [{ currency_code: 'XTS' }, 'currency_code'],
    ]
    for (const [body, field] of cases) {
      const answer = await search(body)
      expect([answer.status, answer.body.errors?.[0].field]).toEqual([422, field])
    }
    expect((await search({}, market.adminKey)).status).toBe(403)
  })
})

const ANY = { minLength: 1, maxLength: 2 }
const RANGES = ['weight', 'retail_price', 'wholesale_price'] as const
type Wanted = Record<string, unknown>

function filtersOf(wanted: Wanted): object {
  const filters: Wanted = {}
  for (const [name, value] of Object.entries(wanted)) {
    if ((RANGES as readonly string[]).includes(name)) {
      const [a, b] = value as [number, number]
      filters[`${name}_min`] = Math.min(a, b)
      filters[`${name}_max`] = Math.max(a, b)
    } else {
      filters[name] = value
    }
  }
  return filters
}

function isMatch(gem: Gemstone, wanted: Wanted): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    if (name === 'has_media') return (gem.image_top_url !== null) === value
    if ((RANGES as readonly string[]).includes(name)) {
      const [a, b] = value as [number, number]
      const own = Number(gem[name])
      return own >= Math.min(a, b) && own <= Math.max(a, b)
    }
    return (value as unknown[]).includes(gem[name])
  })
}
