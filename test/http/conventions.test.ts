import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/http/app.ts'
import type { Problem } from '../../src/http/response/problems.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

let market: TestMarket
let key: string

beforeAll(async () => {
  market = await openTestMarket()
  key = (await market.merchant()).key
})
afterAll(() => market.close())

const LIST = '/api/v3/merchant_templates/list'
const read = (path: string, headers = {}) => market.call('GET', path, { token: key, headers })
const write = (body: unknown, headers = {}) =>
  market.call('POST', '/api/operator/merchants', { token: market.adminKey, body, headers })

describe('errors', () => {
  it('have the same shape everywhere, with a detail that says what to do', async () => {
    const { status, headers, body } = await read('/api/v3/nowhere')
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(body).toEqual({
      type: 'urn:pavilion:problem:not_found',
      title: expect.any(String),
      status: 404,
      detail: 'There is no GET /api/v3/nowhere; see /docs for all endpoints.',
      code: 'not_found',
      request_id: headers['x-request-id'],
    })
  })

  it.each([
    ['{"email":', 400, 'invalid_json', 'application/json'],
    ['', 400, 'invalid_json', 'application/json'],
    [Buffer.from([0x22, 0xff, 0x22]), 400, 'invalid_json', 'application/json'],
    ['{"__proto__": {"a": 1}}', 422, 'invalid_request', 'application/json'],
    ['{"constructor": {"prototype": {}}}', 422, 'invalid_request', 'application/json'],
    ['{"__proto__": {"a": 1}', 400, 'invalid_json', 'application/json'],
    ['<merchant/>', 415, 'unsupported_media_type', 'application/xml'],
    ['{}', 415, 'unsupported_media_type', 'text/plain'],
    [JSON.stringify({ email: 'x'.repeat(1024 * 1024) }), 413, 'body_too_large', 'application/json'],
  ])('for the body %j have the status %i', async (payload, status, code, type) => {
    const response = await market.app.inject({
      method: 'POST',
      url: '/api/operator/merchants',
      payload,
      headers: { authorization: `Bearer ${market.adminKey}`, 'content-type': type },
    })
    expect([response.statusCode, response.json().code]).toEqual([status, code])
  })

  it('do not arise from a Content-Type alone, where no body is needed', async () => {
    const { body: other } = await market.call('POST', '/api/operator/tokens', {
      token: market.adminKey,
      body: { type: 'admin' },
    })
    const withType = async (method: 'DELETE' | 'POST', url: string) => {
      const headers = {
        authorization: `Bearer ${market.adminKey}`,
        'content-type': 'application/json',
      }
      return (await market.app.inject({ method, url, headers })).statusCode
    }
    expect(await withType('DELETE', `/api/operator/tokens/${other.uuid}`)).toBe(200)
    // The reason of a cancellation is optional, and so is its body: only the order is missing here.
    expect(await withType('POST', `/api/operator/orders/${other.uuid}/cancel`)).toBe(404)
    expect(await withType('POST', '/api/operator/tokens')).toBe(400)
  })

  it('name every invalid field by its path, with the nearest known name', async () => {
    const { status, body } = await write({
      email: 'nowhere',
      legal_db: 'X',
      country_code: 5,
      test: 'yes',
    })
    expect(status).toBe(422)
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { field: 'legal_db', message: 'is not a known name; did you mean legal_dba?' },
        { field: 'legal_dba', message: 'is required' },
        { field: 'email', message: 'must be an email address' },
        { field: 'country_code', message: 'must be a string' },
        { field: 'test', message: 'must be true or false' },
      ]),
    )
  })

  it.each([
    [{ weight_min: 2, weight_max: 1 }, 'weight_min (2) is above weight_max (1)'],
    [{ updated_since: 'yesterday' }, 'yesterday is not a timestamp'],
  ])('of the filters %j have a detail that ends as a sentence does', async (filters, message) => {
    const path = '/api/v3/diamonds/merchant_search'
    const { status, body } = await market.call('POST', path, { token: key, body: { filters } })
    expect([status, body.detail]).toEqual([422, `${message}.`])
    expect(body.errors.map((error: { message: string }) => error.message)).toEqual([message])
  })

  it('say that an order reference must not contain control characters', async () => {
    const body = { order_type: 'invoice', order_reference: 'Ring\t17', line_items: [] }
    const refused = await market.call('POST', '/api/v2/orders/place', { token: key, body })
    expect(refused.status).toBe(422)
    expect(refused.body.detail).toContain('order_reference must not contain control characters')
  })

  it('name the invalid element of a list', async () => {
    const { body } = await market.call('POST', '/api/operator/tokens', {
      token: market.adminKey,
      body: { type: 'admin', scopes: ['search', 'orders:reed'] },
    })
    expect(body.errors).toEqual([
      { field: 'scopes[1]', message: expect.stringContaining('did you mean orders:read?') },
    ])
  })
})

describe('lists', () => {
  const OPERATOR = 'orders merchants tokens suppliers imports exchange_rates audit'.split(' ')
  it.each([
    ...OPERATOR.map((name) => `/api/operator/${name}`),
    ...['/api/v3/webhooks', '/api/v3/tokens', '/api/v3/events', '/api/v3/audit', LIST],
    ...['/api/v2/defaults/profit_margins', '/api/v3/defaults/collections'],
    ...['/api/v3/shares', '/api/v3/watched'],
  ])('%s have an ETag, and are not sent again to a caller that has it', async (path) => {
    const token = path.startsWith('/api/operator') ? market.adminKey : key
    const first = await market.call('GET', path, { token })
    expect([first.status, typeof first.headers.etag]).toEqual([200, 'string'])
    const headers = { 'if-none-match': first.headers.etag ?? '' }
    expect((await market.call('GET', path, { token, headers })).status).toBe(304)
    const authorization = `Bearer ${token}`
    const head = await market.app.inject({ method: 'HEAD', url: path, headers: { authorization } })
    expect([head.statusCode, head.headers.etag]).toEqual([200, first.headers.etag])
  })
})

describe('query parameters', () => {
  it('are refused when unknown, with the nearest known name', async () => {
    const { status, body } = await read(`${LIST}?ofset=1`)
    expect(status).toBe(422)
    expect(body.errors).toEqual([
      { field: 'ofset', message: 'is not a known name; did you mean offset?' },
    ])
    expect((await read('/api/v3/defaults/gem_attributes?x=1')).status).toBe(422)
  })

  it('are all read, however many there are', async () => {
    const { status, body } = await read(`${LIST}?${'&'.repeat(1000)}limit=0`)
    expect([status, body.errors?.[0].field]).toEqual([422, 'limit'])
  })

  it.each([
    ['limit=0', 'must be at least 1'],
    ['limit=1001', 'must be at most 1000'],
    ['limit=ten', 'must be a whole number'],
    ['limit=', 'must be a whole number'],
    ['limit=1.5', 'must be a whole number'],
    ['limit=1&limit=2', 'must be a whole number'],
    ['offset=-1', 'must be at least 0'],
  ])('are validated: %s', async (query, message) => {
    const { status, body } = await read(`${LIST}?${query}`)
    expect(status).toBe(422)
    expect(body.errors).toEqual([{ field: query.split('=')[0], message }])
  })
})

describe('request ids', () => {
  it('are those of the caller when they are safe to repeat, and new ones otherwise', async () => {
    const own = 'shop-42:abc_DEF.7'
    expect((await read(LIST, { 'x-request-id': own })).headers['x-request-id']).toBe(own)
    for (const unsafe of ['a b', 'x'.repeat(129), 'é', '<script>']) {
      const id = (await read(LIST, { 'x-request-id': unsafe })).headers['x-request-id']
      expect(id).not.toBe(unsafe)
      expect(id).toMatch(/^req-/)
    }
  })
})

describe('CORS', () => {
  it('lets any origin call, without cookies', async () => {
    const { headers } = await read(LIST, { origin: 'https://shop.example' })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
    const preflight = await market.app.inject({
      method: 'OPTIONS',
      url: LIST,
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'GET' },
    })
    expect(preflight.statusCode).toBe(204)
  })
})

describe('the rate limit', () => {
  it('counts by token, says how much is left, and refuses more with 429', async () => {
    const limited = await openTestMarket({ rateLimitPerMinute: 3 })
    try {
      const first = await limited.merchant()
      const second = await limited.merchant()
      const call = (token: string) => limited.call('GET', LIST, { token })
      expect((await call(first.key)).headers.ratelimit).toMatch(/^"token";r=2;t=\d+$/)
      expect((await call(first.key)).headers['ratelimit-policy']).toBe('"token";q=3;w=60')
      // Twice the limit is too much even when a new minute begins in between.
      const responses = []
      for (let count = 0; count < 6; count++) responses.push(await call(first.key))
      const beyond = responses.find(({ status }) => status === 429)
      expect(beyond?.body.code).toBe('rate_limited')
      expect(Number(beyond?.headers['retry-after'])).toBeGreaterThan(0)
      expect((await call(second.key)).status).toBe(200)
      const own = { merchant_uuid: first.merchant.uuid, rate_limit_per_minute: 0 }
      const { token } = await limited.token(own)
      for (let count = 0; count < 10; count++) expect((await call(token)).status).toBe(200)
    } finally {
      await limited.close()
    }
  })

  it('is shared by two nodes on one database', async () => {
    const one = await openTestMarket({ rateLimitPerMinute: 1_000 })
    const two = await buildApp(one.deps)
    try {
      const { key } = await one.merchant()
      const headers = { authorization: `Bearer ${key}` }
      const left = async (app: typeof two) => {
        const { headers: returned } = await app.inject({ url: LIST, headers })
        return Number(/r=(\d+)/.exec(String(returned.ratelimit))?.[1])
      }
      const heard = async () => {
        for (let count = 0; count < 30; count++) await left(one.app)
        return left(two)
      }
      // The second node itself receives fewer than a hundred requests.
      const often = { timeout: 60_000, interval: 600 }
      await expect.poll(heard, often).toBeLessThan(850)
    } finally {
      await two.close()
      await one.close()
    }
  })
})

/** Sends the header with an empty value over a real connection, through Node's own parser. */
async function sendEmptyKey(): Promise<{ status: number | undefined; body: Problem }> {
  await market.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = market.app.server.address() as { port: number }
  const body = JSON.stringify({ email: 'empty@shop.example', legal_dba: 'X', country_code: 'FR' })
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/operator/merchants',
    headers: {
      authorization: `Bearer ${market.adminKey}`,
      'content-type': 'application/json',
      'idempotency-key': '',
    },
  })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, body: JSON.parse(text) }
}

describe('an idempotency key', () => {
  const merchant = { legal_dba: 'X', country_code: 'FR' }

  it('replays the first response byte for byte, and does not store a refusal', async () => {
    const body = { ...merchant, email: 'once@shop.example' }
    const first = await write(body, { 'idempotency-key': 'k1' })
    const again = await write(body, { 'idempotency-key': 'k1' })
    expect(first.status).toBe(201)
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers['idempotent-replayed']).toBe('true')
    const refused = await write(body, { 'idempotency-key': 'k2' })
    expect(refused.status).toBe(409)
    const other = { ...merchant, email: 'other@shop.example' }
    const retried = await write(other, { 'idempotency-key': 'k2' })
    expect([retried.status, retried.headers['idempotent-replayed']]).toEqual([201, undefined])
  })

  it('lets one of fifty concurrent requests do the work; the others get its response or 409', async () => {
    const body = { ...merchant, email: 'crowd@shop.example' }
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => write(body, { 'idempotency-key': 'crowd' })),
    )
    const done = responses.filter(({ status }) => status === 201)
    expect(new Set(done.map(({ text }) => text)).size).toBe(1)
    const others = responses.filter(({ status }) => status !== 201)
    for (const { status, body: problem } of others) {
      expect([status, problem.code]).toEqual([409, 'idempotency_key_in_use'])
    }
    const merchants = await market.database.db
      .selectFrom('merchant')
      .select('uuid')
      .where('email', '=', body.email)
      .execute()
    expect(merchants).toHaveLength(1)
  })

  it('is refused with another body, when it is too long, and when it is empty', async () => {
    const headers = { 'idempotency-key': 'k3' }
    await write({ ...merchant, email: 'a@shop.example' }, headers)
    const reused = await write({ ...merchant, email: 'b@shop.example' }, headers)
    expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused'])
    const long = await write(merchant, { 'idempotency-key': 'x'.repeat(256) })
    expect(long.status).toBe(422)
    const search = await market.call('POST', '/api/v3/diamonds/merchant_search', {
      token: (await market.merchant()).key,
      body: {},
      headers: { 'idempotency-key': 'x'.repeat(256) },
    })
    expect([search.status, search.body.errors?.[0].field]).toEqual([422, 'Idempotency-Key'])
    const empty = await sendEmptyKey()
    expect([empty.status, empty.body.errors?.[0].field]).toEqual([422, 'Idempotency-Key'])
  })

  it('of a long request uses a connection of its own market only', async () => {
    const sandbox = await openTestMarket({ realm: 'test' })
    const upload = async (of: TestMarket, key: string, token: string) =>
      of.app.inject({
        method: 'POST',
        url: '/api/operator/imports?supplier=Surat%20Gems&dry_run=true',
        payload: 'Stock #,Shape\nS-1,Round\n',
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
      })
    const blocker = await market.database.pool.connect()
    try {
      const { token } = await sandbox.token({ type: 'admin', realm: 'test' })
      // Imports that wait for a lock take long, and hold their keys.
      await blocker.query('begin; lock table supplier')
      const waiting = [1, 2, 3].map((n) => upload(market, `long-${n}`, market.adminKey))
      const refused = async () => {
        const response = await upload(market, 'one more', market.adminKey)
        return [response.statusCode, response.json().code]
      }
      const { imports } = market.app.services.pools
      await expect.poll(() => imports.load().inUse).toBe(6)
      expect(await refused()).toEqual([503, 'not_ready'])
      expect((await upload(sandbox, 'other', token)).statusCode).toBeLessThan(500)
      await blocker.query('rollback')
      for (const { statusCode } of await Promise.all(waiting)) expect(statusCode).toBeLessThan(500)
      expect((await refused())[0]).toBeLessThan(500)
    } finally {
      blocker.release(true)
      await sandbox.close()
    }
  })

  it('stores no new token in clear text', async () => {
    const path = '/api/operator/tokens'
    const options = {
      token: market.adminKey,
      body: { type: 'admin' },
      headers: { 'idempotency-key': 'k4' },
    }
    const { body, text } = await market.call('POST', path, options)
    expect((await market.call('POST', path, options)).text).toBe(text)
    const stored = await market.database.db.selectFrom('idempotency_key').select('body').execute()
    for (const response of stored) expect(response.body.includes(body.token)).toBe(false)
  })

  it('belongs to its owner: another token may use the same key', async () => {
    const { token } = await market.token({ type: 'admin' })
    const one = { ...merchant, email: 'owner-one@shop.example' }
    const two = { ...merchant, email: 'owner-two@shop.example' }
    const headers = { 'idempotency-key': 'shared' }
    expect((await write(one, headers)).status).toBe(201)
    const path = '/api/operator/merchants'
    expect((await market.call('POST', path, { token, body: two, headers })).status).toBe(201)
  })
})
