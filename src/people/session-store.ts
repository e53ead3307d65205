import { sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import type { Timestamp } from '../database/tables/columns.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Scope } from '../reference/roles.ts'
import { removeLinksOf } from './sign-in-link.ts'
import type { Owner } from './user-store.ts'

/** Ends all sessions and links of a user, except one session where it is given. */
export async function endSessionsOf(tx: Tx, userUuid: string, except?: string): Promise<void> {
  let sessions = tx
    .updateTable('token')
    .set({ revoked_on: sql`market_now()` })
    .where('user_uuid', '=', userUuid)
    .where('revoked_on', 'is', null)
  if (except !== undefined) sessions = sessions.where('uuid', '<>', except)
  await sessions.execute()
  await removeLinksOf(tx, userUuid)
}

/** Gives the open sessions of a user the scopes of its new role. */
export async function rescopeSessions(
  tx: Tx,
  userUuid: string,
  scopes: readonly Scope[],
): Promise<void> {
  await tx
    .updateTable('token')
    .set({ scopes: [...scopes] })
    .where('user_uuid', '=', userUuid)
    .where('revoked_on', 'is', null)
    .execute()
}

export interface SessionRow {
  uuid: string
  user_uuid: string | null
  user_name: string | null
  user_email: string | null
  opened_with: 'link' | 'password' | 'key' | null
  created_on: Timestamp
  expires_on: Timestamp | null
  last_used_on: Timestamp | null
}

/** Which sessions: those of one user, or of all users of an owner and those without a user. */
interface SessionFilter {
  owner: Owner
  user_uuid?: string | undefined
  /** A session without a user sees itself only. */
  uuid?: string | undefined
}

function livingSessions(db: Db | Tx, { owner, user_uuid, uuid }: SessionFilter) {
  const { merchant_uuid, supplier_uuid } = owner
  let sessions = db
    .selectFrom('token')
    .leftJoin('app_user', 'app_user.uuid', 'token.user_uuid')
    .where('token.is_session', '=', true)
    .where('token.revoked_on', 'is', null)
    .where('token.expires_on', '>', sql<string>`market_now()`)
    .where('token.merchant_uuid', merchant_uuid === null ? 'is' : '=', merchant_uuid)
    .where('token.supplier_uuid', supplier_uuid === null ? 'is' : '=', supplier_uuid)
  if (user_uuid !== undefined) sessions = sessions.where('token.user_uuid', '=', user_uuid)
  if (uuid !== undefined) sessions = sessions.where('token.uuid', '=', uuid)
  return sessions
}

/** The open sessions, newest first. */
export async function listSessions(
  db: Db,
  filter: SessionFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ sessions: SessionRow[]; total: number }> {
  const living = livingSessions(db, filter)
  const sessions = await living
    .select([
      'token.uuid',
      'token.user_uuid',
      'app_user.name as user_name',
      'app_user.email as user_email',
      'token.opened_with',
      'token.created_on',
      'token.expires_on',
      'token.last_used_on',
    ])
    .orderBy('token.created_on', 'desc')
    .orderBy('token.uuid', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await living
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { sessions, total }
}

/** Refuses a session that is not among them, as if it did not exist. */
export async function requireSession(tx: Tx, uuid: string, filter: SessionFilter): Promise<void> {
  const living = livingSessions(tx, filter).where('token.uuid', '=', uuid)
  const found = await living.select('token.uuid').executeTakeFirst()
  if (!found) throw new Refusal('not_found', `There is no session ${uuid}.`)
}
