import { sql } from 'kysely'
import type { Db } from '../database/open.ts'
import { inTransaction } from '../database/transaction.ts'

/** Deleting so many entries takes some milliseconds, so that a batch delays nobody. */
const DELETED_AT_ONCE = 2_000
const RETENTION_LOCK = 0x61_75_64_69

/**
 * Deletes entries that are older than so many days, in small transactions. One node does it: the
 * others find the lock taken and leave it to that one. Returns how many were deleted.
 */
export async function deleteOldEntries(db: Db, keepDays: number): Promise<number> {
  let deleted = 0
  for (;;) {
    const count = await inTransaction(db, async (tx) => {
      const lock = await sql<{ free: boolean }>`
        select pg_try_advisory_xact_lock(${RETENTION_LOCK}) as free`.execute(tx)
      if (!lock.rows[0].free) return 0
      const { rows } = await sql<{ count: number }>`
        select delete_old_audit_entries(${keepDays}::int, ${DELETED_AT_ONCE}::int) as count
      `.execute(tx)
      return rows[0].count
    })
    deleted += count
    if (count < DELETED_AT_ONCE) return deleted
  }
}
