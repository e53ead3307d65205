import type { onSendHookHandler } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { newUuid } from '../../lib/uuid.ts'
import type { App } from '../route.ts'

const MINUTE_MS = 60_000
const MINUTES = 15

/** How many searches the nodes of the market answered together, by the minute. */
export interface SearchRate {
  /** Writes down what this process counted since it last did. */
  tell(db: Db): Promise<void>
  /** The last quarter of an hour, oldest first, on all nodes. */
  perMinute(db: Db): Promise<number[]>
}

/** Counts what merchants do most, for the operator's overview. Must come before their routes. */
export function countSearches(app: App): SearchRate {
  const node = newUuid()
  let untold = new Map<number, number>()
  const add = (minute: number, count: number) => {
    untold.set(minute, (untold.get(minute) ?? 0) + count)
  }
  const count: onSendHookHandler = (_request, _reply, payload, done) => {
    add(minuteNow(), 1)
    done(null, payload)
  }
  app.addHook('onRoute', (route) => {
    if (isSearch(route.url)) route.onSend = [route.onSend ?? [], count].flat()
  })

  async function tell(db: Db): Promise<void> {
    if (untold.size === 0) return
    const told = untold
    untold = new Map()
    await sql`
      insert into search_count (minute, node, count)
      select minute, ${node}, count
      from unnest(${[...told.keys()]}::integer[], ${[...told.values()]}::integer[])
        as counted (minute, count)
      on conflict (minute, node) do update set count = search_count.count + excluded.count
    `
      .execute(db)
      .catch((error: unknown) => {
        for (const [minute, counted] of told) if (isRecent(minute)) add(minute, counted)
        throw error
      })
  }

  return {
    tell,
    async perMinute(db) {
      await tell(db)
      const last = minuteNow()
      const { rows } = await sql<{ count: number }>`
        select coalesce(sum(count), 0)::integer as count
        from generate_series(${last - MINUTES + 1}::integer, ${last}::integer) as wanted
        left join search_count on minute = wanted group by wanted order by wanted`.execute(db)
      return rows.map((row) => row.count)
    },
  }
}

export async function forgetSearchCounts(db: Db): Promise<void> {
  await sql`delete from search_count where minute <= ${minuteNow() - MINUTES}`.execute(db)
}

function isRecent(minute: number): boolean {
  return minute > minuteNow() - MINUTES
}

function minuteNow(): number {
  return Math.floor(Date.now() / MINUTE_MS)
}

function isSearch(url: string): boolean {
  return /(merchant_search|ai_search|gemstones\/search|by_merchant_templates)$/.test(url)
}
