import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../src/reference/roles.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

/** Responses with secrets, sent again with an Idempotency-Key. */
let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket()
})
afterAll(() => market.close())

const BODIES = [
  ['/api/v3/users', { email: 'new@shop.example', role: 'buyer' }],
  ['/api/v3/tokens', { name: 'till', scopes: ['search'] }],
  ['/api/v3/webhooks', { url: 'https://shop.example/hooks' }],
] as const

describe('a stored response with a secret', () => {
  it.each(BODIES)('of POST %s is replayed to its maker only', async (path, body) => {
    const { uuid: merchant_uuid } = (await market.merchant()).merchant
    const makers = await Promise.all([
      market.token({ merchant_uuid, type: 'merchant', scopes: SCOPES }),
      market.token({ merchant_uuid, scopes: SCOPES }),
    ])
    const [owner, other] = makers.map(({ token }) => token)
    const headers = { 'idempotency-key': 'once' }
    const first = await market.call('POST', path, { token: owner, body, headers })
    expect(first.status, first.text).toBe(201)
    const stranger = await market.call('POST', path, { token: other, body, headers })
    expect([stranger.status, stranger.body.code]).toEqual([422, 'idempotency_key_reused'])
    const again = await market.call('POST', path, { token: owner, body, headers })
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  it('is that of every operation which shows a secret only once', () => {
    const secret = /"(token|secret|link)":\{/
    const named = market.app.services.operations
      .filter(
        ({ idempotent, schema }) => idempotent && secret.test(JSON.stringify(schema.response)),
      )
      .map(({ method, path, answersSecret }) => [`${method} ${path}`, answersSecret])
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter(([, answersSecret]) => !answersSecret)).toEqual([])
  })
})
