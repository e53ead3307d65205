import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from './open.ts'

/**
 * Limits that are counted in the database, so that they hold for all nodes together. A use is
 * counted before it is made: many at once cannot pass between count and limit.
 */

/** The tables of counts, which all have the columns `key`, `count` and `ends_on`. */
type CountTable = 'sign_in_attempt' | 'enquiry_count'

/** What a use counts against: at most `count` uses in the seconds after the first of them. */
export interface CountedUse {
  key: Buffer
  limit: { count: number; seconds: number }
}

/** The key of a count. The table names neither addresses nor accounts nor tokens. */
export function countKey(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Counts a use. Returns after how many seconds it may be made, or 0 when it may be made now. */
export async function countUse(
  db: Db | Tx,
  table: CountTable,
  uses: readonly CountedUse[],
): Promise<number> {
  // In the order of the keys, so that two uses lock the same rows in the same order.
  const counted = uses.toSorted((a, b) => a.key.compare(b.key))
  const { rows } = await sql<{ key: Buffer; count: number; seconds: number }>`
    insert into ${sql.table(table)} as known (key, count, ends_on)
    select key, 1, market_clock() + make_interval(secs => seconds)
    from unnest(
      ${counted.map(({ key }) => key)}::bytea[],
      ${counted.map(({ limit }) => limit.seconds)}::integer[]
    ) as counted (key, seconds)
    on conflict (key) do update set
      count = case when known.ends_on <= market_clock() then 1 else known.count + 1 end,
      ends_on = case when known.ends_on <= market_clock() then excluded.ends_on
        else known.ends_on end
    returning key, count, ceil(extract(epoch from ends_on - market_clock()))::integer as seconds
  `.execute(db)
  const waits = counted.map(({ limit, key }) => {
    const row = rows.find((each) => each.key.equals(key))
    return row && row.count > limit.count ? Math.max(1, row.seconds) : 0
  })
  return Math.max(...waits)
}

/** Deletes counts whose time has ended. */
export async function deleteEndedCounts(db: Db, table: CountTable): Promise<void> {
  await sql`delete from ${sql.table(table)} where ends_on < market_now()`.execute(db)
}
