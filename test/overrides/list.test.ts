import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertStone, leaseOf } from '../support/stones.ts'
import { type HandMarket, openHandMarket } from './support.ts'

let market: HandMarket
/** By the name that the tests give them. */
const skus: Record<string, string> = {}
beforeAll(async () => {
  market = await openHandMarket()
  const { db } = market.database
  const holder = market.us.merchant.uuid
  const sold = { state: 'sold', quantity: 0 } as const
  const stones = {
    plain: { vendor_sku: 'AB-100' },
    lower: { vendor_sku: 'ab-1002' },
    gia: { lab: 'GIA', cert_num: '2201-234567' },
    igi: { lab: 'IGI', cert_num: 'LG2201234567' },
    other: { lab_name: 'HRD', cert_num: '2201999' },
    held: leaseOf(holder, 60),
    expired: leaseOf(holder, -60),
    sold,
    memo: { ...sold, state: 'memo' as const },
    gone: { state: 'gone' as const, quantity: 0 },
    disabled: { state: 'disabled' as const },
    parcel: { product_type: 'melee' as const, quantity: 12 },
    sapphire: { product_type: 'gemstone' as const, species: 'sapphire', color: 'blue' },
  }
  for (const [name, columns] of Object.entries(stones)) {
    skus[name] = (await insertStone(db, columns)).sku
  }
  await market.list('Second House', [{ stock: 'AB-1009', perCarat: 5000 }])
  skus.second = await market.skuOf('Second House', 'AB-1009')
})
afterAll(() => market.close())

async function list(query: Record<string, string | number>) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) search.set(name, String(value))
  const path = `/api/operator/inventory/gems?${search.toString()}`
  return market.call('GET', path, { token: market.adminKey })
}

/** The names of the stones that a query finds. */
async function names(query: Record<string, string | number>): Promise<string[]> {
  const { body } = await list(query)
  const nameOf = new Map(Object.entries(skus).map(([name, sku]) => [sku, name]))
  const found = body.gems.map(({ sku }: { sku: string }) => nameOf.get(sku))
  expect(body.total).toBe(found.length)
  return found
}

describe('GET /api/operator/inventory/gems', () => {
  it('sorts by weight, price, SKU or change, both ways, whatever else is asked for', async () => {
    const { db } = market.database
    const weights = { held: '1.30', sold: '0.90', memo: '2.10' }
    for (const [name, weight] of Object.entries(weights)) {
      await db.updateTable('gem').set({ weight }).where('sku', '=', skus[name]).execute()
    }
    const ends = async (query: Record<string, string | number>) => {
      const found = await names({ ...query, limit: 500 })
      return [found[0], found.at(-1)]
    }
    expect(await ends({ sort_col: 'weight' })).toEqual(['sold', 'memo'])
    expect(await ends({ sort_col: 'weight', sort_order: 'desc' })).toEqual(['memo', 'sold'])
    expect(await ends({ sort_order: 'desc' })).toEqual(['second', 'plain'])
    const bySku = await names({ sort_col: 'sku', limit: 500 })
    const sorted = Object.entries(skus).toSorted(([, a], [, b]) => (a < b ? -1 : 1))
    expect(bySku).toEqual(sorted.map(([name]) => name))
    const found = await names({ q: 'ab-100', sort_col: 'sku', sort_order: 'desc' })
    expect(found).toEqual(bySku.toReversed().filter((name) => found.includes(name)))
    expect(found).toHaveLength(3)
    const pages = [0, 5, 10].map((offset) => list({ sort_col: 'weight', limit: 5, offset }))
    const paged = (await Promise.all(pages)).flatMap(({ body }) => body.gems)
    expect(new Set(paged.map(({ sku }: { sku: string }) => sku)).size).toBe(paged.length)
    expect((await list({ sort_col: 'color' })).status).toBe(422)
  })

  it('finds stones by the beginning of their SKU or stock number, whatever the letter case', async () => {
    expect(await names({ q: skus.plain })).toEqual(['plain'])
    expect(await names({ q: skus.plain.slice(0, 7).toLowerCase() })).toEqual(['plain'])
    expect(await names({ q: 'ab-100' })).toEqual(['plain', 'lower', 'second'])
    expect(await names({ q: ' AB-1002 ' })).toEqual(['lower'])
    expect(await names({ q: 'B-100' })).toEqual([])
    expect(await names({ q: '%' })).toEqual([])
  })

  it('finds certificates by their number, with or without the laboratory', async () => {
    expect(await names({ q: '2201234567' })).toEqual(['gia'])
    expect(await names({ q: '2201-2345' })).toEqual(['gia'])
    expect(await names({ q: '2201' })).toEqual(['gia', 'other'])
    expect(await names({ q: 'gia 2201234567' })).toEqual(['gia'])
    expect(await names({ q: 'HRD/2201' })).toEqual(['other'])
    expect(await names({ q: 'lg2201' })).toEqual(['igi'])
    expect(await names({ q: 'IGI 2201' })).toEqual([])
  })

  it('filters by supplier, state and kind of product', async () => {
    expect(await names({ supplier: 'second house' })).toEqual(['second'])
    expect(await names({ supplier: 'Nobody' })).toEqual([])
    expect(await names({ supplier: 'Second House', q: 'ab' })).toEqual(['second'])
    for (const state of ['held', 'sold', 'memo', 'gone', 'disabled']) {
      expect(await names({ state })).toEqual([state])
    }
    const available = await names({ state: 'available' })
    expect(available).toContain('expired')
    expect(available).toHaveLength(9)
    expect(await names({ product_type: 'melee' })).toEqual(['parcel'])
    expect(await names({ product_type: 'gemstone', state: 'available' })).toEqual(['sapphire'])
  })

  it('pages with an exact count, and has the terms of every row', async () => {
    const all = await list({})
    expect(all.body).toMatchObject({ total: 14, offset: 0, limit: 100 })
    const pages = await Promise.all([0, 5, 10].map((offset) => list({ limit: 5, offset })))
    expect(pages.flatMap(({ body }) => body.gems)).toEqual(all.body.gems)
    expect((await list({ offset: 100 })).body).toMatchObject({ gems: [], total: 14 })
    expect(all.body.gems[0]).toMatchObject({
      sku: skus.plain,
      supplier: 'Test Stones',
      vendor_sku: 'AB-100',
      wholesale_price: 1100,
      wholesale_price_us: 1200,
      state: 'available',
      enabled: true,
      overrides: {},
    })
  })

  it('refuses a page that is too large, unknown values and unknown names', async () => {
    for (const [query, field] of [
      [{ limit: 501 }, 'limit'],
      [{ state: 'lost' }, 'state'],
      [{ product_type: 'jewelry' }, 'product_type'],
      [{ q: ' ' }, 'q'],
      [{ supplier: '' }, 'supplier'],
      [{ supplier: ' ' }, 'supplier'],
      [{ supplier: 'x'.repeat(121) }, 'supplier'],
      [{ color: 'G' }, 'color'],
    ] as const) {
      const { status, body } = await list(query as Record<string, string>)
      expect([status, body.errors[0].field]).toEqual([422, field])
    }
  })
})

describe('GET /api/operator/inventory/gems/{sku}', () => {
  it('has every field that merchants see, and those that only the operator sees', async () => {
    const gem = await market.show(skus.held)
    const searched = await market.search(skus.second)
    const merchantOnly = /^(base_|currency_code|exchange_rate|retail_price|off_rap_p|merchant_)/
    for (const name of Object.keys(searched ?? {})) {
      if (!merchantOnly.test(name)) expect(gem, name).toHaveProperty(name)
    }
    expect(gem).toMatchObject({
      supplier: 'Test Stones',
      cost: 1000,
      state: 'held',
      on_hold: true,
      hold: { merchant_uuid: market.us.merchant.uuid, merchant: market.us.merchant.legal_dba },
      overrides: {},
      note: null,
      offers: [{ sku: skus.held, leads: true, leads_us: true }],
    })
    const unknown = await market.call('GET', '/api/operator/inventory/gems/NOSUCHSKU', {
      token: market.adminKey,
    })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
  })
})
