import { sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import { inTransaction } from '../database/transaction.ts'
import { recordEvent } from '../events/events.ts'
import { isoWithOffset } from '../lib/timestamps.ts'

/** How long before its end a merchant is told of a hold. */
const ENDING_MINUTES = 10
/** As many as one transaction records. */
const REMINDER_BATCH = 200
/** A reminder is remembered until its hold has surely ended: longer than a hold may last. */
const REMEMBERED_DAYS = 3

interface EndingHold {
  uuid: string
  sku: string
  merchant_uuid: string
  created_on: string
  expires_on: string
}

/**
 * Tells merchants of holds that end within ten minutes, once for each end; not of those that were
 * made for less. Any node may run it at any time.
 */
export async function remindHolds(db: Db): Promise<number> {
  let reminded = 0
  for (;;) {
    const count = await inTransaction(db, remindBatch)
    reminded += count
    if (count < REMINDER_BATCH) return reminded
  }
}

async function remindBatch(tx: Tx): Promise<number> {
  const { rows } = await sql<EndingHold>`
    with ending as (
      select hold_uuid as uuid, sku, hold_merchant_uuid as merchant_uuid,
        hold_created_on as created_on, hold_expires_on as expires_on
      from gem
      where hold_uuid is not null and hold_expires_on > market_now()
        and hold_expires_on <= market_now() + make_interval(mins => ${ENDING_MINUTES})
        and hold_expires_on > hold_created_on + make_interval(mins => ${ENDING_MINUTES})
        and not exists (select from hold_reminder as told
          where told.hold_uuid = gem.hold_uuid and told.expires_on = gem.hold_expires_on)
      limit ${REMINDER_BATCH}
    ), told as (
      insert into hold_reminder (hold_uuid, expires_on)
      select uuid, expires_on from ending
      on conflict do nothing returning hold_uuid
    )
    select ending.* from ending join told on told.hold_uuid = ending.uuid
    order by merchant_uuid`.execute(tx)
  for (const { uuid, sku, merchant_uuid, created_on, expires_on } of rows) {
    await recordEvent(tx, {
      merchant_uuid,
      event_type: 'hold.ending',
      event_data: {
        hold_uuid: uuid,
        sku,
        created_on: isoWithOffset(created_on),
        expires_on: isoWithOffset(expires_on),
      },
    })
  }
  return rows.length
}

export async function forgetReminders(db: Db): Promise<void> {
  await sql`delete from hold_reminder
    where expires_on < market_now() - make_interval(days => ${REMEMBERED_DAYS})`.execute(db)
}
