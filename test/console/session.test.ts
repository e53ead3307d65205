import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revokeToken } from '../../src/merchants/token-store.ts'
import { createLink } from '../../src/people/sign-in-link.ts'
import { SCOPES } from '../../src/reference/roles.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket()
})
afterAll(() => market.close())

async function linkCode(merchantUuid: string | null): Promise<string> {
  const { url } = await createLink(market.database.db, 'http://pavilion.test', {
    merchant_uuid: merchantUuid,
    supplier_uuid: null,
  })
  expect(url).toMatch(/^http:\/\/pavilion\.test\/sign-in#\w{44}$/)
  return url.split('#')[1]
}

const open = (proof: Record<string, string>) =>
  market.call('POST', '/api/v3/session', { body: proof })

describe('a one-time link', () => {
  it("opens a merchant's session of twelve hours, once", async () => {
    const { merchant } = await market.merchant({ currency_code: 'EUR', country_code: 'DE' })
    const code = await linkCode(merchant.uuid)
    const first = await open({ code })
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({
      role: 'merchant',
      market: 'production',
      merchant: { uuid: merchant.uuid, currency_code: 'EUR', price_list: 'default' },
    })
    const hours = (Date.parse(first.body.expires_on) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(11.9)
    expect(hours).toBeLessThanOrEqual(12)
    const who = await market.call('GET', '/api/v3/session', { token: first.body.token })
    expect(who.body.merchant.uuid).toBe(merchant.uuid)
    expect(await open({ code })).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })

  it('is used up also with an Idempotency-Key: no session is handed out twice', async () => {
    const code = await linkCode(null)
    const headers = { 'idempotency-key': 'sign-in' }
    const send = () => market.call('POST', '/api/v3/session', { body: { code }, headers })
    expect((await send()).status).toBe(201)
    const again = await send()
    expect([again.status, again.body.token]).toEqual([401, undefined])
    expect(again.headers['idempotent-replayed']).toBeUndefined()
  })

  it('lets exactly one of fifteen simultaneous uses in', async () => {
    const code = await linkCode(null)
    const responses = await Promise.all(Array.from({ length: 15 }, () => open({ code })))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(responses.find(({ status }) => status === 201)?.body.role).toBe('operator')
  })

  it('expires, and is refused for a merchant whose access is off', async () => {
    const { merchant } = await market.merchant()
    const late = await linkCode(merchant.uuid)
    await market.database.db
      .updateTable('sign_in_link')
      .set({ expires_on: new Date(Date.now() - 1000).toISOString() })
      .where('used_on', 'is', null)
      .execute()
    expect((await open({ code: late })).status).toBe(401)
    const code = await linkCode(merchant.uuid)
    const off = { token: market.adminKey, body: { api_enabled: false } }
    await market.call('PATCH', `/api/operator/merchants/${merchant.uuid}`, off)
    expect(await open({ code })).toMatchObject({ status: 401, body: { code: 'api_not_enabled' } })
  })
})

describe('a key', () => {
  it('opens a session with the scopes of the key, which ends with the key', async () => {
    const { merchant } = await market.merchant()
    const scopes = ['search', 'orders:read'] as const
    const key = await market.token({ merchant_uuid: merchant.uuid, scopes })
    const opened = await open({ key: key.token })
    expect([opened.status, opened.body.scopes]).toEqual([201, [...scopes]])
    const token = opened.body.token
    const list = () => market.call('GET', '/api/v3/profit_margins/list', { token })
    expect((await list()).status).toBe(403)
    expect((await market.call('GET', '/api/v2/orders/list', { token })).status).toBe(200)
    await revokeToken(market.database.db, key.uuid)
    await expect.poll(async () => (await list()).status).toBe(401)
  })

  it('opens a session that does not outlive it', async () => {
    const { merchant } = await market.merchant()
    const expires_on = new Date(Date.now() + 600_000)
    const key = await market.token({ merchant_uuid: merchant.uuid, expires_on })
    const { body } = await open({ key: key.token })
    expect(Date.parse(body.expires_on)).toBeLessThanOrEqual(expires_on.getTime())
  })

  it('is refused when it is revoked, mistyped, from the sandbox, or sent with a code', async () => {
    const { key, merchant } = await market.merchant()
    const revoked = await market.token({ merchant_uuid: merchant.uuid })
    await revokeToken(market.database.db, revoked.uuid)
    // From an address of its own: refused keys count against it.
    const statusOf = async (payload: object) => {
      const call = { method: 'POST', url: '/api/v3/session', remoteAddress: '203.0.113.9' } as const
      return (await market.app.inject({ ...call, payload })).statusCode
    }
    expect(await statusOf({ key: revoked.token })).toBe(401)
    expect(await statusOf({ key: key.replace('live', 'test') })).toBe(401)
    expect(await statusOf({ key: `${key.slice(0, -1)}!` })).toBe(401)
    expect(await statusOf({ key, code: 'abcdefghijkl' })).toBe(422)
    expect(await statusOf({})).toBe(422)
  })
})

describe('signing out', () => {
  it('ends the session at once, and is refused for a key', async () => {
    const { key } = await market.merchant()
    const { token } = (await open({ key })).body
    expect((await market.call('DELETE', '/api/v3/session', { token })).status).toBe(204)
    await expect
      .poll(async () => (await market.call('GET', '/api/v3/session', { token })).status)
      .toBe(401)
    const refused = await market.call('DELETE', '/api/v3/session', { token: key })
    expect(refused).toMatchObject({ status: 409, body: { code: 'wrong_state' } })
    expect((await market.call('GET', '/api/v3/session', { token: key })).status).toBe(200)
  })
})

describe('guessing', () => {
  it.each([
    ['codes', { code: 'not-a-code-of-anyone' }],
    ['keys', { key: `pav_live_${'0'.repeat(42)}` }],
  ])('%s is rate limited', async (_what, body) => {
    const own = await openTestMarket()
    const attempt = () => own.call('POST', '/api/v3/session', { body })
    for (let count = 0; count < 20; count++) expect((await attempt()).status).toBe(401)
    const slowed = await attempt()
    expect(slowed).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0)
    await own.close()
  })
})

describe("a merchant's keys", () => {
  it('have at least one scope, and none of the operator', async () => {
    const { uuid: merchant_uuid } = (await market.merchant()).merchant
    const { token } = await market.token({ merchant_uuid, scopes: ['keys:write'] })
    const create = (body: object, from = token) =>
      market.call('POST', '/api/v3/tokens', { token: from, body })
    const none = await create({ name: 'none' })
    expect([none.status, none.body.errors?.[0].field]).toEqual([422, 'scopes'])
    const wide = await market.token({ merchant_uuid, scopes: SCOPES })
    const foreign = await create({ name: 'wide', scopes: ['merchants:write'] }, wide.token)
    expect([foreign.status, foreign.body.code]).toEqual([422, 'invalid_request'])
  })

  it('have the requested scopes, are shown once, and are listed without sessions', async () => {
    const { merchant } = await market.merchant()
    const { token: key } = await market.token({ merchant_uuid: merchant.uuid, scopes: SCOPES })
    await open({ key })
    const newKey = { name: 'shop software', scopes: ['search'], expires_in_days: 30 }
    const created = await market.call('POST', '/api/v3/tokens', { token: key, body: newKey })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ name: 'shop software', scopes: ['search'] })
    const { body } = await market.call('GET', '/api/v3/tokens', { token: key })
    expect(body.total).toBe(3)
    expect(JSON.stringify(body)).not.toContain(created.body.token)
    expect(
      body.tokens.every((each: { merchant_uuid: string }) => each.merchant_uuid === merchant.uuid),
    ).toBe(true)
    const search = await market.call('GET', '/api/v3/session', { token: created.body.token })
    expect(search.body.scopes).toEqual(['search'])
  })

  it('never have a scope that their creator lacks', async () => {
    const { merchant } = await market.merchant()
    const scopes = SCOPES.filter((scope) => scope !== 'orders:write')
    const creator = await market.token({ merchant_uuid: merchant.uuid, scopes })
    const body = { name: 'more', scopes: ['orders:write'] }
    const refused = await market.call('POST', '/api/v3/tokens', { token: creator.token, body })
    expect(refused).toMatchObject({ status: 403, body: { code: 'missing_scope' } })
    const plain = { name: 'same' }
    const same = await market.call('POST', '/api/v3/tokens', { token: creator.token, body: plain })
    expect(same.body.scopes).toEqual(scopes.filter((scope) => !/^(keys|users):/.test(scope)))
  })

  it('are revoked only by their own merchant', async () => {
    const { merchant } = await market.merchant()
    const { token: key } = await market.token({ merchant_uuid: merchant.uuid, scopes: SCOPES })
    const stranger = (await market.merchant()).merchant.uuid
    const other = await market.token({ merchant_uuid: stranger, scopes: SCOPES })
    const created = await market.call('POST', '/api/v3/tokens', { token: key, body: { name: 'x' } })
    const path = `/api/v3/tokens/${created.body.uuid}`
    expect((await market.call('DELETE', path, { token: other.token })).status).toBe(404)
    expect((await market.call('DELETE', path, { token: key })).body.revoked_on).not.toBeNull()
  })
})

describe("the operator's overview", () => {
  it('counts stock, orders and searches, and reports the health', async () => {
    const { key } = await market.merchant()
    await expect.poll(async () => (await market.app.inject('/readyz')).statusCode).toBe(200)
    await market.call('POST', '/api/v2/diamonds/merchant_search', { token: key, body: {} })
    const { status, body } = await market.call('GET', '/api/operator/overview', {
      token: market.adminKey,
    })
    expect(status).toBe(200)
    expect(body.stock).toEqual({ total: 0, by_supplier: [], by_shape: [], by_state: [] })
    expect(body.health.status).toBe('ready')
    expect(body.searches_per_minute).toHaveLength(15)
    expect(Math.max(...body.searches_per_minute)).toBeGreaterThan(0)
  })
})
