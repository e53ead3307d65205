import type { Db } from '../../../src/database/open.ts'
import { createSupplier } from '../../../src/gems/supplier-store.ts'
import { createMerchant, updateMerchant } from '../../../src/merchants/merchant-store.ts'
import { newToken } from '../../../src/merchants/token.ts'
import { createToken, revokeToken } from '../../../src/merchants/token-store.ts'
import { SCOPES } from '../../../src/reference/roles.ts'
import type { Tokens } from './requests.ts'

export interface FuzzTokens extends Tokens {
  /** Every real token; no response may repeat one. */
  all: readonly string[]
  protectedIds: ReadonlySet<string>
}

/** Tokens of every type, and some that no longer admit anyone. */
export async function createFuzzTokens(db: Db): Promise<FuzzTokens> {
  const shop = await createMerchant(db, {
    email: 'fuzz@shop.example',
    legal_dba: 'Fuzz',
    country_code: 'US',
  })
  const closed = await createMerchant(db, {
    email: 'closed@shop.example',
    legal_dba: 'Closed',
    country_code: 'DE',
    currency_code: 'EUR',
  })
  await updateMerchant(db, closed.uuid, { api_enabled: false })
  const of = { realm: 'live', merchant_uuid: shop.uuid } as const
  const admin = await createToken(db, { realm: 'live', type: 'admin' })
  const merchant = await createToken(db, { ...of, type: 'api_key', scopes: SCOPES })
  const reader = await createToken(db, { ...of, type: 'api_key', scopes: ['search'] })
  const session = await createToken(db, { ...of, type: 'merchant' })
  const revoked = await createToken(db, { ...of, type: 'api_key' })
  await revokeToken(db, revoked.uuid)
  const refused = await createToken(db, {
    realm: 'live',
    type: 'api_key',
    merchant_uuid: closed.uuid,
  })
  const { uuid: supplier_uuid } = await createSupplier(db, 'Fuzz Stones', { ships: true })
  const supplier = await createToken(db, { realm: 'live', type: 'supplier', supplier_uuid })
  const real = [admin, merchant, supplier, reader, session, revoked, refused]
  const invented = [newToken('live'), newToken('test'), 'pav_live_x', 'x'.repeat(5_000), '', 'ü']
  return {
    admin: admin.token,
    merchant: merchant.token,
    supplier: supplier.token,
    others: [...[reader, session, revoked, refused].map(({ token }) => token), ...invented],
    all: real.map(({ token }) => token),
    protectedIds: new Set([shop.uuid, closed.uuid, supplier_uuid, ...real.map(({ uuid }) => uuid)]),
  }
}
