import { sql } from 'kysely'
import { migrate } from '../database/migrate.ts'
import type { Database } from '../database/open.ts'
import { findServedAddress, recordServedAddress } from '../merchants/served-address-store.ts'
import { type DemoMarket, type DemoWish, fillDemoMarket } from './market.ts'

/** Further apart than any two markets can count between one reset and the next. */
const SHOWROOM_STEP = 1_000_000_000

/**
 * Empties a market and, when a demo is wished for, fills it anew. A server may be running on it:
 * the clocks go on in a way by which every node's copy sees that this is another market, and all
 * connections are ended once, so that no node goes on trusting what it remembers.
 */
export async function resetMarket(
  database: Database,
  demo: DemoWish | undefined,
): Promise<DemoMarket | undefined> {
  const { db } = database
  const { rows } = await sql<{ changes: number; showroom: number }>`
    select (select last from change_clock) as changes, (select last from showroom_clock) as showroom
  `.execute(db)
  const address = await findServedAddress(db)
  await db.transaction().execute(async (tx) => {
    await sql`drop schema public cascade`.execute(tx)
    await sql`create schema public`.execute(tx)
  })
  await migrate(db)
  if (address !== undefined) await recordServedAddress(db, address)
  // A gap in the change log: followers take it for lost entries and load afresh.
  await sql`update change_clock set last = ${rows[0].changes + 1}`.execute(db)
  // Below every earlier number: copies of the showroom see that their market is gone.
  await sql`update showroom_clock set last = ${rows[0].showroom - SHOWROOM_STEP}`.execute(db)
  const filled = demo && (await fillDemoMarket(database, demo))
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
  `.execute(db)
  return filled
}
