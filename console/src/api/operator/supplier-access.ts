import type { Static } from 'typebox'
import type {
  CreatedTokenSchema,
  RotationBody,
  TokenSchema,
} from '../../../../src/http/schemas/token.ts'
import { call, type Page } from '../client.ts'

/** The keys of a supplier, as the operator sees and makes them. */
export type SupplierKey = Static<typeof TokenSchema>
export type CreatedSupplierKey = Static<typeof CreatedTokenSchema>

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
