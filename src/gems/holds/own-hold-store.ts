import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import { type Hold, holdColumns } from './hold-store.ts'

/**
 * Until when a merchant has a hold for itself. A quote may hold the stone for longer; when it ends,
 * the hold returns to this end. A hold that was made for a quote alone has none.
 */
export async function saveOwnEnd(tx: Tx, { uuid, expires_on }: Hold): Promise<void> {
  await sql`
    insert into own_hold (hold_uuid, expires_on) values (${uuid}, ${expires_on})
    on conflict (hold_uuid) do update set expires_on = excluded.expires_on`.execute(tx)
}

/** Returns a locked hold to its own end, which is undefined when it has none that is to come. */
export async function returnToOwnEnd(tx: Tx, { gem_id }: Hold): Promise<Hold | undefined> {
  const { rows } = await sql<Hold>`
    update gem set hold_expires_on = own.expires_on, mover = 'hold'
    from (select hold_uuid as of_hold, expires_on from own_hold) as own
    where id = ${gem_id} and of_hold = hold_uuid and own.expires_on > market_clock()
    returning ${holdColumns}`.execute(tx)
  return rows[0]
}

interface QuotedEnd {
  until: string
  /** A hold of this merchant on this stone must end by then. */
  latestEnd: string
  /** Whether the hold may end earlier than it does now. */
  mayShorten: boolean
}

/** Moves the end of a locked hold, but never before its own end. */
export async function moveEnd(tx: Tx, { gem_id }: Hold, end: QuotedEnd): Promise<Hold> {
  const { rows } = await sql<Hold>`
    update gem set mover = 'hold', hold_expires_on = greatest(
      case when not ${end.mayShorten} then hold_expires_on end,
      (select expires_on from own_hold where own_hold.hold_uuid = gem.hold_uuid),
      least(${end.until}::timestamptz, ${end.latestEnd}::timestamptz))
    where id = ${gem_id}
    returning ${holdColumns}`.execute(tx)
  return rows[0]
}

/** Deletes ends that have passed: a hold that lasts longer is for a quote alone. */
export async function deleteOldOwnHolds(db: Db): Promise<void> {
  await sql`delete from own_hold where expires_on <= market_now()`.execute(db)
}
