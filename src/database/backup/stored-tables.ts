/** What PostgreSQL's catalogue says about the tables of a market. */
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from 'kysely'
import pg from 'pg'

export interface StoredTable {
  name: string
  columns: string[]
}

/** The migrator has made these itself before anything is restored. */
const NOT_COPIED = [DEFAULT_MIGRATION_TABLE, DEFAULT_MIGRATION_LOCK_TABLE]

/**
 * Values are printed and read in one way, whatever the server's defaults are; a long copy is not
 * ended by a time-out; and a table is read from its beginning, so that the same table always gives
 * the same text.
 */
const SETTINGS = [
  `timezone = 'UTC'`,
  `datestyle = 'ISO, MDY'`,
  `intervalstyle = 'postgres'`,
  `bytea_output = 'hex'`,
  'extra_float_digits = 1',
  `client_encoding = 'UTF8'`,
  'statement_timeout = 0',
  'lock_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  'synchronize_seqscans = off',
]

/** For the transaction only, so that it also works behind a pooler. */
export async function setForCopy(client: pg.Client): Promise<void> {
  for (const setting of SETTINGS) await client.query(`set local ${setting}`)
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'pavilion backup',
    keepAlive: true,
  })
  // A failure is reported by the query; without a listener it would also end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Tables by name, with the columns that are stored; PostgreSQL computes the others. */
export async function listTables(client: pg.Client): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `select relname as name, array_agg(attname::text order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0
       and not attisdropped and attgenerated = '' and relname <> all ($1)
     group by relname order by relname collate "C"`,
    [NOT_COPIED],
  )
  return rows
}

export async function listSequences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'S'
     order by relname collate "C"`,
  )
  return rows.map(({ name }) => name)
}

/** The names of the applied migrations, in their order; none in a database without a market. */
export async function listMigrations(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    'select to_regclass($1) is not null as exists',
    [DEFAULT_MIGRATION_TABLE],
  )
  if (!found[0].exists) return []
  const { rows } = await client.query<{ name: string }>(
    `select name from ${DEFAULT_MIGRATION_TABLE} order by name`,
  )
  return rows.map(({ name }) => name)
}

export function quoted(name: string): string {
  return pg.escapeIdentifier(name)
}

/** The table and its columns, as both directions of COPY name them. */
export function copiedColumns({ name, columns }: StoredTable): string {
  return `${quoted(name)} (${columns.map(quoted).join(', ')})`
}

/** What slows the loading of rows, with the statement that makes it again. */
interface Removable {
  remove: string
  create: string
}

/** Foreign keys, and the indexes that do not belong to a constraint. */
export async function listRemovable(client: pg.Client): Promise<Removable[]> {
  const { rows } = await client.query<Removable>(
    `select format('drop index %I', relname) as remove, pg_get_indexdef(indexrelid) as create
     from pg_index join pg_class on pg_class.oid = indexrelid
     where relnamespace = current_schema()::regnamespace
       and not exists (select from pg_constraint where conindid = indexrelid)
     union all
     select format('alter table %s drop constraint %I', conrelid::regclass, conname),
       format('alter table %s add constraint %I %s', conrelid::regclass, conname,
         pg_get_constraintdef(oid))
     from pg_constraint
     where connamespace = current_schema()::regnamespace and contype = 'f'`,
  )
  return rows
}
