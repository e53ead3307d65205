import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { fillDemoJewelry } from '../../src/demo/jewelry/jewelry.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'

let market: TestMarket
let shop: TestMerchant
const BASE = '/api/operator/catalogues'

beforeAll(async () => {
  market = await openTestMarket()
  shop = await market.merchant()
  await inTransaction(market.database.db, (tx) =>
    fillDemoJewelry(tx, { seed: 9, publicUrl: 'https://x', merchants: [shop.merchant] }),
  )
})
afterAll(() => market.close())

function ask(method: string, path = '', body?: unknown, token = market.adminKey) {
  return market.call(method, `${BASE}${path}`, { token, ...(body !== undefined && { body }) })
}

describe('catalogues', () => {
  it('are listed by name, with their size and the merchants they are shared with', async () => {
    const { catalogues } = (await ask('GET')).body
    expect(catalogues.map(({ name }: { name: string }) => name)).toEqual([
      'Bridal',
      'General',
      'Next season',
      'Trade preview',
    ])
    expect(catalogues[3]).toMatchObject({
      published: true,
      public: false,
      merchant_uuids: [shop.merchant.uuid],
    })
    const sum = catalogues.reduce(
      (total: number, each: { product_count: number }) => total + each.product_count,
      0,
    )
    expect(sum).toBe(600)
  })

  it('are created, published, shared, filled and renamed', async () => {
    const made = await ask('POST', '', { name: '  Winter   window ' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ name: 'Winter window', published: false, public: false })
    const path = `/${made.body.uuid}`
    const changed = await ask('PATCH', path, { published: true, public: true, name: 'Winter' })
    expect(changed.body).toMatchObject({ published: true, public: true, name: 'Winter' })
    const share = `${path}/merchants/${shop.merchant.uuid}`
    expect((await ask('PUT', share)).body.merchant_uuids).toEqual([shop.merchant.uuid])
    expect((await ask('PUT', share)).body.merchant_uuids).toEqual([shop.merchant.uuid])
    expect((await ask('DELETE', share)).body.merchant_uuids).toEqual([])
    const { rows } = await market.database.pool.query('select id from product order by id limit 3')
    const ids = rows.map(({ id }) => id)
    expect((await ask('POST', `${path}/products`, { add: ids })).body.product_count).toBe(3)
    const less = await ask('POST', `${path}/products`, { add: [ids[0]], remove: [ids[1]] })
    expect(less.body.product_count).toBe(2)
    expect((await ask('GET', path)).body).toEqual(less.body)
  })

  it('refuse a name in use, an invalid name, and unknown products', async () => {
    const nobody = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
    const taken = await ask('POST', '', { name: 'bridal' })
    expect([taken.status, taken.body.code]).toEqual([409, 'catalogue_name_taken'])
    expect((await ask('POST', '', { name: '' })).status).toBe(422)
    expect((await ask('POST', '', { name: '   ' })).status).toBe(422)
    expect((await ask('POST', '', { name: nobody })).status).toBe(422)
    const { catalogues } = (await ask('GET')).body
    const path = `/${catalogues[0].uuid}`
    expect((await ask('PATCH', path, { name: 'GENERAL' })).status).toBe(409)
    expect((await ask('PATCH', path, {})).status).toBe(422)
    expect((await ask('PATCH', `/${nobody}`, { public: true })).status).toBe(404)
    expect((await ask('GET', `/${nobody}`)).status).toBe(404)
    expect((await ask('PUT', `${path}/merchants/${nobody}`)).status).toBe(404)
    expect((await ask('POST', `${path}/products`, { add: [nobody] })).status).toBe(404)
    expect((await ask('POST', `${path}/products`, { add: ['x'] })).status).toBe(422)
  })

  it('are for the operator only', async () => {
    expect((await ask('GET', '', undefined, shop.key)).status).toBe(403)
    expect((await ask('POST', '', { name: 'Mine' }, shop.key)).status).toBe(403)
    const path = '/api/operator/jewelry/imports'
    expect((await market.call('GET', path, { token: shop.key })).status).toBe(403)
  })

  it('are created once per idempotency key', async () => {
    const headers = { 'idempotency-key': 'window' }
    const options = { token: market.adminKey, body: { name: 'Once' }, headers }
    const first = await market.call('POST', BASE, options)
    const again = await market.call('POST', BASE, options)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.text).toBe(first.text)
  })
})

describe('the demo', () => {
  const draw = async (seed: number) => {
    const other = await openTestMarket()
    try {
      const filled = await inTransaction(other.database.db, (tx) =>
        fillDemoJewelry(tx, { seed, publicUrl: 'https://x', merchants: [], asOf: new Date(1e12) }),
      )
      const { rows } = await other.database.pool.query(
        `select sku, title, product.type, wholesale_price, retail_price, quantity, variant_options,
           filter_variant_options, variant.created_on
         from variant join product on product.id = product_id order by sku`,
      )
      return { filled, rows }
    } finally {
      await other.close()
    }
  }

  it('creates the same pieces for the same seed, of every kind and in every state', async () => {
    const [first, again, other] = [await draw(4), await draw(4), await draw(5)]
    expect(again.rows).toEqual(first.rows)
    expect(other.rows).not.toEqual(first.rows)
    expect(first.filled.products).toBe(600)
    expect(first.filled.variants).toBeGreaterThan(2300)
    expect(first.filled.variants).toBeLessThan(2700)
    const watches = new Set(
      first.rows.filter(({ type }) => type === 'watch').map(({ title }) => title),
    )
    expect(watches.size).toBeGreaterThan(60)
    const kinds = new Set(first.rows.map((row) => row.filter_variant_options.jewelry_type))
    for (const kind of ['ring', 'earrings', 'necklace', 'bracelet', 'pendant']) {
      expect(kinds).toContain(kind)
    }
    const soldOut = first.rows.filter(({ quantity }) => quantity === 0).length
    expect(soldOut).toBeGreaterThan(100)
    for (const { wholesale_price, retail_price } of first.rows) {
      expect(Number(retail_price)).toBeGreaterThan(Number(wholesale_price))
    }
  })

  it('refuses a market that has jewelry', async () => {
    const options = { seed: 1, publicUrl: 'https://x', merchants: [] }
    const fill = inTransaction(market.database.db, (tx) => fillDemoJewelry(tx, options))
    await expect(fill).rejects.toMatchObject({ code: 'market_not_empty' })
  })
})
