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
  ])('returns for Accept-Encoding: %s the coding %s', async (accepted, coding) => {
    const [response, plain] = [await read({ 'accept-encoding': accepted }), await read({})]
    expect(response.headers['content-encoding']).toBe(coding)
    expect(response.headers.vary).toBe('accept-encoding')
    const bytes = response.rawPayload
    expect(response.headers['content-length']).toBe(String(bytes.length))
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[coding ?? '']
    expect((unpack ? unpack(bytes) : bytes).equals(plain.rawPayload)).toBe(true)
  })

  it('happens after the ETag is made, which is the same for every coding', async () => {
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

  it('does not change a short response', async () => {
    const response = await read({ 'accept-encoding': 'br' }, '/healthz')
    expect(response.headers['content-encoding']).toBeUndefined()
  })

  it('refuses a compressed body with 415', async () => {
    const response = await market.app.inject({
      method: 'POST',
      url: '/api/operator/merchants',
      payload: Buffer.from([0x1f, 0x8b]),
      headers: {
        authorization: `Bearer ${market.adminKey}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
    })
    expect([response.statusCode, response.json().code]).toEqual([415, 'unsupported_content_coding'])
  })
})

describe('CORS', () => {
  it('lets a page of any origin call, and read the headers of the response', async () => {
    const response = await read({ origin: 'https://shop.example' })
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(response.headers['access-control-expose-headers']).toContain('RateLimit')
    expect(response.headers['access-control-allow-credentials']).toBeUndefined()
    const refused = await market.app.inject({ url: LONG, headers: { origin: 'https://a.example' } })
    expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([401, '*'])
  })

  it('accepts a preflight without a token', async () => {
    const response = await market.app.inject({
      method: 'OPTIONS',
      url: '/api/v3/orders/place',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type, idempotency-key',
      },
    })
    expect(response.statusCode).toBe(204)
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(response.headers['access-control-allow-methods']).toContain('POST')
    expect(String(response.headers['access-control-allow-headers'])).toMatch(/Idempotency-Key/)
  })
})
