import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { addAddress } from '../../src/merchants/address-store.ts'
import { addTemplate } from '../../src/merchants/template-store.ts'
import { replaceMargins } from '../../src/pricing/margin-store.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'

let market: TestMarket
let shop: TestMerchant
let stranger: TestMerchant

beforeAll(async () => {
  market = await openTestMarket()
  shop = await market.merchant()
  stranger = await market.merchant({ country_code: 'DE', currency_code: 'EUR' })
  await inTransaction(market.database.db, async (tx) => {
    const { uuid } = shop.merchant
    for (const [name, is_default] of [
      ['Store', false],
      ['Workshop', true],
      ['Harbor', false],
    ] as const) {
      await addAddress(tx, uuid, {
        name,
        address_1: '1 Facet Street',
        city: 'New York',
        postal_code: '10036',
        region: 'NY',
        country_code: 'USA',
        is_default,
      })
    }
    const make = { color: 'F', clarity: 'VS1', grade_name: 'ideal' } as const
    for (const [group, label] of [
      ['STUDS', 'A'],
      ['BRIDAL', 'B'],
      ['BRIDAL', 'C'],
    ]) {
      await addTemplate(tx, uuid, { group, label, ...make })
    }
    const tiers = [
      { min: 1, max: 5, mined_percent: 30.5, lab_percent: 45 },
      { min: 0, max: 0.99, mined_percent: 35, lab_percent: 50 },
    ]
    await replaceMargins(tx, uuid, { mode: 'weight', product_type: 'diamond', tiers })
    await replaceMargins(tx, uuid, {
      mode: 'price',
      product_type: 'gemstone',
      tiers: [{ min: 0, max: 1000, mined_percent: 80, lab_percent: 90 }],
    })
  })
})
afterAll(() => market.close())

const read = (path: string, token = shop.key) => market.call('GET', path, { token })

describe('merchant addresses', () => {
  it('list the default first, in pages in v3 and completely in v2', async () => {
    const { body } = await read('/api/v3/merchant_addresses/list?limit=2&offset=0')
    expect(body).toMatchObject({ total: 3, offset: 0, limit: 2 })
    const names = body.merchant_addresses.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['Workshop', 'Store'])
    const v2 = (await read('/api/v2/merchant_addresses/list')).body
    expect(Object.keys(v2)).toEqual(['merchant_addresses', 'total'])
    expect(v2.merchant_addresses.map(({ name }: { name: string }) => name)).toEqual([
      'Workshop',
      'Store',
      'Harbor',
    ])
    expect(v2.merchant_addresses[0]).toEqual({
      uuid: expect.any(String),
      name: 'Workshop',
      merchant_uuid: shop.merchant.uuid,
      phone: '',
      address_1: '1 Facet Street',
      address_2: '',
      city: 'New York',
      postal_code: '10036',
      country_code: 'US',
      region: 'NY',
      address_type: 'shipping',
      is_default: true,
    })
  })
})

describe('merchant templates', () => {
  it('list the predefined ones first, then by group and position', async () => {
    const { body } = await read('/api/v3/merchant_templates/list')
    expect(body.total).toBe(6)
    const labels = body.merchant_templates.map(({ label }: { label: string }) => label)
    expect(labels).toEqual(['IDEAL', 'PREMIUM', 'STANDARD', 'B', 'C', 'A'])
    expect((await read('/api/v2/merchant_templates/list')).body).toEqual(body.merchant_templates)
  })

  it('are only the predefined ones for a merchant without its own', async () => {
    const { body } = await read('/api/v3/merchant_templates/list', stranger.key)
    expect(body.merchant_templates).toEqual([
      {
        uuid: 'DEFAULT_IDEAL',
        merchant_uuid: null,
        group: 'DEFAULT',
        position: 1,
        label: 'IDEAL',
        color: 'F',
        clarity: 'VS1',
        grade_name: 'ideal',
        order: null,
      },
      expect.objectContaining({ uuid: 'DEFAULT_PREMIUM', color: 'H', clarity: 'VS2' }),
      expect.objectContaining({ uuid: 'DEFAULT_STANDARD', color: 'I', clarity: 'SI1' }),
    ])
  })
})

describe('profit margins', () => {
  it('list tiers from low to high, filtered by product type, and as a plain array in v2', async () => {
    const v2 = (await read('/api/v2/profit_margins/list')).body
    expect(v2).toHaveLength(3)
    expect(v2[0]).toEqual({
      uuid: expect.any(String),
      merchant_uuid: shop.merchant.uuid,
      lab_percent: 50,
      mined_percent: 35,
      weight_min: 0,
      weight_max: 0.99,
      price_min: 0,
      price_max: 0,
      weight_or_price: 'weight',
    })
    expect(v2[1].mined_percent).toBe(30.5)
    const list = '/api/v3/profit_margins/list'
    for (const query of ['product_type=gemstone', 'product_type[]=gemstone']) {
      const { body } = await read(`${list}?${query}`)
      expect(body.profit_margins).toEqual([v2[2]])
    }
    for (const query of [
      'product_type=gemstone,diamond',
      'product_type=gemstone&product_type=diamond',
      'product_type[]=gemstone&product_type[]=diamond',
    ]) {
      expect((await read(`${list}?${query}`)).body.total).toBe(3)
    }
  })

  it('are empty for a merchant on the default tiers', async () => {
    expect((await read('/api/v2/profit_margins/list', stranger.key)).body).toEqual([])
  })

  it('are found one by one by their UUID, and hidden from every other merchant', async () => {
    const [margin] = (await read('/api/v2/profit_margins/list')).body
    const path = `/api/v3/profit_margins/${margin.uuid}`
    expect((await read(path)).body).toEqual(margin)
    const foreign = await read(path, stranger.key)
    const unknown = await read('/api/v3/profit_margins/0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90')
    expect(foreign.status).toBe(404)
    expect(foreign.body.code).toBe(unknown.body.code)
    expect((await read('/api/v3/profit_margins/nonsense')).status).toBe(422)
  })
})

describe('conditional reads', () => {
  it.each([
    '/api/v2/merchant_addresses/list',
    '/api/v3/defaults/gem_attributes',
    '/api/v3/merchant_templates/list',
  ])('return 304 to a caller that has %s already', async (path) => {
    const { headers } = await read(path)
    const again = await market.call('GET', path, {
      token: shop.key,
      headers: { 'if-none-match': String(headers.etag) },
    })
    expect(again.status).toBe(304)
    expect(again.text).toBe('')
    const other = await market.call('GET', path, {
      token: shop.key,
      headers: { 'if-none-match': '"other"' },
    })
    expect(other.status).toBe(200)
  })
})
