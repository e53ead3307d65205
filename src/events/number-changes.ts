/**
 * Numbers of the change log and of events are given after the commit, by the next one to look. A
 * number that was given in the writer's transaction would need a lock until its commit, and then
 * the whole market would share one commit at a time (docs/decisions/0019-numbers-after-commit.md).
 */
import { sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'

/** Numbering this many entries takes some ten milliseconds, and others wait for it meanwhile. */
const CHANGES_AT_ONCE = 2_000
const EVENTS_AT_ONCE = 1_000

/** Numbers all changes that are committed; within a transaction, also those of its own. */
export async function numberChanges(db: Db | Tx): Promise<void> {
  while ((await numberSome(db, sql`number_changes(${CHANGES_AT_ONCE})`)) === CHANGES_AT_ONCE);
}

/** Numbers all events that are committed; their webhooks then have something to deliver. */
export async function numberEvents(db: Db | Tx): Promise<void> {
  while ((await numberSome(db, sql`number_events(${EVENTS_AT_ONCE})`)) === EVENTS_AT_ONCE);
}

async function numberSome(db: Db | Tx, call: ReturnType<typeof sql>): Promise<number> {
  // After a failover the numbers go on where none can have been given before.
  const { rows } = await sql<{ count: number }>`
    select follow_history(), ${call} as count`.execute(db)
  return rows[0].count
}

/** Numbers both, and returns the last number of the change log. */
export async function numberBoth(db: Db): Promise<number> {
  for (;;) {
    const { rows } = await sql<{ more: boolean; last: number }>`
      select more, last from number_log(${CHANGES_AT_ONCE}, ${EVENTS_AT_ONCE})`.execute(db)
    if (!rows[0].more) return rows[0].last
  }
}
