import { type Insertable, sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '../../src/database/open.ts'
import type { GemTable } from '../../src/database/tables/gems.ts'
import { logChanges } from '../../src/events/change-log.ts'
import { findOrCreateSupplier } from '../../src/gems/supplier-store.ts'
import { remindMemos } from '../../src/orders/memos/remind-memos.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'

type GemFields = Partial<Insertable<GemTable>>

let stoneCount = 0
let orderCount = 0

/**
 * Reminds of all memos that are due. The market's own task may be reminding of some of them, which
 * are left out here: their rows are locked until it has ended.
 */
export async function remindOfMemos(db: Db): Promise<void> {
  await remindMemos(db)
  await sql`select from orders where order_type = 'memo' for update`.execute(db)
}

/** Adds a single diamond to the stock, and returns its SKU. */
export async function addStone(db: Db, fields: GemFields = {}): Promise<string> {
  const [sku] = await addStones(db, 1, () => fields)
  return sku
}

export async function addStones(
  db: Db,
  count: number,
  fieldsOf: (index: number) => GemFields = () => ({}),
): Promise<string[]> {
  const supplier = await db.transaction().execute((tx) => findOrCreateSupplier(tx, 'Test Stones'))
  const rows = Array.from({ length: count }, (_, index) => {
    stoneCount++
    return {
      sku: `S${String(stoneCount).padStart(9, '0')}`,
      supplier_id: supplier.id,
      vendor_sku: `V-${stoneCount}`,
      product_type: 'diamond' as const,
      type: 'mined' as const,
      shape: 'round',
      cut_code: 'brilliant_cut',
      weight: '1.52',
      color: 'F',
      clarity: 'VS1',
      cost: '1500.00',
      wholesale_price: '1600.00',
      wholesale_price_us: '1700.00',
      memo: true,
      memo_days_to_return: 14,
      lab: 'GIA',
      cert_num: `22${String(stoneCount).padStart(8, '0')}`,
      ...fieldsOf(index),
    }
  })
  // Logged like an import, so that the index loads them.
  await db.transaction().execute(async (tx) => {
    const gems = await tx.insertInto('gem').values(rows).returning(['id', 'sku']).execute()
    await logChanges(
      tx,
      gems.map(({ id, sku }) => ({ gem_id: id, sku, kind: 'new' })),
    )
  })
  return rows.map(({ sku }) => sku)
}

export function addParcel(db: Db, quantity: number, fields: GemFields = {}): Promise<string> {
  return addStone(db, {
    product_type: 'melee',
    weight: '0.0025',
    wholesale_price_us: '650.00',
    color_max: 'D',
    clarity_max: 'VVS1',
    lab: null,
    cert_num: null,
    quantity,
    ...fields,
  })
}

export interface OrderMarket extends TestMarket {
  buyer: TestMerchant
  /** Places an invoice of single stones, for the first merchant unless a key is given. */
  place(skus: string[], more?: PlaceOptions): Promise<Awaited<ReturnType<TestMarket['call']>>>
  stateOf(sku: string): Promise<{ state: string; quantity: number }>
}

export interface PlaceOptions {
  by?: string
  /** v3 needs an order id, which is made up unless given. */
  version?: 'v2' | 'v3'
  body?: Record<string, unknown>
  headers?: Record<string, string>
}

export async function openOrderMarket(
  options: Parameters<typeof openTestMarket>[0] = {},
  limits: Parameters<typeof openTestMarket>[1] = {},
): Promise<OrderMarket> {
  const market = await openTestMarket(options, limits)
  const buyer = await market.merchant({ legal_dba: 'Facet Street', first_name: 'Ada' })
  return {
    ...market,
    buyer,
    place(skus, { by = buyer.key, body = {}, headers = {}, version = 'v2' } = {}) {
      const line_items = skus.map((sku) => ({ sku, quantity: 1 }))
      const external_order_id = `EXT-${++orderCount}`
      return market.call('POST', `/api/${version}/orders/place`, {
        token: by,
        body: {
          order_type: 'invoice',
          line_items,
          ...(version === 'v3' && { external_order_id }),
          ...body,
        },
        headers,
      })
    },
    stateOf(sku) {
      return market.database.db
        .selectFrom('gem')
        .select(['state', 'quantity'])
        .where('sku', '=', sku)
        .executeTakeFirstOrThrow()
    },
  }
}

/** Every kind of order is counted as often as there are such orders. */
export async function expectRightCounts(db: Db): Promise<void> {
  const kinds = sql.raw('merchant_uuid, order_type, payment_status, fulfillment_status')
  const { rows } = await sql`
    select ${kinds}, is_open, debug, sum(orders) from (
      select ${kinds}, is_open, debug, orders from order_count
      union all
      select ${kinds}, open_quantity > 0, debug, -1 from orders) as each
    group by ${kinds}, is_open, debug having sum(orders) <> 0`.execute(db)
  expect(rows).toEqual([])
}

/** A merchant with another price list and another currency. */
export async function addGermanMerchant(market: TestMarket): Promise<TestMerchant> {
  await market.database.db
    .insertInto('exchange_rate')
    .values({ currency_code: 'EUR', rate: '0.92' })
    .execute()
  return market.merchant({ country_code: 'DE', currency_code: 'EUR' })
}

export function errorFieldsOf(body: { errors: { field: string; message: string }[] }): string[] {
  return body.errors.map(({ field }) => field)
}
