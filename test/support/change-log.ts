import type { Db } from '../../src/database/open.ts'
import { type Change, lastSequence, readChanges } from '../../src/events/change-log.ts'
import { numberChanges } from '../../src/events/number-changes.ts'

/** The number of the last change that is committed. */
export async function lastNumber(db: Db): Promise<number> {
  await numberChanges(db)
  return lastSequence(db)
}

/** All changes after a number that are committed, up to a limit. */
export async function listChanges(db: Db, after: number, limit: number): Promise<Change[]> {
  await numberChanges(db)
  return (await readChanges(db, after, limit)).changes
}
