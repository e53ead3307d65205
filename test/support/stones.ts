import { type InsertObject, sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { type Database, type Db, openDatabase, type Tables } from '../../src/database/open.ts'
import { skuOf } from '../../src/gems/gem.ts'
import { findOrCreateSupplier } from '../../src/gems/supplier-store.ts'
import { newUuid } from '../../src/lib/uuid.ts'
import { type ClonedDatabase, cloneDatabase } from './database.ts'

/** Opens a migrated database for the tests of one file. */
export function useDatabase(): { readonly current: Database } {
  const use: { current: Database } = { current: undefined as unknown as Database }
  let clone: ClonedDatabase
  beforeAll(async () => {
    clone = await cloneDatabase()
    use.current = openDatabase({ url: clone.url, poolMax: 16 })
  })
  afterAll(async () => {
    await use.current.close()
    await clone.drop()
  })
  return use
}

let stones = 0

/** Inserts a round diamond of a test supplier, with the given columns. */
export async function insertStone(db: Db, columns: Partial<InsertObject<Tables, 'gem'>> = {}) {
  // Tests insert stones in parallel, and only one of them may create the supplier.
  const supplier = await db.transaction().execute((tx) => findOrCreateSupplier(tx, 'Test Stones'))
  const vendorSku = `T${++stones}`
  return db
    .insertInto('gem')
    .values({
      sku: skuOf(supplier.uuid, vendorSku),
      supplier_id: supplier.id,
      vendor_sku: vendorSku,
      product_type: 'diamond',
      type: 'mined',
      shape: 'round',
      cut_code: 'brilliant_cut',
      weight: '1.01',
      color: 'G',
      clarity: 'VS1',
      cost: 1000,
      wholesale_price: 1100,
      wholesale_price_us: 1200,
      ...columns,
    })
    .returning(['id', 'sku'])
    .executeTakeFirstOrThrow()
}

export async function insertMerchant(db: Db, currency = 'USD'): Promise<string> {
  const uuid = newUuid()
  await db
    .insertInto('merchant')
    .values({
      uuid,
      legal_dba: 'Test Jeweller',
      email: `${uuid}@jeweller.example`,
      country_code: 'US',
      currency_code: currency,
    })
    .execute()
  return uuid
}

/** The columns of a hold that ends in `minutes`; a negative number gives an expired hold. */
export function leaseOf(merchantUuid: string, minutes: number) {
  return {
    hold_uuid: newUuid(),
    hold_merchant_uuid: merchantUuid,
    hold_created_on: sql<string>`now() - interval '1 day'`,
    hold_expires_on: sql<string>`now() + make_interval(mins => ${minutes})`,
  }
}

export const NO_LEASE = {
  hold_uuid: null,
  hold_merchant_uuid: null,
  hold_created_on: null,
  hold_expires_on: null,
}
