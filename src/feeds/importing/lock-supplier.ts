import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { IMPORT_LOCK } from './session.ts'

/** Holds the supplier's imports for this session; refuses when another session has them. */
export async function lockSupplier(db: Db, supplierId: number, name: string): Promise<void> {
  if (await tryLockSupplier(db, supplierId)) return
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
