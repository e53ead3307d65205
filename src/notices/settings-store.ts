/** Which kinds of notices a user gets by e-mail. */
import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { type NewEntry, recordEntry } from '../audit/record-entry.ts'
import type { Db, Tx } from '../database/open.ts'
import {
  KINDS_OF,
  type NoticeKind,
  type NoticeOwner,
  type Side,
} from '../reference/notice-kinds.ts'

/**
 * Whose settings: of one user, or of all users of a merchant, of a supplier or of the operator who
 * have not decided themselves.
 */
export interface SettingOwner extends NoticeOwner {
  user_uuid: string | null
}

export function sideOf({ merchant_uuid, supplier_uuid }: NoticeOwner): Side {
  if (merchant_uuid !== null) return 'merchant'
  return supplier_uuid === null ? 'operator' : 'supplier'
}

type Switches = Partial<Record<NoticeKind, boolean>>

/** Whether the user `u` of a query gets a kind. */
export function isSwitchedOn(kind: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce(
    (select (kinds ->> ${kind})::boolean from notice_setting where user_uuid = u.uuid),
    (select (kinds ->> ${kind})::boolean from notice_setting as shared
      where shared.user_uuid is null
        and shared.merchant_uuid is not distinct from u.merchant_uuid
        and shared.supplier_uuid is not distinct from u.supplier_uuid),
    true)`
}

/** Every kind of the side, with whether it is on. */
export async function readSettings(
  db: Db | Tx,
  owner: SettingOwner,
): Promise<Record<string, boolean>> {
  const { user_uuid, merchant_uuid, supplier_uuid } = owner
  const { rows } = await sql<{ is_own: boolean; kinds: Record<string, boolean> }>`
    select user_uuid is not null as is_own, kinds from notice_setting
    where user_uuid = ${user_uuid}::uuid or (user_uuid is null
      and merchant_uuid is not distinct from ${merchant_uuid}::uuid
      and supplier_uuid is not distinct from ${supplier_uuid}::uuid)
    order by is_own`.execute(db)
  const set = new Map(rows.flatMap(({ kinds }) => Object.entries(kinds)))
  return Object.fromEntries(KINDS_OF[sideOf(owner)].map((kind) => [kind, set.get(kind) ?? true]))
}

/** Switches the named kinds on or off; the others stay as they are. */
export async function changeSettings(
  tx: Tx,
  owner: SettingOwner,
  switches: Switches,
  actor?: NewEntry['actor'],
): Promise<void> {
  const { user_uuid, merchant_uuid, supplier_uuid } = owner
  const isUser = user_uuid !== null
  const before = await readSettings(tx, owner)
  await sql`
    insert into notice_setting as stored (user_uuid, merchant_uuid, supplier_uuid, kinds)
    values (${user_uuid}::uuid, ${isUser ? null : merchant_uuid}::uuid,
      ${isUser ? null : supplier_uuid}::uuid, ${JSON.stringify(switches)}::jsonb)
    on conflict on constraint notice_settings_are_unique do update
    set kinds = stored.kinds || excluded.kinds, updated_on = market_now()`.execute(tx)
  await recordEntry(tx, {
    action: 'notifications.change',
    subject: {
      kind: 'notifications',
      id: user_uuid ?? merchant_uuid ?? supplier_uuid ?? 'operator',
    },
    merchant_uuid,
    before,
    after: await readSettings(tx, owner),
    ...(actor && { actor }),
  })
}

/** As many random bits as a token has. */
const TOKEN_BYTES = 32

/** The secret part of the links that stop a user's e-mails: the same in all of them. */
export async function unsubscribeTokenOf(tx: Tx, userUuid: string): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const { rows } = await sql<{ token: string }>`
    insert into unsubscribe_token (token, user_uuid) values (${token}, ${userUuid})
    on conflict (user_uuid) do update set token = unsubscribe_token.token
    returning token`.execute(tx)
  return rows[0].token
}

export interface Subscriber extends SettingOwner {
  user_uuid: string
  email: string
  name: string
}

/** The user of a link; undefined when there is no such link, or its user is gone. */
export async function findSubscriber(db: Db | Tx, token: string): Promise<Subscriber | undefined> {
  const { rows } = await sql<Subscriber>`
    select u.uuid as user_uuid, u.merchant_uuid, u.supplier_uuid, u.email, u.name
    from unsubscribe_token as link join app_user as u on u.uuid = link.user_uuid
    where link.token = ${token}`.execute(db)
  return rows[0]
}
