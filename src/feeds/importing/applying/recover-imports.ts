import { sql } from 'kysely'
import type { Database, Db } from '../../../database/open.ts'
import { setImportStatus } from '../import-store.ts'
import { inImportSession, tryLockSupplier, unlockSupplier } from '../session.ts'
import { revertImport } from './undo-import.ts'

/**
 * Reverts every import whose process died, and returns how many there were. A running import holds
 * the advisory lock of its supplier and is skipped. The server calls this when it starts and
 * periodically; an import first does it for its own supplier.
 */
export async function recoverImports(database: Database): Promise<number> {
  const unfinished = await sql<{ supplier_id: number }>`
    select distinct supplier_id from import
    where status in ('reading', 'applying', 'undoing')`.execute(database.db)
  if (unfinished.rows.length === 0) return 0
  return inImportSession(database, async ({ db }) => {
    let recovered = 0
    for (const { supplier_id } of unfinished.rows) {
      if (!(await tryLockSupplier(db, supplier_id))) continue
      recovered += await recoverSupplier(db, supplier_id)
      await unlockSupplier(db, supplier_id)
    }
    return recovered
  })
}

/** Does the same for one supplier, in a session that holds its lock. */
export async function recoverSupplier(db: Db, supplierId: number): Promise<number> {
  const { rows } = await sql<{ uuid: string; status: string }>`
    select uuid, status from import
    where supplier_id = ${supplierId} and status in ('reading', 'applying', 'undoing')
    order by started_on desc`.execute(db)
  for (const { uuid, status } of rows) {
    if (status !== 'reading') await revertImport(db, uuid)
    if (status === 'undoing') {
      await sql`
        update supplier s set synced_on = i.synced_before,
          reading = i.reading_before from import i
        where i.uuid = ${uuid} and s.id = i.supplier_id`.execute(db)
      await setImportStatus(db, uuid, 'undone')
    } else {
      await setImportStatus(db, uuid, 'failed', 'The import was interrupted and has been reverted.')
    }
  }
  return rows.length
}
