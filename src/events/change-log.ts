import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import type { ChangeKind, ChangeTable, GemProductType } from '../database/tables/gems.ts'
import { Refusal } from '../lib/refusal.ts'
import { numberChanges } from './number-changes.ts'

/**
 * The log of what happened to the stock. A writer calls one of the `log` functions within its
 * transaction, which adds to a queue and waits for nobody. The entries are numbered after the
 * commit (number-changes.ts), so that a reader never sees a number before a lower one, there are no
 * gaps, and the entries of one stone are in the order of their commits.
 */
export interface StoneChange {
  gem_id: number
  sku: string
  /** Null: nothing that a follower saw, but it may free the stone for its other offers. */
  kind: Exclude<ChangeKind, 'prices'> | null
  /** What kind of product it was, where it is another kind now or deleted. */
  former_type?: GemProductType | null
}

/** A product of jewelry or watches that changed; the function in SQL finds out in what. */
export interface ProductChange {
  product_id: string
}

export type StockChange = StoneChange | ProductChange

/** A logged change. `gem_id`, `variant_id` and `sku` are null when the kind is `prices`. */
export interface Change extends Omit<ChangeTable, 'changed_on'> {
  changed_on: string
}

/** Numbering notifies this channel of the last number. */
export const CHANGE_CHANNEL = 'pavilion_change'

/**
 * Logs the changes in the given order. Where a stone has several offers, numbering also decides
 * which of them lead now, and what the merchants of each price list hear of it; see
 * migrations/0031-certificate-search.sql. Of products of jewelry it finds out what merchants see
 * changed; see migrations/0052-change-queue.sql.
 */
export async function logChanges(tx: Tx, entries: readonly StockChange[]): Promise<void> {
  if (entries.length > 0) await changesInsert(entries).execute(tx)
}

/** The insert of `logChanges`, for a `with` clause of a statement that is executed anyway. */
export function changesInsert(entries: readonly StockChange[]): RawBuilder<unknown> {
  const stones = entries.map((entry) => ('gem_id' in entry ? entry : undefined))
  const products = entries.map((entry) => ('product_id' in entry ? entry.product_id : null))
  return sql`
    insert into change_queue (gem_id, sku, kind, former_type, product_id)
    select gem_id, sku, kind, former_type, product_id
    from unnest(${stones.map((stone) => stone?.gem_id ?? null)}::bigint[],
      ${stones.map((stone) => stone?.sku ?? null)}::text[],
      ${stones.map((stone) => stone?.kind ?? null)}::text[],
      ${stones.map((stone) => stone?.former_type ?? null)}::text[], ${products}::uuid[])
      with ordinality as entry (gem_id, sku, kind, former_type, product_id, n)
    order by n`
}

/**
 * Logs all rows of `added`, a part of the statement that adds stones, with the columns `id` and
 * `sku`, as new: one entry of the queue for thousands of stones.
 */
export function logAdded(added: string): RawBuilder<unknown> {
  return sql`insert into change_queue (gem_ids, skus, kind)
    select array_agg(id), array_agg(sku), 'added' from ${sql.table(added)} having count(*) > 0`
}

/**
 * Logs the rows that `query` selects, with the columns `gem_id`, `sku` and `kind`, in its order,
 * and numbers them at once, after all that waits for a number. It locks the log until the commit:
 * for filling a market, where a million rows are one statement. Stones with several offers are
 * logged after the others.
 */
export async function logChangesFrom(tx: Tx, query: RawBuilder<unknown>): Promise<void> {
  await numberChanges(tx)
  const { rows } = await sql<{ last: number }>`
    select last from change_clock for update`.execute(tx)
  const before = rows[0].last
  const several = await listSeveral(tx)
  const hasSeveral = sql`gem_id = any(${several}::bigint[])`
  const logged = await sql`
    insert into change (sequence, gem_id, sku, kind)
    select ${before}::bigint + row_number() over (), gem_id, sku, kind
    from (${query}) as entry where not ${hasSeveral}`.execute(tx)
  const last = before + Number(logged.numAffectedRows ?? 0)
  await sql`update change_clock set last = ${last}`.execute(tx)
  await sql`select pg_notify(${CHANGE_CHANNEL}, ${String(last)})`.execute(tx)
  await sql`
    select log_changes(array_agg(gem_id), array_agg(sku), array_agg(kind))
    from (${query}) as entry where ${hasSeveral}`.execute(tx)
}

/** The ids of all listings whose stone has several. */
async function listSeveral(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from gem where not apart and certificate in (
      select certificate from gem where certificate is not null and not apart
      group by certificate having count(*) > 1)`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Logs that stones which were on memo are sold, for merchants that heard `memo` of the offer that
 * led in their list. Called after the stones themselves are logged.
 */
export async function logConversions(tx: Tx, gemIds: readonly number[]): Promise<void> {
  await sql`insert into change_queue (gem_id, kind)
    select unnest(${gemIds}::bigint[]), 'converted'`.execute(tx)
}

/** Logs that all prices of one merchant (null: of every merchant) changed, by margins or a rate. */
export async function logPriceChange(tx: Tx, merchantUuid: string | null): Promise<void> {
  await sql`insert into change_queue (kind, merchant_uuid)
    values ('prices', ${merchantUuid}::uuid)`.execute(tx)
}

/** A part of the log. */
export interface LogPart {
  changes: Change[]
  /** The number after which to read on: the last one of the log, if this was all. */
  upTo: number
}

/**
 * Returns the changes after a number, oldest first; of the merchants that a change is for, those
 * among the given ones, because a catalogue may be shared with hundreds. Refuses a number that is
 * older than the log, not counted yet, or lost with a server: the reader must then take a new
 * snapshot. Numbers have no gaps but where servers changed, so a missing next number is an exact
 * test, and a single statement sees a single state of the log.
 */
export async function readChanges(
  db: Db | Tx,
  after: number,
  limit: number,
  merchants: readonly string[] = [],
): Promise<LogPart> {
  const { rows } = await sql<LogPlace & ({ sequence: null } | Change)>`
    select clock.last, clock.unbroken_after, continuation.first, entry.sequence,
      entry.gem_id, entry.variant_id, entry.sku, entry.merchant_uuid, entry.kind, entry.price_list,
      entry.former_type, entry.merchants, entry.changed_on
    from change_clock as clock
    left join change_continuation as continuation on continuation.after = ${after}
    left join lateral (
      select sequence, gem_id, variant_id, sku, merchant_uuid, kind, price_list, former_type,
        case when merchants is not null then array(
          select merchant::text from unnest(merchants) as merchant
          where merchant = any(${merchants}::uuid[])) end as merchants, changed_on
      from change where sequence > ${after} order by sequence limit ${limit}
    ) as entry on true
    order by entry.sequence`.execute(db)
  const changes: Change[] = []
  for (const { last: _, unbroken_after: __, first: ___, ...row } of rows) {
    if (row.sequence !== null) changes.push(row)
  }
  const [place] = rows
  const next = changes.at(0)?.sequence ?? place.last + 1
  const isNext = next === after + 1 || next === place.first
  if (!isNext || after < place.unbroken_after) throw await expired(db, after, place)
  const upTo = changes.length < limit ? place.last : changes[limit - 1].sequence
  return { changes, upTo }
}

/** Where the log is, and where it goes on after the number that a reader has. */
interface LogPlace {
  last: number
  unbroken_after: number
  first: number | null
}

async function expired(db: Db | Tx, after: number, place: LogPlace): Promise<Refusal> {
  // Reading goes on after a number, so the oldest that works is the one before the first change.
  const { rows } = await sql<{ sequence: number | null }>`
    select min(sequence) as sequence from change`.execute(db)
  const oldest = Math.max((rows[0].sequence ?? place.last + 1) - 1, place.unbroken_after)
  return new Refusal(
    'changes_expired',
    `The change log does not go back to number ${after}; the oldest that it can continue after ` +
      `is ${oldest}. Take a new snapshot.`,
    { extra: { oldest_sequence: oldest } },
  )
}

/** Returns which of these stones changed after a number. */
export async function changedAmong(
  db: Db,
  ids: readonly number[],
  after: number,
): Promise<Set<number>> {
  const { rows } = await sql<{ gem_id: number }>`
    select distinct gem_id from change
    where sequence > ${after} and gem_id = any(${ids}::bigint[])`.execute(db)
  return new Set(rows.map(({ gem_id }) => gem_id))
}

/** How many changes of stones there are after a number; counts up to `max`. */
export async function countStoneChanges(db: Db, after: number, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from change where sequence > ${after} and gem_id is not null limit ${max}
    ) as stones`.execute(db)
  return rows[0].count
}

/** Whether changes of jewelry are committed and not numbered. */
export async function hasUnnumberedProducts(db: Db | Tx): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from change_queue where product_id is not null) as found`.execute(db)
  return rows[0].found
}

/** The last number that was given; see number-changes.ts. */
export async function lastSequence(db: Db | Tx): Promise<number> {
  const clock = await db.selectFrom('change_clock').select('last').executeTakeFirstOrThrow()
  return clock.last
}

/** Removing this many rows takes a few milliseconds, far below the statement timeout. */
const COMPACTION_BATCH = 10_000

/**
 * Removes entries older than `keepDays`, and returns how many. It stops at the first entry that is
 * younger, even if the machine's clock went back and later entries look older: with a gap in the
 * middle, a reader would miss a change without noticing.
 */
export async function compactChangeLog(db: Db, keepDays: number): Promise<number> {
  const { rows } = await sql<{ keep: number }>`
    select coalesce((
      select sequence from change
      where changed_on >= market_now() - make_interval(secs => ${keepDays * 86_400})
      order by sequence limit 1
    ), last + 1) as keep from change_clock`.execute(db)
  let removed = 0
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from change where sequence in (
        select sequence from change where sequence < ${rows[0].keep}
        order by sequence limit ${COMPACTION_BATCH})`.execute(db)
    removed += Number(numAffectedRows ?? 0)
    if (Number(numAffectedRows ?? 0) < COMPACTION_BATCH) return removed
  }
}
