import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { fillDemoJewelry } from '../../src/demo/jewelry/jewelry.ts'
import { insertRate } from '../../src/pricing/exchange-rates.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'

let market: TestMarket
let american: TestMerchant
const PRODUCTS = '/api/v3/products/query'
const JEWELRY = '/api/v3/products/jewelry/query'
const VARIANTS = '/api/v3/product_variants/jewelry/query'

beforeAll(async () => {
  market = await openTestMarket()
  american = await market.merchant()
  await inTransaction(market.database.db, async (tx) => {
    await insertRate(tx, 'EUR', '0.92')
    await insertRate(tx, 'JPY', '151.25')
    await fillDemoJewelry(tx, { seed: 5, publicUrl: 'https://x', merchants: [] })
  })
})
afterAll(() => market.close())

function post(path: string, body: unknown, token = american.key) {
  return market.call('POST', path, { token, body })
}

describe('a wrong body is refused with 422 that names the field', () => {
  const wrong: [path: string, body: Record<string, unknown>, field: string][] = [
    [PRODUCTS, { limit: 0 }, 'limit'],
    [PRODUCTS, { limit: 501 }, 'limit'],
    [JEWELRY, { limit: '10' }, 'limit'],
    [VARIANTS, { limit: 501 }, 'limit'],
    [VARIANTS, { offset: -1 }, 'offset'],
    [PRODUCTS, { order_by: 'price' }, 'order_by'],
    [PRODUCTS, { order: 'down' }, 'order'],
    [PRODUCTS, { type: ['ring'] }, 'type[0]'],
    [PRODUCTS, { type: 'jewelry' }, 'type'],
    [PRODUCTS, { id: [] }, 'id'],
    [PRODUCTS, { id: 'x' }, 'id'],
    [PRODUCTS, { q: 7 }, 'q'],
    [PRODUCTS, { q: 'x'.repeat(201) }, 'q'],
    [PRODUCTS, { q: 'a b c d e f g h i j k l m n o p q r s t u' }, 'q'],
    [PRODUCTS, { include_unavailable: 'yes' }, 'include_unavailable'],
    [PRODUCTS, { wholesale_price_min: 1 }, 'wholesale_price_min'],
    [JEWELRY, { delivery_days_max: -1 }, 'delivery_days_max'],
    [JEWELRY, { has_media: true }, 'has_media'],
    [JEWELRY, { vendor_id: ['x'] }, 'vendor_id'],
    [JEWELRY, { wholesale_price_min: -1 }, 'wholesale_price_min'],
    [JEWELRY, { wholesale_price_min: 10, wholesale_price_max: 9.99 }, 'wholesale_price_min'],
    [VARIANTS, { retail_price_min: 10, retail_price_max: 9 }, 'retail_price_min'],
    [VARIANTS, { retail_price_max: '9' }, 'retail_price_max'],
    [VARIANTS, { order_by: 'category' }, 'order_by'],
    [VARIANTS, { order_by: 'title' }, 'order_by'],
    [VARIANTS, { has_media: 'true' }, 'has_media'],
    [VARIANTS, { filter_variant_options: { metal: [] } }, 'filter_variant_options.metal'],
    [VARIANTS, { filter_variant_options: { metal: 7 } }, 'filter_variant_options.metal'],
    [
      VARIANTS,
      { filter_variant_options: { metal: 'x'.repeat(201) } },
      'filter_variant_options.metal',
    ],
  ]
  it.each(wrong)('%s %j', async (path, body, field) => {
    const response = await post(path, body)
    expect([response.status, response.body.code]).toEqual([422, 'invalid_request'])
    expect(response.body.errors.map((error: { field: string }) => error.field)).toContain(field)
  })

  it('names the maximum of limit and the nearest known name', async () => {
    expect((await post(PRODUCTS, { limit: 501 })).body.detail).toContain('500')
    expect((await post(VARIANTS, { filter_variant_option: {} })).body.detail).toContain(
      'did you mean filter_variant_options?',
    )
  })

  it('refuses a body that is not a JSON object', async () => {
    expect((await post(PRODUCTS, [])).status).toBe(422)
    const response = await market.call('POST', PRODUCTS, {
      token: american.key,
      headers: { 'content-type': 'application/json' },
    })
    expect(response.status).toBe(400)
  })
})

describe('attributes', () => {
  it('refuses an unknown key and lists the known ones', async () => {
    const response = await post(JEWELRY, { filter_variant_options: { metals: 'gold' } })
    expect([response.status, response.body.code]).toEqual([422, 'invalid_request'])
    const [error] = response.body.errors
    expect(error.field).toBe('filter_variant_options.metals')
    expect(error.message).toContain('did you mean metal?')
    for (const key of ['jewelry_type', 'stone', 'ring_sub_type', 'earring_sub_type']) {
      expect(error.message).toContain(key)
    }
  })

  it('refuses an unknown value and lists the known ones', async () => {
    const wanted = { metal: ['platinum 950', 'tin'], stone: 'rubi' }
    const response = await post(VARIANTS, { filter_variant_options: wanted })
    expect(response.status).toBe(422)
    expect(response.body.errors).toHaveLength(2)
    const [metal, stone] = response.body.errors
    expect(metal.field).toBe('filter_variant_options.metal[1]')
    expect(metal.message).toContain('14k yellow gold')
    expect(stone.field).toBe('filter_variant_options.stone')
    expect(stone.message).toContain('did you mean ruby?')
  })

  it('accepts what product_filters lists, regardless of case and accents', async () => {
    const response = await market.call('GET', '/api/v3/product_filters?product_type=jewelry', {
      token: american.key,
    })
    const metal = response.body.filters.find(({ key }: { key: string }) => key === 'metal')
    for (const { value, count } of metal.values) {
      const body = { filter_variant_options: { metal: value.toUpperCase() } }
      expect((await post(VARIANTS, body)).body.total).toBe(count)
    }
    const collection = { filter_variant_options: { collection: 'etoile' } }
    expect((await post(VARIANTS, collection)).body.total).toBeGreaterThan(0)
  })

  it.each(['jewelry', 'watch'])(
    'lists only what the product query accepts, of %s',
    async (type) => {
      const response = await market.call('GET', `/api/v3/product_filters?product_type=${type}`, {
        token: american.key,
      })
      let found = 0
      for (const { key, values } of response.body.filters) {
        for (const { value, count } of values.slice(0, 3)) {
          const body = { type: [type], filter_variant_options: { [key]: value } }
          const { status, body: page } = await post(PRODUCTS, body)
          expect([key, value, status]).toEqual([key, value, 200])
          expect(page.total > 0).toBe(count > 0)
          found += page.total
        }
      }
      expect(found).toBeGreaterThan(0)
    },
  )

  it('refuses an attribute that the requested types do not have', async () => {
    const filter_variant_options = { movement: 'automatic' }
    const refused = await post(PRODUCTS, { type: ['jewelry'], filter_variant_options })
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_request' } })
    expect((await post(PRODUCTS, { filter_variant_options })).status).toBe(200)
  })

  it('refuses an unknown product type', async () => {
    for (const query of ['', '?product_type=gem', '?product_type=jewelry&type=x']) {
      const response = await market.call('GET', `/api/v3/product_filters${query}`, {
        token: american.key,
      })
      expect(response.status).toBe(422)
    }
  })

  it('responds with 304 when the filters have not changed', async () => {
    const path = '/api/v3/product_filters?product_type=watch'
    const first = await market.call('GET', path, { token: american.key })
    const again = await market.call('GET', path, {
      token: american.key,
      headers: { 'if-none-match': first.headers.etag ?? '' },
    })
    expect(again.status).toBe(304)
  })
})

describe('currency_code', () => {
  it('converts both prices, rounded half up to the cent', async () => {
    const plain = await post(VARIANTS, { limit: 200, order_by: 'sku' })
    for (const [code, rate] of [
      ['EUR', 92n],
      ['JPY', 15_125n],
    ] as const) {
      const response = await post(VARIANTS, {
        limit: 200,
        order_by: 'sku',
        currency_code: code,
        include: ['details'],
      })
      for (const [index, row] of response.body.variants.entries()) {
        const dollars = plain.body.variants[index]
        for (const name of ['wholesale_price', 'retail_price']) {
          const scaled = BigInt(Math.round(dollars[name] * 100)) * rate
          expect(row[name]).toBe(Number((scaled + 50n) / 100n) / 100)
        }
        expect(row.currency_code).toBe(code)
      }
    }
  })

  it('applies to the price bounds', async () => {
    const all = await post(VARIANTS, { currency_code: 'JPY', limit: 500, order_by: 'retail_price' })
    const price = all.body.variants[40].retail_price
    const body = { currency_code: 'JPY', retail_price_min: price, limit: 500 }
    const found = await post(VARIANTS, body)
    const expected = all.body.variants.filter(
      (row: { retail_price: number }) => row.retail_price >= price,
    )
    expect(found.body.total).toBe(expected.length)
    const exact = await post(VARIANTS, { ...body, retail_price_max: price })
    expect(exact.body.total).toBeGreaterThan(0)
    for (const row of exact.body.variants) expect(row.retail_price).toBe(price)
  })

  it.each(['XTS', 'eur', 'EURO', ''])(
    'refuses %j, which has no exchange rate',
    async (currency_code) => {
      const response = await post(VARIANTS, { currency_code })
      expect([response.status, response.body.code]).toEqual([422, 'unknown_currency'])
      expect(response.body.errors[0].field).toBe('currency_code')
    },
  )

  it('refuses a merchant whose own currency has no exchange rate', async () => {
    const swiss = await market.merchant({ country_code: 'CH', currency_code: 'CHF' })
    const response = await post(PRODUCTS, {}, swiss.key)
    expect([response.status, response.body.code]).toEqual([422, 'unknown_currency'])
  })
})

describe('free text', () => {
  it('finds a variant by its SKU and its vendor SKU, whole or as a prefix', async () => {
    const { rows } = await market.database.pool.query(
      `select variant.id, sku, variant.vendor_sku from variant join product on product.id = product_id
       where type = 'jewelry' and quantity > 0 and product_id in (
         select product_id from catalogue_product join catalogue on uuid = catalogue_uuid
         where name = 'General') order by sku limit 3`,
    )
    for (const { id, sku, vendor_sku } of rows) {
      for (const q of [sku, sku.toLowerCase().slice(0, 9), vendor_sku]) {
        const { variants } = (await post(VARIANTS, { q })).body
        expect(variants.map((row: { id: string }) => row.id)).toContain(id)
      }
    }
  })

  it('does not filter when it has no word', async () => {
    const { total } = (await post(VARIANTS, {})).body
    for (const q of ['', '  ']) expect((await post(VARIANTS, { q })).body.total).toBe(total)
  })
})

it('returns empty pages in a market without jewelry', async () => {
  const empty = await openTestMarket()
  try {
    const { key } = await empty.merchant()
    for (const path of [PRODUCTS, JEWELRY, VARIANTS]) {
      const response = await empty.call('POST', path, { token: key, body: {} })
      expect(response.body).toMatchObject({ total: 0, offset: 0 })
    }
    const filters = await empty.call('GET', '/api/v3/product_filters?product_type=jewelry', {
      token: key,
    })
    expect(filters.body.filters.map((each: { key: string }) => each.key)).toContain('ring_sub_type')
    const body = { filter_variant_options: { metal: 'gold' } }
    expect((await empty.call('POST', JEWELRY, { token: key, body })).status).toBe(422)
  } finally {
    await empty.close()
  }
})
