import type { Static } from 'typebox'
import type { LinkSchema } from '../../../src/http/schemas/people/session.ts'
import type {
  InvitationBody,
  InvitedUserSchema,
  UserPatch,
  UserSchema,
} from '../../../src/http/schemas/people/user.ts'
import { call, newIdempotencyKey, type Page } from './client.ts'
import { session } from './session-store.ts'

export type User = Static<typeof UserSchema>
export type InvitedUser = Static<typeof InvitedUserSchema>

/** Each side has its users at a path of its own. */
function usersPath(): string {
  const role = session.get()?.role
  if (role === 'operator') return '/api/operator/users'
  return role === 'supplier' ? '/api/supplier/users' : '/api/v3/users'
}

export function listUsers(signal?: AbortSignal): Promise<Page<'users', typeof UserSchema>> {
  return call('GET', usersPath(), { query: { limit: 500 }, signal })
}

export function inviteUser(invitation: Static<typeof InvitationBody>): Promise<InvitedUser> {
  return call('POST', usersPath(), { body: invitation, idempotencyKey: newIdempotencyKey() })
}

export function changeUser(uuid: string, change: Static<typeof UserPatch>): Promise<User> {
  return call('PATCH', `${usersPath()}/{uuid}`, { path: { uuid }, body: change })
}

export function removeUser(uuid: string): Promise<void> {
  return call('DELETE', `${usersPath()}/{uuid}`, { path: { uuid } })
}

export function setPassword(password: string, current: string): Promise<void> {
  const body = { password, ...(current !== '' && { current_password: current }) }
  return call('PUT', '/api/v3/session/password', { body })
}

export function requestLink(email: string): Promise<Static<typeof LinkSchema>> {
  return call('POST', '/api/v3/session/link', { body: { email } })
}
