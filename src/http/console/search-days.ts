import { sql } from 'kysely'
import type { MarketTime } from '../../database/clock.ts'
import type { Db } from '../../database/open.ts'

const SEARCH_KINDS = ['diamond', 'gemstone', 'curated'] as const
type SearchKind = (typeof SEARCH_KINDS)[number]

/** How many searches this process has answered since it last saved, and how many found nothing. */
interface SearchTally {
  searches: number
  empty: number
}

/** Searches by day, of all nodes of the market together. */
export interface SearchDays {
  /** Counts an answered search; what it costs is two additions. */
  count(kind: SearchKind, total: number): void
  /** Adds what was counted since the last call to the day of the market. */
  save(db: Db): Promise<void>
}

/**
 * A search of the last minute before midnight may count for the next day: the day is that of the
 * saving. What a process has not saved when it is killed is lost, a minute at most.
 */
export function createSearchDays(clock: MarketTime): SearchDays {
  const tallies: Record<SearchKind, SearchTally> = {
    diamond: { searches: 0, empty: 0 },
    gemstone: { searches: 0, empty: 0 },
    curated: { searches: 0, empty: 0 },
  }
  const add = (kind: SearchKind, searches: number, empty: number) => {
    tallies[kind].searches += searches
    tallies[kind].empty += empty
  }

  return {
    count: (kind, total) => add(kind, 1, total === 0 ? 1 : 0),
    async save(db) {
      // Always in the same sequence, so that two nodes cannot lock the rows of a day crosswise.
      const counted = SEARCH_KINDS.map((kind) => ({ kind, ...tallies[kind] })).filter(
        ({ searches }) => searches > 0,
      )
      if (counted.length === 0) return
      for (const { kind, searches, empty } of counted) add(kind, -searches, -empty)
      const day = new Date(clock.now()).toISOString().slice(0, 10)
      await addToDay(db, day, counted).catch((error: unknown) => {
        for (const { kind, searches, empty } of counted) add(kind, searches, empty)
        throw error
      })
    },
  }
}

async function addToDay(
  db: Db,
  day: string,
  counted: readonly (SearchTally & { kind: SearchKind })[],
): Promise<void> {
  await sql`
    insert into search_day (day, kind, searches, empty)
    select ${day}::date, kind, searches, empty
    from json_to_recordset(${JSON.stringify(counted)}::json)
      as counted (kind text, searches bigint, empty bigint)
    on conflict (day, kind) do update set searches = search_day.searches + excluded.searches,
      empty = search_day.empty + excluded.empty`.execute(db)
}
