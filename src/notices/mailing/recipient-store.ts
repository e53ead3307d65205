import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import { MAILED_DAYS, type Notice } from '../notice-store.ts'
import { isSwitchedOn } from '../settings-store.ts'

// Timed by PostgreSQL's clock, as e-mails are: the time of a reader cannot be moved.

export interface Reader {
  uuid: string
  email: string
}

/**
 * How long a user is left in peace after an e-mail, by how many came within an hour: single notices
 * come soon, and a busy hour has no more than about 25 e-mails.
 */
const PAUSES: readonly Pause[] = [
  { mails: 20, pauseMs: 600_000 },
  { mails: 5, pauseMs: 60_000 },
  { mails: 0, pauseMs: 10_000 },
]

interface Pause {
  /** After at least so many within an hour. */
  mails: number
  pauseMs: number
}

/** Users with notices that wait, and whose last e-mail is long enough ago. */
export async function listDueReaders(
  db: Db | Tx,
  limit: number,
  pauseMs?: number,
): Promise<Reader[]> {
  const pauses = pauseMs === undefined ? PAUSES : [{ mails: 0, pauseMs }]
  const cases = pauses.map(
    ({ mails, pauseMs: ms }) => sql`when recent.mails >= ${mails}::int then ${ms / 1000}::float8`,
  )
  const { rows } = await sql<Reader>`
    select u.uuid, u.email from app_user as u
    cross join lateral (
      select count(distinct mailed_on) as mails, max(mailed_on) as last
      from notice_recipient
      where user_uuid = u.uuid and mailed_on > clock_timestamp() - interval '1 hour'
    ) as recent
    where u.uuid in (select user_uuid from notice_recipient where mailed_on is null)
      and (recent.last is null or recent.last <= clock_timestamp()
        - make_interval(secs => case ${sql.join(cases, sql` `)} end))
    order by u.uuid limit ${limit}`.execute(db)
  return rows
}

/**
 * Takes the notices that wait for a user, oldest first. Those that the user does not want any more,
 * that are old, and all of a user who was deactivated, are dropped.
 */
export async function takeNotices(tx: Tx, userUuid: string): Promise<Notice[]> {
  await sql`
    delete from notice_recipient as waiting using notice, app_user as u
    where waiting.user_uuid = ${userUuid} and mailed_on is null
      and notice.uuid = waiting.notice_uuid and u.uuid = waiting.user_uuid
      and not (u.active and ${isSwitchedOn(sql`notice.kind`)}
        and notice.created_on > market_now() - make_interval(days => ${MAILED_DAYS}))`.execute(tx)
  const { rows } = await sql<Notice>`
    with taken as (
      update notice_recipient set mailed_on = now.clock
      from (select clock_timestamp() as clock) as now
      where user_uuid = ${userUuid} and mailed_on is null
      returning notice_uuid
    )
    select notice.* from notice join taken on taken.notice_uuid = notice.uuid
    order by notice.created_on, notice.uuid`.execute(tx)
  return rows
}
