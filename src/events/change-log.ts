import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import type { ChangeKind, ChangeTable, GemProductType } from '../database/tables/gems.ts'
import { Refusal } from '../lib/refusal.ts'

/**
 * The log of what happened to the stock. A writer calls one of the `log` functions as the last
 * statement of its transaction: it locks the row of `change_clock` until the commit. The numbers
 * therefore follow the order of commits: a reader never sees a number before a lower one, and the
 * numbers of a transaction that is rolled back are used again, so that there are no gaps.
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

/** Every transaction that logs something notifies this channel of its last number. */
export const CHANGE_CHANNEL = 'pavilion_change'

/**
 * Logs the changes in the given order, and returns the last sequence number. Where a stone has
 * several offers, the function in SQL also decides which of them lead now, and logs what the
 * merchants of each price list see of it; see migrations/0031-certificate-search.sql.
 */
export async function logChanges(tx: Tx, entries: readonly StockChange[]): Promise<number> {
  const stones = entries.filter((entry) => 'gem_id' in entry)
  const products = entries.flatMap((entry) => ('product_id' in entry ? [entry.product_id] : []))
  const lastOfStones = stones.length === 0 ? undefined : await logStones(tx, stones)
  const lastOfProducts = products.length === 0 ? undefined : await logProducts(tx, products)
  return lastOfProducts ?? lastOfStones ?? lastSequence(tx)
}

async function logStones(tx: Tx, entries: readonly StoneChange[]): Promise<number> {
  const ids = entries.map((entry) => entry.gem_id)
  const skus = entries.map((entry) => entry.sku)
  const kinds = entries.map((entry) => entry.kind)
  const changedKind = entries.filter((entry) => entry.former_type != null)
  const before = changedKind.length === 0 ? 0 : await lockClock(tx)
  const { rows } = await sql<{ last: number }>`
    select log_changes(${ids}::bigint[], ${skus}::text[], ${kinds}::text[]) as last`.execute(tx)
  if (changedKind.length > 0) await noteFormerTypes(tx, before, changedKind)
  return rows[0].last
}

/** Such changes are rare, so the function in SQL, which every change goes through, ignores them. */
async function noteFormerTypes(tx: Tx, after: number, entries: readonly StoneChange[]) {
  const ids = entries.map((entry) => entry.gem_id)
  const types = entries.map((entry) => entry.former_type)
  await sql`
    update change set former_type = entry.type
    from unnest(${ids}::bigint[], ${types}::text[]) as entry (gem_id, type)
    where sequence > ${after} and change.gem_id = entry.gem_id`.execute(tx)
}

/** See migrations/0020-product-kinds.sql. */
async function logProducts(tx: Tx, productIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select log_product_changes(${productIds}::uuid[]) as last`.execute(tx)
  return rows[0].last
}

/** Locks the clock until the commit, and returns the last number. */
async function lockClock(tx: Tx): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select last from change_clock for update`.execute(tx)
  return rows[0].last
}

/**
 * Logs the rows that `query` selects, with the columns `gem_id`, `sku` and `kind`, in its order.
 * The rows stay in the database: a million of them is one statement. Stones with several offers are
 * logged after the others.
 */
export async function logChangesFrom(tx: Tx, query: RawBuilder<unknown>): Promise<number> {
  const before = await lockClock(tx)
  const several = await listSeveral(tx)
  const hasSeveral = sql`gem_id = any(${several}::bigint[])`
  const logged = await sql`
    insert into change (sequence, gem_id, sku, kind)
    select ${before}::bigint + row_number() over (), gem_id, sku, kind
    from (${query}) as entry where not ${hasSeveral}`.execute(tx)
  const last = before + Number(logged.numAffectedRows ?? 0)
  await sql`update change_clock set last = ${last}`.execute(tx)
  await sql`select pg_notify(${CHANGE_CHANNEL}, ${String(last)})`.execute(tx)
  const { rows } = await sql<{ last: number }>`
    select log_changes(array_agg(gem_id), array_agg(sku), array_agg(kind)) as last
    from (${query}) as entry where ${hasSeveral}`.execute(tx)
  return rows[0].last
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
 * led in their list. `log_changes` tells it of stones with a single listing. Called after it.
 */
export async function logConversions(tx: Tx, gemIds: readonly number[]): Promise<void> {
  await sql`
    with told as materialized (
      select offer.gem_id, gem.sku, row_number() over (order by offer.gem_id) as n,
        case when not on_memo_us then 'default' when not on_memo then 'us' end as price_list
      from offer join gem on gem.id = offer.gem_id
      where (on_memo or on_memo_us) and offer.certificate in (
        select certificate from gem where id = any(${gemIds}::bigint[]))
    ), forgotten as (
      update offer set on_memo = false, on_memo_us = false
      from told where offer.gem_id = told.gem_id
    ), clock as (
      update change_clock set last = last + told.count
      from (select count(*) from told) as told where told.count > 0
      returning last, told.count
    ), logged as (
      insert into change (sequence, gem_id, sku, kind, price_list)
      select clock.last - clock.count + n, gem_id, sku, 'sold', price_list from told, clock
    )
    select pg_notify(${CHANGE_CHANNEL}, last::text) from clock`.execute(tx)
}

/** Logs that all prices of one merchant (null: of every merchant) changed, by margins or a rate. */
export async function logPriceChange(tx: Tx, merchantUuid: string | null): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    with clock as (
      update change_clock set last = last + 1 returning last
    ), logged as (
      insert into change (sequence, merchant_uuid, kind)
      select last, ${merchantUuid}::uuid, 'prices' from clock
    )
    select last, pg_notify(${CHANGE_CHANNEL}, last::text) from clock`.execute(tx)
  return rows[0].last
}

/**
 * Returns the changes after a number, oldest first; of the merchants that a change is for, those
 * among the given ones, because a catalogue may be shared with hundreds. Refuses a number that is
 * older than the log or not counted yet: the reader must then take a new snapshot. Numbers have no
 * gaps, so a missing next number is an exact test, and a single statement sees a single state of
 * the log.
 */
export async function readChanges(
  db: Db | Tx,
  after: number,
  limit: number,
  merchants: readonly string[] = [],
): Promise<Change[]> {
  const { rows } = await sql<{ last: number } & ({ sequence: null } | Change)>`
    select clock.last, entry.*
    from change_clock as clock left join lateral (
      select sequence, gem_id, variant_id, sku, merchant_uuid, kind, price_list, former_type,
        case when merchants is not null then array(
          select merchant::text from unnest(merchants) as merchant
          where merchant = any(${merchants}::uuid[])) end as merchants, changed_on
      from change where sequence > ${after} order by sequence limit ${limit}
    ) as entry on true
    order by entry.sequence`.execute(db)
  const changes: Change[] = []
  for (const { last: _, ...row } of rows) if (row.sequence !== null) changes.push(row)
  const isComplete = changes.length > 0 ? changes[0].sequence === after + 1 : rows[0].last === after
  if (!isComplete) {
    // Reading goes on after a number, so the oldest that works is the one before the first change.
    const first = await sql<{ sequence: number | null }>`
      select min(sequence) as sequence from change`.execute(db)
    const oldest = (first.rows[0].sequence ?? rows[0].last + 1) - 1
    throw new Refusal(
      'changes_expired',
      `The change log does not go back to number ${after}; the oldest that it can continue after ` +
        `is ${oldest}. Take a new snapshot.`,
      { extra: { oldest_sequence: oldest } },
    )
  }
  return changes
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
