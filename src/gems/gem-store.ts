import { sql } from 'kysely'
import type { Db } from '../database/open.ts'
import type { Gem } from './gem.ts'

/** The stones with these ids, in any order. */
export async function readGems(db: Db, ids: readonly number[]): Promise<Gem[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('gem')
    .selectAll()
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}

const TERMS = [
  'memo_days_to_return',
  'days_to_return',
  'internal_days_to_return',
  'delivery_days_min',
  'delivery_days_max',
] as const

/** A parcel always has the days of return and delivery. */
export type Parcel = Gem & Record<(typeof TERMS)[number], number>

/**
 * The melee parcels on sale of one shape and type, smallest first. One that has no terms of its own
 * is sold on its supplier's.
 */
export function readParcels(db: Db, shape: string, type: string): Promise<Parcel[]> {
  return db
    .selectFrom('gem')
    .innerJoin('supplier', 'supplier.id', 'gem.supplier_id')
    .selectAll('gem')
    .select((eb) =>
      TERMS.map((column) => eb.fn.coalesce(`gem.${column}`, `supplier.${column}`).as(column)),
    )
    .where('product_type', '=', 'melee')
    .where('shape', '=', shape)
    .where('type', '=', type as Gem['type'])
    .where('state', '=', 'available')
    .where('quantity', '>', 0)
    .orderBy('length')
    .orderBy('width')
    .orderBy('gem.id')
    .execute() as Promise<Parcel[]>
}

/**
 * Updates the planner's statistics after many stones were added, for the columns that queries
 * search by. PostgreSQL does it by itself only after a minute, and until then it expects many held
 * stones: the query for expired holds, once a second, would read a million stones by their SKUs.
 */
export async function analyzeGems(db: Db): Promise<void> {
  await sql`
    analyze gem (id, sku, supplier_id, vendor_sku, cert_num, certificate, state, hold_uuid,
      hold_merchant_uuid, hold_expires_on)`.execute(db)
}
