import type { Static } from 'typebox'
import type {
  MarginsBody,
  OperatorMarginTableSchema,
} from '../../../../src/http/schemas/margins.ts'
import type {
  MerchantBody,
  MerchantListQuery,
  MerchantPatch,
  MerchantWithUsageSchema,
  OperatorMerchantSchema,
} from '../../../../src/http/schemas/merchant.ts'
import type { OperatorAccountSchema } from '../../../../src/http/schemas/orders/account.ts'
import type { TokenSchema } from '../../../../src/http/schemas/token.ts'
import { call, newIdempotencyKey, type Page } from '../client.ts'
import type { CreatedKey, Key, NewKey } from '../keys.ts'

export type OperatorMerchant = Static<typeof OperatorMerchantSchema>
export type MerchantWithUsage = Static<typeof MerchantWithUsageSchema>

export function listMerchants(
  query: Static<typeof MerchantListQuery>,
  signal?: AbortSignal,
): Promise<Page<'merchants', typeof OperatorMerchantSchema>> {
  return call('GET', '/api/operator/merchants', { query, signal })
}

export function readMerchant(uuid: string, signal?: AbortSignal): Promise<MerchantWithUsage> {
  return call('GET', '/api/operator/merchants/{uuid}', { path: { uuid }, signal })
}

export function createMerchant(merchant: Static<typeof MerchantBody>): Promise<OperatorMerchant> {
  const idempotencyKey = newIdempotencyKey()
  return call('POST', '/api/operator/merchants', { body: merchant, idempotencyKey })
}

export function changeMerchant(
  uuid: string,
  change: Static<typeof MerchantPatch>,
): Promise<OperatorMerchant> {
  return call('PATCH', '/api/operator/merchants/{uuid}', { path: { uuid }, body: change })
}

export function listMerchantKeys(
  merchant_uuid: string,
  signal?: AbortSignal,
): Promise<Page<'tokens', typeof TokenSchema>> {
  const query = { merchant_uuid, limit: 1000 }
  return call('GET', '/api/operator/tokens', { query, signal })
}

export function createMerchantKey(
  merchant_uuid: string,
  name: string,
  budget: NewKey['budget'],
): Promise<CreatedKey> {
  const body = { type: 'api_key', merchant_uuid, name, budget }
  return call('POST', '/api/operator/tokens', { body })
}

export function revokeMerchantKey(uuid: string): Promise<Key> {
  return call('DELETE', '/api/operator/tokens/{uuid}', { path: { uuid } })
}

export type MerchantAccount = Static<typeof OperatorAccountSchema>

export function readMerchantAccount(uuid: string, signal?: AbortSignal): Promise<MerchantAccount> {
  return call('GET', '/api/operator/merchants/{uuid}/account', { path: { uuid }, signal })
}

type MarginTable = Static<typeof OperatorMarginTableSchema>

/** The tiers of a merchant's own for diamonds; none when it has the default ones. */
export function readMerchantMargins(uuid: string, signal?: AbortSignal): Promise<MarginTable> {
  const query = { product_type: ['diamond'] }
  return call('GET', '/api/operator/merchants/{uuid}/margins', { path: { uuid }, query, signal })
}

export function replaceMerchantMargins(
  uuid: string,
  margins: Static<typeof MarginsBody>,
): Promise<MarginTable> {
  return call('PUT', '/api/operator/merchants/{uuid}/margins', { path: { uuid }, body: margins })
}
