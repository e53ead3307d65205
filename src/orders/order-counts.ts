import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'

/** Rows that a reader adds up itself; a merchant has at most 48 kinds of orders. */
const ROWS_MAX = 100
/**
 * Rows of the latest transactions are not added up, because `createKeptCounts` reads them one
 * by one. With a hundred changes a second these are the rows of three minutes.
 */
const TRANSACTIONS_KEPT = 20_000

/**
 * Adds up the counts of merchants with many rows. Readers see the same sums before and after. Rows
 * that came with a restored backup have numbers of transactions that may be still to come here:
 * they are added up at once, under the number of this transaction.
 */
export async function addUpOrderCounts(db: Db, kept = TRANSACTIONS_KEPT): Promise<void> {
  await sql`
    with now as materialized (
      select pg_snapshot_xmin(pg_current_snapshot())::text::bigint - ${kept}::bigint as oldest_kept,
        pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next
    ), removed as (
      delete from order_count using now
      where transaction >= next or transaction < oldest_kept and merchant_uuid in (
        select merchant_uuid from order_count, now
        where transaction < oldest_kept group by 1 having count(*) > ${ROWS_MAX})
      returning order_count.*, transaction >= next as is_restored
    )
    insert into order_count
    select merchant_uuid, order_type, payment_status, fulfillment_status, is_open, debug,
      sum(orders), null, case when bool_or(is_restored)
        then pg_current_xact_id()::text::bigint else max(transaction) end
    from removed group by 1, 2, 3, 4, 5, 6`.execute(db)
}

/** A list whose length is worth keeping, because counting it again would read very many orders. */
export interface CountedList {
  /** Two lists with the same key have the same conditions. */
  key: string
  /** Conditions on the kind of an order, in terms of `orders` and of `order_count`. */
  kinds: { orders: RawBuilder<unknown>; order_count: RawBuilder<unknown> }
  /** Conditions on what never changes in an order, such as its words, if there are any. */
  fixed: RawBuilder<unknown> | undefined
}

interface KeptCount {
  /** A server that was restarted, or another one, may number its transactions differently. */
  server: string
  /** Transactions below this number had ended, and `settled` is what they wrote. */
  horizon: number
  settled: number
  total: number
  /** So many orders are of the kinds of the list; not exact later on. */
  among: number
}

export interface KeptCounts {
  /** What is known of a list without asking the database; not exact. */
  recall(key: string): Pick<KeptCount, 'total' | 'among'> | undefined
  /** The exact number of orders in the list. */
  count(db: Db | Tx, list: CountedList): Promise<number>
}

/** Shorter lists are counted as quickly as they are found here. */
const KEPT_FROM = 1_000
const LISTS_MAX = 1_000

/**
 * Remembers the lengths of long lists, the latest used. A length stays exact: to what was counted
 * come the rows of `order_count` by transactions that had not ended then.
 */
export function createKeptCounts(): KeptCounts {
  const kept = new Map<string, KeptCount>()
  return {
    recall: (key) => kept.get(key),
    async count(db, list) {
      const known = kept.get(list.key)
      const now = (known && (await countSince(db, list, known))) ?? (await countAll(db, list))
      kept.delete(list.key)
      if (now.total >= KEPT_FROM) kept.set(list.key, now)
      for (const key of kept.keys()) {
        if (kept.size <= LISTS_MAX) break
        kept.delete(key)
      }
      return now.total
    },
  }
}

const NOW = sql`now as materialized (
  select pg_postmaster_start_time()::text as server,
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon)`

async function countAll(db: Db | Tx, { kinds, fixed }: CountedList): Promise<KeptCount> {
  const ofKinds = sql`
    select coalesce(sum(order_count.orders), 0) as total from order_count
    where ${kinds.order_count}`
  // Without a condition on the orders themselves, no order is read.
  const counting = fixed
    ? sql`select count(*) as total from orders where ${kinds.orders} and ${fixed}`
    : ofKinds
  const { rows } = await sql<Omit<KeptCount, 'settled'> & { unsettled: number }>`
    with ${NOW}, counted as materialized (${counting})
    select server, horizon, total,
      -- Of a short list nothing is kept, and adding up would take longer than all the rest.
      case when total < ${KEPT_FROM} then 0 else (${ofKinds}) end as among,
      (select coalesce(sum(order_count.orders), 0)
        from order_count join orders on orders.uuid = order_uuid
        where transaction >= (select horizon from now) and ${kinds.order_count}
          and ${fixed ?? sql`true`}
      ) as unsettled
    from now, counted`.execute(db)
  const [{ unsettled, ...now }] = rows
  return { ...now, settled: now.total - unsettled }
}

/** Undefined when the list must be counted again. */
async function countSince(
  db: Db | Tx,
  { kinds, fixed }: CountedList,
  { server, horizon, settled, among }: KeptCount,
): Promise<KeptCount | undefined> {
  const matches = fixed ? sql`${kinds.order_count} and ${fixed}` : kinds.order_count
  const { rows } = await sql<{
    server: string
    horizon: number
    has_sums: boolean
    added: number
    unsettled: number
  }>`
    with ${NOW}
    select server, horizon, bool_or(transaction is not null and order_uuid is null) as has_sums,
      coalesce(sum(order_count.orders) filter (where ${matches}), 0) as added,
      coalesce(sum(order_count.orders) filter (where ${matches} and transaction >= horizon), 0)
        as unsettled
    from now
    left join order_count on transaction >= ${horizon}
    left join orders on orders.uuid = order_uuid
    group by server, horizon`.execute(db)
  const [now] = rows
  // What was added up, or removed, since then may have been counted here already.
  if (now.server !== server || now.has_sums) return undefined
  const total = settled + now.added
  return { server, horizon: now.horizon, settled: total - now.unsettled, total, among }
}
