import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'

/** Something that happened in the past of the demo market. */
export interface Happening {
  daysAgo: number
  /** It may plan what happens later, which happens in its turn if it is not in the future. */
  run(plan: (later: Happening) => void): Promise<void>
}

/**
 * Lets things happen at their times, the oldest first, so that events, numbers and sums are in the
 * order in which a market would have them. The market's clock is moved for each of them; nobody
 * else sees that, because it is set right before the transaction ends.
 */
export async function happenInThePast(tx: Tx, happenings: readonly Happening[]): Promise<void> {
  const { rows } = await sql<{ definition: string; moved: string }>`
    select pg_get_functiondef('market_offset()'::regprocedure) as definition,
      market_offset()::text as moved`.execute(tx)
  const { definition, moved } = rows[0]
  const queue = [...happenings]
  for (;;) {
    queue.sort((a, b) => b.daysAgo - a.daysAgo)
    const next = queue.shift()
    if (!next) break
    await moveClock(tx, moved, next.daysAgo)
    await next.run((later) => {
      if (later.daysAgo >= 0) queue.push(later)
    })
  }
  await sql.raw(definition).execute(tx)
}

const DAY_SECONDS = 86_400

async function moveClock(tx: Tx, moved: string, daysAgo: number): Promise<void> {
  const seconds = Math.round(daysAgo * DAY_SECONDS)
  const offset = `interval '${moved}' - interval '${seconds} seconds'`
  await sql`
    create or replace function market_offset() returns interval language sql stable parallel safe
    return ${sql.raw(offset)}`.execute(tx)
}
