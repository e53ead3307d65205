/** Signing in with a password, setting one, and asking for a link by mail. */
import { sql } from 'kysely'
import { recordEntry } from '../audit/record-entry.ts'
import type { Db, Tx } from '../database/open.ts'
import { inTransaction } from '../database/transaction.ts'
import { Refusal } from '../lib/refusal.ts'
import type { TokenSummary } from '../merchants/token-store.ts'
import { type SendMail, signInMail } from './mails.ts'
import { isOutdated, type PasswordHash, type Passwords, refuseWeakPassword } from './password.ts'
import { endSessionsOf } from './session-store.ts'
import { type Attempt, countAttempt } from './sign-in-attempts.ts'
import { createRequestedLink } from './sign-in-link.ts'
import { nameOfOwner } from './user-store.ts'

export interface Credentials {
  email: string
  password: string
  /** Which account, where the address has several with the same password. */
  merchant_uuid?: string | undefined
  supplier_uuid?: string | undefined
}

/** Returns the user of the address and the password, and does not tell which of them is wrong. */
export async function findByPassword(
  db: Db,
  passwords: Passwords,
  { email, password, merchant_uuid, supplier_uuid }: Credentials,
): Promise<string> {
  let accounts = accountsOf(db, email)
    .innerJoin('user_password as stored', 'stored.user_uuid', 'app_user.uuid')
    .selectAll('stored')
  if (merchant_uuid !== undefined) accounts = accounts.where('merchant_uuid', '=', merchant_uuid)
  if (supplier_uuid !== undefined) accounts = accounts.where('supplier_uuid', '=', supplier_uuid)
  const [row] = await passwords.matching(password, await accounts.execute())
  if (!row) {
    throw new Refusal('unauthenticated', 'The e-mail address or the password is wrong.')
  }
  if (isOutdated(row)) {
    await storePassword(db, row.user_uuid, await passwords.hash(password))
  }
  return row.user_uuid
}

/** More than one person has; it bounds the work of a request. */
const ACCOUNTS_MAX = 20

/** The active users with the address, the one who signed in last first. */
function accountsOf(db: Db | Tx, email: string) {
  return db
    .selectFrom('app_user')
    .where(sql`lower(email)`, '=', sql`lower(${email.trim()})`)
    .where('active', '=', true)
    .orderBy('last_sign_in_on', (order) => order.desc().nullsLast())
    .orderBy('app_user.created_on')
    .limit(ACCOUNTS_MAX)
}

async function storePassword(db: Db | Tx, user_uuid: string, made: PasswordHash): Promise<void> {
  await db
    .insertInto('user_password')
    .values({ user_uuid, ...made })
    .onConflict((conflict) =>
      conflict.column('user_uuid').doUpdateSet({ ...made, set_on: sql`market_now()` }),
    )
    .execute()
}

interface NewPassword {
  password: string
  current_password?: string | undefined
}

/**
 * Sets the password of the caller's own user and ends its other sessions and its links. A session
 * that was not opened with a link must know the password that is replaced: a console that was left
 * open is not enough.
 */
export async function setPassword(
  db: Db,
  passwords: Passwords,
  caller: TokenSummary,
  { password, current_password }: NewPassword,
): Promise<void> {
  const { user } = caller
  if (!user) {
    const detail = 'This token belongs to no user, so it has no password; sign in as a user.'
    throw new Refusal('wrong_state', detail)
  }
  refuseWeakPassword(password, user.email)
  const stored = await db
    .selectFrom('user_password')
    .selectAll()
    .where('user_uuid', '=', user.uuid)
    .execute()
  if (stored.length > 0 && caller.opened_with !== 'link') {
    const known = await passwords.matching(current_password ?? '', stored)
    if (known.length === 0) throw wrongCurrent(current_password)
  }
  const made = await passwords.hash(password, await saltOf(db, user.email))
  await inTransaction(db, async (tx) => {
    const active = tx.selectFrom('app_user').select('uuid').where('uuid', '=', user.uuid)
    const locked = await active.where('active', '=', true).forNoKeyUpdate().executeTakeFirst()
    if (!locked) throw new Refusal('unauthenticated', 'The user was removed or deactivated.')
    await storePassword(tx, user.uuid, made)
    await endSessionsOf(tx, user.uuid, caller.uuid)
    const subject = { kind: 'user', id: user.uuid }
    await recordEntry(tx, { action: 'user.set_password', subject })
  })
}

function wrongCurrent(given: string | undefined): Refusal {
  const message = given === undefined ? 'is required to replace the password' : 'is wrong'
  return new Refusal('invalid_request', `current_password ${message}.`, {
    errors: [{ field: 'current_password', message }],
  })
}

/** The users of one address share a salt; see migrations/0034-people.sql. */
async function saltOf(db: Db, email: string): Promise<Buffer | undefined> {
  const accounts = accountsOf(db, email)
    .innerJoin('user_password as stored', 'stored.user_uuid', 'app_user.uuid')
    .select('stored.salt')
  return (await accounts.executeTakeFirst())?.salt
}

/**
 * Mails a link to every account of an address. Returns after how many seconds it may be asked for,
 * or 0 when it was. With or without an account there is one transaction, which writes.
 */
export function requestLink(
  db: Db,
  attempt: Attempt & { email: string },
  { publicUrl, sendMail }: { publicUrl: string; sendMail: SendMail | undefined },
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const waitSeconds = await countAttempt(tx, attempt)
    if (waitSeconds > 0 || !sendMail) return waitSeconds
    const users = await accountsOf(tx, attempt.email).selectAll('app_user').execute()
    for (const user of users) {
      const link = await createRequestedLink(tx, publicUrl, user)
      await sendMail(tx, signInMail(user, await nameOfOwner(tx, user), link))
    }
    return 0
  })
}
