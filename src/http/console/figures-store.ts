import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { DayRange } from '../../orders/ledger/sales-figures.ts'

/** What the market did on a day, beside its sales. */
export interface ActivityDay {
  day: string
  searches: number
  empty_searches: number
  imports: number
  failed_imports: number
  source_runs: number
  failed_source_runs: number
}

/** The figures of the days on which anything was searched for or imported. */
export async function readActivity(db: Db, { from, to }: DayRange): Promise<ActivityDay[]> {
  const within = sql`started_on >= ${from}::date at time zone 'UTC'
    and started_on < (${to}::date + 1) at time zone 'UTC'`
  const { rows } = await sql<ActivityDay>`
    select day::text as day, sum(searches)::float8 as searches,
      sum(empty_searches)::float8 as empty_searches, sum(imports)::int as imports,
      sum(failed_imports)::int as failed_imports, sum(source_runs)::int as source_runs,
      sum(failed_source_runs)::int as failed_source_runs
    from (
      select day, searches, empty, 0, 0, 0, 0 from search_day
      where day between ${from}::date and ${to}::date
      union all
      select (started_on at time zone 'UTC')::date, 0, 0, count(*),
        count(*) filter (where status = 'failed'), 0, 0
      from import where ${within} group by 1
      union all
      select (started_on at time zone 'UTC')::date, 0, 0, 0, 0, count(*),
        count(*) filter (where outcome = 'failed')
      from feed_source_run where ${within} group by 1
    ) as part (day, searches, empty_searches, imports, failed_imports, source_runs,
      failed_source_runs)
    group by day order by day`.execute(db)
  return rows
}
