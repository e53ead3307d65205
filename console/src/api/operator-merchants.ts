import { call, newIdempotencyKey } from './client.ts'
import type { CreatedKey, Key } from './keys.ts'

/** As `OperatorMerchant` in /openapi/operator.json. */
export interface OperatorMerchant {
  uuid: string
  email: string
  legal_dba: string
  country_code: string
  currency_code: string
  margin_mode: string
  price_list: string
  external_id: string
  business_phone: string
  activated: boolean
  api_enabled: boolean
  test: boolean
  created_on: string
}

export type MerchantChange = Partial<
  Pick<
    OperatorMerchant,
    'email' | 'legal_dba' | 'country_code' | 'currency_code' | 'api_enabled' | 'activated' | 'test'
  >
>

export function listMerchants(
  page: { limit: number; offset: number },
  signal?: AbortSignal,
): Promise<{ merchants: OperatorMerchant[]; total: number }> {
  return call('GET', '/api/operator/merchants', { query: page, signal })
}

export function readMerchant(uuid: string, signal?: AbortSignal): Promise<OperatorMerchant> {
  return call('GET', '/api/operator/merchants/{uuid}', { path: { uuid }, signal })
}

export function createMerchant(
  merchant: Required<
    Pick<MerchantChange, 'email' | 'legal_dba' | 'country_code' | 'currency_code'>
  >,
): Promise<OperatorMerchant> {
  return call('POST', '/api/operator/merchants', {
    body: merchant,
    idempotencyKey: newIdempotencyKey(),
  })
}

export function changeMerchant(uuid: string, change: MerchantChange): Promise<OperatorMerchant> {
  return call('PATCH', '/api/operator/merchants/{uuid}', { path: { uuid }, body: change })
}

export interface OperatorKey extends Key {
  type: string
}

export function listMerchantKeys(
  merchant_uuid: string,
  signal?: AbortSignal,
): Promise<{ tokens: OperatorKey[]; total: number }> {
  const query = { merchant_uuid, limit: 1000 }
  return call('GET', '/api/operator/tokens', { query, signal })
}

export function createMerchantKey(merchant_uuid: string, name: string): Promise<CreatedKey> {
  return call('POST', '/api/operator/tokens', { body: { type: 'api_key', merchant_uuid, name } })
}

export function revokeMerchantKey(uuid: string): Promise<Key> {
  return call('DELETE', '/api/operator/tokens/{uuid}', { path: { uuid } })
}
