import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { execute, query, withDatabase } from './postgres.ts'

let admin: pg.Pool | undefined

export interface ClonedDatabase {
  url: string
  drop(): Promise<void>
}

/** Creates a database as a copy of the migrated template. */
export function cloneDatabase(): Promise<ClonedDatabase> {
  return createDatabase(inject('postgres').template)
}

/**
 * Creates a database as a copy of one that the first test of the run that needs it has filled.
 * Returns what `fill` returned then. The same name means the same content.
 */
export async function cloneFilled<T>(
  name: string,
  fill: (url: string) => Promise<T>,
): Promise<{ clone: ClonedDatabase; made: T }> {
  const { url, template } = inject('postgres')
  const filled = `${template}_${name}`
  const made = await withLock(url, filled, async () => {
    const known = await findComment(url, filled)
    if (known !== undefined) return JSON.parse(known) as T
    // Another test may have failed to fill it.
    await execute(url, `drop database if exists ${filled} with (force)`)
    await execute(url, `create database ${filled} template ${template} strategy file_copy`)
    const result = await fill(withDatabase(url, filled))
    await execute(
      url,
      `comment on database ${filled} is ${pg.escapeLiteral(JSON.stringify(result))}`,
    )
    return result
  })
  return { clone: await createDatabase(filled), made }
}

/** Of several processes that need it at once, one makes it. */
async function withLock<T>(url: string, name: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    return await work()
  } finally {
    await client.end()
  }
}

async function findComment(url: string, name: string): Promise<string | undefined> {
  const text = `select shobj_description(oid, 'pg_database') as made from pg_database
    where datname = $1`
  const [row] = await query<{ made: string | null }>(url, text, [name])
  return row?.made ?? undefined
}

/** Creates a database without tables, for tests of the migrations. */
export function emptyDatabase(): Promise<ClonedDatabase> {
  return createDatabase('template0')
}

async function createDatabase(template: string): Promise<ClonedDatabase> {
  const { url } = inject('postgres')
  const name = `pavilion_test_${randomBytes(8).toString('hex')}`
  // Copying the files takes a third of the time of PostgreSQL's default, which logs every page.
  await administer(`create database ${name} template ${template} strategy file_copy`)
  return {
    url: withDatabase(url, name),
    drop: () => administer(`drop database if exists ${name} with (force)`),
  }
}

/** Over a connection that is kept: one for each statement would take longer than most of them. */
async function administer(statement: string): Promise<void> {
  const { url } = inject('postgres')
  // The process may end while it is connected.
  admin ??= new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  })
  try {
    await admin.query(statement)
  } catch {
    // The connection may be lost, or an autovacuum be running, for which `execute` waits.
    await execute(url, statement)
  }
}
