import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { actingAs } from '../../database/actor.ts'
import { type Copy, type CopyOut, copyOn, copyOutOn } from '../../database/copy.ts'
import { type Database, type Db, kyselyOn } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'

/**
 * One connection for one import. Its advisory lock and its temporary tables end with the
 * connection, so that a killed process leaves neither behind.
 */
export interface ImportSession {
  db: Db
  copyIn: Copy
  copyOut: CopyOut
}

export async function inImportSession<T>(
  { pool, db }: Database,
  work: (session: ImportSession) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  // A connection that breaks between two statements must fail the import, not the process.
  const onError = () => {}
  client.on('error', onError)
  try {
    await client.query(SETTINGS)
    return await work(openSession(client, db.actor))
  } finally {
    client.off('error', onError)
    // Closed instead of returned to the pool: this drops the lock, the tables and the settings.
    client.release(true)
  }
}

// A batch and its journal are one transaction, so a crash loses both or neither. Every commit waits
// for the disk and the standby, as all others do: what searches and merchants have seen of a batch
// must not be lost with the server, because no number of the change log would tell them so.
const SETTINGS = `set statement_timeout = 0;
  set temp_buffers = '64MB'; set work_mem = '64MB'; set application_name = 'pavilion import'`

/** What the session writes is written for whom the database was opened. */
function openSession(client: pg.PoolClient, actor: Db['actor']): ImportSession {
  return {
    db: actor === undefined ? kyselyOn(client) : actingAs(kyselyOn(client), actor),
    copyIn: copyOn(client),
    copyOut: copyOutOn(client),
  }
}

/** First half of the advisory lock of a supplier's imports; the second is the supplier's id. */
export const IMPORT_LOCK = 0x70_61_76_69

/**
 * An import that has just ended releases its lock a moment later, when PostgreSQL notices the end
 * of its session, and a check for unfinished imports holds it for a moment too.
 */
const LOCK_WAIT_MS = 3_000
const LOCK_RETRY_MS = 50

/** Locks the supplier's imports for this session; refuses when another session holds the lock. */
export async function lockSupplier(db: Db, supplierId: number, name: string): Promise<void> {
  const endsAt = performance.now() + LOCK_WAIT_MS
  do {
    if (await tryLockSupplier(db, supplierId)) return
    await sleep(LOCK_RETRY_MS)
  } while (performance.now() < endsAt)
  const detail = `Another import of ${name} is running; wait until it has finished.`
  throw new Refusal('import_running', detail)
}

export async function tryLockSupplier(db: Db, supplierId: number): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_lock(${IMPORT_LOCK}, ${supplierId}) as locked`.execute(db)
  return rows[0].locked
}

export async function unlockSupplier(db: Db, supplierId: number): Promise<void> {
  await sql`select pg_advisory_unlock(${IMPORT_LOCK}, ${supplierId})`.execute(db)
}
