import type { Static } from 'typebox'
import type { LinkSchema } from '../../../src/http/schemas/people/session.ts'
import type {
  InvitationBody,
  InvitedUserSchema,
  UserPatch,
  UserSchema,
} from '../../../src/http/schemas/people/user.ts'
import { ROLES } from '../../../src/reference/roles.ts'
import { call, newIdempotencyKey, type Page } from './client.ts'
import { session } from './session-store.ts'

export type User = Static<typeof UserSchema>
export type InvitedUser = Static<typeof InvitedUserSchema>

const OPERATOR = '/api/operator/users'
const PATHS = { operator: OPERATOR, supplier: '/api/supplier/users', merchant: '/api/v3/users' }

/** The users of the side that is signed in. */
export function ownUsers(): UserBook {
  const side = session.get()?.role ?? 'merchant'
  return usersAt(PATHS[side], 'own', ROLES[side], {})
}

/** The users of a merchant or of a supplier, for the operator. */
export function usersOf(side: 'merchant' | 'supplier', uuid: string): UserBook {
  return usersAt(OPERATOR, uuid, ROLES[side], { [`${side}_uuid`]: uuid })
}

/** The users of one side, and where they are in the interface. */
export type UserBook = ReturnType<typeof usersAt>

function usersAt(path: string, id: string, roles: readonly User['role'][], owner: object) {
  const one = `${path}/{uuid}`
  type Listed = Page<'users', typeof UserSchema>
  return {
    /** Whose they are. */
    id,
    roles,
    list: (signal?: AbortSignal): Promise<Listed> =>
      call('GET', path, { query: { limit: 500, ...owner }, signal }),
    invite: (invitation: Static<typeof InvitationBody>): Promise<InvitedUser> => {
      const body = { ...invitation, ...owner }
      return call('POST', path, { body, idempotencyKey: newIdempotencyKey() })
    },
    change: (uuid: string, body: Static<typeof UserPatch>): Promise<User> =>
      call('PATCH', one, { path: { uuid }, body }),
    remove: (uuid: string): Promise<void> => call('DELETE', one, { path: { uuid } }),
  }
}

export function setPassword(password: string, current: string): Promise<void> {
  const body = { password, ...(current !== '' && { current_password: current }) }
  return call('PUT', '/api/v3/session/password', { body })
}

export function requestLink(email: string): Promise<Static<typeof LinkSchema>> {
  return call('POST', '/api/v3/session/link', { body: { email } })
}
