import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../src/database/open.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { fillDemoJewelry } from '../../src/demo/jewelry/jewelry.ts'
import {
  changeCatalogueProducts,
  createCatalogue,
  shareCatalogue,
  unshareCatalogue,
  updateCatalogue,
} from '../../src/jewelry/catalogue-store.ts'
import { announceProducts } from '../../src/jewelry/showroom/store.ts'
import { allocateVariants, lockVariants, restockVariants } from '../../src/jewelry/variant-stock.ts'
import { insertRate } from '../../src/pricing/exchange-rates.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'

let market: TestMarket
let american: TestMerchant
let german: TestMerchant

beforeAll(async () => {
  market = await openTestMarket()
  american = await market.merchant()
  german = await market.merchant({ country_code: 'DE', currency_code: 'EUR' })
  await inTransaction(market.database.db, async (tx) => {
    await insertRate(tx, 'EUR', '0.9213')
    await fillDemoJewelry(tx, { seed: 3, publicUrl: 'https://x', merchants: [american.merchant] })
  })
})
afterAll(() => market.close())

const VARIANTS = '/api/v3/product_variants/jewelry/query'
const JEWELRY = '/api/v3/products/jewelry/query'
const PRODUCTS = '/api/v3/products/query'
const FILTERS = '/api/v3/product_filters?product_type=jewelry'

function post(path: string, token: string, body: unknown) {
  return market.call('POST', path, { token, body })
}

describe('access', () => {
  it('allows an admin token to query variants only', async () => {
    expect((await post(PRODUCTS, market.adminKey, {})).status).toBe(403)
    expect((await post(JEWELRY, market.adminKey, {})).status).toBe(403)
    expect((await market.call('GET', FILTERS, { token: market.adminKey })).status).toBe(403)
    expect((await post(VARIANTS, market.adminKey, {})).status).toBe(200)
  })

  it('shows an admin every catalogue at the default price list in USD', async () => {
    const { pool } = market.database
    const count = await pool.query(
      "select count(*) from variant join product on product.id = product_id where type = 'jewelry'",
    )
    const response = await post(VARIANTS, market.adminKey, {
      include_unavailable: true,
      limit: 500,
      include: ['details'],
    })
    expect(response.body.total).toBe(count.rows[0].count)
    const { rows } = await pool.query('select id, wholesale_price from variant')
    const prices = new Map(rows.map((row) => [row.id, Number(row.wholesale_price)]))
    for (const { id, wholesale_price, currency_code } of response.body.variants) {
      expect([wholesale_price, currency_code]).toEqual([prices.get(id), 'USD'])
    }
  })

  it('allows the vendor filter for an admin and refuses it for a merchant', async () => {
    const { rows } = await market.database.pool.query(
      "select uuid from supplier where name = 'Hearthline Goldsmiths'",
    )
    const vendor_id = [rows[0].uuid]
    const own = await post(VARIANTS, market.adminKey, { vendor_id, include_unavailable: true })
    const { rows: counted } = await market.database.pool.query(
      'select count(*) from variant join supplier on supplier.id = supplier_id where uuid = $1',
      vendor_id,
    )
    expect(own.body.total).toBe(counted[0].count)
    for (const value of [vendor_id, [], 'x', 1, [1], null]) {
      const refused = await post(VARIANTS, american.key, { vendor_id: value })
      expect([refused.status, refused.body.code]).toEqual([403, 'admin_only_filter'])
    }
    expect((await post(VARIANTS, market.adminKey, { vendor_id: [] })).status).toBe(422)
    const none = await post(VARIANTS, market.adminKey, { vendor_id: ['nobody'] })
    expect(none.body.total).toBe(0)
  })

  it('needs the scope search', async () => {
    const { token } = await market.token({
      merchant_uuid: american.merchant.uuid,
      scopes: ['orders:read'],
    })
    for (const path of [PRODUCTS, JEWELRY, VARIANTS]) {
      const response = await post(path, token, {})
      expect([response.status, response.body.code]).toEqual([403, 'missing_scope'])
    }
    expect((await market.call('GET', FILTERS, { token })).status).toBe(403)
    expect((await market.call('GET', FILTERS)).status).toBe(401)
  })
})

describe('catalogues', () => {
  it('show a shared one to its merchant only, and an unpublished one to nobody', async () => {
    const total = async (key: string) =>
      (await post(PRODUCTS, key, { include_unavailable: true, limit: 1 })).body.total
    const { rows } = await market.database.pool.query(
      `select name, count(*) from catalogue
       join catalogue_product on catalogue_uuid = uuid group by name`,
    )
    const size = Object.fromEntries(rows.map((row) => [row.name, row.count]))
    expect(await total(german.key)).toBe(size.General + size.Bridal)
    expect(await total(american.key)).toBe(size.General + size.Bridal + size['Trade preview'])
    expect(size['Next season']).toBeGreaterThan(0)
  })

  it('take effect at once when published, shared or changed', async () => {
    const { db, pool } = market.database
    const { rows } = await pool.query(
      `select product_id as id from catalogue_product join catalogue on uuid = catalogue_uuid
       where name = 'Next season' limit 1`,
    )
    const id = [rows[0].id]
    const seenBy = async ({ key }: TestMerchant) =>
      (await post(PRODUCTS, key, { id, include_unavailable: true })).body.total === 1
    expect([await seenBy(american), await seenBy(german)]).toEqual([false, false])

    const name = 'Window'
    await inTransaction(db, async (tx) => {
      await createCatalogue(tx, { name, public: true })
      await changeCatalogueProducts(tx, name, { add: id, remove: [] })
    })
    expect([await seenBy(american), await seenBy(german)]).toEqual([false, false])
    await inTransaction(db, (tx) => shareCatalogue(tx, name, german.merchant.uuid))
    expect([await seenBy(american), await seenBy(german)]).toEqual([false, true])
    await inTransaction(db, (tx) => updateCatalogue(tx, name, { published: true }))
    expect([await seenBy(american), await seenBy(german)]).toEqual([true, true])
    await inTransaction(db, async (tx) => {
      await unshareCatalogue(tx, name, german.merchant.uuid)
      await updateCatalogue(tx, name, { public: false })
    })
    expect([await seenBy(american), await seenBy(german)]).toEqual([false, false])
    await inTransaction(db, async (tx) => {
      await updateCatalogue(tx, name, { public: true })
      await changeCatalogueProducts(tx, name, { add: [], remove: id })
    })
    expect([await seenBy(american), await seenBy(german)]).toEqual([false, false])
  })

  it('hide their attribute values from merchants who cannot see them', async () => {
    const { pool } = market.database
    await pool.query(`update variant set filter_variant_options = '{"metal": "palladium"}'
      where product_id = (select product_id from catalogue_product join catalogue
        on uuid = catalogue_uuid where name = 'Next season' order by product_id limit 1)`)
    await pool.query('update showroom_clock set last = last + 1')
    await pool.query('update product_version set version = (select last from showroom_clock)')
    const body = { filter_variant_options: { metal: 'palladium' }, include_unavailable: true }
    expect((await post(VARIANTS, american.key, body)).status).toBe(422)
    const known = await post(VARIANTS, market.adminKey, body)
    expect(known.status).toBe(200)
    expect(known.body.total).toBeGreaterThan(0)
  })
})

describe('writers', () => {
  it('do not wait for the commit of another one, and each commit is found at once', async () => {
    const { db, pool } = market.database
    const body = { limit: 50, include: ['details'] }
    const { variants } = (await post(VARIANTS, german.key, body)).body
    const { rows } = await pool.query(
      `select distinct on (product_id) id, product_id from variant where id = any($1::uuid[])
       order by product_id limit 2`,
      [variants.map(({ id }: { id: string }) => id)],
    )
    const [one, another] = rows
    async function restock(tx: Tx, { id, product_id }: { id: string; product_id: string }) {
      await sql`update variant set quantity = 1234 where id = ${id}`.execute(tx)
      await announceProducts(tx, [product_id])
    }
    async function restocked(): Promise<string[]> {
      const found = (await post(VARIANTS, german.key, { id: [one.id, another.id], ...body })).body
      return found.variants.flatMap(({ id, quantity }: { id: string; quantity: number }) =>
        quantity === 1234 ? [id] : [],
      )
    }
    await inTransaction(db, async (tx) => {
      await restock(tx, one)
      await inTransaction(db, async (second) => {
        await sql`set local lock_timeout = '5s'`.execute(second)
        await restock(second, another)
      })
      expect(await restocked()).toEqual([another.id])
    })
    expect(new Set(await restocked())).toEqual(new Set([one.id, another.id]))
  })
})

describe('stock', () => {
  it('is up to date at once when an order allocates or returns it', async () => {
    const { db } = market.database
    const details = { include: ['details'] }
    const [variant] = (await post(VARIANTS, german.key, { limit: 1, ...details })).body.variants
    const body = { id: [variant.id], ...details }
    const moves = [{ sku: variant.sku, quantity: variant.quantity }]
    await inTransaction(db, async (tx) => {
      const locked = await lockVariants(tx, [variant.sku, 'UNKNOWN'])
      expect([...locked.keys()]).toEqual([variant.sku])
      expect(locked.get(variant.sku)).toMatchObject({
        product_type: 'jewelry',
        quantity: variant.quantity,
        fields: { sku: variant.sku, variant_options: variant.variant_options },
      })
      await allocateVariants(tx, moves)
    })
    const taken = (await post(VARIANTS, german.key, body)).body.variants[0]
    expect(taken.quantity).toBe(0)
    expect(taken.updated_on > variant.updated_on).toBe(true)
    await inTransaction(db, (tx) => restockVariants(tx, moves))
    const back = (await post(VARIANTS, german.key, body)).body.variants[0]
    expect(back.quantity).toBe(variant.quantity)
  })

  it('never goes below zero', async () => {
    const { db } = market.database
    const [variant] = (await post(VARIANTS, german.key, { limit: 1 })).body.variants
    const moves = [{ sku: variant.sku, quantity: variant.quantity + 1 }]
    await expect(inTransaction(db, (tx) => allocateVariants(tx, moves))).rejects.toThrow(
      'variant_stock_is_not_negative',
    )
    const [after] = (await post(VARIANTS, german.key, { id: [variant.id] })).body.variants
    expect(after.quantity).toBe(variant.quantity)
  })

  it('names the order line by title and options', async () => {
    const { db } = market.database
    const body = { filter_variant_options: { jewelry_type: 'ring' }, limit: 1 }
    const [product] = (await post(JEWELRY, german.key, body)).body.products
    const [{ sku, variant_options }] = product.variants
    const locked = await inTransaction(db, (tx) => lockVariants(tx, [sku]))
    const { metal, size } = variant_options
    expect(locked.get(sku)?.name).toBe(`${product.title}, ${metal}, size ${size}`)
  })

  it('allows concurrent writers of the same pieces', async () => {
    const { db } = market.database
    const { variants } = (await post(VARIANTS, german.key, { limit: 6 })).body
    const moves = variants.map(({ sku }: { sku: string }) => ({ sku, quantity: 1 }))
    const write = (list: typeof moves) =>
      inTransaction(db, async (tx) => {
        await lockVariants(
          tx,
          list.map(({ sku }: { sku: string }) => sku),
        )
        await restockVariants(tx, list)
      })
    await Promise.all([1, 2, 3, 4].flatMap(() => [write(moves), write(moves.toReversed())]))
    const after = (await post(VARIANTS, german.key, { id: variants.map(({ id }: never) => id) }))
      .body.variants
    const quantities = new Map(
      after.map((row: { id: string; quantity: number }) => [row.id, row.quantity]),
    )
    for (const { id, quantity } of variants) expect(quantities.get(id)).toBe(quantity + 8)
  })
})
