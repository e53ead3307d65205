import type { Db, Tx } from './open.ts'

const ATTEMPTS_MAX = 6
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'

/**
 * Runs the work in one transaction. Two transactions that got in each other's way are no affair
 * of the caller's: the one that PostgreSQL gave up is run again, a few times, after a short wait.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      const { code } = error as { code?: string }
      const conflict = code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED
      if (!conflict || attempt === ATTEMPTS_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt))
    }
  }
}
