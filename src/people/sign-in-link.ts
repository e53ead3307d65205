import { sql } from 'kysely'
import { recordEntry } from '../audit/record-entry.ts'
import { readMarketTime } from '../database/clock.ts'
import type { Db, Tx } from '../database/open.ts'
import { withinTransaction } from '../database/transaction.ts'
import { Refusal } from '../lib/refusal.ts'
import { isoFromMilliseconds } from '../lib/timestamps.ts'
import { hashToken, newCode } from '../merchants/token.ts'
import type { Owner } from './user-store.ts'

/**
 * Links that sign a person in once. The code comes after the #, which browsers do not send, so that
 * no log and no proxy sees it. Only its hash is stored.
 */
export interface SignInLink {
  url: string
  expires_on: string
}

/** 256 random bits. */
const CODE_LENGTH = 44

const MINUTE_MS = 60_000
/** Printed by the command line, and used by the person who printed it. */
const CONSOLE_MS = 12 * 60 * MINUTE_MS
/** How long a mailed link works. */
export const LINK_MINUTES = {
  /** Somebody must read the mail first, perhaps tomorrow morning. */
  invitation: 24 * 60,
  /** Asked for a moment ago by the person who reads the mail. */
  sign_in: 30,
}

/** Creates a link that signs in as the merchant, the supplier or the operator, with every scope. */
export function createLink(db: Db, publicUrl: string, owner: Owner): Promise<SignInLink> {
  const { merchant_uuid, supplier_uuid } = owner
  return withinTransaction(db, async (tx) => {
    const row = { merchant_uuid, supplier_uuid, user_uuid: null }
    const link = await insertLink(tx, publicUrl, row, CONSOLE_MS)
    const id = merchant_uuid ?? supplier_uuid ?? 'operator'
    await recordLink(tx, { kind: 'sign_in_link', id }, merchant_uuid, link)
    return link
  })
}

/** The entry of the audit does not contain the link, only until when it can be used. */
function recordLink(
  tx: Tx,
  subject: { kind: string; id: string },
  merchant_uuid: string | null,
  { expires_on }: SignInLink,
): Promise<void> {
  const action = 'sign_in_link.create'
  return recordEntry(tx, { action, subject, merchant_uuid, after: { expires_on } })
}

/** Creates a link that a user asked for. */
export async function createRequestedLink(
  tx: Tx,
  publicUrl: string,
  user: { uuid: string; merchant_uuid: string | null },
): Promise<SignInLink> {
  const link = await createUserLink(tx, publicUrl, user.uuid, 'sign_in')
  await recordLink(tx, { kind: 'user', id: user.uuid }, user.merchant_uuid, link)
  return link
}

/** Creates a link that signs in a user. A new invitation takes the place of the earlier ones. */
export async function createUserLink(
  tx: Tx,
  publicUrl: string,
  userUuid: string,
  kind: keyof typeof LINK_MINUTES,
): Promise<SignInLink> {
  const invites = kind === 'invitation'
  if (invites) {
    const earlier = tx.deleteFrom('sign_in_link').where('user_uuid', '=', userUuid)
    await earlier.where('invites', '=', true).execute()
  }
  const row = { merchant_uuid: null, supplier_uuid: null, user_uuid: userUuid, invites }
  return insertLink(tx, publicUrl, row, LINK_MINUTES[kind] * MINUTE_MS)
}

async function insertLink(
  db: Db | Tx,
  publicUrl: string,
  row: Owner & { user_uuid: string | null; invites?: boolean },
  lifeMs: number,
): Promise<SignInLink> {
  const code = newCode(CODE_LENGTH)
  const nowMs = await readMarketTime(db)
  const expires_on = isoFromMilliseconds(nowMs + lifeMs)
  await removeOldLinks(db)
  await db
    .insertInto('sign_in_link')
    .values({ hash: hashToken(code), expires_on, ...row })
    .execute()
  return { url: `${publicUrl}/sign-in#${code}`, expires_on }
}

/** Whom the link would sign in. The caller locks the user before it uses the link. */
export async function readLink(tx: Tx, code: string) {
  const link = await tx
    .selectFrom('sign_in_link')
    .select(['merchant_uuid', 'supplier_uuid', 'user_uuid'])
    .where('hash', '=', hashToken(code))
    .executeTakeFirst()
  if (!link) throw usedOrExpired()
  return link
}

/** Marks the link as used. Of two requests at once, only one updates the row. */
export async function useLink(tx: Tx, code: string): Promise<void> {
  const used = await tx
    .updateTable('sign_in_link')
    .set({ used_on: sql`market_now()` })
    .where('hash', '=', hashToken(code))
    .where('used_on', 'is', null)
    .where('expires_on', '>', sql<string>`market_now()`)
    .returning('hash')
    .executeTakeFirst()
  if (!used) throw usedOrExpired()
}

/** The same for a link that never existed: what was guessed must not be told from what was used. */
export function usedOrExpired(): Refusal {
  const detail =
    'The link was used already or has expired. Ask for a new one where you got it; the ' +
    'operator prints one with "pavilion console" or "pavilion user invite".'
  return new Refusal('unauthenticated', detail)
}

/** Ends the links of a user, of every kind. */
export async function removeLinksOf(tx: Tx, userUuid: string): Promise<void> {
  await tx.deleteFrom('sign_in_link').where('user_uuid', '=', userUuid).execute()
}

async function removeOldLinks(db: Db | Tx): Promise<void> {
  await db
    .deleteFrom('sign_in_link')
    .where('expires_on', '<', sql<string>`market_now() - interval '1 day'`)
    .execute()
}
