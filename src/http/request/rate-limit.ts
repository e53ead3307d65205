import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import type { MarketTime } from '../../database/clock.ts'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { newUuid } from '../../lib/uuid.ts'

const MINUTE_MS = 60_000
const MINUTES_KEPT = 5

interface Count {
  limit: number
  /** The RateLimit-Policy header, rendered once. */
  policy: string
  own: number
  /** What the other nodes had counted at the last exchange. */
  others: number
}

/**
 * Counts the requests of each token by the minute and writes the RateLimit headers. A node decides
 * from memory; once a second the nodes exchange their counts through the database. Together they
 * admit at most one second's requests too many.
 */
export interface RateLimiter {
  count(reply: FastifyReply, tokenUuid: string, ownLimit: number | null): void
  /** Saves this node's counts, and reads those of the other nodes. */
  exchange(db: Db): Promise<void>
}

/** The nodes count by the market's clock, so that they agree about the minute. */
export function createRateLimiter(limitPerMinute: number, clock: MarketTime): RateLimiter {
  const node = newUuid()
  let minute = 0
  let counts = new Map<string, Count>()

  function countOf(tokenUuid: string, limit: number, nowMs: number): Count {
    const current = Math.floor(nowMs / MINUTE_MS)
    if (current !== minute) {
      minute = current
      counts = new Map()
    }
    let count = counts.get(tokenUuid)
    if (count?.limit !== limit) {
      const policy = `"token";q=${limit};w=60`
      count = { limit, policy, own: count?.own ?? 0, others: count?.others ?? 0 }
      counts.set(tokenUuid, count)
    }
    return count
  }

  return {
    count(reply, tokenUuid, ownLimit) {
      const limit = ownLimit ?? limitPerMinute
      if (limit === 0) return
      const nowMs = clock.now()
      const count = countOf(tokenUuid, limit, nowMs)
      count.own++
      const used = count.own + count.others
      const seconds = Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / 1000)
      reply.header('ratelimit-policy', count.policy)
      reply.header('ratelimit', `"token";r=${Math.max(0, limit - used)};t=${seconds}`)
      if (used <= limit) return
      reply.header('retry-after', seconds)
      const detail = `The token may make ${limit} requests a minute; try again in ${seconds} s.`
      throw new Refusal('rate_limited', detail)
    },
    async exchange(db) {
      const mine = counts
      if (mine.size === 0) return
      for (const { token_uuid, count } of await exchangeCounts(db, node, minute, mine)) {
        const known = mine.get(token_uuid)
        if (known) known.others = count
      }
    },
  }
}

/** Writes this node's counts of the minute, and reads those of the others for the same tokens. */
async function exchangeCounts(
  db: Db,
  node: string,
  minute: number,
  counts: ReadonlyMap<string, Count>,
): Promise<{ token_uuid: string; count: number }[]> {
  const tokens = [...counts.keys()]
  const own = [...counts.values()].map((count) => count.own)
  const { rows } = await sql<{ token_uuid: string; count: number }>`
    with mine as (
      insert into rate_count (token_uuid, minute, node, count)
      select token_uuid, ${minute}, ${node}, count
      from unnest(${tokens}::uuid[], ${own}::integer[]) as counted (token_uuid, count)
      on conflict (minute, token_uuid, node) do update set count = excluded.count
    )
    select token_uuid, sum(count)::integer as count from rate_count
    where minute = ${minute} and node <> ${node} and token_uuid = any(${tokens}::uuid[])
    group by token_uuid`.execute(db)
  return rows
}

/** Deletes the counts of past minutes, which no longer limit anyone. */
export async function deleteOldRateCounts(db: Db, nowMs: number): Promise<void> {
  const oldest = Math.floor(nowMs / MINUTE_MS) - MINUTES_KEPT
  await sql`delete from rate_count where minute < ${oldest}`.execute(db)
}
