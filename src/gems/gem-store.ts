import { sql } from 'kysely'
import type { Db } from '../database/open.ts'
import type { Gem } from './gem.ts'

/** Whole rows by id, in no order. */
export async function readGems(db: Db, ids: readonly number[]): Promise<Gem[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('gem')
    .selectAll()
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}
