import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'

export const MINUTE_MS = 60_000
const MINUTES_KEPT = 5
/** Rows without a caller tell that a node is there; rows without a node are those of all nodes. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/**
 * Adds to what the nodes have taken of the callers' limits in the minute, or subtracts from it.
 * Returns what all nodes together have taken of each.
 */
export async function takeShares(
  db: Db,
  minute: number,
  added: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ caller_uuid: string; count: number }>`
    insert into rate_count (caller_uuid, minute, node, count)
    select caller_uuid, ${minute}, ${NOBODY}, count
    from unnest(${[...added.keys()]}::uuid[], ${[...added.values()]}::integer[])
      as taken (caller_uuid, count)
    -- All nodes in the same order, so that none waits for one that waits for it.
    order by caller_uuid
    on conflict (minute, caller_uuid, node) do update set count = rate_count.count + excluded.count
    returning caller_uuid, count`.execute(db)
  return new Map(rows.map(({ caller_uuid, count }) => [caller_uuid, count]))
}

/** Tells the others that this node is there, and returns how many there are with it. */
export async function countNodes(db: Db, node: string, minute: number): Promise<number> {
  const { rows } = await sql<{ known: boolean; others: number }>`
    select coalesce(bool_or(node = ${node} and minute = ${minute}), false) as known,
      count(distinct node) filter (where node <> ${node}) as others
    from rate_count
    where minute >= ${minute - 1} and caller_uuid = ${NOBODY}`.execute(db)
  if (!rows[0].known) {
    await sql`
      insert into rate_count (caller_uuid, minute, node, count)
      values (${NOBODY}, ${minute}, ${node}, 0) on conflict do nothing`.execute(db)
  }
  return rows[0].others + 1
}

/** Deletes the counts of past minutes, which no longer limit anyone. */
export async function deleteOldRateCounts(db: Db, nowMs: number): Promise<void> {
  const oldest = Math.floor(nowMs / MINUTE_MS) - MINUTES_KEPT
  await sql`delete from rate_count where minute < ${oldest}`.execute(db)
}
