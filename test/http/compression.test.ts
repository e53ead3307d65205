import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestMarket, type TestMarket } from '../support/market.ts'

let market: TestMarket

beforeAll(async () => {
  market = await openTestMarket()
})
afterAll(() => market.close())

const LONG = '/api/v3/defaults/merchant_templates'

const read = (headers: Record<string, string>, url = LONG) =>
  market.app.inject({ url, headers: { authorization: `Bearer ${market.adminKey}`, ...headers } })

describe('compression', () => {
  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['gzip, br;q=0.5', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['deflate', undefined],
    ['identity', undefined],
    ['gzip;q=0', undefined],
  ])('answers Accept-Encoding: %s with %s', async (wish, coding) => {
    const [answer, plain] = [await read({ 'accept-encoding': wish }), await read({})]
    expect(answer.headers['content-encoding']).toBe(coding)
    expect(answer.headers.vary).toBe('accept-encoding')
    const bytes = answer.rawPayload
    expect(answer.headers['content-length']).toBe(String(bytes.length))
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[coding ?? '']
    expect((unpack ? unpack(bytes) : bytes).equals(plain.rawPayload)).toBe(true)
  })

  it('comes after the ETag, which holds for every coding', async () => {
    const { key: token } = await market.merchant()
    const address = { address_1: '1 Facet Street', city: 'New York', postal_code: '10036' }
    for (const name of ['Store', 'Workshop', 'Vault', 'Office', 'Fair', 'Depot']) {
      const body = { ...address, name, region: 'NY', country_code: 'US' }
      await market.call('POST', '/api/v3/merchant_addresses', { token, body })
    }
    const list = (headers: Record<string, string>) =>
      market.app.inject({
        url: '/api/v3/merchant_addresses/list',
        headers: { authorization: `Bearer ${token}`, ...headers },
      })
    const plain = await list({})
    const zipped = await list({ 'accept-encoding': 'gzip' })
    expect(plain.rawPayload.length).toBeGreaterThan(1024)
    expect(zipped.headers['content-encoding']).toBe('gzip')
    const etag = String(plain.headers.etag)
    expect([zipped.headers.etag, etag]).toEqual([etag, expect.stringMatching(/^W/)])
    const again = await list({ 'accept-encoding': 'gzip', 'if-none-match': etag })
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
  })

  it('leaves a short answer as it is', async () => {
    const answer = await read({ 'accept-encoding': 'br' }, '/healthz')
    expect(answer.headers['content-encoding']).toBeUndefined()
  })

  it('refuses a compressed body with 415', async () => {
    const answer = await market.app.inject({
      method: 'POST',
      url: '/api/operator/merchants',
      payload: Buffer.from([0x1f, 0x8b]),
      headers: {
        authorization: `Bearer ${market.adminKey}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
    })
    expect([answer.statusCode, answer.json().code]).toEqual([415, 'unsupported_content_coding'])
  })
})

describe('CORS', () => {
  it('lets a page of any origin call, and read what the answer says of itself', async () => {
    const answer = await read({ origin: 'https://shop.example' })
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['access-control-expose-headers']).toContain('RateLimit')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    const refused = await market.app.inject({ url: LONG, headers: { origin: 'https://a.example' } })
    expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([401, '*'])
  })

  it('answers a preflight without a token', async () => {
    const answer = await market.app.inject({
      method: 'OPTIONS',
      url: '/api/v3/orders/place',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type, idempotency-key',
      },
    })
    expect(answer.statusCode).toBe(204)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['access-control-allow-methods']).toContain('POST')
    expect(String(answer.headers['access-control-allow-headers'])).toMatch(/Idempotency-Key/)
  })
})
