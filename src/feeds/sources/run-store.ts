/** A run from its begin to its end, and the lease that lets one node at a time run a source. */

import { type RawBuilder, sql } from 'kysely'
import { recordEntry } from '../../audit/record-entry.ts'
import type { Db, Tx } from '../../database/open.ts'
import type { SeenFile } from '../../database/tables/sources.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordOperatorEvent } from '../../events/operator-events.ts'
import { newUuid } from '../../lib/uuid.ts'
import { type FeedSource, retryAfterSeconds } from './source.ts'
import { getSource } from './source-store.ts'

/**
 * A run renews its lease three times before it would end. A node that is killed, or that no longer
 * reaches the database, leaves its sources to the others after this time.
 */
const LEASE_SECONDS = 60
export const RENEW_MS = (LEASE_SECONDS * 1000) / 3

/** A source that this process holds for one run. */
export interface ClaimedSource {
  source: FeedSource
  runUuid: string
}

/** Claims a source that is due. Nodes that look at the same time get different ones. */
export function claimDue(db: Db): Promise<ClaimedSource | undefined> {
  return claim(
    db,
    sql`paused_on is null and due_on <= market_clock()
      and (lease_until is null or lease_until <= market_clock())`,
    'schedule',
  )
}

/** Claims one source for the operator, due or not, unless it is running. */
export function claimSource(db: Db, uuid: string): Promise<ClaimedSource | undefined> {
  return claim(
    db,
    sql`uuid = ${uuid} and (lease_until is null or lease_until <= market_clock())`,
    'operator',
  )
}

function claim(
  db: Db,
  condition: RawBuilder<unknown>,
  startedBy: 'schedule' | 'operator',
): Promise<ClaimedSource | undefined> {
  return inTransaction(db, async (tx) => {
    const runUuid = newUuid()
    const { rows } = await sql<{ uuid: string; earlier_run: string | null }>`
      with due as (
        select uuid, run_uuid from feed_source where ${condition}
        order by due_on, uuid limit 1 for update skip locked
      )
      update feed_source as source set run_uuid = ${runUuid},
        lease_until = market_clock() + make_interval(secs => ${LEASE_SECONDS})
      from due where source.uuid = due.uuid
      returning source.uuid, due.run_uuid as earlier_run`.execute(tx)
    if (rows.length === 0) return undefined
    const [{ uuid, earlier_run }] = rows
    if (earlier_run !== null) await closeInterrupted(tx, earlier_run)
    await tx
      .insertInto('feed_source_run')
      .values({ uuid: runUuid, source_uuid: uuid, started_by: startedBy })
      .execute()
    return { source: await getSource(tx, uuid), runUuid }
  })
}

/** The run of a process that was killed. Its import is reverted by the next one. */
async function closeInterrupted(tx: Tx, runUuid: string): Promise<void> {
  const failure = 'The server was stopped in the middle of the run.'
  await sql`update feed_source_run set outcome = 'failed', code = 'interrupted',
    failure = ${failure}, finished_on = market_clock()
    where uuid = ${runUuid} and outcome is null`.execute(tx)
}

/** Renews the lease; false when the source was removed or another node has it. */
export async function renewLease(db: Db, { source, runUuid }: ClaimedSource): Promise<boolean> {
  const { numAffectedRows } = await sql`update feed_source
    set lease_until = market_clock() + make_interval(secs => ${LEASE_SECONDS})
    where uuid = ${source.uuid} and run_uuid = ${runUuid}`.execute(db)
  return numAffectedRows === 1n
}

/** What a run found out. */
export interface RunResult {
  fileName?: string | undefined
  bytes?: number | undefined
  importUuid?: string | undefined
}

export type RunEnd =
  | (RunResult & { outcome: 'done' | 'unchanged'; seen: SeenFile })
  | (RunResult & { outcome: 'failed'; code: string; failure: string })

const FAILURE_LENGTH_MAX = 1_000

/**
 * Ends a run: its outcome, when the source is due next, and the event of the first failure or the
 * first success after failures, all or none. Nothing is written when another node has the source.
 */
export function finishRun(db: Db, claimed: ClaimedSource, end: RunEnd): Promise<void> {
  return inTransaction(db, async (tx) => {
    const source = await lockOwn(tx, claimed)
    if (!source) return
    const failure = end.outcome === 'failed' ? end.failure.slice(0, FAILURE_LENGTH_MAX) : null
    await tx
      .updateTable('feed_source_run')
      .set({
        outcome: end.outcome,
        file_name: end.fileName ?? null,
        bytes: end.bytes ?? null,
        import_uuid: end.importUuid ?? null,
        code: end.outcome === 'failed' ? end.code : null,
        failure,
        finished_on: sql`market_clock()`,
      })
      .where('uuid', '=', claimed.runUuid)
      .execute()
    await recordRun(tx, claimed, end)
    if (end.outcome === 'failed') await noteFailure(tx, source, claimed.runUuid, end, failure ?? '')
    else await noteSuccess(tx, source, claimed.runUuid, end.seen)
  })
}

/** A scheduled run that finds the file unchanged is left out: it did nothing. */
async function recordRun(tx: Tx, { source, runUuid }: ClaimedSource, end: RunEnd): Promise<void> {
  if (tx.actor === undefined && end.outcome === 'unchanged') return
  const { outcome, importUuid = null } = end
  const code = end.outcome === 'failed' ? { code: end.code } : {}
  await recordEntry(tx, {
    action: 'source.run',
    subject: { kind: 'source', id: source.uuid },
    after: { run_uuid: runUuid, outcome, import_uuid: importUuid, ...code },
  })
}

/**
 * Runs are not the only ones who write `due_on`: it tells that the operator has changed the source
 * since the run began. Then it stays due, and what the run has seen may be another file.
 */
async function lockOwn(tx: Tx, { source, runUuid }: ClaimedSource) {
  const { rows } = await sql<{ failures: number; every_seconds: number; is_changed: boolean }>`
    select failures, every_seconds, due_on <> ${source.due_on}::timestamptz as is_changed
    from feed_source
    where uuid = ${source.uuid} and run_uuid = ${runUuid} for update`.execute(tx)
  return rows[0] && { ...source, ...rows[0] }
}

type LockedSource = FeedSource & { is_changed: boolean }

function nextDue({ is_changed }: LockedSource, seconds: number): RawBuilder<unknown> {
  if (is_changed) return sql``
  return sql`, due_on = market_clock() + make_interval(secs => ${seconds})`
}

async function noteFailure(
  tx: Tx,
  source: LockedSource,
  runUuid: string,
  { code }: { code: string },
  failure: string,
): Promise<void> {
  const failures = source.failures + 1
  await sql`update feed_source set run_uuid = null, lease_until = null, failures = ${failures},
    failing_since = coalesce(failing_since, market_clock())
    ${nextDue(source, retryAfterSeconds(failures))}
    where uuid = ${source.uuid}`.execute(tx)
  if (failures > 1) return
  await recordOperatorEvent(tx, 'source.fail', { ...eventDataOf(source, runUuid), code, failure })
}

async function noteSuccess(
  tx: Tx,
  source: LockedSource,
  runUuid: string,
  seen: SeenFile,
): Promise<void> {
  await sql`update feed_source set run_uuid = null, lease_until = null, failures = 0,
    failing_since = null
    ${source.is_changed ? sql`` : sql`, seen = ${JSON.stringify(seen)}::jsonb`}
    ${nextDue(source, source.every_seconds)}
    where uuid = ${source.uuid}`.execute(tx)
  if (source.failures === 0) return
  const { failures } = source
  await recordOperatorEvent(tx, 'source.recover', { ...eventDataOf(source, runUuid), failures })
}

function eventDataOf({ uuid, supplier, url }: FeedSource, runUuid: string) {
  return { source_uuid: uuid, supplier, url, run_uuid: runUuid }
}

/** A run that cannot be made now, and says nothing about the source, leaves no trace. */
export function withdrawRun(db: Db, { source, runUuid }: ClaimedSource, waitSeconds: number) {
  return inTransaction(db, async (tx) => {
    await sql`delete from feed_source_run where uuid = ${runUuid} and outcome is null`.execute(tx)
    await sql`update feed_source set run_uuid = null, lease_until = null,
      due_on = greatest(due_on, market_clock() + make_interval(secs => ${waitSeconds}))
      where uuid = ${source.uuid} and run_uuid = ${runUuid}`.execute(tx)
  })
}

/** Returns in how many milliseconds the next source is due; undefined when there is none. */
export async function findNextDueMs(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ wait: number | null }>`
    select (extract(epoch from min(greatest(due_on, lease_until)) - market_clock()) * 1000)::float8
      as wait
    from feed_source where paused_on is null`.execute(db)
  return rows[0].wait ?? undefined
}

/** For the metrics: how many sources are in which state, and how late the latest is. */
export interface SourceFigures {
  active: number
  failing: number
  paused: number
  overdue_seconds: number
}

export async function countSources(db: Db): Promise<SourceFigures> {
  const { rows } = await sql<SourceFigures>`
    select count(*) filter (where paused_on is not null)::int as paused,
      count(*) filter (where paused_on is null and failures > 0)::int as failing,
      count(*) filter (where paused_on is null and failures = 0)::int as active,
      coalesce(extract(epoch from market_now() - min(due_on) filter (
        where paused_on is null and run_uuid is null)), 0)::float8 as overdue_seconds
    from feed_source`.execute(db)
  return rows[0]
}
