/** The runs of sources as they are listed, and how long they are kept. */

import { type Selectable, sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { FeedSourceRunTable } from '../../database/tables/sources.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'

/** A run with the counts of its import, which are null without one. */
export interface FeedSourceRun extends Selectable<FeedSourceRunTable> {
  rows: number | null
  added: number | null
  changed: number | null
  unchanged: number | null
  removed: number | null
  rejected: number | null
}

export const RUN_OUTCOMES = ['done', 'unchanged', 'failed'] as const
export const RUN_STARTERS = ['schedule', 'operator'] as const

/** What runs can be sorted by. What a run does not have, or not yet, comes last. */
const SORTS = {
  started_on: sql`run.started_on`,
  started_by: sql`run.started_by`,
  outcome: sql`run.outcome`,
  file_name: sql`lower(run.file_name)`,
  rows: sql`import.rows`,
} as const

type RunSort = keyof typeof SORTS
export const RUN_SORTS = Object.keys(SORTS) as RunSort[]

interface RunListOptions {
  outcome?: (typeof RUN_OUTCOMES)[number] | undefined
  started_by?: (typeof RUN_STARTERS)[number] | undefined
  sort_col?: RunSort | undefined
  sort_order?: 'asc' | 'desc' | undefined
  limit: number
  offset: number
}

/** The runs of a source, newest first unless sorted otherwise; an index has those of each. */
export async function listRuns(
  db: Db,
  sourceUuid: string,
  options: RunListOptions,
): Promise<{ runs: FeedSourceRun[]; total: number }> {
  const { outcome, started_by, limit, offset } = options
  const conditions = [
    sql`run.source_uuid = ${sourceUuid}`,
    outcome && sql`run.outcome = ${outcome}`,
    started_by && sql`run.started_by = ${started_by}`,
  ].filter((each) => typeof each === 'object')
  const filter = sql`where ${sql.join(conditions, sql` and `)}`
  const { rows } = await sql<FeedSourceRun>`${SELECT_RUNS} ${filter}
    order by ${orderOf(options)} limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from feed_source_run as run ${filter}`.execute(db)
  return { runs: rows, total: counted.rows[0].total }
}

function orderOf({ sort_col = 'started_on', sort_order = 'desc' }: RunListOptions) {
  const direction = sort_order === 'desc' ? sql`desc` : sql`asc`
  const newest = sql`run.started_on desc, run.uuid desc`
  // Without "nulls last", so that the first page is read from the index.
  if (sort_col === 'started_on') return sql`run.started_on ${direction}, run.uuid ${direction}`
  return sql`${SORTS[sort_col]} ${direction} nulls last, ${newest}`
}

export async function findRun(db: Db, uuid: string): Promise<FeedSourceRun | undefined> {
  const { rows } = await sql<FeedSourceRun>`${SELECT_RUNS} where run.uuid = ${uuid}`.execute(db)
  return rows[0]
}

const SELECT_RUNS = sql`
  select run.*, import.rows, import.added, import.changed, import.unchanged, import.removed,
    import.rejected
  from feed_source_run as run left join import on import.uuid = run.import_uuid`

/** The history of a source that is fetched every minute goes back for some days at least. */
const RUNS_KEPT_MAX = 10_000
const RUNS_KEPT_DAYS = 90
/** So many stay however old they are, so that a paused source still shows what happened last. */
const RUNS_KEPT_MIN = 20

export async function removeOldRuns(db: Db): Promise<void> {
  await sql`
    delete from feed_source_run where uuid in (
      select uuid from (
        select uuid, started_on,
          row_number() over (partition by source_uuid order by started_on desc, uuid desc) as place
        from feed_source_run
      ) as placed
      where place > ${RUNS_KEPT_MAX} or (place > ${RUNS_KEPT_MIN}
        and started_on < market_now() - make_interval(days => ${RUNS_KEPT_DAYS})))`.execute(db)
}

export function renderRun({ source_uuid: _, ...run }: FeedSourceRun) {
  return {
    ...run,
    started_on: isoWithOffset(run.started_on),
    finished_on: isoOrNull(run.finished_on),
  }
}
