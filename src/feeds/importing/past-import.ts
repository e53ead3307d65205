import type { Db } from '../../database/open.ts'
import { getImport, type ImportRecord, listRejections } from './import-store.ts'
import type { LoggedRejection } from './rejection-log.ts'
import { columnLists, type ImportReport } from './report.ts'

/** A past import: its report, and what its record adds. */
export interface PastImport
  extends ImportReport,
    Pick<ImportRecord, 'status' | 'file_name' | 'failure' | 'started_on' | 'finished_on'> {}

/** Returns a past import as its report showed it; one that failed has counts of zero. */
export async function readPastImport(
  db: Db,
  uuid: string,
): Promise<{ past: PastImport; rejections: LoggedRejection[] }> {
  const { supplier_id: _, notes, ...record } = await getImport(db, uuid)
  const rejections = await listRejections(db, uuid)
  const past: PastImport = {
    ...record,
    ...columnLists(record.columns),
    rejections: rejections.map(({ row, column, value, reason }) => {
      return { row, column, value, reason }
    }),
    quarantined: rejections.filter(({ quarantined }) => quarantined).length,
    // An import that has not finished has no notes.
    notes: {
      ...notes,
      si3: notes.si3 ?? 0,
      unreadable: notes.unreadable ?? [],
      other_labs: notes.other_labs ?? [],
    },
    dry_run: false,
  }
  return { past, rejections }
}
