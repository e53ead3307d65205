import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'

export const MINUTE_MS = 60_000
const MINUTES_KEPT = 5

/** Writes this node's counts of the minute, and reads those of the others for the same callers. */
export async function exchangeCounts(
  db: Db,
  node: string,
  minute: number,
  counts: ReadonlyMap<string, { own: number }>,
): Promise<{ caller_uuid: string; count: number }[]> {
  const callers = [...counts.keys()]
  const own = [...counts.values()].map((count) => count.own)
  const { rows } = await sql<{ caller_uuid: string; count: number }>`
    with mine as (
      insert into rate_count (caller_uuid, minute, node, count)
      select caller_uuid, ${minute}, ${node}, count
      from unnest(${callers}::uuid[], ${own}::integer[]) as counted (caller_uuid, count)
      on conflict (minute, caller_uuid, node) do update set count = excluded.count
    )
    select caller_uuid, sum(count)::integer as count from rate_count
    where minute = ${minute} and node <> ${node} and caller_uuid = any(${callers}::uuid[])
    group by caller_uuid`.execute(db)
  return rows
}

/** Deletes the counts of past minutes, which no longer limit anyone. */
export async function deleteOldRateCounts(db: Db, nowMs: number): Promise<void> {
  const oldest = Math.floor(nowMs / MINUTE_MS) - MINUTES_KEPT
  await sql`delete from rate_count where minute < ${oldest}`.execute(db)
}
