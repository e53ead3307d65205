import { sql } from 'kysely'
import type { Db } from '../../src/database/open.ts'
import { newUuid } from '../../src/lib/uuid.ts'
import { makeNotices } from '../../src/notices/make-notices.ts'
import { openSupplier, type TestSupplier } from '../http/supplier/supplier-support.ts'
import { addStone, type OrderMarket, openOrderMarket } from '../orders/order-support.ts'
import type { MailServer, ReceivedMail } from './mail-server.ts'

export interface NoticeMarket extends OrderMarket {
  confirming: TestSupplier
  /** It needs no confirmation. */
  plain: TestSupplier
  /** The keys of sessions, by the name of their user. */
  sessions: Record<UserName, string>
  stone: (supplier?: TestSupplier) => Promise<string>
  operate: (
    path: string,
    body?: object,
  ) => Promise<{ status: number; body: Record<string, unknown> }>
  /** Notices of every event so far. */
  tell: () => Promise<void>
}

type UserName = 'buyer' | 'sales' | 'stock' | 'confirming' | 'plain'

/** A market with users on each side, and with notices that are made when a test says so. */
export async function openNoticeMarket(server?: MailServer): Promise<NoticeMarket> {
  const mail = server ? { ...server.settings, pauseMs: 300 } : null
  const market = await openOrderMarket({ mail, publicUrl: 'https://gems.example' })
  const { db } = market.database
  const confirming = await openSupplier(market, 'Confirming Stones', { confirms: true })
  const plain = await openSupplier(market, 'Plain Stones', {})
  const merchant_uuid = market.buyer.merchant.uuid
  const users = [
    ['buyer', 'owner', { merchant_uuid }],
    ['sales', 'sales', {}],
    ['stock', 'stock', {}],
    ['confirming', 'owner', { supplier_uuid: confirming.uuid }],
    ['plain', 'owner', { supplier_uuid: plain.uuid }],
  ] as const
  const sessions = {} as Record<UserName, string>
  for (const [name, role, owner] of users) {
    const uuid = newUuid()
    const owners = { merchant_uuid: null, supplier_uuid: null, ...owner }
    const email = `${name}@people.example`
    await db
      .insertInto('app_user')
      .values({ uuid, ...owners, email, name, role, last_sign_in_on: null })
      .execute()
    const type =
      owners.merchant_uuid !== null
        ? 'merchant'
        : owners.supplier_uuid === null
          ? 'admin'
          : 'supplier'
    const { token } = await market.token({ type, ...owner, user_uuid: uuid, is_session: true })
    sessions[name] = token
  }
  return {
    ...market,
    confirming,
    plain,
    sessions,
    stone: (supplier = plain) => addStone(db, { supplier_id: supplier.id }),
    operate: (path, body) =>
      market.call('POST', `/api/operator${path}`, { token: market.adminKey, body: body ?? {} }),
    tell: () => makeAllNotices(db),
  }
}

/** The app makes notices itself every second; this waits until nothing is left to be told. */
export async function makeAllNotices(db: Db): Promise<void> {
  for (;;) {
    await makeNotices(db)
    const { rows } = await sql<{ left: number }>`
      select (select count(*) from event where market_sequence is null)
        + (select last from market_event_clock) - (select last from notice_place) as left`.execute(
      db,
    )
    if (rows[0].left === 0) return
    await new Promise((done) => setTimeout(done, 10))
  }
}

/** The decoded text part of a mail. */
export function textPart({ raw }: ReceivedMail): string {
  return partOf(raw, 'text/plain')
}

export function htmlPart({ raw }: ReceivedMail): string {
  return partOf(raw, 'text/html')
}

function partOf(raw: string, type: string): string {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? ''
  const part =
    raw.split(`--${boundary}`).find((each) => each.includes(`Content-Type: ${type}`)) ?? ''
  const split = part.indexOf('\r\n\r\n')
  const head = part.slice(0, split)
  const body = part.slice(split + 4)
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  if (!/quoted-printable/i.test(head)) return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
const FRACTION_OF_A_SECOND = /(:\d{2})\.\d{3,6}/g

/**
 * A text without its UUIDs and the fractions of its times: both have random digits, which now and
 * then are those of an amount that the text must not contain.
 */
export function withoutIds(text: string): string {
  return text.replace(UUID, 'UUID').replace(FRACTION_OF_A_SECOND, '$1')
}
