import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSupplier } from '../../src/gems/supplier-store.ts'
import type { Operation } from '../../src/http/docs/operations.ts'
import { admittedTypes } from '../../src/http/request/access.ts'
import { hasScope, ROLES, type Side, scopesOfRole } from '../../src/reference/roles.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'
import { signedIn } from './people.ts'

/**
 * Every operation is called by a user of every role. What must happen follows from the scopes of
 * the role and the declaration of the route, so that a new route or role is covered on its own.
 */
let market: TestMarket
const tokens = new Map<string, string>()
const SIDES = Object.keys(ROLES) as Side[]
const TYPE_OF = { merchant: 'merchant', supplier: 'supplier', operator: 'admin' } as const

beforeAll(async () => {
  market = await openTestMarket()
  const owners = {
    merchant: { merchant_uuid: (await market.merchant()).merchant.uuid },
    supplier: { supplier_uuid: (await createSupplier(market.database.db, 'Role Stones')).uuid },
    operator: {},
  }
  for (const side of SIDES) {
    for (const role of ROLES[side]) {
      tokens.set(`${side} ${role}`, (await signedIn(market, { role, ...owners[side] })).token)
    }
  }
})
afterAll(() => market.close())
beforeEach(() => market.database.db.deleteFrom('sign_in_attempt').execute())

/** A path that can be called: parameters are filled with a UUID that does not exist. */
function callable({ path }: Operation): string {
  return path.replaceAll(/:\w+/g, '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90').replace('*', 'x')
}

function call(operation: Operation, token: string | undefined) {
  const body = operation.schema.body ? {} : undefined
  return market.call(operation.method, callable(operation), {
    ...(token && { token }),
    ...(body && { body }),
  })
}

function guarded(side: Side): Operation[] {
  return market.app.services.operations.filter(
    ({ access }) => access.who !== 'public' && admittedTypes(access).includes(TYPE_OF[side]),
  )
}

/** Reads that need a body, and what concerns the caller itself only. */
const HARMLESS = [
  /\/(query|merchant_search|ai_search|search|preview|get_diamonds_by_merchant_templates)$/,
  /\/saved_searches\/:uuid\/run$/,
  /\/v3\/(session|sessions)\b/,
  // Its tools call the operations, which ask for their scopes.
  /^\/mcp$/,
  // Which e-mails the person itself gets.
  /\/api\/(v3|operator|supplier)\/notifications$/,
]

function writes({ method, path }: Operation): boolean {
  return method !== 'GET' && !HARMLESS.some((harmless) => harmless.test(path))
}

describe.each(SIDES)('a user of the side %s', (side) => {
  it.each(ROLES[side])(
    'with the role %s may do what its scopes say',
    async (role) => {
      const token = tokens.get(`${side} ${role}`)
      const scopes = scopesOfRole(side, role)
      const operations = guarded(side).filter(({ path }) => path !== '/api/v3/session')
      expect(operations.length).toBeGreaterThan(10)
      for (const operation of operations) {
        const name = `${operation.method} ${operation.path} by ${role}`
        const { access } = operation
        const isAllowed = !('scope' in access) || hasScope(scopes, access.scope)
        const { status, body } = await call(operation, token)
        expect(status, name).not.toBe(401)
        expect(body?.code === 'missing_scope', `${name}: ${status}`).toBe(!isAllowed)
        expect(body?.code, name).not.toBe('forbidden')
      }
    },
    60_000,
  )
})

describe('the roles', () => {
  const allowed = (side: Side, role: string, operation: Operation) =>
    !('scope' in operation.access) || hasScope(scopesOfRole(side, role), operation.access.scope)

  it('all read everything of their side', () => {
    for (const side of SIDES) {
      for (const operation of guarded(side).filter((each) => !writes(each))) {
        for (const role of ROLES[side]) {
          const name = `${operation.method} ${operation.path} by ${role}`
          expect(allowed(side, role, operation), name).toBe(true)
        }
      }
    }
  })

  it('of a viewer write nothing', () => {
    for (const side of ['merchant', 'supplier'] as const) {
      for (const operation of guarded(side).filter(writes)) {
        expect(allowed(side, 'viewer', operation), `${operation.method} ${operation.path}`).toBe(
          false,
        )
      }
    }
  })

  it('of an owner and an admin write everything', () => {
    for (const side of SIDES) {
      for (const operation of guarded(side)) {
        const name = `${operation.method} ${operation.path}`
        expect(allowed(side, ROLES[side][0], operation), name).toBe(true)
      }
    }
  })

  it('write what is named', () => {
    const written = (side: Side, role: string) =>
      guarded(side)
        .filter((operation) => writes(operation) && allowed(side, role, operation))
        .map(({ method, path }) => `${method} ${path}`)
    const settings =
      /\/(tokens|users|webhooks|merchant_addresses|merchant_templates|profit_margins)/
    for (const name of written('merchant', 'buyer')) expect(name).not.toMatch(settings)
    expect(written('merchant', 'buyer')).toContain('POST /api/v3/orders/place')
    for (const name of written('operator', 'sales')) {
      expect(name).toMatch(/\/(orders|quotes|returns|merchants)\b/)
    }
    expect(written('operator', 'sales')).toContain('PATCH /api/operator/merchants/:uuid')
    for (const name of written('operator', 'stock')) {
      expect(name).toMatch(/\/(imports|inventory|suppliers|sources|catalogues|price_grids)\b/)
    }
    expect(written('operator', 'stock')).toContain('POST /api/operator/imports')
  })
})
