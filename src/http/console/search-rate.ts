import type { onSendHookHandler } from 'fastify'
import { sql } from 'kysely'
import type { MarketTime } from '../../database/clock.ts'
import type { Db } from '../../database/open.ts'
import { newUuid } from '../../lib/uuid.ts'
import type { App } from '../route.ts'
import { createSearchDays, type SearchDays } from './search-days.ts'

const MINUTE_MS = 60_000
const MINUTES = 15

/** How many searches all nodes of the market served together, by the minute. */
export interface SearchRate {
  count(): void
  /** Saves what this process has counted since the last call. */
  save(db: Db): Promise<void>
  /** Reads the last quarter of an hour on all nodes, oldest minute first. */
  perMinute(db: Db): Promise<number[]>
  /** Counts the searches by day, too, and those that found nothing. */
  days: SearchDays
}

/**
 * Counts in memory, so that a search waits for no query; the background saves the counts. The
 * nodes add up their counts by the minute of the market.
 */
export function createSearchRate(clock: MarketTime): SearchRate {
  const node = newUuid()
  let unsaved = new Map<number, number>()
  const add = (minute: number, count: number) => {
    unsaved.set(minute, (unsaved.get(minute) ?? 0) + count)
  }

  async function save(db: Db): Promise<void> {
    if (unsaved.size === 0) return
    const saving = unsaved
    unsaved = new Map()
    await sql`
      insert into search_count (minute, node, count)
      select minute, ${node}, count
      from unnest(${[...saving.keys()]}::integer[], ${[...saving.values()]}::integer[])
        as counted (minute, count)
      on conflict (minute, node) do update set count = search_count.count + excluded.count
    `
      .execute(db)
      .catch((error: unknown) => {
        for (const [minute, count] of saving)
          if (minute > minuteOf(clock.now()) - MINUTES) add(minute, count)
        throw error
      })
  }

  return {
    count: () => add(minuteOf(clock.now()), 1),
    save,
    days: createSearchDays(clock),
    async perMinute(db) {
      await save(db)
      const last = minuteOf(clock.now())
      const { rows } = await sql<{ count: number }>`
        select coalesce(sum(count), 0)::integer as count
        from generate_series(${last - MINUTES + 1}::integer, ${last}::integer) as wanted
        left join search_count on minute = wanted group by wanted order by wanted`.execute(db)
      return rows.map((row) => row.count)
    },
  }
}

/** Counts the calls of every route that is declared with `countsAsSearch`. */
export function registerSearchCount(app: App, searches: SearchRate): void {
  const count: onSendHookHandler = (_request, _reply, payload, done) => {
    searches.count()
    done(null, payload)
  }
  app.addHook('onRoute', (route) => {
    if (route.config?.countsAsSearch) route.onSend = [route.onSend ?? [], count].flat()
  })
}

export async function deleteOldSearchCounts(db: Db, nowMs: number): Promise<void> {
  await sql`delete from search_count where minute <= ${minuteOf(nowMs) - MINUTES}`.execute(db)
}

function minuteOf(nowMs: number): number {
  return Math.floor(nowMs / MINUTE_MS)
}
