import { isConflict } from './errors.ts'
import type { Db, Tx } from './open.ts'

const ATTEMPTS_MAX = 6

/**
 * Runs the work in one transaction. When PostgreSQL aborts it because of another transaction, it
 * is run again after a short wait, a few times: the caller need not know.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt))
    }
  }
}
