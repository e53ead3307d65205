import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/http/app.ts'
import type { App } from '../../src/http/route.ts'
import { deleteEndedTokens } from '../../src/merchants/token-cleanup.ts'
import { revokeToken, type TokenRequest } from '../../src/merchants/token-store.ts'
import { createLink } from '../../src/people/sign-in-link.ts'
import { SCOPES } from '../../src/reference/roles.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

let market: TestMarket
/** A second node on the same database. */
let node: App

beforeAll(async () => {
  market = await openTestMarket({ rateLimitPerMinute: 6_000 })
  node = await buildApp(market.deps)
  await node.ready()
})
afterAll(async () => {
  await node.close()
  await market.close()
})

const KEYS = '/api/v3/tokens'
const HOUR_MS = 3_600_000

/** A new merchant with a key that may create keys. */
async function owner(request: Partial<TokenRequest> = {}) {
  const { merchant, key } = await market.merchant()
  const maker = await market.token({ merchant_uuid: merchant.uuid, scopes: SCOPES, ...request })
  return { merchant, plainKey: key, maker }
}

const create = (token: string, body: object = {}) =>
  market.call('POST', KEYS, { token, body: { name: 'child', ...body } })

const rotate = (token: string, uuid: string, body: object = {}) =>
  market.call('POST', `${KEYS}/${uuid}/rotate`, { token, body })

/** Opens a session of the console by a link, as the owner does. */
async function ownerSession(merchantUuid: string | null): Promise<string> {
  const { url } = await createLink(market.database.db, 'http://pavilion.test', {
    merchant_uuid: merchantUuid,
    supplier_uuid: null,
  })
  const body = { code: url.split('#')[1] }
  return (await market.call('POST', '/api/v3/session', { body })).body.token
}

async function statusOn(app: App, token: string, remoteAddress = '127.0.0.1'): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await app.inject({ url: '/api/v3/session', headers, remoteAddress })).statusCode
}

async function expire(uuid: string, when: string): Promise<void> {
  await sql`update token set expires_on = now() + ${when}::interval where uuid = ${uuid}`.execute(
    market.database.db,
  )
}

describe('creating a key', () => {
  it('needs the scope keys:write, which a key has only when it is given', async () => {
    const { merchant, plainKey, maker } = await owner()
    expect(await create(plainKey)).toMatchObject({ status: 403, body: { code: 'missing_scope' } })
    const child = await create(maker.token)
    expect(child.status).toBe(201)
    expect(child.body.scopes).toEqual(SCOPES.filter((scope) => !/^(keys|users):/.test(scope)))
    expect((await create(child.body.token)).body.code).toBe('missing_scope')
    const session = await ownerSession(merchant.uuid)
    const heir = await create(session, { scopes: ['search', 'keys:write'] })
    expect(heir.body).toMatchObject({ scopes: ['search', 'keys:write'], made_by: null })
    const opened = await market.call('POST', '/api/v3/session', { body: { key: plainKey } })
    expect((await create(opened.body.token)).body.code).toBe('missing_scope')
  })

  it('needs no name, whatever its type, as when the operator creates one', async () => {
    const { maker } = await owner()
    const bodies = [{}, { type: 'publishable', origins: ['https://shop.example'] }]
    for (const body of bodies) {
      const { status, body: made } = await market.call('POST', KEYS, { token: maker.token, body })
      expect([status, made.name]).toEqual([201, ''])
    }
  })

  it('gives no longer life than that of its maker', async () => {
    const expires_on = new Date(Date.now() + 48 * HOUR_MS)
    const { maker } = await owner({ expires_on })
    const more = await create(maker.token, { expires_in_days: 3 })
    expect(more).toMatchObject({ status: 422, body: { errors: [{ field: 'expires_in_days' }] } })
    const less = await create(maker.token, { expires_in_days: 1 })
    expect(Date.parse(less.body.expires_on)).toBeLessThan(expires_on.getTime())
    const same = await create(maker.token)
    expect(Date.parse(same.body.expires_on)).toBe(expires_on.getTime())
    const opened = await market.call('POST', '/api/v3/session', { body: { key: maker.token } })
    const bySession = await create(opened.body.token)
    expect(bySession.body.made_by).toBe(maker.uuid)
    expect(Date.parse(bySession.body.expires_on)).toBe(expires_on.getTime())
  })

  it('gives no higher rate than that of its maker, also to a session', async () => {
    const { merchant, maker } = await owner({ rate_limit_per_minute: 100 })
    expect((await create(maker.token)).body.rate_limit_per_minute).toBe(100)
    const opened = await market.call('POST', '/api/v3/session', { body: { key: maker.token } })
    const who = await market.call('GET', '/api/v3/session', { token: opened.body.token })
    expect(who.headers['ratelimit-policy']).toContain('q=100')

    const admin = await market.token({ type: 'admin', rate_limit_per_minute: 100 })
    const ask = (token: string, rate?: number) =>
      market.call('POST', '/api/operator/tokens', {
        token,
        body: {
          type: 'api_key',
          merchant_uuid: merchant.uuid,
          ...(rate !== undefined && { rate_limit_per_minute: rate }),
        },
      })
    for (const rate of [101, 0]) {
      const refused = await ask(admin.token, rate)
      expect(refused.status).toBe(422)
      expect(refused.body.errors[0].field).toBe('rate_limit_per_minute')
    }
    expect((await ask(admin.token, 99)).body.rate_limit_per_minute).toBe(99)
    expect((await ask(admin.token)).body.rate_limit_per_minute).toBe(100)
    expect((await ask(market.adminKey, 6_001)).status).toBe(422)
    expect((await ask(market.adminKey)).body.rate_limit_per_minute).toBeNull()
    expect((await ask(await ownerSession(null), 0)).body.rate_limit_per_minute).toBe(0)
  })

  it("gives no scope that the operator's token lacks to a merchant's key", async () => {
    const { merchant } = await owner()
    const { token } = await market.token({ type: 'admin', scopes: ['search', 'keys:write'] })
    const body = { type: 'api_key', merchant_uuid: merchant.uuid, scopes: ['orders:write'] }
    const refused = await market.call('POST', '/api/operator/tokens', { token, body })
    expect(refused).toMatchObject({ status: 403, body: { code: 'missing_scope' } })
  })

  it('is refused beyond fifty living keys, also for simultaneous requests', async () => {
    const { merchant, maker } = await owner()
    const session = await ownerSession(merchant.uuid)
    const responses = await Promise.all(Array.from({ length: 60 }, () => create(session)))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(48)
    const refused = responses.filter(({ status }) => status === 409)
    expect(refused).toHaveLength(12)
    expect(refused[0].body.code).toBe('key_limit')
    await revokeToken(market.database.db, maker.uuid)
    expect((await create(session)).status).toBe(201)
    expect((await create(session)).status).toBe(409)
    const { body } = await market.call('GET', KEYS, { token: session })
    await expire(body.tokens[5].uuid, '-1 second')
    expect((await create(session)).status).toBe(201)
  })
})

describe('a key that another key made', () => {
  it('ends with it at once on every node, over every generation', async () => {
    const { maker } = await owner()
    const child = await create(maker.token, { scopes: ['search', 'keys:write'] })
    const grandchild = await create(child.body.token, { scopes: ['search'] })
    const { token } = grandchild.body
    for (const app of [market.app, node]) expect(await statusOn(app, token)).toBe(200)
    await revokeToken(market.database.db, maker.uuid)
    for (const app of [market.app, node]) {
      await expect.poll(() => statusOn(app, token), { timeout: 30_000 }).toBe(401)
      expect(await statusOn(app, child.body.token)).toBe(401)
    }
  })

  it('expires with it when its maker is made to expire earlier', async () => {
    const { maker } = await owner()
    const { token } = (await create(maker.token)).body
    expect(await statusOn(node, token)).toBe(200)
    await expire(maker.uuid, '-1 second')
    await expect.poll(() => statusOn(node, token), { timeout: 30_000 }).toBe(401)
  })

  it('does not survive a revocation at the moment of its creation', async () => {
    for (let round = 0; round < 10; round++) {
      const { merchant, maker } = await owner()
      await Promise.all([
        create(maker.token),
        create(maker.token),
        revokeToken(market.database.db, maker.uuid),
        create(maker.token),
      ])
      const living = await market.database.db
        .selectFrom('token')
        .select('uuid')
        .where('merchant_uuid', '=', merchant.uuid)
        .where('made_by', '=', maker.uuid)
        .where('revoked_on', 'is', null)
        .execute()
      expect(living).toEqual([])
    }
  })
})

describe('rotating a key', () => {
  it('returns one with the same rights; the old one works until the overlap ends', async () => {
    const expires_on = new Date(Date.now() + 90 * 24 * HOUR_MS)
    const { merchant } = await owner()
    const session = await ownerSession(merchant.uuid)
    const old = await market.token({
      merchant_uuid: merchant.uuid,
      name: 'till',
      scopes: ['search'],
      rate_limit_per_minute: 77,
      allowed_addresses: ['127.0.0.0/8'],
      expires_on,
    })
    const { status, body } = await rotate(session, old.uuid, { overlap_seconds: 1 })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'till',
      scopes: ['search'],
      rate_limit_per_minute: 77,
      allowed_addresses: ['127.0.0.0/8'],
    })
    expect(Date.parse(body.expires_on)).toBe(expires_on.getTime())
    expect(await statusOn(node, body.token)).toBe(200)
    await expect.poll(() => statusOn(node, old.token), { timeout: 30_000 }).toBe(401)
    expect(await statusOn(node, body.token)).toBe(200)
  })

  it('ends the old one at once without an overlap, and all that it made', async () => {
    const { merchant, maker } = await owner()
    const child = (await create(maker.token)).body
    const session = await ownerSession(merchant.uuid)
    const { body } = await rotate(session, maker.uuid, { overlap_seconds: 0 })
    for (const token of [maker.token, child.token]) {
      await expect.poll(() => statusOn(node, token), { timeout: 30_000 }).toBe(401)
    }
    expect(await statusOn(node, body.token)).toBe(200)
  })

  it('hands the keys that the old one made over to the new one', async () => {
    const { merchant, maker } = await owner()
    const child = (await create(maker.token)).body
    const session = await ownerSession(merchant.uuid)
    const { body } = await rotate(session, maker.uuid)
    const listed = (await market.call('GET', KEYS, { token: session })).body.tokens
    const rows = Object.fromEntries(listed.map((row: { uuid: string }) => [row.uuid, row]))
    expect(rows[child.uuid]).toMatchObject({ made_by: body.uuid, expires_on: null })
    const hours = (Date.parse(rows[maker.uuid].expires_on) - Date.now()) / HOUR_MS
    expect(hours).toBeGreaterThan(23.9)
    await revokeToken(market.database.db, body.uuid)
    await expect.poll(() => statusOn(node, child.token), { timeout: 30_000 }).toBe(401)
  })

  it('is refused to a key for itself and for keys that it did not make', async () => {
    const { merchant, maker } = await owner()
    const child = (await create(maker.token, { scopes: ['search', 'keys:write'] })).body
    const sibling = (await create(maker.token, { scopes: ['search'] })).body
    const forbidden = { status: 403, body: { code: 'forbidden' } }
    expect(await rotate(child.token, child.uuid)).toMatchObject(forbidden)
    expect(await rotate(child.token, sibling.uuid)).toMatchObject(forbidden)
    expect((await rotate(child.token, maker.uuid)).body.code).toBe('missing_scope')
    const rotated = await rotate(maker.token, sibling.uuid)
    expect(rotated).toMatchObject({ status: 201, body: { made_by: maker.uuid } })
    const stranger = await owner()
    expect((await rotate(stranger.maker.token, sibling.uuid)).status).toBe(404)
    const session = await ownerSession(merchant.uuid)
    await market.call('DELETE', `${KEYS}/${sibling.uuid}`, { token: session })
    expect((await rotate(session, sibling.uuid)).body.code).toBe('wrong_state')
    const tooLong = await rotate(session, child.uuid, { overlap_seconds: 30 * 86_400 + 1 })
    expect(tooLong).toMatchObject({ status: 422, body: { errors: [{ field: 'overlap_seconds' }] } })
  })

  it("is possible for the operator with merchants' keys, once per Idempotency-Key", async () => {
    const { maker } = await owner()
    const path = `/api/operator/tokens/${maker.uuid}/rotate`
    const options = { token: market.adminKey, body: {}, headers: { 'idempotency-key': 'r1' } }
    const first = await market.call('POST', path, options)
    expect(first.status).toBe(201)
    expect((await market.call('POST', path, options)).text).toBe(first.text)
    const admin = await market.token({ type: 'admin' })
    const other = `/api/operator/tokens/${admin.uuid}/rotate`
    const refused = await market.call('POST', other, { token: market.adminKey, body: {} })
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  it('needs a free place for its overlap, and none without', async () => {
    const { merchant } = await owner()
    const session = await ownerSession(merchant.uuid)
    for (let count = 0; count < 47; count++) await create(session)
    const { uuid } = (await create(session)).body
    expect((await rotate(session, uuid)).body.code).toBe('key_limit')
    expect((await rotate(session, uuid, { overlap_seconds: 0 })).status).toBe(201)
  })
})

describe('the allowed addresses of a key', () => {
  it('are the only ones that it is accepted from, on every route and at the sign-in', async () => {
    const { merchant } = await owner()
    const session = await ownerSession(merchant.uuid)
    const allowed_addresses = ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32']
    const created = await create(session, { allowed_addresses })
    expect(created.body.allowed_addresses).toEqual(allowed_addresses)
    const { token } = created.body
    const from = (address: string) => statusOn(market.app, token, address)
    for (const inside of ['203.0.113.7', '10.255.0.1', '::ffff:10.1.2.3', '2001:db8:1::5']) {
      expect(await from(inside), inside).toBe(200)
    }
    for (const outside of ['203.0.113.8', '11.0.0.1', '2001:db9::1', '::1']) {
      expect(await from(outside), outside).toBe(403)
    }
    const refused = await market.call('GET', '/api/v3/session', { token })
    expect(refused.body.code).toBe('address_not_allowed')
    expect(refused.headers.ratelimit).toBeUndefined()
    const signIn = await market.call('POST', '/api/v3/session', { body: { key: token } })
    expect(signIn).toMatchObject({ status: 403, body: { code: 'address_not_allowed' } })
  })

  it('bound what the key creates', async () => {
    const { maker } = await owner({ allowed_addresses: ['127.0.0.0/8'] })
    expect((await create(maker.token)).body.allowed_addresses).toEqual(['127.0.0.0/8'])
    const inside = await create(maker.token, { allowed_addresses: ['127.0.0.1'] })
    expect(inside.body.allowed_addresses).toEqual(['127.0.0.1'])
    for (const outside of ['126.0.0.0/7', '10.0.0.1', '::/0', '127.0.0.256']) {
      const refused = await create(maker.token, { allowed_addresses: [outside] })
      expect(refused).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'allowed_addresses[0]' }] },
      })
    }
  })

  it.each(['10.0.0.0/33', '10.0.0', 'shop.example', '::/129', '10.0.0.0/8/8', 'fe80::1%eth0', ''])(
    'cannot contain %j',
    async (entry) => {
      const { maker } = await owner()
      const refused = await create(maker.token, { allowed_addresses: ['10.0.0.1', entry] })
      expect(refused).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'allowed_addresses[1]' }] },
      })
    },
  )

  it('are at most twenty', async () => {
    const { maker } = await owner()
    const many = (count: number) => Array.from({ length: count }, (_, at) => `10.0.0.${at}`)
    expect((await create(maker.token, { allowed_addresses: many(20) })).status).toBe(201)
    expect((await create(maker.token, { allowed_addresses: many(21) })).status).toBe(422)
  })
})

describe('tokens that have ended', () => {
  it('are deleted, sessions after a day and keys after a month', async () => {
    const { merchant, maker } = await owner()
    const make = (is_session: boolean) =>
      market.token({ merchant_uuid: merchant.uuid, type: 'merchant', is_session })
    const child = (await create(maker.token)).body
    const [oldSession, newSession, oldKey, newKey] = [
      await make(true),
      await make(true),
      maker,
      await make(false),
    ]
    await expire(oldSession.uuid, '-25 hours')
    await expire(newSession.uuid, '-23 hours')
    await expire(oldKey.uuid, '-31 days')
    await expire(newKey.uuid, '-29 days')
    await deleteEndedTokens(market.database.db)
    const left = await market.database.db
      .selectFrom('token')
      .select('uuid')
      .where('merchant_uuid', '=', merchant.uuid)
      .execute()
    const uuids = left.map(({ uuid }) => uuid)
    for (const { uuid } of [newSession, newKey]) expect(uuids).toContain(uuid)
    for (const { uuid } of [oldSession, oldKey, child]) expect(uuids).not.toContain(uuid)
  })
})
