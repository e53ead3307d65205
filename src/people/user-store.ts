import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import type { Timestamp } from '../database/tables/columns.ts'
import type { UserTable } from '../database/tables/people.ts'
import { lockName } from '../database/transaction.ts'
import { Refusal } from '../lib/refusal.ts'
import { newUuid } from '../lib/uuid.ts'
import { ownerOf } from '../merchants/token-owner.ts'
import type { Role, Side } from '../reference/roles.ts'

/** Whose users they are: a merchant's, a supplier's, or the operator's when both are null. */
export interface Owner {
  merchant_uuid: string | null
  supplier_uuid: string | null
}

export const OPERATOR: Owner = { merchant_uuid: null, supplier_uuid: null }

export function sideOf({ merchant_uuid, supplier_uuid }: Owner): Side {
  if (merchant_uuid !== null) return 'merchant'
  return supplier_uuid === null ? 'operator' : 'supplier'
}

export type User = Omit<Selectable<UserTable>, 'role'> & {
  role: Role
  has_password: boolean
  /** When the invitation ends; null without one. */
  invited_until: Timestamp | null
}

// biome-ignore format: a list of columns
const COLUMNS = [
  'uuid', 'merchant_uuid', 'supplier_uuid', 'email', 'name', 'role', 'active', 'created_on',
  'updated_on', 'last_sign_in_on',
] as const

const HAS_PASSWORD = sql<boolean>`exists (
  select from user_password where user_uuid = app_user.uuid)`.as('has_password')
const INVITED_UNTIL = sql<Timestamp | null>`(
  select max(expires_on) from sign_in_link
  where user_uuid = app_user.uuid and invites and used_on is null
    and expires_on > market_now())`.as('invited_until')

/** The users, as their owner or the operator sees them. */
function usersIn(db: Db | Tx) {
  return db.selectFrom('app_user').select([...COLUMNS, HAS_PASSWORD, INVITED_UNTIL])
}

/** Stands for the operator, which has no row of its own, in the index of the addresses. */
const NO_OWNER = '00000000-0000-0000-0000-000000000000'
const OWNER = sql<string>`coalesce(merchant_uuid, supplier_uuid, ${sql.lit(NO_OWNER)})`

function idOf(owner: Owner): string {
  return ownerOf(owner) ?? NO_OWNER
}

/**
 * Everything that adds, changes or removes a user of an owner holds this lock, so that of two
 * removals at once the second one sees the first. It is taken before every other lock.
 */
export async function lockUsers(tx: Tx, owner: Owner): Promise<void> {
  await lockName(tx, `users ${idOf(owner)}`)
}

interface UserPage {
  limit: number
  offset: number
  q?: string | undefined
  active?: boolean | undefined
}

/** Lists the users of an owner, by e-mail address. */
export async function listUsers(
  db: Db,
  owner: Owner,
  { limit, offset, q, active }: UserPage,
): Promise<{ users: User[]; total: number }> {
  let matching = db.selectFrom('app_user').where(OWNER, '=', idOf(owner))
  if (active !== undefined) matching = matching.where('active', '=', active)
  if (q !== undefined) {
    // position instead of like: a % or _ in the text is not a pattern.
    const found = sql<boolean>`position(lower(${q}) in lower(email || ' ' || name)) > 0`
    matching = matching.where(found)
  }
  const users = await matching
    .select([...COLUMNS, HAS_PASSWORD, INVITED_UNTIL])
    .orderBy((eb) => eb.fn('lower', ['email']))
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { users: users as User[], total }
}

/** A user of this owner; of any owner when it is undefined, for the operator. */
export async function getUser(db: Db | Tx, uuid: string, owner: Owner | undefined): Promise<User> {
  let matching = usersIn(db).where('uuid', '=', uuid)
  if (owner) matching = matching.where(OWNER, '=', idOf(owner))
  const user = await matching.executeTakeFirst()
  if (!user) throw new Refusal('not_found', `There is no user ${uuid}.`)
  return user as User
}

export async function findUserByEmail(
  db: Db | Tx,
  owner: Owner,
  email: string,
): Promise<User | undefined> {
  const user = await usersIn(db)
    .where(OWNER, '=', idOf(owner))
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
  return user as User | undefined
}

export async function countUsers(tx: Tx, owner: Owner): Promise<number> {
  const { count } = await tx
    .selectFrom('app_user')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(OWNER, '=', idOf(owner))
    .executeTakeFirstOrThrow()
  return count
}

/** How many other active users of the owner have the role. */
export async function countOthers(tx: Tx, user: User, role: Role): Promise<number> {
  const { count } = await tx
    .selectFrom('app_user')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(OWNER, '=', idOf(user))
    .where('uuid', '<>', user.uuid)
    .where('role', '=', role)
    .where('active', '=', true)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertUser(
  tx: Tx,
  owner: Owner,
  { email, name, role }: { email: string; name: string; role: Role },
): Promise<User> {
  const uuid = newUuid()
  const { merchant_uuid, supplier_uuid } = owner
  const row = { uuid, merchant_uuid, supplier_uuid, email, name, role }
  await tx.insertInto('app_user').values(row).execute()
  return getUser(tx, uuid, owner)
}

export interface UserChange {
  name?: string
  role?: Role
  active?: boolean
}

export async function updateUser(tx: Tx, uuid: string, change: UserChange): Promise<User> {
  await tx
    .updateTable('app_user')
    .set({ ...change, updated_on: sql`market_now()` })
    .where('uuid', '=', uuid)
    .execute()
  return getUser(tx, uuid, undefined)
}

export async function deleteUser(tx: Tx, uuid: string): Promise<void> {
  await tx.deleteFrom('app_user').where('uuid', '=', uuid).execute()
}

/** What a mail or a console calls the owner. */
export async function nameOfOwner(db: Db | Tx, owner: Owner): Promise<string> {
  const { merchant_uuid, supplier_uuid } = owner
  if (merchant_uuid !== null) {
    const merchant = db.selectFrom('merchant').select('legal_dba').where('uuid', '=', merchant_uuid)
    return (await merchant.executeTakeFirstOrThrow()).legal_dba
  }
  if (supplier_uuid === null) return 'the operator'
  const supplier = db.selectFrom('supplier').select('name').where('uuid', '=', supplier_uuid)
  return (await supplier.executeTakeFirstOrThrow()).name
}
