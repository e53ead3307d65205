import { sql } from 'kysely'
import { SEARCHED_GEM_COLUMNS } from '../database/copy.ts'
import type { Db, Tx } from '../database/open.ts'
import type { Gem } from './gem.ts'
import { ON_SALE } from './gem-life.ts'
import { SHOWN_UPDATED_ON } from './offer-store.ts'

/** The stones with these ids, in any order; `updated_on` is the one that merchants see. */
export async function readGems(db: Db, ids: readonly number[]): Promise<Gem[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('gem')
    .leftJoin('offer', 'offer.gem_id', 'gem.id')
    .selectAll('gem')
    .select(sql<string>`${sql.raw(SHOWN_UPDATED_ON)}`.as('updated_on'))
    .where('gem.id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}

const TERMS = [
  'memo_days_to_return',
  'days_to_return',
  'internal_days_to_return',
  'delivery_days_min',
  'delivery_days_max',
] as const

/** A parcel always has the days of return and delivery: if need be, those of its supplier. */
export type Parcel = Gem & Record<(typeof TERMS)[number], number>

/** Of any gem, whether it is a parcel. */
export function isParcel(gem: Gem): gem is Parcel {
  return gem.product_type === 'melee'
}

/** The melee parcels on sale of one shape and type, smallest first. */
export async function readParcels(db: Db, shape: string, type: string): Promise<Parcel[]> {
  const gems = await db
    .selectFrom('gem')
    .selectAll()
    .where('product_type', '=', 'melee')
    .where('shape', '=', shape)
    .where('type', '=', type as Gem['type'])
    .where('state', '=', 'available')
    .where('quantity', '>', 0)
    .orderBy('length')
    .orderBy('width')
    .orderBy('id')
    .execute()
  return gems.filter(isParcel)
}

/** The parcels that changed since a moment, on sale or not: a leaf of the tree may have changed. */
export async function readChangedParcels(
  db: Db,
  shape: string,
  type: string,
  sinceMicroseconds: number,
): Promise<Parcel[]> {
  const gems = await db
    .selectFrom('gem')
    .selectAll()
    .where('product_type', '=', 'melee')
    .where('shape', '=', shape)
    .where('type', '=', type as Gem['type'])
    .where(sql`extract(epoch from updated_on) * 1000000`, '>=', sinceMicroseconds)
    .execute()
  return gems.filter(isParcel)
}

/** The ids of all parcels on sale: thousands of them at most. */
export async function listParcelIds(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from gem where product_type = 'melee' and ${sql.raw(ON_SALE)}
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Updates the planner's statistics after many stones were added, for the columns that queries
 * search by. PostgreSQL does it by itself only after a minute, and until then it expects many held
 * stones: the query for expired holds, once a second, would read a million stones by their SKUs.
 */
export async function analyzeGems(db: Db | Tx): Promise<void> {
  await sql`analyze gem (${sql.raw(SEARCHED_GEM_COLUMNS)})`.execute(db)
}
