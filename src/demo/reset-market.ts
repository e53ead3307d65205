import { sql } from 'kysely'
import { recordEntry } from '../audit/record-entry.ts'
import { moveClock } from '../database/clock.ts'
import { analyzeTables, inCopyTransaction } from '../database/copy.ts'
import type { Database, Tx } from '../database/open.ts'
import { createScenarios } from '../orders/sandbox/scenarios.ts'
import { type DemoMarket, type DemoOptions, fillMarket } from './market.ts'

/** More than the number of changes in a market between two resets. */
const SHOWROOM_STEP = 1_000_000_000

/**
 * Empties a market and, when a demo is given, fills it again: all in one transaction, so that a
 * reset that fails leaves the market as it was. Merchants, users, keys and webhooks stay, so that
 * nobody who tests against the market has to be given new ones. A server may be running on it: the
 * tables stay, so that no request finds one missing; the clocks move so that every node notices
 * that its copy belongs to another market; and all connections are closed once, so that no node
 * keeps using what it has cached.
 */
export async function resetMarket(
  database: Database,
  demo: DemoOptions | undefined,
): Promise<DemoMarket | undefined> {
  const { db } = database
  const filled = await inCopyTransaction(database, async (tx, copy) => {
    const saved = await readSavedRows(tx)
    await emptyTables(tx)
    await restoreSavedRows(tx, saved)
    // A new market has a new audit, which begins with this.
    await recordEntry(tx, { action: 'market.reset', subject: { kind: 'market', id: 'sandbox' } })
    await moveClocks(tx)
    const market = demo && (await fillMarket(tx, copy, demo))
    if (demo?.realm === 'test') await createScenarios(tx)
    await restoreSuppliersRows(tx, saved)
    return market
  })
  if (filled) await analyzeTables(db)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
  `.execute(db)
  return filled
}

async function moveClocks(tx: Tx): Promise<void> {
  await moveClock(tx, 'reset')
  // Followers treat the gap in the change log as lost entries and load everything again.
  await sql`update change_clock set last = last + 1`.execute(tx)
  await sql`update market_event_clock set last = 0`.execute(tx)
  await sql`update notice_place set last = 0`.execute(tx)
  await sql`update alert_matcher set version = version + 1,
    place = (select last from change_clock)`.execute(tx)
  await sql`update watch_place set place = (select last from change_clock)`.execute(tx)
  // A lower version than ever before tells every showroom that its market was replaced.
  await sql`update showroom_clock set last = last - ${SHOWROOM_STEP}::bigint`.execute(tx)
}

/** What a reset does not empty: clocks, places, the matcher, the key, migrations and so on. */
const KEPT_TABLES = [
  'change_clock',
  'showroom_clock',
  'market_event_clock',
  'notice_place',
  'alert_matcher',
  'watch_place',
  'secret_key',
  'backup_status',
  'served_address',
  'market_realm',
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

/**
 * What a reset puts back: the merchants with their settings, users, keys and webhooks. Most tables
 * refer to each other, so all of them are emptied at once and these rows are written again. They
 * are listed in the order in which they refer to each other.
 */
const RESTORED_TABLES = [
  'exchange_rate',
  'merchant',
  'merchant_address',
  'merchant_template',
  'profit_margin',
  'app_user',
  'user_password',
  'token',
  'webhook_endpoint',
] as const

type TableName = (typeof RESTORED_TABLES)[number]

/** The rows of each table, as JSON that PostgreSQL wrote and reads again. */
type SavedRows = Record<TableName, string>

async function readSavedRows(tx: Tx): Promise<SavedRows> {
  const saved: Partial<SavedRows> = {}
  for (const table of RESTORED_TABLES) {
    const { rows } = await sql<{ rows: string }>`
      select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows
      from ${sql.table(table)} as t`.execute(tx)
    saved[table] = rows[0].rows
  }
  return saved as SavedRows
}

/** The rows that need no supplier; the others wait for the suppliers of the new demo market. */
const WITHOUT_SUPPLIERS: Partial<Record<TableName, ReturnType<typeof sql>>> = {
  app_user: sql`supplier_uuid is null`,
  // Passwords that are there already are those of merchants and the operator.
  user_password: sql`user_uuid in (select uuid from app_user)
    and user_uuid not in (select user_uuid from user_password)`,
  token: sql`supplier_uuid is null`,
}

/** Webhooks stay switched off while the market is filled: nobody waits for its invented orders. */
async function restoreSavedRows(tx: Tx, saved: SavedRows): Promise<void> {
  for (const table of RESTORED_TABLES) await insertRows(tx, table, saved, WITHOUT_SUPPLIERS[table])
  await sql`
    update webhook_endpoint set disabled_on = market_now() where disabled_on is null`.execute(tx)
}

/** Suppliers of the demo market have the same UUID again; the keys of others went with them. */
async function restoreSuppliersRows(tx: Tx, saved: SavedRows): Promise<void> {
  const ofKnown = sql`supplier_uuid in (select uuid from supplier)`
  await insertRows(tx, 'app_user', saved, ofKnown)
  await insertRows(tx, 'user_password', saved, WITHOUT_SUPPLIERS.user_password)
  await insertRows(tx, 'token', saved, ofKnown)
  await sql`
    update webhook_endpoint as now set disabled_on = before.disabled_on
    from jsonb_populate_recordset(null::webhook_endpoint, ${saved.webhook_endpoint}::jsonb)
      as before
    where now.uuid = before.uuid and before.disabled_on is null`.execute(tx)
}

async function insertRows(
  tx: Tx,
  table: TableName,
  saved: SavedRows,
  condition = sql`true`,
): Promise<void> {
  await sql`
    insert into ${sql.table(table)}
    select * from jsonb_populate_recordset(null::${sql.table(table)}, ${saved[table]}::jsonb)
    where ${condition}`.execute(tx)
}
