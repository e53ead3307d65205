import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { recordEntry } from '../audit/record-entry.ts'
import { readMarketTime } from '../database/clock.ts'
import type { Db, Tx } from '../database/open.ts'
import { withinTransaction } from '../database/transaction.ts'
import { Refusal } from '../lib/refusal.ts'
import { millisecondsOf } from '../lib/timestamps.ts'
import { SCOPES, type Scope, WIDE_SCOPES } from '../reference/roles.ts'
import { type Merchant, whyNotAdmitted } from './merchant.ts'
import { hashToken, type Realm } from './token.ts'
import { addressNotAllowed } from './token-addresses.ts'
import { createToken, findToken, hasEnded, lockMaker, type NewToken } from './token-store.ts'

/**
 * Sessions of the console. A session is a token that ends by itself; a person opens one with a key,
 * or with a link that works once.
 */
const SESSION_HOURS = 12
const SESSION_NAME = 'console session'

/** A new session. Its token is shown here and never again. */
interface Session {
  session: NewToken
  merchant: Merchant | undefined
}

/** Exchanges the code of a link for a session with every scope. The link works once. */
export async function openSessionByLink(tx: Tx, realm: Realm, code: string): Promise<Session> {
  const merchant = await useLink(tx, code)
  const session = await createToken(tx, {
    realm,
    type: merchant ? 'merchant' : 'admin',
    name: SESSION_NAME,
    scopes: WIDE_SCOPES,
    expires_on: endOfSession(await readMarketTime(tx)),
    is_session: true,
    ...(merchant && { merchant_uuid: merchant.uuid }),
  })
  return { session, merchant }
}

/** Exchanges a key for a session that may do the same, and that ends with the key at the latest. */
export async function openSessionByKey(
  tx: Tx,
  realm: Realm,
  key: string,
  address: string,
): Promise<Session> {
  const known = await findToken(tx, hashToken(key))
  if (!known) throw new Refusal('unauthenticated', 'The key is unknown or has expired.')
  const { token, merchant, allows } = known
  if (token.type === 'supplier') {
    const detail = "The console has no pages for suppliers; use the key with the supplier's API."
    throw new Refusal('forbidden', detail)
  }
  const refused = merchant && whyNotAdmitted(merchant)
  if (refused) throw new Refusal('api_not_enabled', refused)
  if (allows && !allows(address)) throw addressNotAllowed(address)
  return { session: await createSession(tx, realm, token.uuid), merchant }
}

/** Locks the key, so that a revocation at the same time either is seen or ends the session. */
async function createSession(tx: Tx, realm: Realm, keyUuid: string): Promise<NewToken> {
  const key = await lockMaker(tx, keyUuid)
  const nowMs = await readMarketTime(tx)
  if (!key || hasEnded(key, nowMs)) {
    throw new Refusal('unauthenticated', 'The key is unknown or has expired.')
  }
  const { merchant_uuid, rate_limit_per_minute } = key
  return createToken(tx, {
    realm,
    type: merchant_uuid === null ? 'admin' : 'merchant',
    name: SESSION_NAME,
    scopes: SCOPES.filter((scope: Scope) => key.scopes.includes(scope)),
    expires_on: endOfSession(nowMs, key.expires_on),
    is_session: true,
    made_by: key.uuid,
    allowed_addresses: key.allowed_addresses,
    ...(rate_limit_per_minute !== null && { rate_limit_per_minute }),
    ...(merchant_uuid !== null && { merchant_uuid }),
  })
}

/** A session never outlives the key that opened it. */
function endOfSession(nowMs: number, keyExpiresOn: string | null = null): Date {
  const ends = nowMs + SESSION_HOURS * 3_600_000
  return new Date(keyExpiresOn === null ? ends : Math.min(ends, millisecondsOf(keyExpiresOn)))
}

const LINK_HOURS = 12

interface SignInLink {
  url: string
  expires_on: string
}

/**
 * Creates a link that signs a person in once: as the merchant, or as the operator when it is null.
 * The code comes after the #, which browsers do not send, so that no log and no proxy sees it.
 */
export async function createLink(
  db: Db,
  publicUrl: string,
  merchant_uuid: string | null,
): Promise<SignInLink> {
  const code = newCode()
  const nowMs = await readMarketTime(db)
  const expires_on = new Date(nowMs + LINK_HOURS * 3_600_000).toISOString()
  await withinTransaction(db, async (tx) => {
    await removeOldLinks(tx)
    await tx
      .insertInto('sign_in_link')
      .values({ hash: hashToken(code), merchant_uuid, expires_on })
      .execute()
    await recordEntry(tx, {
      action: 'sign_in_link.create',
      subject: { kind: 'sign_in_link', id: merchant_uuid ?? 'operator' },
      merchant_uuid,
      after: { expires_on },
    })
  })
  return { url: `${publicUrl}/sign-in#${code}`, expires_on }
}

/** Marks the link as used. Of two requests at once, only one updates the row. */
async function useLink(tx: Tx, code: string): Promise<Merchant | undefined> {
  const link = await tx
    .updateTable('sign_in_link')
    .set({ used_on: sql`market_now()` })
    .where('hash', '=', hashToken(code))
    .where('used_on', 'is', null)
    .where('expires_on', '>', sql<string>`market_now()`)
    .returning('merchant_uuid')
    .executeTakeFirst()
  if (!link) {
    const detail = 'The link was used already or has expired; "pavilion console" prints a new one.'
    throw new Refusal('unauthenticated', detail)
  }
  if (link.merchant_uuid === null) return undefined
  const merchant = await tx
    .selectFrom('merchant')
    .selectAll()
    .where('uuid', '=', link.merchant_uuid)
    .executeTakeFirstOrThrow()
  const refused = whyNotAdmitted(merchant)
  if (refused) throw new Refusal('api_not_enabled', refused)
  return merchant
}

async function removeOldLinks(db: Db): Promise<void> {
  await db
    .deleteFrom('sign_in_link')
    .where('expires_on', '<', sql<string>`market_now() - interval '1 day'`)
    .execute()
}

const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const CODE_LENGTH = 32

/** 187 random bits, in characters that are not mistaken for one another. */
function newCode(): string {
  let code = ''
  for (let count = 0; count < CODE_LENGTH; count++) code += ALPHABET[randomInt(ALPHABET.length)]
  return code
}
