import { actingFor } from './actor.ts'
import { isConflict } from './errors.ts'
import type { Db, Tx } from './open.ts'

const ATTEMPTS_MAX = 6

/**
 * Runs the work in one transaction. When PostgreSQL aborts it because of another transaction, it
 * is run again after a short wait, a few times: the caller need not know. What the work records
 * in the audit is recorded for the actor of the database.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute((tx) => work(actingFor(tx, db)))
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt))
    }
  }
}

/** Runs the work in the transaction that is given, or in one of its own. */
export function withinTransaction<T>(db: Db | Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as Tx) : inTransaction(db, work)
}
