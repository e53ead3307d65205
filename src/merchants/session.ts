import type { Db } from '../database/open.ts'
import { inTransaction } from '../database/transaction.ts'
import { Refusal } from '../lib/refusal.ts'
import { millisecondsOf } from '../lib/timestamps.ts'
import { type Merchant, whyNotAdmitted } from './merchant.ts'
import { useLink } from './session-links.ts'
import { hashToken, type Realm, SCOPES, type Scope } from './token.ts'
import { createToken, findToken, type TokenSummary } from './token-store.ts'

/** How long a signed-in person may stay without signing in again. */
const SESSION_HOURS = 12
const SESSION_NAME = 'console session'

/** A session as it begins: the only time that its token is shown. */
interface Session {
  session: TokenSummary & { token: string }
  merchant: Merchant | undefined
}

/** Exchanges the code of a one-time link for a session. The link works once. */
export function openSessionByLink(db: Db, realm: Realm, code: string): Promise<Session> {
  return inTransaction(db, async (tx) => {
    const merchant = await useLink(tx, code)
    const session = await createToken(tx, {
      realm,
      type: merchant ? 'merchant' : 'admin',
      name: SESSION_NAME,
      expires_on: endOfSession(),
      is_session: true,
      ...(merchant && { merchant_uuid: merchant.uuid }),
    })
    return { session, merchant }
  })
}

/** Exchanges a key for a session that may do what the key may, and ends with the key. */
export async function openSessionByKey(db: Db, realm: Realm, key: string): Promise<Session> {
  const known = await findToken(db, hashToken(key))
  if (!known || hasEnded(known.token)) {
    throw new Refusal('unauthenticated', 'The key is not known, or it has ended.')
  }
  const { token, merchant } = known
  const refused = merchant && whyNotAdmitted(merchant)
  if (refused) throw new Refusal('api_not_enabled', refused)
  const session = await createToken(db, {
    realm,
    type: merchant ? 'merchant' : 'admin',
    name: SESSION_NAME,
    scopes: SCOPES.filter((scope: Scope) => token.scopes.includes(scope)),
    expires_on: endOfSession(token.expires_on),
    is_session: true,
    opened_by: token.uuid,
    ...(merchant && { merchant_uuid: merchant.uuid }),
  })
  return { session, merchant }
}

/** A session never outlives the key that opened it. */
function endOfSession(keyEnds: string | null = null): Date {
  const ends = Date.now() + SESSION_HOURS * 3_600_000
  return new Date(keyEnds === null ? ends : Math.min(ends, millisecondsOf(keyEnds)))
}

function hasEnded({ revoked_on, expires_on }: TokenSummary): boolean {
  if (revoked_on !== null) return true
  return expires_on !== null && millisecondsOf(expires_on) <= Date.now()
}
