import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { Refusal } from '../../lib/refusal.ts'
import { knownMigrations, migrateRestored, UNFINISHED_RESTORE } from '../migrate.ts'
import { type Database, openDatabase } from '../open.ts'
import { meter, nowhere, readCompressed } from './files.ts'
import { listed, type MarketPart, type TablePart } from './manifest.ts'
import {
  connect,
  copiedColumns,
  listRemovable,
  listTables,
  quoted,
  setForCopy,
} from './stored-tables.ts'

/** Refuses a database in which there is anything, and says what. */
export async function refuseUsedDatabase(url: string): Promise<void> {
  const client = await connect(url)
  try {
    const found = await describeContents(client)
    if (found === undefined) return
    throw new Refusal('market_not_empty', `The database to restore into is not empty: ${found}`)
  } finally {
    await client.end().catch(() => {})
  }
}

async function describeContents(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
       and relnamespace not in (select oid from pg_namespace where nspname ~ '^pg_')
       and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
       and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
     order by relname collate "C"`,
  )
  const names = rows.map(({ name }) => name)
  if (names.length === 0) return undefined
  if (names.includes(UNFINISHED_RESTORE)) {
    return 'an earlier restore into it was not finished. Create the database again and restore.'
  }
  const all = new Set(names)
  const hint = 'Name an empty database.'
  if (!all.has('gem') || !all.has('orders')) return `it has the tables ${listed(names)}. ${hint}`
  const { rows: counts } = await client.query<Record<string, string>>(
    `select (select count(*) from gem) as gems, (select count(*) from merchant) as merchants,
       (select count(*) from orders) as orders`,
  )
  const { gems, merchants, orders } = counts[0]
  return `it has a market with ${gems} stones, ${merchants} merchants and ${orders} orders. ${hint}`
}

/** Refuses a backup whose schema this version cannot make. */
export async function refuseOtherSchema({ migrations }: MarketPart): Promise<void> {
  const known = await knownMigrations()
  const unknown = migrations.filter((name, index) => known[index] !== name)
  if (unknown.length === 0) return
  throw new Refusal(
    'wrong_state',
    `The backup has the migration ${unknown[0]}, which this version of Pavilion does not have: ` +
      'restore it with the version that made it, or a newer one.',
  )
}

/**
 * Restores a market into an empty database: the schema as it was, the rows in one transaction that
 * ends by reading all of them again, and then the migrations since.
 */
export async function restoreMarket(
  url: string,
  backup: string,
  market: MarketPart,
  onRows: (rows: number) => void,
): Promise<void> {
  const database = openDatabase({ url, poolMax: 2, statementTimeoutMs: 0 })
  try {
    await database.pool.query(`create table ${UNFINISHED_RESTORE} (taken_on text not null)`)
    await database.pool.query(`insert into ${UNFINISHED_RESTORE} values ($1)`, [market.taken_on])
    await migrateRestored(database.db, market.migrations.at(-1))
    await load(url, backup, market, onRows)
    await migrateRestored(database.db)
    await finish(database)
  } finally {
    await database.close()
  }
}

async function finish({ pool }: Database): Promise<void> {
  await pool.query(`drop table ${UNFINISHED_RESTORE}`)
  // Merchants may have followed the market further than the backup goes; see follow_history.
  await pool.query('update change_clock set history = null, replicated = false')
  // Without statistics, the first orders would be planned as if the tables were empty.
  await pool.query('analyze')
}

async function load(
  url: string,
  backup: string,
  market: MarketPart,
  onRows: (rows: number) => void,
): Promise<void> {
  const client = await connect(url)
  try {
    await client.query('begin')
    await setForCopy(client)
    await refuseOtherTables(client, market)
    const removable = await listRemovable(client)
    for (const { remove } of removable) await client.query(remove)
    await setTriggers(client, market, 'disable')
    const names = market.tables.map(({ name }) => quoted(name))
    // Migrations have put rows in some of them.
    await client.query(`truncate ${names.join(', ')}`)
    for (const table of market.tables) await loadTable(client, backup, table, onRows)
    for (const table of market.tables) await verifyTable(client, table, onRows)
    for (const { create } of removable) await client.query(create)
    await setTriggers(client, market, 'enable')
    await setSequences(client, market)
    await setClock(client, market)
    await client.query('commit')
  } finally {
    await client.end().catch(() => {})
  }
}

/** The migrations must have made exactly the tables and columns of the backup. */
async function refuseOtherTables(client: pg.Client, { tables }: MarketPart): Promise<void> {
  const made = (await listTables(client)).filter(({ name }) => name !== UNFINISHED_RESTORE)
  const shape = (list: readonly { name: string; columns: readonly string[] }[]) =>
    JSON.stringify(list.map(({ name, columns }) => [name, columns]))
  if (shape(made) === shape(tables)) return
  throw new Error('the tables of the backup are not those that its migrations make')
}

/** Rows are restored as they were, so nothing may react to them. Only an owner may do this. */
async function setTriggers(
  client: pg.Client,
  { tables }: MarketPart,
  to: 'enable' | 'disable',
): Promise<void> {
  for (const { name } of tables)
    await client.query(`alter table ${quoted(name)} ${to} trigger user`)
}

async function loadTable(
  client: pg.Client,
  backup: string,
  table: TablePart,
  onRows: (rows: number) => void,
): Promise<void> {
  const target = client.query(copyFrom(`copy ${copiedColumns(table)} from stdin`))
  const { content } = await readCompressed(join(backup, table.file), target, onRows)
  if (content.sha256 === table.content_sha256 && content.lines === table.rows) return
  throw new Error(`${table.file} changed while it was restored`)
}

/** Reads the table again: its text must be that of the backup, byte by byte. */
async function verifyTable(
  client: pg.Client,
  table: TablePart,
  onRows: (rows: number) => void,
): Promise<void> {
  const read = meter(onRows)
  const source = client.query(copyTo(`copy ${copiedColumns(table)} to stdout`))
  await pipeline(source, read.stream, nowhere())
  const { sha256, lines } = read.result()
  if (sha256 === table.content_sha256 && lines === table.rows) return
  throw new Error(`the table ${table.name} was not restored as it was in the backup`)
}

async function setSequences(client: pg.Client, { sequences }: MarketPart): Promise<void> {
  for (const { name, last_value, is_called } of sequences) {
    await client.query('select setval($1::regclass, $2::bigint, $3)', [
      quoted(name),
      last_value,
      is_called,
    ])
  }
}

/** The clock of a sandbox is a function (clock.ts), so that no table has it. */
async function setClock(client: pg.Client, market: MarketPart): Promise<void> {
  const seconds = Math.round(market.clock_offset_seconds)
  if (seconds === 0) return
  await client.query(`
    create or replace function market_offset() returns interval language sql stable parallel safe
    return interval ${pg.escapeLiteral(`${seconds} seconds`)}`)
}
