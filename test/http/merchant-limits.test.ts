import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/http/app.ts'
import type { App } from '../../src/http/route.ts'
import { MERCHANT_LIMIT_NAMES, MERCHANT_LIMITS } from '../../src/reference/merchant-limits.ts'
import { SCOPES } from '../../src/reference/roles.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'

let market: TestMarket
/** A second node on the same database. */
let node: App

beforeAll(async () => {
  market = await openTestMarket()
  node = await buildApp(market.deps)
  await node.ready()
})
afterAll(async () => {
  await node.close()
  await market.close()
})

const pathOf = ({ merchant }: TestMerchant) => `/api/operator/merchants/${merchant.uuid}`
const setLimits = (shop: TestMerchant, limits: object) =>
  market.call('PATCH', pathOf(shop), { token: market.adminKey, body: { limits } })
const read = async (shop: TestMerchant) =>
  (await market.call('GET', pathOf(shop), { token: market.adminKey })).body

const STANDARD = Object.fromEntries(
  MERCHANT_LIMIT_NAMES.map((name) => [name, MERCHANT_LIMITS[name].standard]),
)

describe('the limits of a merchant', () => {
  it('are the standard ones, and are shown with what is in use', async () => {
    const shop = await market.merchant()
    const { limits, usage } = await read(shop)
    expect(limits).toEqual(STANDARD)
    expect(usage).toEqual({
      holds: 0,
      memo_stones: 0,
      memo_value: 0,
      addresses: 0,
      templates: 0,
      webhooks: 0,
      keys: 1,
    })
  })

  it('are changed one by one; null sets the standard limit again', async () => {
    const shop = await market.merchant()
    const changed = await setLimits(shop, { max_holds: 7, max_memo_value: 1_000 })
    expect(changed.body.limits).toEqual({ ...STANDARD, max_holds: 7, max_memo_value: 1_000 })
    await setLimits(shop, { max_holds: null })
    expect((await read(shop)).limits).toEqual({ ...STANDARD, max_memo_value: 1_000 })
  })

  it('can be given when the merchant is created, and are in the list', async () => {
    const token = market.adminKey
    const created = await market.call('POST', '/api/operator/merchants', {
      token,
      body: {
        email: 'limited@shop.example',
        legal_dba: 'Limited',
        country_code: 'US',
        limits: { max_keys: 2 },
      },
    })
    expect(created.status).toBe(201)
    expect(created.body.limits).toEqual({ ...STANDARD, max_keys: 2 })
    const { body } = await market.call('GET', '/api/operator/merchants', { token })
    const listed = body.merchants.find((row: { uuid: string }) => row.uuid === created.body.uuid)
    expect(listed.limits.max_keys).toBe(2)
  })

  it('are refused with 422 outside of their range, and by wrong names', async () => {
    const shop = await market.merchant()
    for (const name of MERCHANT_LIMIT_NAMES) {
      const { lowest, highest } = MERCHANT_LIMITS[name]
      for (const value of [lowest - 1, highest + 1, 1.5, '5']) {
        const refused = await setLimits(shop, { [name]: value })
        expect(refused.status).toBe(422)
        expect(refused.body.errors[0].field).toBe(`limits.${name}`)
      }
      expect((await setLimits(shop, { [name]: highest })).status).toBe(200)
    }
    expect((await setLimits(shop, { max_hold: 1 })).body.errors[0].message).toContain('max_holds')
    expect((await setLimits(shop, {})).status).toBe(422)
  })
})

/** Each makes one thing of its kind; the numbers keep them apart. */
const KINDS = [
  {
    name: 'max_addresses',
    code: 'address_limit',
    path: '/api/v3/merchant_addresses',
    bodyOf: (n: number) => ({
      name: `Store ${n}`,
      address_1: `${n} Facet Street`,
      city: 'New York',
      postal_code: '10036',
      country_code: 'US',
    }),
  },
  {
    name: 'max_templates',
    code: 'template_limit',
    path: '/api/v3/merchant_templates',
    bodyOf: (n: number) => ({
      group: 'Own',
      label: `Label ${n}`,
      color: 'F',
      clarity: 'VS1',
      grade_name: 'ideal',
    }),
  },
  {
    name: 'max_webhooks',
    code: 'webhook_limit',
    path: '/api/v3/webhooks',
    bodyOf: (n: number) => ({ url: `https://shop.example/hooks/${n}` }),
  },
  {
    name: 'max_keys',
    code: 'key_limit',
    path: '/api/v3/tokens',
    bodyOf: (n: number) => ({ name: `Key ${n}` }),
  },
] as const

describe.each(KINDS)('$name', ({ name, code, path, bodyOf }) => {
  it(`refuses more with 409 ${code}, also of requests to two nodes at once`, async () => {
    const shop = await market.merchant()
    const { token } = await market.token({ merchant_uuid: shop.merchant.uuid, scopes: SCOPES })
    const before = (await read(shop)).usage[name.replace('max_', '')]
    await setLimits(shop, { [name]: before + 2 })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const send = (app: App, n: number) =>
      app.inject({ method: 'POST', url: path, headers, payload: JSON.stringify(bodyOf(n)) })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => send(n % 2 === 0 ? market.app : node, n)),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(2)
    const refused = answers.filter(({ statusCode }) => statusCode === 409)
    expect(refused).toHaveLength(6)
    const limit = before + 2
    expect(refused[0].json()).toMatchObject({ code, limit_name: name, limit, used: limit })
    expect(refused[0].json().detail).toMatch(
      /limit of \w+ is \d; \d are in use\. .*raise the limit\.$/,
    )

    await setLimits(shop, { [name]: limit + 1 })
    expect((await send(market.app, 9)).statusCode).toBe(201)
    await setLimits(shop, { [name]: 0 })
    expect((await read(shop)).usage[name.replace('max_', '')]).toBe(limit + 1)
    expect((await send(market.app, 10)).json()).toMatchObject({ code, limit: 0 })
  })
})
