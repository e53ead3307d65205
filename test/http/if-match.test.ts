import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/http/app.ts'
import type { App } from '../../src/http/route.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'

let market: TestMarket
/** A second node on the same database. */
let node: App
let shop: TestMerchant

beforeAll(async () => {
  market = await openTestMarket()
  node = await buildApp(market.deps)
  await node.ready()
  shop = await market.merchant()
})
afterAll(async () => {
  await node.close()
  await market.close()
})

/** How each kind of resource is made, and a change of it that a counter makes different. */
interface Kind {
  create(): Promise<{ path: string; etag: string | undefined }>
  change(count: number): object
  /** How it is removed; undefined when it cannot be. */
  removable: boolean
  operator?: true
}

async function created(path: string, body: object) {
  const response = await market.call('POST', path, { token: shop.key, body })
  expect(response.status, response.text).toBe(201)
  return { path: `${path}/${response.body.uuid}`, etag: response.headers.etag }
}

const ADDRESS = { address_1: '1 Facet Street', city: 'Boston', postal_code: '02108' }
let count = 0
const operatorAddresses = () => `/api/operator/merchants/${shop.merchant.uuid}/addresses`

const KINDS: Record<string, Kind> = {
  address: {
    create: () =>
      created('/api/v3/merchant_addresses', { ...ADDRESS, name: 'Store', country_code: 'US' }),
    change: (number) => ({ name: `Store ${number}` }),
    removable: true,
  },
  'address of a merchant, for the operator': {
    async create() {
      const { path, etag } = await KINDS.address.create()
      return { path: path.replace('/api/v3/merchant_addresses', operatorAddresses()), etag }
    },
    change: (number) => ({ name: `Store ${number}` }),
    removable: true,
    operator: true,
  },
  template: {
    create: () =>
      created('/api/v3/merchant_templates', {
        group: `G${++count}`,
        label: 'ONE',
        color: 'F',
        clarity: 'VS1',
        grade_name: 'ideal',
      }),
    change: (number) => ({ label: `LABEL ${number}` }),
    removable: true,
  },
  margin: {
    create: () =>
      created('/api/v3/profit_margins', {
        product_type: 'diamond',
        weight_or_price: 'weight',
        weight_min: ++count,
        weight_max: count + 0.5,
        mined_percent: 50,
        lab_percent: 80,
      }),
    change: (number) => ({ mined_percent: 50 + number }),
    removable: true,
  },
  webhook: {
    create: () => created('/api/v3/webhooks', { url: 'https://hooks.shop.example/in' }),
    change: (number) => ({ description: `number ${number}` }),
    removable: true,
  },
  'saved search': {
    create: () =>
      created('/api/v3/saved_searches', { name: 'ovals', kind: 'diamond', filters: {} }),
    change: (number) => ({ name: `ovals ${number}` }),
    removable: true,
  },
  merchant: {
    async create() {
      const response = await market.call('POST', '/api/operator/merchants', {
        token: market.adminKey,
        body: { email: `m${++count}@shop.example`, legal_dba: 'Shop', country_code: 'US' },
      })
      const path = `/api/operator/merchants/${response.body.uuid}`
      return { path, etag: response.headers.etag }
    },
    change: (number) => ({ legal_dba: `Shop ${number}` }),
    removable: false,
    operator: true,
  },
}

describe.each(Object.entries(KINDS))('a single %s', (_, kind) => {
  const token = () => (kind.operator ? market.adminKey : shop.key)
  const call = (method: string, path: string, ifMatch?: string, body?: object) =>
    market.call(method, path, {
      token: token(),
      ...(body && { body }),
      ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
    })

  it('has one strong ETag in its GET and in the answers of writes', async () => {
    const { path, etag } = await kind.create()
    expect(etag).toMatch(/^"[^"]+"$/)
    expect((await call('GET', path)).headers.etag).toBe(etag)
    const changed = await call('PATCH', path, undefined, kind.change(1))
    expect(changed.status).toBe(200)
    expect(changed.headers.etag).not.toBe(etag)
    const read = await call('GET', path)
    expect(read.headers.etag).toBe(changed.headers.etag)
    expect(read.body).toEqual(changed.body)
  })

  it('is changed when If-Match fits, and not when it no longer does', async () => {
    const { path, etag = '' } = await kind.create()
    const first = await call('PATCH', path, etag, kind.change(1))
    expect(first.status).toBe(200)
    const second = await call('PATCH', path, etag, kind.change(2))
    expect(second.status).toBe(412)
    expect(second.body).toMatchObject({ code: 'precondition_failed', etag: first.headers.etag })
    expect((await call('GET', path)).body).toEqual(first.body)
    const several = `"other", ${first.headers.etag}`
    expect((await call('PATCH', path, several, kind.change(3))).status).toBe(200)
    expect((await call('PATCH', path, '*', kind.change(4))).status).toBe(200)
    const { etag: last } = (await call('GET', path)).headers
    expect((await call('PATCH', path, `W/${last}`, kind.change(5))).status).toBe(412)
    expect((await call('PATCH', path, String(last).slice(1, -1), kind.change(5))).status).toBe(412)
  })

  it('is removed only when If-Match fits', async () => {
    if (!kind.removable) return
    const { path, etag = '' } = await kind.create()
    expect((await call('DELETE', path, '"other"')).status).toBe(412)
    expect((await call('DELETE', path, etag)).status).toBe(204)
    expect((await call('DELETE', path, '*')).status).toBe(404)
    expect((await call('PATCH', path, etag, kind.change(1))).status).toBe(404)
  })

  it('is changed by one of several writers with the same ETag, on two nodes', async () => {
    const { path, etag = '' } = await kind.create()
    const statuses = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const response = await (index % 2 === 0 ? market.app : node).inject({
          method: 'PATCH',
          url: path,
          headers: { authorization: `Bearer ${token()}`, 'if-match': etag },
          payload: kind.change(index + 1),
        })
        return response.statusCode
      }),
    )
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 412, 412, 412, 412, 412])
  })
})

describe('a table of margins', () => {
  it('is replaced only while the list still has the ETag of If-Match', async () => {
    const { key } = await market.merchant()
    const put = (min: number, ifMatch?: string) =>
      market.call('PUT', '/api/v3/profit_margins', {
        token: key,
        body: {
          mode: 'weight',
          product_type: 'diamond',
          tiers: [{ min, max: 5, mined_percent: 40, lab_percent: 60 }],
        },
        ...(ifMatch && { headers: { 'if-match': ifMatch } }),
      })
    const list = () => market.call('GET', '/api/v3/profit_margins/list', { token: key })
    const empty = (await list()).headers.etag
    const first = await put(0, empty)
    expect(first.status).toBe(200)
    expect((await list()).headers.etag).toBe(first.headers.etag)
    expect((await put(1, empty)).status).toBe(412)
    expect((await put(1, first.headers.etag)).status).toBe(200)
  })
})

describe('a conditional read of a single resource', () => {
  it('is 304 while it has the same ETag', async () => {
    const { path, etag = '' } = await KINDS.margin.create()
    for (const version of ['v3', 'v2']) {
      const headers = { 'if-none-match': etag }
      const url = path.replace('v3', version)
      expect((await market.call('GET', url, { token: shop.key, headers })).status).toBe(304)
    }
  })

  it.each(['address', 'template', 'webhook', 'saved search'])(
    'is 304 for a caller that has the %s, until it changes',
    async (name) => {
      const { path, etag = '' } = await KINDS[name].create()
      const headers = { 'if-none-match': etag }
      const read = () => market.call('GET', path, { token: shop.key, headers })
      expect(await read()).toMatchObject({ status: 304, headers: { etag } })
      await market.call('PATCH', path, { token: shop.key, body: KINDS[name].change(1) })
      expect((await read()).status).toBe(200)
    },
  )

  it('does not show what belongs to another merchant', async () => {
    const { key } = await market.merchant()
    for (const name of ['address', 'template', 'margin', 'webhook', 'saved search']) {
      const { path } = await KINDS[name].create()
      expect((await market.call('GET', path, { token: key })).status).toBe(404)
      const headers = { 'if-match': '*' }
      expect((await market.call('DELETE', path, { token: key, headers })).status).toBe(404)
    }
  })

  it('shows predefined templates, too', async () => {
    const path = '/api/v3/merchant_templates/DEFAULT_IDEAL'
    const { status, headers } = await market.call('GET', path, { token: shop.key })
    expect(status).toBe(200)
    expect(headers.etag).toMatch(/^"/)
  })
})
