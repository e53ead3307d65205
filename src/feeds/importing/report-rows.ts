import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { ImportRequest } from './report.ts'

const RECORD_EVERY_MS = 2_000

/**
 * Tells how many rows were read: the caller at once, and the import's record now and then, so that
 * the operator's list shows a long upload moving. `db` is not the import's own connection, which
 * is busy with the rows.
 */
export function createRowReport(db: Db, uuid: string, { onProgress, dryRun }: ImportRequest) {
  let recordedMs = Date.now()
  return (rows: number): void => {
    onProgress?.({ phase: 'reading', done: rows, total: null })
    if (dryRun || Date.now() - recordedMs < RECORD_EVERY_MS) return
    recordedMs = Date.now()
    const record = sql`update import set rows = ${rows} where uuid = ${uuid} and status = 'reading'`
    // A figure on the way; the last one is written by the import itself.
    void record.execute(db).catch(() => {})
  }
}
