import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findOrCreateSupplier } from '../../src/gems/supplier-store.ts'
import { newUuid } from '../../src/lib/uuid.ts'
import { addStone, type OrderMarket, openOrderMarket } from './order-support.ts'

let market: OrderMarket
let shared: string
beforeAll(async () => {
  market = await openOrderMarket()
  await addCatalogue('Open', true, ['RING-6', 'RING-7', 'RING-MEMO'])
  shared = await addCatalogue('Private', false, ['WATCH-1'], 'watch')
})
afterAll(() => market.close())

async function addCatalogue(
  name: string,
  isOpen: boolean,
  skus: string[],
  type: 'jewelry' | 'watch' = 'jewelry',
): Promise<string> {
  return market.database.db.transaction().execute(async (tx) => {
    const { id: supplier_id } = await findOrCreateSupplier(tx, 'Test Jewelry')
    const [uuid, product_id] = [newUuid(), newUuid()]
    await tx
      .insertInto('catalogue')
      .values({ uuid, name, published: isOpen, public: isOpen })
      .execute()
    await tx
      .insertInto('product')
      .values({ id: product_id, supplier_id, vendor_sku: name, type, title: `${name} piece` })
      .execute()
    await tx.insertInto('catalogue_product').values({ catalogue_uuid: uuid, product_id }).execute()
    for (const sku of skus) {
      await tx
        .insertInto('variant')
        .values({
          id: newUuid(),
          product_id,
          supplier_id,
          sku,
          vendor_sku: `JV-${sku}`,
          variant_options: JSON.stringify({ metal: '18k yellow gold', size: '6.5' }),
          cost: '400.00',
          wholesale_price: '500.00',
          wholesale_price_us: '550.00',
          retail_price: '900.00',
          quantity: 5,
          memo: sku === 'RING-MEMO',
          memo_days_to_return: 10,
        })
        .execute()
    }
    return uuid
  })
}

async function quantityOf(sku: string): Promise<number> {
  const { quantity } = await market.database.db
    .selectFrom('variant')
    .select('quantity')
    .where('sku', '=', sku)
    .executeTakeFirstOrThrow()
  return quantity
}

const lines = (sku: string, quantity: number) => ({ body: { line_items: [{ sku, quantity }] } })

describe('jewelry and watches', () => {
  it('are ordered with the same request as stones', async () => {
    const stone = await addStone(market.database.db)
    const line_items = [
      { sku: 'RING-6', quantity: 2 },
      { sku: stone, quantity: 1 },
    ]
    const { status, body } = await market.place([], { body: { line_items } })
    expect(status).toBe(200)
    expect(body.line_items[0]).toMatchObject({
      name: 'Open piece, 18k yellow gold, size 6.5',
      product_type: 'jewelry',
      vendor: 'Test Jewelry',
      price: 550,
      quantity: 2,
    })
    expect(body.products.data[0]).toMatchObject({
      sku: 'RING-6',
      product_type: 'jewelry',
      base_wholesale_price: 550,
      retail_price: 900,
      variant_options: { metal: '18k yellow gold', size: '6.5' },
    })
    expect(await quantityOf('RING-6')).toBe(3)
    const list = await market.call('GET', '/api/v2/orders/list', { token: market.buyer.key })
    expect(list.body.orders[0].products.data[0].cost).toBe(550)
    const cancel = `/api/operator/orders/${body.uuid}/cancel`
    const cancelled = await market.call('POST', cancel, { token: market.adminKey })
    expect(cancelled.body.order_status).toBe('cancelled')
    expect(await quantityOf('RING-6')).toBe(5)
    expect(await market.stateOf(stone)).toEqual({ state: 'available', quantity: 1 })
  })

  it('show their supplier codes to a merchant once ordered, not in a dry run', async () => {
    const line_items = [{ sku: 'RING-6', quantity: 1 }]
    const dry = await market.place([], { body: { line_items, dry_run: true } })
    expect(dry.body.products.data[0]).toMatchObject({ sku: 'RING-6', retail_price: 900 })
    expect(dry.text).not.toMatch(/supplier_id|vendor_sku|JV-RING-6/)
    const merchant_uuid = market.buyer.merchant.uuid
    const byOperator = { by: market.adminKey, body: { line_items, dry_run: true, merchant_uuid } }
    const codes = { vendor_sku: 'JV-RING-6', supplier_id: expect.any(Number) }
    expect((await market.place([], byOperator)).body.products.data[0]).toMatchObject(codes)
    const placed = await market.place([], { body: { line_items } })
    expect(placed.body.products.data[0]).toMatchObject(codes)
    const cancel = `/api/operator/orders/${placed.body.uuid}/cancel`
    await market.call('POST', cancel, { token: market.adminKey })
  })

  it('are refused when there are too few, and can be backordered by an admin when there are none', async () => {
    const short = await market.place([], lines('RING-7', 6))
    expect([short.status, short.body.code]).toEqual([409, 'sku_unavailable'])
    expect((await market.place([], lines('RING-7', 5))).status).toBe(200)
    const body = {
      ...lines('RING-7', 2).body,
      merchant_uuid: market.buyer.merchant.uuid,
      allow_unavailable: true,
    }
    const placed = await market.place([], { by: market.adminKey, body })
    expect(placed.status).toBe(200)
    const cancel = `/api/operator/orders/${placed.body.uuid}/cancel`
    await market.call('POST', cancel, { token: market.adminKey })
    expect(await quantityOf('RING-7')).toBe(0)
  })

  it('can be ordered on memo when they are offered on memo, and returned', async () => {
    const memo = (sku: string) => ({ body: { ...lines(sku, 1).body, order_type: 'memo' } })
    expect((await market.place([], memo('RING-6'))).body.code).toBe('not_memoable')
    const { body } = await market.place([], memo('RING-MEMO'))
    expect(await quantityOf('RING-MEMO')).toBe(4)
    const convert = `/api/operator/orders/${body.uuid}/return`
    await market.call('POST', convert, { token: market.adminKey })
    expect(await quantityOf('RING-MEMO')).toBe(5)
  })

  it('are unknown to a merchant whose catalogues do not contain them', async () => {
    const hidden = await market.place([], lines('WATCH-1', 1))
    expect([hidden.status, hidden.body.errors[0].field]).toEqual([422, 'line_items[0].sku'])
    await market.database.db
      .insertInto('catalogue_merchant')
      .values({ catalogue_uuid: shared, merchant_uuid: market.buyer.merchant.uuid })
      .execute()
    const { body } = await market.place([], lines('WATCH-1', 1))
    expect(body.line_items[0]).toMatchObject({ product_type: 'watch' })
  })
})
