/**
 * A supplier's stock leaves the market when its list was not renewed for `fresh_days`. A file that
 * is unchanged renews it only if the supplier says so today: by a new date, or by serving a file
 * without a date. An old file that lies on a server says nothing new.
 */
import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { SeenFile } from '../../database/tables/sources.ts'

/** Whether the stock has left the market, so that even the same file must be imported again. */
export async function isStockStale(db: Db, supplierId: number): Promise<boolean> {
  const { rows } = await sql<{ stale: boolean }>`
    select fresh_days is not null and synced_on is not null
      and synced_on < market_now() - make_interval(days => fresh_days) as stale
    from supplier where id = ${supplierId}`.execute(db)
  return rows[0]?.stale ?? false
}

/** Whether an unchanged file says that the stock is still offered. */
export function isRenewed(found: SeenFile, before: SeenFile): boolean {
  return !hasDate(found) || dateOf(found) !== dateOf(before)
}

export function hasDate(seen: SeenFile): boolean {
  return dateOf(seen) !== undefined
}

function dateOf({ last_modified, modified_ms }: SeenFile): string | number | undefined {
  return last_modified ?? modified_ms
}

/** The stock counts from today, as after an import of the same file. */
export async function renewStock(db: Db, supplierId: number): Promise<void> {
  await sql`update supplier set synced_on = market_now()
    where id = ${supplierId} and synced_on is not null`.execute(db)
}
