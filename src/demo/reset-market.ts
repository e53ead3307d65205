import { sql } from 'kysely'
import { recordEntry } from '../audit/record-entry.ts'
import { moveClock } from '../database/clock.ts'
import type { Database, Tx } from '../database/open.ts'
import { inTransaction } from '../database/transaction.ts'
import { createScenarios } from '../orders/sandbox/scenarios.ts'
import { type DemoMarket, type DemoOptions, fillDemoMarket } from './market.ts'

/** More than the number of changes in a market between two resets. */
const SHOWROOM_STEP = 1_000_000_000

/**
 * Empties a market and, when a demo is given, fills it again. A server may be running on it: the
 * tables stay, so that no request finds one missing; the clocks move so that every node notices
 * that its copy belongs to another market; and all connections are closed once, so that no node
 * keeps using what it has cached.
 */
export async function resetMarket(
  database: Database,
  demo: DemoOptions | undefined,
): Promise<DemoMarket | undefined> {
  const { db } = database
  await inTransaction(db, async (tx) => {
    await emptyTables(tx)
    // A new market has a new audit, which begins with this.
    await recordEntry(tx, { action: 'market.reset', subject: { kind: 'market', id: 'sandbox' } })
    await moveClock(tx, 'reset')
    // Followers treat the gap in the change log as lost entries and load everything again.
    await sql`update change_clock set last = last + 1`.execute(tx)
    await sql`update market_event_clock set last = 0`.execute(tx)
    await sql`update notice_place set last = 0`.execute(tx)
    await sql`update alert_matcher set version = version + 1,
      place = (select last from change_clock)`.execute(tx)
    // A lower version than ever before tells every showroom that its market was replaced.
    await sql`update showroom_clock set last = last - ${SHOWROOM_STEP}::bigint`.execute(tx)
  })
  const filled = demo && (await fillDemoMarket(database, demo))
  if (demo?.realm === 'test') await createScenarios(db)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
  `.execute(db)
  return filled
}

/** What a reset does not empty: clocks, the matcher, the key, the served address, migrations. */
const KEPT_TABLES = [
  'change_clock',
  'showroom_clock',
  'market_event_clock',
  'notice_place',
  'alert_matcher',
  'secret_key',
  'served_address',
  'kysely_migration',
  'kysely_migration_lock',
]

async function emptyTables(tx: Tx): Promise<void> {
  const { rows } = await sql<{ names: string }>`
    select string_agg(quote_ident(tablename), ', ' order by tablename) as names
    from pg_tables where schemaname = 'public' and tablename <> all(${KEPT_TABLES}::text[])
  `.execute(tx)
  await sql`select set_config('pavilion.market_reset', 'on', true)`.execute(tx)
  await sql`truncate ${sql.raw(rows[0].names)} restart identity`.execute(tx)
  await sql`alter sequence memo_number restart`.execute(tx)
  await sql`alter sequence packing_slip_number restart`.execute(tx)
}
