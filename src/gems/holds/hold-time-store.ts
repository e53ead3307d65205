import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'

/**
 * How long a merchant may hold one stone. All its holds of the stone, by any of its offers, with
 * less than a day between them count together; the trigger `gem_hold_ends` adds up those that have
 * ended in `hold_time`.
 */
export interface HoldTime {
  /** The market's clock, read after the stone was locked. */
  now: string
  /** A hold of this merchant on this stone must end by then. */
  latest_end: string
  /** Whether the requested hold has no time left, or would only move an end that is the latest. */
  is_used_up: boolean
  /** The stone may be held again from then on, if it is not held in between. */
  hold_again_on: string | null
}

interface HoldTimeRequest {
  gemId: number
  merchantUuid: string
  minutes: number
  hoursMax: number
  /** Whether the merchant holds the stone now. */
  isOwn: boolean
}

/** A stone must be let go for this long; the function `held_before` has the same number. */
const HOLD_REST_HOURS = 24

export async function readHoldTime(tx: Tx, request: HoldTimeRequest): Promise<HoldTime> {
  const { gemId, merchantUuid, minutes, hoursMax, isOwn } = request
  const { rows } = await sql<HoldTime>`
    with lease as (
      select now, hold_expires_on, case when ${isOwn} then hold_created_on else now end as began
      from gem cross join (select market_clock() as now offset 0) as clock
      where id = ${gemId}
    ), bounded as (
      select now, case when ${isOwn} then hold_expires_on end as live_until,
        began + make_interval(secs =>
          (${hoursMax * 3600}::numeric - held_before(${gemId}, ${merchantUuid}, began))::float8
        ) as latest_end
      from lease
    )
    select now, latest_end,
      latest_end <= now or (live_until >= latest_end
        and now + make_interval(secs => ${minutes * 60}::float8) > live_until
      ) is true as is_used_up,
      make_interval(hours => ${HOLD_REST_HOURS}) + coalesce(live_until, (
        select max(held_until) from hold_time
        where gem_id in (select offers_of(${gemId})) and merchant_uuid = ${merchantUuid}
      )) as hold_again_on
    from bounded`.execute(tx)
  return rows[0]
}

/** Longer than any transaction takes, so that a hold that is being placed still finds its row. */
const MARGIN_HOURS = 1
/** Bounds how long the deletion holds its locks; the rest follows at the next run. */
const DELETED_AT_ONCE_MAX = 10_000

/** Deletes hold times that no longer count. A live hold still needs that of the holds before it. */
export async function deleteOldHoldTimes(db: Db): Promise<void> {
  await sql`
    delete from hold_time where (gem_id, merchant_uuid) in (
      select gem_id, merchant_uuid from hold_time
      where held_until < market_now() - make_interval(hours => ${HOLD_REST_HOURS + MARGIN_HOURS})
        and not exists (
          select from gem
          where gem.id = hold_time.gem_id and gem.hold_merchant_uuid = hold_time.merchant_uuid
        )
      limit ${DELETED_AT_ONCE_MAX}
    )`.execute(db)
}
