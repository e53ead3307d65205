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
export type Invitation = Static<typeof InvitationBody>

/** The users of one side, and where they are in the interface. */
export interface UserBook {
  /** Whose they are. */
  id: string
  roles: readonly User['role'][]
  list(signal?: AbortSignal): Promise<Page<'users', typeof UserSchema>>
  invite(invitation: Invitation): Promise<InvitedUser>
  change(uuid: string, change: Static<typeof UserPatch>): Promise<User>
  remove(uuid: string): Promise<void>
}

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

function usersAt(path: string, id: string, roles: UserBook['roles'], owner: object): UserBook {
  const one = `${path}/{uuid}`
  return {
    id,
    roles,
    list: (signal) => call('GET', path, { query: { limit: 500, ...owner }, signal }),
    invite: (invitation) => {
      const body = { ...invitation, ...owner }
      return call('POST', path, { body, idempotencyKey: newIdempotencyKey() })
    },
    change: (uuid, body) => call('PATCH', one, { path: { uuid }, body }),
    remove: (uuid) => call('DELETE', one, { path: { uuid } }),
  }
}

export function setPassword(password: string, current: string): Promise<void> {
  const body = { password, ...(current !== '' && { current_password: current }) }
  return call('PUT', '/api/v3/session/password', { body })
}

export function requestLink(email: string): Promise<Static<typeof LinkSchema>> {
  return call('POST', '/api/v3/session/link', { body: { email } })
}
