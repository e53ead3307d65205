import type { InjectOptions } from 'fastify'
import type { KyselyPlugin } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createAddressLimiter } from '../../src/http/request/address-limit.ts'
import { newToken } from '../../src/merchants/token.ts'
import { createTokenCache } from '../../src/merchants/token-cache.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

const LIMIT = 5
const ATTRIBUTES = '/api/v3/defaults/gem_attributes'
const PROXY = '10.0.0.2'

let market: TestMarket

beforeAll(async () => {
  market = await openTestMarket({ addressLimitPerMinute: LIMIT, trustedProxies: ['10.0.0.0/24'] })
})
afterAll(() => market.close())
// Each test has a minute of its own, which does not end before the test does.
let nowMs = Date.now()
beforeEach(() => {
  nowMs += 60_000
  vi.spyOn(market.app.services.clock, 'now').mockImplementation(() => nowMs)
})
afterEach(() => {
  vi.restoreAllMocks()
})

async function call(url: string, remoteAddress: string, options: InjectOptions = {}) {
  return market.app.inject({ url, remoteAddress, ...options })
}
const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const useUp = async (remoteAddress: string, options?: InjectOptions) => {
  for (let count = 0; count < LIMIT; count++) {
    expect((await call('/docs', remoteAddress, options)).statusCode).toBe(200)
  }
}

describe('calls without a key', () => {
  it('are limited for each address, in the one problem shape', async () => {
    await useUp('203.0.113.7')
    const refused = await call('/docs', '203.0.113.7')
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toMatchObject({ code: 'rate_limited', status: 429 })
    expect(refused.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.headers['ratelimit-policy']).toBe(`"address";q=${LIMIT};w=60`)
    expect((await call('/docs', '203.0.113.8')).statusCode).toBe(200)
    nowMs += 60_000
    expect((await call('/docs', '203.0.113.7')).statusCode).toBe(200)
  })

  it('count alike: pages, pictures, documents, unknown paths, sign-ins, refused tokens', async () => {
    const body = { key: 'pav_live_wrong' }
    const { uuid, token } = await market.token({ type: 'admin' })
    await market.call('DELETE', `/api/operator/tokens/${uuid}`, { token: market.adminKey })
    const calls: [url: string, options: InjectOptions, status: number][] = [
      ['/sign-in', {}, 200],
      ['/shapes/round.svg', {}, 200],
      ['/openapi/v3.json', {}, 200],
      ['/nowhere', {}, 404],
      ['/api/v3/session', { method: 'POST', body }, 401],
      [ATTRIBUTES, {}, 401],
      [ATTRIBUTES, { headers: { authorization: 'Basic eDp5' } }, 401],
      [ATTRIBUTES, withToken('pav_live_short'), 401],
      [ATTRIBUTES, withToken(newToken('live')), 401],
      [ATTRIBUTES, withToken(newToken('test')), 401],
      [ATTRIBUTES, withToken(token), 401],
    ]
    for (const [at, [url, options, status]] of calls.entries()) {
      const address = `203.0.113.${20 + at}`
      for (let count = 0; count < LIMIT; count++) {
        expect((await call(url, address, options)).statusCode, url).toBe(status)
      }
      expect((await call('/docs', address)).statusCode, url).toBe(429)
      expect((await call(url, address, options)).statusCode, url).toBe(429)
    }
  })

  it('do not use up what a valid key may do, even one that is new to the server', async () => {
    await useUp('203.0.113.40')
    expect((await call('/docs', '203.0.113.40')).statusCode).toBe(429)
    const { token } = await market.token({ type: 'admin' })
    for (let count = 0; count < 2 * LIMIT; count++) {
      expect((await call(ATTRIBUTES, '203.0.113.40', withToken(token))).statusCode).toBe(200)
    }
  })

  it('may always ask whether the server is alive, and which methods a page may use', async () => {
    await useUp('203.0.113.41')
    expect((await call('/healthz', '203.0.113.41')).statusCode).toBe(200)
    expect((await call('/readyz', '203.0.113.41')).statusCode).not.toBe(429)
    const preflight = await call(ATTRIBUTES, '203.0.113.41', { method: 'OPTIONS' })
    expect(preflight.statusCode).toBe(204)
  })

  it('of one IPv6 network of 64 bits count as one', async () => {
    await useUp('2001:db8:0:7::1')
    for (const same of ['2001:db8:0:7:ffff::2', '2001:0DB8:0:7:1:2:3:4', '2001:db8::7:0:0:0:9']) {
      expect((await call('/docs', same)).statusCode, same).toBe(429)
    }
    for (const other of ['2001:db8:0:8::1', '2001:db8::7', '::1']) {
      expect((await call('/docs', other)).statusCode, other).toBe(200)
    }
    await useUp('::ffff:203.0.113.42')
    expect((await call('/docs', '203.0.113.42')).statusCode).toBe(429)
  })

  it('are remembered for a fixed number of addresses', () => {
    const limiter = createAddressLimiter(1, { now: () => nowMs })
    const reply = { header: () => reply } as never
    const addressOf = (at: number) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`
    for (let at = 0; at < 20_001; at++) limiter.count(reply, addressOf(at))
    expect(limiter.isUsedUp(addressOf(0))).toBe(false)
    expect(limiter.isUsedUp(addressOf(1))).toBe(true)
  })
})

describe('the address behind a proxy', () => {
  const via = (forwarded: string): InjectOptions => ({
    headers: { 'x-forwarded-for': forwarded },
  })

  it('is the right-most one that is not a trusted proxy', async () => {
    await useUp(PROXY, via('203.0.113.50'))
    for (const same of [
      '198.51.100.1, 203.0.113.50',
      '203.0.113.50, 10.0.0.9',
      '203.0.113.50:4711',
      'unknown, 203.0.113.50',
    ]) {
      expect((await call('/docs', PROXY, via(same))).statusCode, same).toBe(429)
    }
    expect((await call('/docs', PROXY, via('203.0.113.50, 203.0.113.51'))).statusCode).toBe(200)
    expect((await call('/docs', PROXY, via('[2001:db8::50]:4711'))).statusCode).toBe(200)
  })

  it('is the proxy itself when it names no address', async () => {
    await useUp('10.0.0.3', via('nonsense'))
    expect((await call('/docs', '10.0.0.3')).statusCode).toBe(429)
  })

  it('is not believed from anyone else', async () => {
    await useUp('203.0.113.60')
    expect((await call('/docs', '203.0.113.60', via('203.0.113.61'))).statusCode).toBe(429)
  })

  it('decides whether a key may be used', async () => {
    const request = { type: 'admin' as const, allowed_addresses: ['203.0.113.70'] }
    const { authorization } = withToken((await market.token(request)).token).headers
    const from = (remoteAddress: string, forwarded: string) => {
      const headers = { authorization, 'x-forwarded-for': forwarded }
      return market.app.inject({ url: ATTRIBUTES, remoteAddress, headers })
    }
    expect((await from(PROXY, '203.0.113.70')).statusCode).toBe(200)
    const refused = await from(PROXY, '203.0.113.70, 203.0.113.71')
    expect(refused.statusCode).toBe(403)
    expect(refused.json().detail).toContain('203.0.113.71')
    expect((await from('203.0.113.72', '203.0.113.70')).statusCode).toBe(403)
  })

  it('of a proxy that names nobody is not one that a key is bound to', async () => {
    const request = { type: 'admin' as const, allowed_addresses: [PROXY] }
    const { authorization } = withToken((await market.token(request)).token).headers
    const from = (headers: Record<string, string>) => {
      const all = { authorization, ...headers }
      return market.app.inject({ url: ATTRIBUTES, remoteAddress: PROXY, headers: all })
    }
    expect((await from({})).statusCode).toBe(200)
    expect((await from({ 'x-forwarded-for': 'unknown' })).statusCode).toBe(403)
    expect((await from({ 'x-forwarded-for': `${PROXY}, unknown` })).statusCode).toBe(403)
  })

  it('is read from the settings as addresses, networks and the word loopback', () => {
    const read = (TRUST_PROXY: string) => readConfig({ TRUST_PROXY }, '/nowhere').trustedProxies
    expect(read('')).toEqual([])
    expect(read('loopback, 10.1.0.0/16 2001:db8::7')).toEqual([
      '127.0.0.0/8',
      '::1/128',
      '10.1.0.0/16',
      '2001:db8::7',
    ])
    for (const wrong of ['true', '1', '10.0.0.0/33', 'proxy.example']) {
      expect(() => read(wrong)).toThrow(`TRUST_PROXY has "${wrong}"`)
    }
  })
})

describe('made-up tokens', () => {
  it('are read together, and not again within a few seconds', async () => {
    let reads = 0
    const countReads: KyselyPlugin = {
      transformQuery({ node }) {
        if (node.kind === 'SelectQueryNode') reads++
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const tokens = createTokenCache(market.database.db.withPlugin(countReads), {
      isBusy: () => false,
      clock: Date,
    })
    const madeUp = Array.from({ length: 150 }, () => newToken('live'))
    const findAll = () =>
      Promise.all(madeUp.map((token) => tokens.find(`Bearer ${token}`, token, false)))
    expect(new Set(await findAll())).toEqual(new Set([undefined]))
    expect(reads).toBe(2)
    await findAll()
    expect(reads).toBe(2)
  })

  it('leave a valid token that arrives among them as it is', async () => {
    const { merchant, key } = await market.merchant()
    const others = Array.from({ length: 50 }, () => newToken('live'))
    const answers = await Promise.all(
      [...others, key, market.adminKey].map((token, at) =>
        call(ATTRIBUTES, `203.0.113.${100 + (at % 50)}`, withToken(token)),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([
      ...others.map(() => 401),
      200,
      200,
    ])
    const session = await call('/api/v3/session', '203.0.113.150', withToken(key))
    expect(session.json().merchant.uuid).toBe(merchant.uuid)
  })
})

describe('the limit without a key', () => {
  it('is switched off with the limit of keys, unless it is set', () => {
    const read = (settings: Record<string, string>) =>
      readConfig(settings, '/nowhere').addressLimitPerMinute
    expect(read({})).toBe(1_200)
    expect(read({ RATE_LIMIT_PER_MINUTE: '0' })).toBe(0)
    expect(read({ RATE_LIMIT_PER_MINUTE: '0', ANONYMOUS_LIMIT_PER_MINUTE: '30' })).toBe(30)
    expect(() => read({ ANONYMOUS_LIMIT_PER_MINUTE: 'many' })).toThrow('ANONYMOUS_LIMIT_PER_MINUTE')
  })
})
