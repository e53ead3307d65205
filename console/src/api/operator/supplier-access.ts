import type { Static } from 'typebox'
import type {
  InvitationBody,
  OperatorInvitedSchema,
  OperatorUserSchema,
  UserPatch,
} from '../../../../src/http/schemas/people/user.ts'
import type {
  CreatedTokenSchema,
  RotationBody,
  TokenSchema,
} from '../../../../src/http/schemas/token.ts'
import { call, newIdempotencyKey, type Page } from '../client.ts'

/** The people and the keys of a supplier, as the operator sees and makes them. */
export type SupplierUser = Static<typeof OperatorUserSchema>
export type InvitedSupplierUser = Static<typeof OperatorInvitedSchema>
export type SupplierKey = Static<typeof TokenSchema>
export type CreatedSupplierKey = Static<typeof CreatedTokenSchema>

export function listSupplierUsers(
  supplier_uuid: string,
  signal?: AbortSignal,
): Promise<Page<'users', typeof OperatorUserSchema>> {
  return call('GET', '/api/operator/users', { query: { supplier_uuid, limit: 500 }, signal })
}

export function inviteSupplierUser(
  supplier_uuid: string,
  invitation: Static<typeof InvitationBody>,
): Promise<InvitedSupplierUser> {
  const body = { ...invitation, supplier_uuid }
  return call('POST', '/api/operator/users', { body, idempotencyKey: newIdempotencyKey() })
}

export function changeSupplierUser(
  uuid: string,
  change: Static<typeof UserPatch>,
): Promise<SupplierUser> {
  return call('PATCH', '/api/operator/users/{uuid}', { path: { uuid }, body: change })
}

export function removeSupplierUser(uuid: string): Promise<void> {
  return call('DELETE', '/api/operator/users/{uuid}', { path: { uuid } })
}

export function listSupplierKeys(
  supplier_uuid: string,
  signal?: AbortSignal,
): Promise<Page<'tokens', typeof TokenSchema>> {
  return call('GET', '/api/operator/tokens', { query: { supplier_uuid, limit: 1000 }, signal })
}

export function createSupplierKey(
  supplier_uuid: string,
  name: string,
): Promise<CreatedSupplierKey> {
  const body = { type: 'supplier', supplier_uuid, name }
  return call('POST', '/api/operator/tokens', { body })
}

export function rotateSupplierKey(
  uuid: string,
  rotation: Static<typeof RotationBody>,
): Promise<CreatedSupplierKey> {
  return call('POST', '/api/operator/tokens/{uuid}/rotate', { path: { uuid }, body: rotation })
}

export function revokeSupplierKey(uuid: string): Promise<SupplierKey> {
  return call('DELETE', '/api/operator/tokens/{uuid}', { path: { uuid } })
}
