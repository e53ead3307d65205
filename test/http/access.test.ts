import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSupplier } from '../../src/gems/supplier-store.ts'
import type { Operation } from '../../src/http/docs/operations.ts'
import { admittedTypes } from '../../src/http/request/access.ts'
import { updateMerchant } from '../../src/merchants/merchant-store.ts'
import { TOKEN_TYPES, type TokenType } from '../../src/merchants/token.ts'
import { revokeToken } from '../../src/merchants/token-store.ts'
import { hasScope, SCOPES, type Scope, SUPPLIER_SCOPES } from '../../src/reference/roles.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

/**
 * Every operation is called with every kind of token. What must happen follows from the
 * declaration of its route, so a new route is covered as soon as it is registered.
 */
let market: TestMarket
let tokens: Record<string, string>
const keys: Partial<Record<TokenType, string>> = {}
let supplier_uuid: string
const ORIGIN = 'https://shop.example'

beforeAll(async () => {
  market = await openTestMarket()
  const { merchant, key } = await market.merchant()
  const ofMerchant = { merchant_uuid: merchant.uuid }
  const closed = await market.merchant()
  await updateMerchant(market.database.db, closed.merchant.uuid, { api_enabled: false })
  const deleted = await market.merchant()
  await updateMerchant(market.database.db, deleted.merchant.uuid, { deleted: true })
  const dormant = await market.merchant()
  await updateMerchant(market.database.db, dormant.merchant.uuid, { activated: false })
  const revoked = await market.token(ofMerchant)
  await revokeToken(market.database.db, revoked.uuid)
  const expired = await market.token(ofMerchant)
  await market.database.db
    .updateTable('token')
    .set({ expires_on: new Date(Date.now() - 1000).toISOString() })
    .where('uuid', '=', expired.uuid)
    .execute()
  keys.api_key = key
  keys.merchant = (await market.token({ ...ofMerchant, type: 'merchant' })).token
  keys.admin = market.adminKey
  supplier_uuid = (await createSupplier(market.database.db, 'Access Stones')).uuid
  keys.supplier = (await market.token({ type: 'supplier', supplier_uuid })).token
  const publishable = { ...ofMerchant, type: 'publishable', origins: [ORIGIN] } as const
  keys.publishable = (await market.token(publishable)).token
  tokens = {
    'a mistyped token': `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
    'an unknown token': await unknownToken(),
    'a sandbox token': key.replace('live', 'test'),
    'a revoked token': revoked.token,
    'an expired token': expired.token,
    'a token of a merchant without API access': closed.key,
    'a token of a deleted merchant': deleted.key,
    'a token of a merchant that is not activated': dormant.key,
  }
})
afterAll(() => market.close())

async function unknownToken(): Promise<string> {
  const { newToken } = await import('../../src/merchants/token.ts')
  return newToken('live')
}

/** A path that can be called: parameters are filled with a UUID that does not exist. */
function callable({ path }: Operation): string {
  return path.replaceAll(/:\w+/g, '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90').replace('*', 'x')
}

function call(operation: Operation, token?: string) {
  // An empty object is refused by every body with required fields, so nothing is written.
  const body = operation.schema.body ? {} : undefined
  return market.call(operation.method, callable(operation), {
    // Publishable keys are used by pages; programs send no Origin.
    headers: token === keys.publishable ? { origin: ORIGIN } : {},
    ...(token && { token }),
    ...(body && { body }),
  })
}

function guarded(): Operation[] {
  return market.app.services.operations.filter(({ access }) => access.who !== 'public')
}

describe('every guarded operation', () => {
  it('is in the list of operations', () => {
    expect(guarded().length).toBeGreaterThan(20)
  })

  it('returns 401 without a token and with every token that is not valid', async () => {
    for (const operation of guarded()) {
      const name = `${operation.method} ${operation.path}`
      const none = await call(operation)
      expect(none.status, name).toBe(401)
      expect(none.headers['www-authenticate'], name).toBe('Bearer')
      for (const [kind, token] of Object.entries(tokens)) {
        const { status, body } = await call(operation, token)
        expect(status, `${name} with ${kind}`).toBe(401)
        expect(body.detail, name).toEqual(expect.any(String))
      }
    }
  })

  it('states that API is not enabled for a merchant without access', async () => {
    for (const operation of guarded()) {
      const { body } = await call(operation, tokens['a token of a merchant without API access'])
      expect(body.detail).toContain('API is not enabled for the merchant')
    }
  })

  it('returns 403 to exactly the token types that it does not admit', async () => {
    for (const operation of guarded()) {
      const admitted = admittedTypes(operation.access)
      for (const type of TOKEN_TYPES) {
        const { status, body } = await call(operation, keys[type])
        const refused = status === 403 && body.code === 'forbidden'
        const name = `${operation.method} ${operation.path} with ${type}`
        expect(refused, `${name}: ${status}`).toBe(!admitted.includes(type))
        expect(status, name).toBeLessThan(500)
      }
    }
  })

  it('returns 403 to a token without its scope, and to no token that has it', async () => {
    const owner = { merchant_uuid: (await market.merchant()).merchant.uuid }
    for (const scope of SCOPES) {
      const others = SCOPES.filter((other) => !hasScope([other], scope))
      const make = async (of: object, scopes: Scope[]) =>
        (await market.token({ ...of, scopes })).token
      const lacking = {
        merchant: await make(owner, others),
        operator: await admin(others),
        supplier: await supplier(others),
      }
      const having = {
        merchant: await make(owner, [scope]),
        operator: await admin([scope]),
        supplier: await supplier([scope]),
      }
      const operations = guarded().filter(
        ({ access }) => 'scope' in access && access.scope === scope,
      )
      for (const operation of operations) {
        const name = `${operation.method} ${operation.path}`
        const { who } = operation.access
        const side = who === 'operator' || who === 'supplier' ? who : 'merchant'
        expect((await call(operation, lacking[side])).body.code, name).toBe('missing_scope')
        expect((await call(operation, having[side])).body?.code, name).not.toBe('missing_scope')
      }
    }
  })
})

describe("an operator's token", () => {
  it('with the scope to read orders can neither change an order nor create a token', async () => {
    const token = await admin(['orders:read'])
    const order = '/api/operator/orders/0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
    for (const path of [`${order}/pay`, `${order}/cancel`, '/api/operator/tokens']) {
      const { body } = await market.call('POST', path, { token, body: {} })
      expect(body.code, path).toBe('missing_scope')
    }
    expect((await market.call('GET', '/api/operator/orders', { token })).status).toBe(200)
  })

  it('cannot create a token with more scopes than its own', async () => {
    const token = await admin(['settings:read', 'keys:write'])
    const path = '/api/operator/tokens'
    const all = await market.call('POST', path, { token, body: { type: 'admin' } })
    expect([all.status, all.body.code]).toEqual([403, 'missing_scope'])
    const body = { type: 'admin', scopes: ['settings:read'] }
    expect((await market.call('POST', path, { token, body })).status).toBe(201)
  })
})

async function admin(scopes: Scope[]): Promise<string> {
  return (await market.token({ type: 'admin', scopes })).token
}

/** A supplier's token has only the scopes that are of use to suppliers. */
async function supplier(all: Scope[]): Promise<string> {
  const scopes = all.filter((scope) => SUPPLIER_SCOPES.includes(scope))
  return (await market.token({ type: 'supplier', supplier_uuid, scopes })).token
}

describe("a supplier's token", () => {
  it('is admitted by the interface of suppliers, to its own session and the defaults, and nowhere else', () => {
    for (const { method, path, access } of guarded()) {
      if (!admittedTypes(access).includes('supplier')) continue
      expect(`${method} ${path}`).toMatch(/ \/api\/(supplier\/|v[23]\/defaults\/|v3\/sessions?\b)/)
    }
  })

  it('opens a session of the supplier, and none of the operator', async () => {
    const { status, body } = await market.call('POST', '/api/v3/session', {
      body: { key: keys.supplier },
    })
    expect([status, body.role, body.supplier_uuid]).toEqual([201, 'supplier', supplier_uuid])
    const overview = await market.call('GET', '/api/operator/overview', { token: body.token })
    expect(overview.body.code).toBe('forbidden')
  })
})

describe('a revocation', () => {
  it('takes effect on a node that has the token in its cache', async () => {
    const { merchant } = await market.merchant()
    const { uuid, token } = await market.token({ merchant_uuid: merchant.uuid })
    const path = '/api/v3/profit_margins/list'
    expect((await market.call('GET', path, { token })).status).toBe(200)
    expect((await market.call('GET', path, { token })).status).toBe(200)
    await revokeToken(market.database.db, uuid)
    await expect
      .poll(async () => (await market.call('GET', path, { token })).status, { timeout: 30_000 })
      .toBe(401)
  })
})

describe('a route that does not declare who may call it', () => {
  it('makes the start fail', async () => {
    const other = await openTestMarket()
    try {
      expect(() => other.app.get('/undeclared', () => 'x')).toThrow()
    } finally {
      await other.close()
    }
  })
})
