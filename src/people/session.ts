import { sql } from 'kysely'
import { readMarketTime } from '../database/clock.ts'
import type { Tx } from '../database/open.ts'
import { Refusal } from '../lib/refusal.ts'
import { millisecondsOf } from '../lib/timestamps.ts'
import { findToken } from '../merchants/known-tokens.ts'
import { type Merchant, whyNotAdmitted } from '../merchants/merchant.ts'
import { hashToken, type Realm, type TokenType } from '../merchants/token.ts'
import { addressNotAllowed } from '../merchants/token-addresses.ts'
import { createToken, hasEnded, lockMaker, type NewToken } from '../merchants/token-store.ts'
import { highestRole, SCOPES, type Side, scopesOfRole } from '../reference/roles.ts'
import { readLink, usedOrExpired, useLink } from './sign-in-link.ts'
import { type Owner, sideOf } from './user-store.ts'

/**
 * Sessions of people. A session is a token that ends by itself; a person opens one with a link that
 * works once, with a password, or with a key.
 */
const SESSION_HOURS = 12
const SESSION_NAME = 'console session'

/** A new session. Its token is shown here and never again. */
export interface Session {
  session: NewToken
  merchant: Merchant | undefined
}

/** Exchanges the code of a link for a session. The link works once. */
export async function openSessionByLink(tx: Tx, realm: Realm, code: string): Promise<Session> {
  const { user_uuid, ...owner } = await readLink(tx, code)
  if (user_uuid !== null) {
    // The user first, then the link: so does a deactivation.
    const session = await openUserSession(tx, realm, user_uuid, 'link')
    await useLink(tx, code)
    return session
  }
  await useLink(tx, code)
  const merchant = await readMerchant(tx, owner)
  const side = sideOf(owner)
  const session = await createToken(tx, {
    ...ownerFields(owner),
    realm,
    type: TYPE_OF[side],
    name: SESSION_NAME,
    scopes: scopesOfRole(side, highestRole(side)),
    expires_on: endOfSession(await readMarketTime(tx)),
    is_session: true,
    opened_with: 'link',
  })
  return { session, merchant }
}

/**
 * Opens a session of a user with the scopes of its role. The update locks the user: a deactivation
 * or a change of its role at the same time either is seen here or reaches the session.
 */
export async function openUserSession(
  tx: Tx,
  realm: Realm,
  userUuid: string,
  opened_with: 'link' | 'password',
): Promise<Session> {
  const user = await tx
    .updateTable('app_user')
    .set({ last_sign_in_on: sql`market_now()` })
    .where('uuid', '=', userUuid)
    .where('active', '=', true)
    .returning(['uuid', 'merchant_uuid', 'supplier_uuid', 'role'])
    .executeTakeFirst()
  if (!user) throw usedOrExpired()
  const merchant = await readMerchant(tx, user)
  const side = sideOf(user)
  const session = await createToken(tx, {
    ...ownerFields(user),
    realm,
    type: TYPE_OF[side],
    name: SESSION_NAME,
    scopes: scopesOfRole(side, user.role),
    expires_on: endOfSession(await readMarketTime(tx)),
    is_session: true,
    user_uuid: user.uuid,
    opened_with,
  })
  return { session, merchant }
}

const TYPE_OF: Record<Side, TokenType> = {
  merchant: 'merchant',
  supplier: 'supplier',
  operator: 'admin',
}

function ownerFields({ merchant_uuid, supplier_uuid }: Owner) {
  return {
    ...(merchant_uuid !== null && { merchant_uuid }),
    ...(supplier_uuid !== null && { supplier_uuid }),
  }
}

async function readMerchant(tx: Tx, { merchant_uuid }: Owner): Promise<Merchant | undefined> {
  if (merchant_uuid === null) return undefined
  const merchant = await tx
    .selectFrom('merchant')
    .selectAll()
    .where('uuid', '=', merchant_uuid)
    .executeTakeFirstOrThrow()
  const refused = whyNotAdmitted(merchant)
  if (refused) throw new Refusal('api_not_enabled', refused)
  return merchant
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
  if (token.type === 'publishable') {
    const detail = 'A publishable key is for the pages of a shop; nobody signs in with it.'
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
  const { rate_limit_per_minute } = key
  return createToken(tx, {
    ...ownerFields(key),
    realm,
    type: TYPE_OF[sideOf(key)],
    name: SESSION_NAME,
    scopes: SCOPES.filter((scope) => key.scopes.includes(scope)),
    expires_on: endOfSession(nowMs, key.expires_on),
    is_session: true,
    made_by: key.uuid,
    allowed_addresses: key.allowed_addresses,
    opened_with: 'key',
    // A session can be exchanged for another one; it is still the session of its user.
    ...(key.user && { user_uuid: key.user.uuid }),
    ...(rate_limit_per_minute !== null && { rate_limit_per_minute }),
  })
}

/** A session never outlives the key that opened it. */
function endOfSession(nowMs: number, keyExpiresOn: string | null = null): Date {
  const ends = nowMs + SESSION_HOURS * 3_600_000
  return new Date(keyExpiresOn === null ? ends : Math.min(ends, millisecondsOf(keyExpiresOn)))
}
