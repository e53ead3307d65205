import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { Refusal } from '../../lib/refusal.ts'
import { writeCompressed } from './files.ts'
import {
  type DatabasePart,
  FOLDER_MODE,
  type MarketPart,
  type SequencePart,
  type TablePart,
} from './manifest.ts'
import {
  connect,
  copiedColumns,
  listMigrations,
  listSequences,
  listTables,
  quoted,
  type StoredTable,
  setForCopy,
} from './stored-tables.ts'

type Realm = MarketPart['realm']

/** Called with the rows of all tables once they are counted, and with each few that are written. */
interface RowCounter {
  expect: (rows: number) => void
  add: (rows: number) => void
}

/** Says which database it is; undefined when it has no market. A replica is refused. */
export async function identifyDatabase(
  url: string,
  realm: Realm,
): Promise<DatabasePart | undefined> {
  const client = await connect(url)
  try {
    if ((await listMigrations(client)).length === 0) return undefined
    await refuseReplica(client)
    const { rows } = await client.query<Omit<DatabasePart, 'realm'>>(
      `select current_database() as name, current_setting('server_version') as server_version,
         (select system_identifier::text from pg_control_system()) as system_identifier`,
    )
    return { realm, ...rows[0] }
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Writes every table of a database into a folder of the backup, as one transaction sees them: with
 * all that was committed before it began, and nothing of what was not. Servers keep working; only
 * a migration or a reset waits.
 */
export async function exportMarket(
  url: string,
  backup: string,
  realm: Realm,
  counter: RowCounter,
): Promise<MarketPart> {
  const client = await connect(url)
  try {
    const migrations = await listMigrations(client)
    const tables = await listTables(client)
    await client.query('begin isolation level repeatable read read only')
    await setForCopy(client)
    // Before the first query, which decides what the transaction sees.
    await client.query(`lock table ${tables.map(({ name }) => quoted(name)).join(', ')}
      in access share mode`)
    await refuseMigrated(client, migrations)
    await mkdir(join(backup, realm), { mode: FOLDER_MODE })
    const about = await describe(client)
    const written = await writeTables(client, { backup, realm, tables, counter })
    const sequences = await readSequences(client)
    await client.query('commit')
    const rows = written.reduce((sum, table) => sum + table.rows, 0)
    return { realm, ...about, migrations, rows, tables: written, sequences }
  } finally {
    await client.end().catch(() => {})
  }
}

/** A replica may be behind, and then lacks orders that were acknowledged already. */
async function refuseReplica(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_replica: boolean }>(
    'select pg_is_in_recovery() as is_replica',
  )
  if (!rows[0].is_replica) return
  throw new Refusal(
    'wrong_state',
    'The database is a replica, which may lack the latest orders: set DATABASE_URL to the leader.',
  )
}

async function refuseMigrated(client: pg.Client, before: readonly string[]): Promise<void> {
  if ((await listMigrations(client)).length === before.length) return
  throw new Refusal(
    'wrong_state',
    'The database was migrated in this moment; make the backup again.',
  )
}

async function describe(client: pg.Client) {
  const { rows } = await client.query<{
    taken_on: string
    change_sequence: string
    clock_offset_seconds: number
  }>(
    `select to_char(market_clock(), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as taken_on,
       (select last from change_clock) as change_sequence,
       extract(epoch from market_offset())::float8 as clock_offset_seconds`,
  )
  return { ...rows[0], change_sequence: Number(rows[0].change_sequence) }
}

interface Target {
  backup: string
  realm: Realm
  tables: readonly StoredTable[]
  counter: RowCounter
}

async function writeTables(client: pg.Client, target: Target): Promise<TablePart[]> {
  const { backup, realm, tables, counter } = target
  const counts = await countRows(client, tables)
  counter.expect([...counts.values()].reduce((sum, rows) => sum + rows, 0))
  const written: TablePart[] = []
  for (const table of tables) {
    const source = client.query(copyTo(`copy ${copiedColumns(table)} to stdout`))
    const file = `${realm}/${table.name}.copy.gz`
    const { content, ...part } = await writeCompressed(backup, file, source, counter.add)
    if (content.lines !== counts.get(table.name)) {
      throw new Error(`${file} has ${content.lines} rows, the table ${counts.get(table.name)}`)
    }
    written.push({ ...table, ...part, rows: content.lines, content_sha256: content.sha256 })
  }
  return written
}

/** In the same snapshot: what the files must have. */
async function countRows(client: pg.Client, tables: readonly StoredTable[]) {
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string }>(`select count(*) from ${quoted(name)}`)
    counts.set(name, Number(rows[0].count))
  }
  return counts
}

/** Sequences do not belong to a snapshot: read after it, they are never behind its rows. */
async function readSequences(client: pg.Client): Promise<SequencePart[]> {
  const parts: SequencePart[] = []
  for (const name of await listSequences(client)) {
    const { rows } = await client.query<Omit<SequencePart, 'name'>>(
      `select last_value::text, is_called from ${quoted(name)}`,
    )
    parts.push({ name, ...rows[0] })
  }
  return parts
}
