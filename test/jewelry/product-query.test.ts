import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { fillDemoJewelry } from '../../src/demo/jewelry/jewelry.ts'
import { insertRate } from '../../src/pricing/exchange-rates.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import {
  findProducts,
  findVariants,
  type OracleBody,
  type OracleVariant,
  type OracleViewer,
  readOracle,
} from './oracle.ts'

const RATE = 0.9213
let market: TestMarket
let american: TestMerchant
let german: TestMerchant
let favoured: TestMerchant
let all: OracleVariant[]
let viewers: { key: string; viewer: OracleViewer }[]

beforeAll(async () => {
  market = await openTestMarket()
  const { db } = market.database
  american = await market.merchant()
  german = await market.merchant({ country_code: 'DE', currency_code: 'EUR' })
  const percents = { mined_percent: 9, lab_percent: 9, gemstone_percent: 9, jewelry_percent: -12.5 }
  favoured = await market.merchant({
    country_code: 'DE',
    currency_code: 'EUR',
    price_adjustment: JSON.stringify(percents),
  })
  await inTransaction(db, async (tx) => {
    await insertRate(tx, 'EUR', String(RATE))
    await insertRate(tx, 'JPY', '151.25')
    await fillDemoJewelry(tx, { seed: 7, publicUrl: 'https://x', merchants: [american.merchant] })
  })
  all = await readOracle(market.database)
  const { rows } = await market.database.pool.query(
    "select uuid, published and public as open, name = 'Trade preview' as shared from catalogue",
  )
  const open = rows.filter((row) => row.open).map((row) => row.uuid)
  const shared = rows.filter((row) => row.shared).map((row) => row.uuid)
  viewers = [
    {
      key: american.key,
      viewer: { catalogues: new Set([...open, ...shared]), us: true, rate: 1, percent: 0 },
    },
    { key: german.key, viewer: { catalogues: new Set(open), us: false, rate: RATE, percent: 0 } },
    {
      key: favoured.key,
      viewer: { catalogues: new Set(open), us: false, rate: RATE, percent: -12.5 },
    },
  ]
})
afterAll(() => market.close())

function post(path: string, key: string, body: unknown) {
  return market.call('POST', `/api/v3/${path}`, { token: key, body })
}
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
const VARIANTS = 'product_variants/jewelry/query'
const JEWELRY = 'products/jewelry/query'
const PRODUCTS = 'products/query'

const words = fc.constantFrom(
  'ring',
  'RIN',
  'étoile',
  'Etoi',
  'halo',
  'sapph',
  'diamond',
  'gold',
  '14k',
  '18K',
  'plat',
  'AM-1',
  'watch',
  'bracelet',
  'zzz',
  '(pearl)',
)
const q = fc.array(words, { minLength: 1, maxLength: 3 }).map((list) => list.join(' '))
const metals = ['14k yellow gold', '18k white gold', 'platinum 950', 'sterling silver']
const attributes = fc.record(
  {
    metal: fc.oneof(
      fc.constantFrom(...metals),
      fc.uniqueArray(fc.constantFrom(...metals), { minLength: 1, maxLength: 3 }),
    ),
    stone: fc.constantFrom<string | string[]>('diamond', ['sapphire', 'ruby']),
    jewelry_type: fc.constantFrom('ring', 'earrings', 'pendant'),
    ring_sub_type: fc.constantFrom('halo', 'engagement'),
  },
  { requiredKeys: [] },
)
const price = fc.integer({ min: 0, max: 400_000 }).map((cents) => cents / 100)
const shared = {
  q,
  include_unavailable: fc.boolean(),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 30 }),
  offset: fc.constantFrom(0, 0, 3, 40, 5000),
}
const prices = { wholesale_price_min: price, wholesale_price_max: price }
const inOrder = (body: OracleBody): boolean =>
  (body.wholesale_price_min ?? 0) <= (body.wholesale_price_max ?? 1e9) &&
  (body.retail_price_min ?? 0) <= (body.retail_price_max ?? 1e9)

function agrees<Body extends OracleBody>(
  bodies: fc.Arbitrary<Body>,
  path: string,
  name: 'products' | 'variants',
  oracle: (viewer: OracleViewer, body: Body) => { ids: string[]; total: number },
) {
  const viewer = fc.integer({ min: 0, max: 2 })
  return fc.assert(
    fc.asyncProperty(viewer, bodies.filter(inOrder), async (number, body) => {
      const response = await post(path, viewers[number].key, body)
      expect(response.status).toBe(200)
      const expected = oracle(viewers[number].viewer, body)
      expect(response.body.total).toBe(expected.total)
      expect(idsOf(response.body[name])).toEqual(expected.ids)
    }),
    { numRuns: 50 },
  )
}

describe('the queries return what the slow implementation returns', () => {
  it('for products', async () => {
    const bodies = fc.record(
      {
        ...shared,
        type: fc.constantFrom<string[]>(['watch'], ['jewelry'], ['watch', 'jewelry']),
        filter_variant_options: fc.record(
          { metal: fc.constant('18k yellow gold') },
          { requiredKeys: [] },
        ),
        order_by: fc.constantFrom('updated_on', 'created_on', 'title', 'wholesale_price'),
      },
      { requiredKeys: ['limit'] },
    )
    await agrees(bodies, PRODUCTS, 'products', (viewer, body) => findProducts(all, viewer, body))
  })

  it('for jewelry products', async () => {
    const bodies = fc.record(
      {
        ...shared,
        ...prices,
        filter_variant_options: attributes,
        delivery_days_max: fc.constantFrom(3, 6, 10, 12),
        order_by: fc.constantFrom('updated_on', 'title', 'wholesale_price', 'category'),
      },
      { requiredKeys: ['limit'] },
    )
    await agrees(bodies, JEWELRY, 'products', (viewer, body) =>
      findProducts(all, viewer, { ...body, type: ['jewelry'] }),
    )
  })

  it('for jewelry variants', async () => {
    const bodies = fc.record(
      {
        ...shared,
        ...prices,
        retail_price_min: price,
        retail_price_max: price,
        filter_variant_options: attributes,
        has_media: fc.boolean(),
        returnable: fc.boolean(),
        order_by: fc.constantFrom(
          'created_on',
          'updated_on',
          'wholesale_price',
          'retail_price',
          'sku',
        ),
      },
      { requiredKeys: ['limit'] },
    )
    await agrees(bodies, VARIANTS, 'variants', (viewer, body) => findVariants(all, viewer, body))
  })

  it('counts the visible variants in stock for each attribute value', async () => {
    for (const { key, viewer } of viewers) {
      for (const type of ['jewelry', 'watch']) {
        const response = await market.call('GET', `/api/v3/product_filters?product_type=${type}`, {
          token: key,
        })
        const seen = all.filter(
          (each) =>
            each.type === type && each.catalogues.some((uuid) => viewer.catalogues.has(uuid)),
        )
        const has = (each: OracleVariant, name: string, value: string) =>
          [each.filter_variant_options[name] ?? []].flat().includes(value)
        for (const { key: name, label, values } of response.body.filters) {
          expect(label).not.toBe('')
          const known = new Set(seen.flatMap((each) => each.filter_variant_options[name] ?? []))
          expect(new Set(values.map((each: { value: string }) => each.value))).toEqual(known)
          for (const { value, count } of values) {
            const inStock = seen.filter((each) => each.quantity > 0 && has(each, name, value))
            expect([name, value, count]).toEqual([name, value, inStock.length])
          }
        }
      }
    }
  })
})

describe('pages', () => {
  it('contain every variant once, even when many share a sort key', async () => {
    const ids: string[] = []
    for (let offset = 0; ; offset += 500) {
      const body = { order_by: 'created_on', limit: 500, offset, include_unavailable: true }
      const { variants, total } = (await post(VARIANTS, american.key, body)).body
      ids.push(...idsOf(variants))
      if (offset + 500 >= total) {
        expect(ids).toHaveLength(total)
        break
      }
    }
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('have the specified defaults', async () => {
    const products = await post(PRODUCTS, american.key, { include: ['details'] })
    expect(products.body).toMatchObject({ limit: 100, offset: 0 })
    const stamps = products.body.products.map((row: { updated_on: string }) => row.updated_on)
    expect(stamps).toEqual(stamps.toSorted().reverse())
    const variants = await post(VARIANTS, american.key, {})
    expect(variants.body).toMatchObject({ limit: 50, offset: 0 })
    expect((await post(JEWELRY, american.key, {})).body.limit).toBe(100)
  })
})

describe('ids', () => {
  it('find a variant that is sold out and not listed', async () => {
    const open = viewers[1].viewer.catalogues
    const gone = all.find(
      (each) => each.type === 'jewelry' && each.quantity === 0 && open.has(each.catalogues[0]),
    )
    const byId = await post(VARIANTS, german.key, { id: [gone?.id], include_unavailable: false })
    expect(byId.body.variants).toMatchObject([{ id: gone?.id, quantity: 0 }])
    const byProduct = await post(VARIANTS, german.key, { product_id: [gone?.product_id] })
    expect(idsOf(byProduct.body.variants)).not.toContain(gone?.id)
    const listed = await post(VARIANTS, german.key, {
      product_id: [gone?.product_id],
      include_unavailable: true,
    })
    expect(idsOf(listed.body.variants)).toContain(gone?.id)
  })

  it('find products, and nothing for an unknown id', async () => {
    const [some] = (await post(PRODUCTS, german.key, { limit: 1 })).body.products
    const found = await post(PRODUCTS, german.key, { id: [some.id, 'no-such-id'] })
    expect(found.body.products).toEqual([some])
    expect((await post(JEWELRY, german.key, { id: ['no-such-id'] })).body.total).toBe(0)
  })
})

describe('what a product shows', () => {
  it('includes its vendor and all its variants at the prices of the caller', async () => {
    const response = await post(PRODUCTS, german.key, { limit: 20, include: ['details'] })
    for (const product of response.body.products) {
      const own = all.filter((each) => each.product_id === product.id)
      expect(product.vendor.id).toBe(own[0].vendor_id)
      expect(idsOf(product.variants)).toEqual(idsOf(own))
      for (const [index, variant] of product.variants.entries()) {
        const euros = Math.round(Number(own[index].wholesale_price) * RATE * 100) / 100
        expect(variant.wholesale_price).toBeCloseTo(euros, 1)
        expect(variant).toMatchObject({
          sku: own[index].sku,
          product_type: product.type,
          currency_code: 'EUR',
          quantity: own[index].quantity,
          filter_variant_options: own[index].filter_variant_options,
        })
      }
    }
  })

  it('keeps the options in the order in which a buyer chooses them', async () => {
    const body = { filter_variant_options: { jewelry_type: 'ring' }, limit: 1 }
    const [ring] = (await post(VARIANTS, german.key, body)).body.variants
    expect(Object.keys(ring.variant_options)).toEqual(['metal', 'size'])
  })

  it('is jewelry in the jewelry query, even when the body names another type', async () => {
    const plain = await post(JEWELRY, american.key, {})
    const asked = await post(JEWELRY, american.key, { type: ['watch'] })
    expect(asked.body).toEqual(plain.body)
    expect((await post(JEWELRY, american.key, { type: 7 })).body).toEqual(plain.body)
  })

  it('is grouped by jewelry type and sub type in the order by category', async () => {
    const body = { order_by: 'category', order: 'asc', limit: 500 }
    const { products } = (await post(JEWELRY, american.key, body)).body
    type Row = { variants: { filter_variant_options: Record<string, string> }[] }
    const groups = products.map(({ variants }: Row) => {
      const has = variants[0].filter_variant_options
      const sub = Object.keys(has).find((key) => key.endsWith('_sub_type')) ?? ''
      return `${has.jewelry_type}/${has[sub]}`
    })
    const runs = groups.filter((group: string, index: number) => group !== groups[index - 1])
    expect(runs).toHaveLength(new Set(groups).size)
    expect(runs.length).toBeGreaterThan(15)
  })
})

describe('without details', () => {
  it('responses have exactly the specified fields', async () => {
    const { products } = (await post(PRODUCTS, german.key, { limit: 5 })).body
    const variant = [
      'id',
      'sku',
      'product_type',
      'wholesale_price',
      'retail_price',
      'quantity',
      'variant_options',
      'filter_variant_options',
    ]
    const product = ['id', 'title', 'description', 'type', 'vendor', 'variants']
    for (const each of products) {
      expect(Object.keys(each).sort()).toEqual(product.toSorted())
      for (const one of each.variants) expect(Object.keys(one).sort()).toEqual(variant.toSorted())
    }
  })

  it('a word of signs only is not found', async () => {
    expect((await post(PRODUCTS, german.key, { q: '%' })).body.total).toBe(0)
    expect((await post(VARIANTS, german.key, { q: '"' })).body.total).toBe(0)
  })
})
