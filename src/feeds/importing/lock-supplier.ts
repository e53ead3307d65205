import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { IMPORT_LOCK } from './session.ts'

/**
 * An import that has just answered lets go of its lock a moment later, when PostgreSQL has seen
 * the end of its session, and a look for unfinished imports holds it for a moment too.
 */
const WAIT_MS = 3_000
const STEP_MS = 50

/** Holds the supplier's imports for this session; refuses when another session keeps them. */
export async function lockSupplier(db: Db, supplierId: number, name: string): Promise<void> {
  const endsAt = Date.now() + WAIT_MS
  do {
    if (await tryLockSupplier(db, supplierId)) return
    await sleep(STEP_MS)
  } while (Date.now() < endsAt)
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
