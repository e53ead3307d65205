import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import { recordEvent } from '../../events/events.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'

/** How long before its due date a memo is due soon. */
const DUE_SOON_DAYS = 3

/** As many as one transaction remembers to remind of; it keeps their orders locked. */
const REMINDER_BATCH = 200

/**
 * Tells merchants of memos that are due soon or overdue, once for each due date. The order's row
 * remembers it in the transaction of the event, and a row that another node works on is skipped:
 * any node may run this at any time. Returns how many events were written.
 */
export async function remindMemos(db: Db): Promise<number> {
  let written = 0
  for (;;) {
    const count = await db.transaction().execute(remindBatch)
    written += count
    if (count < REMINDER_BATCH) return written
  }
}

interface DueMemo {
  uuid: string
  merchant_uuid: string
  memo_id: string
  memo_due_date: string
  reminder: 'due_soon' | 'overdue'
}

/** Reminds of some memos; used as it is where everything happens in one transaction. */
export async function remindBatch(tx: Tx): Promise<number> {
  const { rows } = await sql<DueMemo>`
    with due as (
      select uuid, case when memo_due_date <= market_now() then 'overdue' else 'due_soon' end
        as reminder
      from orders
      where order_type = 'memo' and order_status is null
        and memo_reminder is distinct from 'overdue'
        and memo_due_date <= market_now() + make_interval(days => ${DUE_SOON_DAYS})
        and (memo_reminder is null or memo_due_date <= market_now())
      order by memo_due_date limit ${REMINDER_BATCH} for update skip locked
    )
    update orders set memo_reminder = due.reminder, updated_on = market_now()
    from due where orders.uuid = due.uuid
    returning orders.uuid, merchant_uuid, memo_id, memo_due_date, due.reminder`.execute(tx)
  for (const memo of rows) {
    await recordEvent(tx, {
      merchant_uuid: memo.merchant_uuid,
      order_uuid: memo.uuid,
      event_type: `order.memo.${memo.reminder}`,
      event_data: {
        order_uuid: memo.uuid,
        memo_id: memo.memo_id,
        memo_due_date: isoWithOffset(memo.memo_due_date),
      },
    })
  }
  return rows.length
}
