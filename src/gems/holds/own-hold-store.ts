import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import { type Hold, holdColumns } from './hold-store.ts'

/**
 * Remembers the expiry of a hold that the merchant asked for itself. A quote may hold the stone for
 * longer; when it ends, the hold gets this expiry again. A hold that was made only for a quote has
 * none.
 */
export async function saveOwnExpiry(tx: Tx, { uuid, expires_on }: Hold): Promise<void> {
  await sql`
    insert into own_hold (hold_uuid, expires_on) values (${uuid}, ${expires_on})
    on conflict (hold_uuid) do update set expires_on = excluded.expires_on`.execute(tx)
}

/** Gives a locked hold its own expiry again; undefined when it has none, or none in the future. */
export async function restoreOwnExpiry(tx: Tx, { gem_id }: Hold): Promise<Hold | undefined> {
  const { rows } = await sql<Hold>`
    update gem set hold_expires_on = own.expires_on, mover = 'hold'
    from (select hold_uuid as of_hold, expires_on from own_hold) as own
    where id = ${gem_id} and of_hold = hold_uuid and own.expires_on > market_clock()
    returning ${holdColumns}`.execute(tx)
  return rows[0]
}

interface QuotedExpiry {
  until: string
  /** A hold of this merchant on this stone must end by then. */
  latestEnd: string
  /** Whether the hold may end earlier than it does now. */
  mayShorten: boolean
}

/** Moves the expiry of a locked hold, but never before its own expiry. */
export async function moveExpiry(tx: Tx, { gem_id }: Hold, expiry: QuotedExpiry): Promise<Hold> {
  const { rows } = await sql<Hold>`
    update gem set mover = 'hold', hold_expires_on = greatest(
      case when not ${expiry.mayShorten} then hold_expires_on end,
      (select expires_on from own_hold where own_hold.hold_uuid = gem.hold_uuid),
      least(${expiry.until}::timestamptz, ${expiry.latestEnd}::timestamptz))
    where id = ${gem_id}
    returning ${holdColumns}`.execute(tx)
  return rows[0]
}

/** Deletes expiries that have passed: a hold that lasts longer is only for a quote. */
export async function deleteOldOwnHolds(db: Db): Promise<void> {
  await sql`delete from own_hold where expires_on <= market_now()`.execute(db)
}
