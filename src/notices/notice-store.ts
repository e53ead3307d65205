import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import type { NoticeTable } from '../database/tables/mail.ts'
import { newUuid } from '../lib/uuid.ts'
import { type NoticeKind, type NoticeOwner, rolesFor } from '../reference/notice-kinds.ts'
import { isSwitchedOn } from './settings-store.ts'
import type { NoticeEvent } from './writing/facts.ts'
import type { NoticeDraft } from './writing/notice.ts'

export type Notice = Selectable<NoticeTable>

/**
 * Locks the place up to which the events are read, and returns it; undefined while another node
 * makes notices.
 */
export async function lockPlace(tx: Tx): Promise<number | undefined> {
  const { rows } = await sql<{ last: number }>`
    select last from notice_place for update skip locked`.execute(tx)
  return rows[0]?.last
}

export async function movePlace(tx: Tx, last: number): Promise<void> {
  await tx.updateTable('notice_place').set({ last }).execute()
}

/** Whether there are events that no notice was made of yet. */
export async function hasNewEvents(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select place.last < clock.last as found
    from notice_place as place, market_event_clock as clock`.execute(db)
  return rows[0].found
}

/** Events after a number, oldest first, of every type: the last one is the next place. */
export async function readEvents(tx: Tx, after: number, limit: number): Promise<NoticeEvent[]> {
  const { rows } = await sql<NoticeEvent>`
    select uuid, market_sequence as sequence, merchant_uuid, order_uuid, event_type, event_data,
      created_on
    from event where market_sequence > ${after}
    order by market_sequence limit ${limit}`.execute(tx)
  return rows
}

/**
 * An event that is older than this is not mailed any more: it happened before there was a mail
 * server, or in the history of a market that was filled at once. It is shown.
 */
export const MAILED_DAYS = 3

/** A notice with the event that it tells of. */
interface NewNotice {
  event: Pick<NoticeEvent, 'uuid' | 'created_on'>
  notice: NoticeDraft
}

/** Stores notices, and who gets them by e-mail: active users of the owner who want the kind. */
export async function insertNotices(tx: Tx, made: readonly NewNotice[]): Promise<void> {
  if (made.length === 0) return
  const rows = made.map(({ event, notice }) => {
    const { side, ...columns } = notice
    const roles = rolesFor(side, notice.kind)?.join() ?? null
    const { uuid: event_uuid, created_on } = event
    return { uuid: newUuid(), roles, event_uuid, created_on, ...columns }
  })
  await sql`
    insert into notice
    select * from json_populate_recordset(null::notice, ${JSON.stringify(rows)}::json)`.execute(tx)
  // The same expression as in the index of users, so that it is used.
  const owner = (table: string) =>
    sql`coalesce(${sql.ref(`${table}.merchant_uuid`)}, ${sql.ref(`${table}.supplier_uuid`)},
      '00000000-0000-0000-0000-000000000000')`
  await sql`
    insert into notice_recipient (user_uuid, notice_uuid)
    select u.uuid, notice.uuid
    from unnest(${rows.map(({ uuid }) => uuid)}::uuid[], ${rows.map(({ roles }) => roles)}::text[])
      as told (uuid, roles)
    join notice on notice.uuid = told.uuid
    join app_user as u on ${owner('u')} = ${owner('notice')}
    where u.active and notice.created_on > market_now() - make_interval(days => ${MAILED_DAYS})
      and (told.roles is null or u.role = any(string_to_array(told.roles, ',')))
      and ${isSwitchedOn(sql`notice.kind`)}`.execute(tx)
}

interface NoticeQuery {
  kind?: NoticeKind | undefined
  limit: number
  offset: number
}

/** Newest first. */
export async function listNotices(
  db: Db,
  owner: NoticeOwner,
  { kind, limit, offset }: NoticeQuery,
): Promise<{ notices: Notice[]; total: number }> {
  const condition = sql`${ownedBy(owner)}
    ${kind === undefined ? sql`` : sql`and kind = ${kind}`}`
  const page = await sql<Notice>`
    select * from notice where ${condition}
    order by created_on desc, uuid limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from notice where ${condition}`.execute(db)
  return { notices: page.rows, total: counted.rows[0].total }
}

/** Written so that each side's index serves it. */
function ownedBy({ merchant_uuid, supplier_uuid }: NoticeOwner): RawBuilder<unknown> {
  if (merchant_uuid !== null) return sql`merchant_uuid = ${merchant_uuid}::uuid`
  if (supplier_uuid !== null) return sql`supplier_uuid = ${supplier_uuid}::uuid`
  return sql`merchant_uuid is null and supplier_uuid is null`
}

const KEPT_DAYS = 90
/** Deleting more at a time would keep others from the rows for too long. */
const REMOVED_AT_ONCE = 5_000

export async function removeOldNotices(db: Db): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from notice where uuid in (
        select uuid from notice
        where created_on < market_now() - make_interval(days => ${KEPT_DAYS})
        limit ${REMOVED_AT_ONCE})`.execute(db)
    if (Number(numAffectedRows ?? 0) < REMOVED_AT_ONCE) return
  }
}
