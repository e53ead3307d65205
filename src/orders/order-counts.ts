import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/open.ts'

/** Rows that a reader adds up itself; a merchant has at most 48 kinds of orders. */
const ROWS_MAX = 100

/**
 * The number of orders that meet conditions on the columns of `order_count`, without reading any
 * order: at 200,000 orders that takes longer than the page of the list itself.
 */
export async function sumOrderCounts(db: Db, matches: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(orders), 0)::int as total from order_count where ${matches}`.execute(db)
  return rows[0].total
}

/** Adds up the counts of merchants with many rows. Readers see the same sums before and after. */
export async function addUpOrderCounts(db: Db): Promise<void> {
  await sql`
    with removed as (
      delete from order_count where merchant_uuid in (
        select merchant_uuid from order_count group by 1 having count(*) > ${ROWS_MAX})
      returning *
    )
    insert into order_count
    select merchant_uuid, order_type, payment_status, fulfillment_status, is_open, debug,
      sum(orders)
    from removed group by 1, 2, 3, 4, 5, 6 having sum(orders) <> 0`.execute(db)
}
