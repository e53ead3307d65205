import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { fillDemoJewelry } from '../../src/demo/jewelry/jewelry.ts'
import { lastNumber } from '../support/change-log.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'

let market: TestMarket
let shop: TestMerchant
let other: TestMerchant
const skus: Record<string, string> = {}

const ROUND = { weight: '1.00', color: 'G', clarity: 'VS1', list_price: '2000' } as const
const TERMS = { mined_percent: -2.5, lab_percent: 4, gemstone_percent: 10, jewelry_percent: -20 }

beforeAll(async () => {
  market = await openTestMarket()
  shop = await market.merchant({ country_code: 'DE' })
  other = await market.merchant({ country_code: 'DE' })
  const stones = {
    mined: { ...ROUND, wholesale_price: '1000.30' },
    second: { ...ROUND, wholesale_price: '1070.55' },
    lab: { ...ROUND, type: 'lab grown' as const, wholesale_price: '990.01' },
    ruby: { product_type: 'gemstone', species: 'ruby', wholesale_price: '333.33' },
    parcel: { product_type: 'melee', length: '1', weight: '0.0050', quantity: 100 },
    labParcel: {
      product_type: 'melee',
      length: '2',
      weight: '0.0050',
      quantity: 100,
      type: 'lab grown' as const,
    },
  } as const
  const inserted = await stockStones(market, ...Object.values(stones))
  for (const [at, name] of Object.keys(stones).entries()) skus[name] = inserted[at].sku
  await inTransaction(market.database.db, (tx) =>
    fillDemoJewelry(tx, { seed: 3, publicUrl: 'https://x', merchants: [] }),
  )
})
afterAll(() => market.close())

const pathOf = ({ merchant }: TestMerchant) => `/api/operator/merchants/${merchant.uuid}`
const patch = (price_adjustment: unknown, of = shop) =>
  market.call('PATCH', pathOf(of), { token: market.adminKey, body: { price_adjustment } })
const post = (path: string, body: unknown, of = shop) =>
  market.call('POST', path, { token: of.key, body })
const read = (path: string, of = shop) => market.call('GET', path, { token: of.key })

type Gem = Record<string, number | string | null>
const bySku = (gems: Gem[]) => new Map(gems.map((gem) => [gem.sku, gem]))
const search = async (body: object, of = shop): Promise<Gem[]> =>
  (await post('/api/v3/diamonds/merchant_search', body, of)).body.gems

describe('price_adjustment of a merchant', () => {
  it('is null at first, is replaced whole with 0 for what is absent, and is cleared by null', async () => {
    const shown = await market.call('GET', pathOf(shop), { token: market.adminKey })
    expect(shown.body.price_adjustment).toBeNull()
    expect((await patch(TERMS)).body.price_adjustment).toEqual(TERMS)
    expect((await patch({ lab_percent: 50, mined_percent: null })).body.price_adjustment).toEqual({
      mined_percent: 0,
      lab_percent: 50,
      gemstone_percent: 0,
      jewelry_percent: 0,
    })
    expect((await patch(null)).body.price_adjustment).toBeNull()
  })

  it('is accepted for a new merchant, and listed', async () => {
    const body = {
      email: 'terms@shop.example',
      legal_dba: 'Terms',
      country_code: 'US',
      price_adjustment: { jewelry_percent: -0.05 },
    }
    const path = '/api/operator/merchants'
    const made = await market.call('POST', path, { token: market.adminKey, body })
    expect(made.status).toBe(201)
    expect(made.body.price_adjustment).toMatchObject({ mined_percent: 0, jewelry_percent: -0.05 })
    const { body: listed } = await market.call('GET', `${path}?limit=100`, {
      token: market.adminKey,
    })
    const found = listed.merchants.find(({ uuid }: { uuid: string }) => uuid === made.body.uuid)
    expect(found.price_adjustment).toEqual(made.body.price_adjustment)
  })

  it.each([
    [{ mined_percent: 50.01 }, 'mined_percent'],
    [{ lab_percent: -51 }, 'lab_percent'],
    [{ gemstone_percent: 1.005 }, 'gemstone_percent'],
    [{ jewelry_percent: '5' }, 'jewelry_percent'],
    [{ melee_percent: 5 }, 'melee_percent'],
    [5, 'price_adjustment'],
  ])('refuses %j', async (adjustment, field) => {
    const { status, body } = await patch(adjustment)
    expect(status).toBe(422)
    expect(JSON.stringify(body.errors)).toContain(field)
  })

  it('is neither shown to the merchant nor copied into its orders', async () => {
    await patch(TERMS)
    const answers = [
      await read('/api/v3/profit_margins/list'),
      await read('/api/v3/session'),
      await post('/api/v2/orders/place', {
        order_type: 'invoice',
        line_items: [{ sku: skus.parcel, quantity: 1 }],
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const { text } of answers) {
      expect(text).not.toContain('adjustment')
      expect(text).not.toContain('gemstone_percent')
    }
  })

  it('raises one change of kind prices for this merchant, and none when nothing changes', async () => {
    await patch(null)
    const after = await lastNumber(market.database.db)
    const changes = async (of: TestMerchant) =>
      (await read(`/api/v3/inventory/changes?after=${after}`, of)).body.changes
    await patch({})
    expect(await changes(shop)).toEqual([])
    await patch(TERMS)
    await patch(TERMS)
    expect((await changes(shop)).map(({ kind }: { kind: string }) => kind)).toEqual(['prices'])
    expect(await changes(other)).toEqual([])
  })
})

describe('with terms of its own a merchant', () => {
  beforeAll(async () => {
    await patch(TERMS)
  })

  it('sees adjusted diamonds, and discounts off the list that follow from them', async () => {
    const gems = bySku(await search({}))
    // 1000.30 x 0.975 = 975.2925, and 30 % of 975.29 on top of it.
    expect(gems.get(skus.mined)).toMatchObject({
      base_wholesale_price: 975.29,
      wholesale_price: 975.29,
      base_retail_price: 1267.88,
      retail_price: 1267.88,
      off_rap_percentage: -51.24,
    })
    // 990.01 x 1.04 = 1029.6104
    expect(gems.get(skus.lab)).toMatchObject({
      base_wholesale_price: 1029.61,
      retail_price: 1492.93,
      off_rap_percentage: -48.52,
    })
    const [plain] = await search({ filters: { sku: [skus.mined] } }, other)
    expect(plain).toMatchObject({ base_wholesale_price: 1000.3, off_rap_percentage: -49.99 })
  })

  it('sorts and filters by the prices that it sees', async () => {
    const order = async (sort_col: string, of = shop) => {
      const names = new Map(Object.entries(skus).map(([name, sku]) => [sku, name]))
      return (await search({ sort_col }, of)).map(({ sku }) => names.get(String(sku)))
    }
    const columns = ['wholesale_price', 'price_per_carat', 'off_rap_percentage']
    for (const column of columns) {
      expect(await order(column, other)).toEqual(['lab', 'mined', 'second'])
      expect(await order(column)).toEqual(['mined', 'lab', 'second'])
    }
    const filters = { wholesale_price_min: 975.29, wholesale_price_max: 1029.6 }
    expect((await search({ filters })).map(({ sku }) => sku)).toEqual([skus.mined])
    const off = { off_rap_percentage_min: -48.52, off_rap_percentage_max: -48.52 }
    expect((await search({ filters: off })).map(({ sku }) => sku)).toEqual([skus.lab])
    const { body } = await post('/api/v3/diamonds/merchant_search', { include: ['facets'] })
    expect(body.facets.histograms.retail_price).toMatchObject({ min: 1267.88, max: 1492.93 })
  })

  it('has the same stones in its snapshot and in its changes as in its search', async () => {
    const { text } = await read('/api/v3/inventory/snapshot')
    const lines = text.trimEnd().split('\n').slice(1, -1)
    const found = bySku(await search({}))
    expect(lines).toHaveLength(found.size)
    for (const line of lines) {
      const gem = JSON.parse(line) as Gem
      expect(gem).toMatchObject(found.get(gem.sku) ?? {})
    }
    const after = await lastNumber(market.database.db)
    const hold = await post('/api/v3/inventory/holds', { sku: skus.mined, minutes: 5 })
    expect(hold.status).toBe(201)
    const { body } = await read(`/api/v3/inventory/changes?after=${after}`)
    expect(body.changes[0].gem).toMatchObject({
      sku: skus.mined,
      base_wholesale_price: 975.29,
      off_rap_percentage: -51.24,
    })
    await market.call('DELETE', `/api/v3/inventory/holds/${hold.body.uuid}`, { token: shop.key })
  })

  it('sees adjusted gemstones', async () => {
    const { body } = await post('/api/v3/gemstones/search', { filters: { species: ['ruby'] } })
    expect(body.gems[0]).toMatchObject({ sku: skus.ruby, base_wholesale_price: 366.66 })
  })

  it('sees parcels that are adjusted by their type', async () => {
    const path = '/api/v3/diamonds/get_parcel_filters'
    const leafOf = (filters: object) =>
      Object.values(JSON.parse(JSON.stringify(filters)).round.brilliant_cut)
        .flatMap((sizes) => Object.values(sizes as object))
        .flatMap((qualities) => Object.values(qualities as object))
    const mined = leafOf((await read(`${path}?shape=round&type=mined`)).body.filters)
    const lab = leafOf((await read(`${path}?shape=round&type=lab%20grown`)).body.filters)
    expect(mined).toMatchObject([{ wholesale_price: 1072.5, wholesale_price_per_ct: 1072.5 }])
    expect(lab).toMatchObject([{ wholesale_price: 1144, wholesale_price_per_ct: 1144 }])
  })

  it('gets curated stones at its prices, the cheaper one for it between near equals', async () => {
    const body = { weight: 1, shape: 'round', types: ['mined', 'lab grown'] }
    const best = async (of: TestMerchant) =>
      (await post('/api/v2/diamonds/ai_search', body, of)).body[0]
    expect(await best(shop)).toMatchObject({ sku: skus.mined, base_wholesale_price: 975.29 })
    expect(await best(other)).toMatchObject({ sku: skus.lab, base_wholesale_price: 990.01 })
  })

  it('pays what it sees, in a dry run and in an order', async () => {
    const line_items = [
      { sku: skus.second, quantity: 1 },
      { sku: skus.ruby, quantity: 1 },
      { sku: skus.parcel, quantity: 3 },
    ]
    const body = { order_type: 'invoice', line_items }
    for (const dry_run of [true, false]) {
      const placed = await post('/api/v2/orders/place', { ...body, dry_run })
      expect(placed.status).toBe(200)
      const [stone, ruby, parcel] = placed.body.line_items
      // 1070.55 x 0.975 = 1043.78625; 1072.50 a carat x 0.0050 ct = 5.3625
      expect([stone.price, ruby.price, parcel.price]).toEqual([1043.79, 366.66, 5.3625])
      expect(stone.product_data.fields).toMatchObject({
        base_wholesale_price: 1043.79,
        off_rap_percentage: -47.81,
      })
    }
    const again = await post('/api/v2/orders/place', {
      order_type: 'invoice',
      line_items: [{ sku: skus.second, quantity: 1 }],
    })
    expect(again.status).toBe(409)
    expect(again.body.substitutes[0].stones[0]).toMatchObject({
      sku: skus.mined,
      base_wholesale_price: 975.29,
    })
  })

  it('sees and pays adjusted jewelry and watches, whose retail price stays', async () => {
    for (const type of ['jewelry', 'watch']) {
      const query = { type: [type], limit: 1 }
      const [ours] = (await post('/api/v3/products/query', query)).body.products
      const [theirs] = (await post('/api/v3/products/query', query, other)).body.products
      for (const [at, variant] of theirs.variants.entries()) {
        const adjusted = Math.floor((Math.round(variant.wholesale_price * 100) * 8 + 5) / 10) / 100
        expect(ours.variants[at]).toMatchObject({
          sku: variant.sku,
          wholesale_price: adjusted,
          retail_price: variant.retail_price,
        })
      }
      const inStock = ours.variants.find(({ quantity }: { quantity: number }) => quantity > 0)
      const placed = await post('/api/v2/orders/place', {
        order_type: 'invoice',
        line_items: [{ sku: inStock.sku, quantity: 1 }],
      })
      expect(placed.body.line_items[0].price).toBe(inStock.wholesale_price)
      expect(placed.body.line_items[0].product_data.fields).toMatchObject({
        base_wholesale_price: inStock.wholesale_price,
        base_retail_price: inStock.retail_price,
      })
    }
  })
})
