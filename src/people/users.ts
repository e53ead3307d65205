/** Inviting, changing and removing the users of a merchant, of a supplier and of the operator. */
import { recordEntry } from '../audit/record-entry.ts'
import type { Tx } from '../database/open.ts'
import { Refusal } from '../lib/refusal.ts'
import { isMailAddress } from '../lib/smtp-url.ts'
import { isoOrNull, isoWithOffset } from '../lib/timestamps.ts'
import { refuseScopesBeyond } from '../merchants/token-maker.ts'
import type { TokenSummary } from '../merchants/token-store.ts'
import { highestRole, ROLES, type Role, scopesOfRole } from '../reference/roles.ts'
import { invitationMail, type SendMail } from './mails.ts'
import { endSessionsOf, rescopeSessions } from './session-store.ts'
import { createUserLink, type SignInLink } from './sign-in-link.ts'
import {
  countOthers,
  countUsers,
  deleteUser,
  findUserByEmail,
  getUser,
  insertUser,
  lockUsers,
  nameOfOwner,
  type Owner,
  sideOf,
  type User,
  type UserChange,
  updateUser,
} from './user-store.ts'

/** More people than a shop or an office has; the list of users is read by people. */
const USERS_MAX = 500

/** Who acts, and how links and mails leave. */
interface UserContext {
  /** Undefined on the command line, whose user owns the installation. */
  caller: TokenSummary | undefined
  publicUrl: string
  /** Undefined where no mail server is set. */
  sendMail: SendMail | undefined
}

interface Invitation {
  email: string
  name?: string
  role: string
}

export interface InvitedUser {
  user: User
  link: SignInLink
  mailed: boolean
}

/** Adds a user and creates its link. An address that is invited again gets a new link only. */
export async function inviteUser(
  tx: Tx,
  owner: Owner,
  invitation: Invitation,
  { caller, publicUrl, sendMail }: UserContext,
): Promise<InvitedUser> {
  const role = roleFrom(owner, invitation.role)
  if (caller) refuseScopesBeyond(caller, scopesOfRole(sideOf(owner), role))
  await lockUsers(tx, owner)
  const email = emailFrom(invitation.email)
  const known = await findUserByEmail(tx, owner, email)
  if (known) refuseRenewal(known, role)
  const user = known ?? (await addUser(tx, owner, { email, name: invitation.name, role }))
  const link = await createUserLink(tx, publicUrl, user.uuid, 'invitation')
  if (sendMail) await sendMail(tx, invitationMail(user, await nameOfOwner(tx, owner), link))
  const mailed = sendMail !== undefined
  const invited = await getUser(tx, user.uuid, owner)
  await record(tx, 'user.invite', known ?? null, invited)
  return { user: invited, link, mailed }
}

async function addUser(
  tx: Tx,
  owner: Owner,
  { email, name, role }: { email: string; name: string | undefined; role: Role },
): Promise<User> {
  if ((await countUsers(tx, owner)) >= USERS_MAX) {
    const detail = `There are ${USERS_MAX} users already; remove one that is not needed.`
    throw new Refusal('user_limit', detail, { extra: { limit: USERS_MAX } })
  }
  // Until somebody types a name, the address says who it is.
  return insertUser(tx, owner, { email, name: name?.trim() || email, role })
}

/** The command line and HTTP refuse the same addresses as the mail server would. */
function emailFrom(text: string): string {
  const email = text.trim()
  if (isMailAddress(email)) return email
  throw new Refusal('invalid_request', 'email must be an e-mail address.', {
    errors: [{ field: 'email', message: 'must be an e-mail address' }],
  })
}

function refuseRenewal({ email, uuid, role, active }: User, wanted: Role): void {
  if (!active) {
    const detail = `${email} is a user who was deactivated; activate the user ${uuid} first.`
    throw new Refusal('wrong_state', detail, { extra: { uuid } })
  }
  if (role !== wanted) {
    const detail = `${email} is a user already, with the role ${role}; change the role instead.`
    throw new Refusal('email_taken', detail, { extra: { uuid } })
  }
}

/** Changes name, role or activity. What the user may do changes at once, on every node. */
export async function changeUser(
  tx: Tx,
  user: User,
  change: Omit<UserChange, 'role'> & { role?: string },
  caller: TokenSummary | undefined,
): Promise<User> {
  const side = sideOf(user)
  const role = change.role === undefined ? undefined : roleFrom(user, change.role)
  const before = await lockForChange(tx, user, caller)
  if (caller && role) refuseScopesBeyond(caller, scopesOfRole(side, role))
  const after = { ...before, ...change, role: role ?? before.role }
  if (!after.active || after.role !== highestRole(side)) await refuseLast(tx, before)
  const { name } = change
  const changed = await updateUser(tx, before.uuid, {
    role: after.role,
    active: after.active,
    ...(name !== undefined && { name: name.trim() }),
  })
  if (!after.active) await endSessionsOf(tx, before.uuid)
  else if (after.role !== before.role) {
    await rescopeSessions(tx, before.uuid, scopesOfRole(side, after.role))
  }
  await record(tx, 'user.update', before, changed)
  return changed
}

/** Removes a user. Its sessions end at once, on every node. */
export async function removeUser(
  tx: Tx,
  user: User,
  caller: TokenSummary | undefined,
): Promise<void> {
  const before = await lockForChange(tx, user, caller)
  await refuseLast(tx, before)
  await endSessionsOf(tx, before.uuid)
  await deleteUser(tx, before.uuid)
  await record(tx, 'user.remove', before, null)
}

function record(tx: Tx, action: string, before: User | null, after: User | null): Promise<void> {
  const { uuid, merchant_uuid } = (after ?? before) as User
  return recordEntry(tx, {
    action,
    subject: { kind: 'user', id: uuid },
    merchant_uuid,
    before,
    after,
  })
}

/** The user as it is now that nobody else can change it. */
async function lockForChange(tx: Tx, user: User, caller: TokenSummary | undefined): Promise<User> {
  await lockUsers(tx, user)
  const locked = await getUser(tx, user.uuid, user)
  // Otherwise a key with few scopes could take the place of an owner.
  if (caller) refuseScopesBeyond(caller, scopesOfRole(sideOf(locked), locked.role))
  return locked
}

/** Somebody must remain who can invite others. */
async function refuseLast(tx: Tx, user: User): Promise<void> {
  const highest = highestRole(sideOf(user))
  if (!user.active || user.role !== highest) return
  if ((await countOthers(tx, user, highest)) > 0) return
  const detail =
    `${user.email} is the last active user with the role ${highest}; ` +
    `give another user this role first.`
  throw new Refusal('last_owner', detail)
}

function roleFrom(owner: Owner, text: string): Role {
  const possible: readonly Role[] = ROLES[sideOf(owner)]
  const role = possible.find((each) => each === text)
  if (role) return role
  const message = `must be ${possible.slice(0, -1).join(', ')} or ${possible.at(-1)}`
  throw new Refusal('invalid_request', `role ${message}.`, { errors: [{ field: 'role', message }] })
}

/** A user as HTTP and the command line show it. */
export function renderUser(user: User) {
  return {
    ...user,
    scopes: [...scopesOfRole(sideOf(user), user.role)],
    created_on: isoWithOffset(user.created_on),
    updated_on: isoWithOffset(user.updated_on),
    last_sign_in_on: isoOrNull(user.last_sign_in_on),
    invited_until: isoOrNull(user.invited_until),
  }
}

/** The answer to an invitation, the only time when the link is known. */
export function renderInvited({ user, link, mailed }: InvitedUser) {
  return { ...renderUser(user), link: link.url, link_expires_on: link.expires_on, mailed }
}
