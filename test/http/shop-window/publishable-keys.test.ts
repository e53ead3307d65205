import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openApiOf } from '../../../src/http/docs/openapi.ts'
import type { Operation } from '../../../src/http/docs/operations.ts'
import { DOCUMENTS } from '../../../src/http/docs/page.ts'
import { HIDDEN_FIELDS } from '../../../src/http/response/hidden-fields.ts'
import { openDemoMarket } from '../../support/demo-market.ts'
import { createSchemaValidator } from '../../support/document-check.ts'
import type { TestMarket, TestResponse } from '../../support/market.ts'
import { indexed } from '../../support/stocked.ts'

/**
 * Every operation that a publishable key may call is called with it and with a full key of the same
 * merchant, on a demo market. What the full key sees of trade is searched for in what it gets.
 */
const ORIGIN = 'https://shop.example'
let market: TestMarket
let key: string
let publishable: string
let merchant_uuid: string
let sku: string
let responses: Awaited<ReturnType<typeof callAll>>

interface Call {
  path?: string
  body?: object
  /** How many rows of the response a full key gets at least. */
  finds: (body: TestResponse['body']) => number
}

const CURATED = { weight: 1, shape: 'round', types: ['mined', 'lab grown'], explain: true }
const count = (name: string) => (body: TestResponse['body']) => body[name].length
const page = { limit: 60, include: ['facets', 'relaxations'] }
const details = { limit: 60, include: ['details'] }

const membersOf = (body: TestResponse['body']) => Object.keys(body).length
/** Reference data, which is the same for everyone. */
const DEFAULTS = ['collections', 'gem_attributes', 'gem_ratios', 'merchant_templates'].flatMap(
  (name) => [`/api/v2/defaults/${name}`, `/api/v3/defaults/${name}`],
)

function callsOf(stone: string): ReadonlyMap<string, Call> {
  const parcels = {
    path: 'get_parcel_filters?shape=round&type=mined',
    finds: ({ filters }: TestResponse['body']) => Object.keys(filters).length,
  }
  const attributes = { path: 'product_filters?product_type=jewelry', finds: count('filters') }
  return new Map<string, Call>([
    ['POST /api/v2/diamonds/merchant_search', { body: page, finds: count('gems') }],
    ['POST /api/v3/diamonds/merchant_search', { body: page, finds: count('gems') }],
    ['POST /api/v3/gemstones/search', { body: page, finds: count('gems') }],
    ['POST /api/v2/diamonds/ai_search', { body: CURATED, finds: (gems) => gems.length }],
    [
      'POST /api/v3/diamonds/get_diamonds_by_merchant_templates',
      { body: CURATED, finds: (gems) => gems.length },
    ],
    ['GET /api/v2/diamonds/get_parcel_filters', parcels],
    ['GET /api/v3/diamonds/get_parcel_filters', parcels],
    ['GET /api/v3/inventory/gems/:sku', { path: stone, finds: (gem) => (gem.sku ? 1 : 0) }],
    ['POST /api/v2/products/query', { body: details, finds: count('products') }],
    ['POST /api/v3/products/query', { body: details, finds: count('products') }],
    ['POST /api/v2/products/jewelry/query', { body: details, finds: count('products') }],
    ['POST /api/v3/products/jewelry/query', { body: details, finds: count('products') }],
    ['POST /api/v2/product_variants/jewelry/query', { body: details, finds: count('variants') }],
    ['POST /api/v3/product_variants/jewelry/query', { body: details, finds: count('variants') }],
    ['GET /api/v2/product_filters', attributes],
    ['GET /api/v3/product_filters', attributes],
    ...DEFAULTS.map((path): [string, Call] => [`GET ${path}`, { finds: membersOf }]),
  ])
}

beforeAll(async () => {
  market = await openDemoMarket()
  await indexed(market)
  const { merchant, key: full } = await market.merchant()
  key = full
  merchant_uuid = merchant.uuid
  const token = { type: 'publishable', merchant_uuid, origins: [ORIGIN] } as const
  publishable = (await market.token(token)).token
  const path = '/api/v3/diamonds/merchant_search'
  sku = (await market.call('POST', path, { token: key, body: { limit: 1 } })).body.gems[0].sku
  responses = await callAll()
})
afterAll(() => market.close())

function operations(): Operation[] {
  return market.app.services.operations.filter(
    ({ access, path }) => 'publishable' in access && path !== '/api/v3/enquiries',
  )
}

function callWith(token: string, { method, path }: Operation, call: Call): Promise<TestResponse> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const url = call.path === undefined ? path : folder + call.path
  const { body } = call
  return market.call(method, url, { token, headers: { origin: ORIGIN }, ...(body && { body }) })
}

/** Both responses to every operation, by its name. */
async function callAll(): Promise<{ name: string; seen: TestResponse; full: TestResponse }[]> {
  const calls = callsOf(sku)
  const all: { name: string; seen: TestResponse; full: TestResponse }[] = []
  for (const operation of operations()) {
    const name = `${operation.method} ${operation.path}`
    const call = calls.get(name)
    if (!call) throw new Error(`${name} has no example here`)
    const full = await callWith(key, operation, call)
    const seen = await callWith(publishable, operation, call)
    expect([full.status, seen.status], `${name}: ${seen.text}`).toEqual([200, 200])
    expect(call.finds(full.body), name).toBeGreaterThan(0)
    expect(call.finds(seen.body), name).toBe(call.finds(full.body))
    all.push({ name, seen, full })
  }
  return all
}

/** Every number of a response with the names above it; the names of hidden fields included. */
function* numbersOf(value: unknown, name = ''): Generator<[name: string, value: number]> {
  if (typeof value === 'number') yield [name, value]
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    const isHidden = HIDDEN_FIELDS.has(name)
    yield* numbersOf(member, isHidden || Array.isArray(value) ? name : key)
  }
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    yield name
    yield* textsOf(member)
  }
}

const HIDDEN_NAME = /"[^"]*(wholesale|cost|supplier|vendor|margin|off_rap)[^"]*":/

describe('a response to a publishable key', () => {
  it('has no wholesale figure, no supplier and no name of a hidden field', async () => {
    const { db } = market.database
    const suppliers = await db.selectFrom('supplier').select(['uuid', 'name']).execute()
    const gems = await db.selectFrom('gem').select('vendor_sku').execute()
    const variants = await db.selectFrom('variant').select('vendor_sku').execute()
    const secrets = [
      ...suppliers.flatMap(({ uuid, name }) => [uuid, name]),
      ...[...gems, ...variants].map(({ vendor_sku }) => vendor_sku),
    ]
    expect(secrets.length).toBeGreaterThan(1_000)
    // Each string once: the same words are in many stones.
    const shownTexts = new Set(responses.flatMap(({ seen }) => [...textsOf(seen.body)]))
    const all = [...shownTexts].join('\n')
    expect(secrets.filter((secret) => all.includes(secret))).toEqual([])
    for (const { name, seen, full } of responses) {
      expect(seen.text.match(HIDDEN_NAME)?.[0], name).toBeUndefined()
      const shown = new Set([...numbersOf(seen.body)].map(([, value]) => value))
      const visible = [...numbersOf(full.body)].filter(([field]) => !HIDDEN_FIELDS.has(field))
      const legitimate = new Set(visible.map(([, value]) => value))
      const hidden = [...numbersOf(full.body)].filter(
        ([field, value]) => HIDDEN_FIELDS.has(field) && !legitimate.has(value),
      )
      expect(
        hidden.filter(([, value]) => shown.has(value)),
        name,
      ).toEqual([])
    }
  })

  it('has everything else, at retail prices, and fits its document', async () => {
    const documents = Object.values(DOCUMENTS).map((options) =>
      JSON.parse(
        JSON.stringify(openApiOf(market.app.services.operations, { ...options, servers: [] })),
      ),
    )
    for (const { name, seen, full } of responses) {
      const [method, path] = name.split(' ')
      const documented = path.replaceAll(/:(\w+)/g, '{$1}')
      const document = documents.find(({ paths }) => documented in paths)
      const validate = createSchemaValidator(document)(
        // biome-ignore format: a path
        ['paths', documented, method.toLowerCase(), 'responses', '200', 'content', 'application/json', 'schema'],
      )
      expect(validate(seen.body), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true)
      expect(isDeepStrictEqual(seen.body, withoutHidden(full.body)), name).toBe(true)
    }
    const search = { limit: 1, fields: ['sku', 'retail_price', 'base_retail_price'] }
    const path = '/api/v3/diamonds/merchant_search'
    const headers = { origin: ORIGIN }
    const { body } = await market.call('POST', path, { token: publishable, headers, body: search })
    expect(body.gems[0].retail_price).toBeGreaterThan(0)
  })

  it('is never taken for that of a full key, or the other way round', async () => {
    const path = '/api/v3/diamonds/merchant_search'
    const body = { limit: 20 }
    const call = (token: string) =>
      market.call('POST', path, { token, body, headers: { origin: ORIGIN } })
    const both = await Promise.all(
      Array.from({ length: 20 }, (_, n) => call(n % 2 === 0 ? key : publishable)),
    )
    both.forEach(({ body: { gems } }, n) => {
      expect('wholesale_price' in gems[0], `call ${n}`).toBe(n % 2 === 0)
    })
  })
})

function withoutHidden(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, member) => (HIDDEN_FIELDS.has(name) ? undefined : member)),
  )
}

describe('a request with a publishable key', () => {
  const refused = async (method: string, path: string, body: object | undefined, field: string) => {
    const headers = { origin: ORIGIN }
    const options = { token: publishable, headers, ...(body && { body }) }
    const response = await market.call(method, path, options)
    const where = `${path} ${JSON.stringify(body)}`
    expect([response.status, response.body.code], where).toEqual([403, 'hidden_field'])
    expect(response.body.errors[0].field, where).toBe(field)
  }

  it('that filters, sorts or selects by a hidden field is refused', async () => {
    const searches = [
      '/api/v2/diamonds/merchant_search',
      '/api/v3/diamonds/merchant_search',
      '/api/v3/gemstones/search',
    ]
    for (const path of searches) {
      for (const name of ['wholesale_price_min', 'wholesale_price_max', 'off_rap_percentage_max']) {
        await refused('POST', path, { filters: { [name]: 1 } }, `filters.${name}`)
      }
      await refused(
        'POST',
        path,
        { filters: { price_per_carat_min: 1 } },
        'filters.price_per_carat_min',
      )
      for (const sort_col of ['wholesale_price', 'price_per_carat', 'off_rap_percentage']) {
        await refused('POST', path, { sort_col }, 'sort_col')
      }
      await refused('POST', path, { fields: ['sku', 'base_wholesale_price'] }, 'fields')
    }
    for (const version of ['v2', 'v3']) {
      const variants = `/api/${version}/product_variants/jewelry/query`
      const jewelry = `/api/${version}/products/jewelry/query`
      await refused('POST', variants, { wholesale_price_max: 100 }, 'wholesale_price_max')
      await refused('POST', variants, { vendor_id: ['x'] }, 'vendor_id')
      await refused('POST', jewelry, { wholesale_price_min: 100 }, 'wholesale_price_min')
      await refused('POST', variants, { order_by: 'wholesale_price' }, 'order_by')
      await refused('POST', jewelry, { order_by: 'wholesale_price' }, 'order_by')
    }
  })

  it('does not find jewelry by the number of its supplier, as a full key does', async () => {
    const { vendor_sku } = await market.database.db
      .selectFrom('variant')
      .innerJoin('product', 'product.id', 'variant.product_id')
      .select('variant.vendor_sku')
      .where('product.type', '=', 'jewelry')
      .where('quantity', '>', 0)
      .orderBy('variant.id')
      .executeTakeFirstOrThrow()
    const found = async (token: string) => {
      const options = { token, body: { q: vendor_sku }, headers: { origin: ORIGIN } }
      const path = '/api/v3/product_variants/jewelry/query'
      return (await market.call('POST', path, options)).body.total
    }
    expect(await found(key)).toBeGreaterThan(0)
    expect(await found(publishable)).toBe(0)
  })

  it('is refused where margins, orders or settings are read, and wherever it is not named', async () => {
    const headers = { origin: ORIGIN }
    const elsewhere = [
      'GET /api/v2/defaults/profit_margins',
      'GET /api/v3/defaults/profit_margins',
      'GET /api/v3/profit_margins/list',
      'GET /api/v3/orders/list',
      'GET /api/v3/tokens',
      'GET /api/v3/inventory/snapshot',
      'GET /api/v3/inventory/changes?after=0',
      'GET /api/v3/events',
      'GET /api/v3/session',
      'GET /api/operator/merchants',
    ]
    for (const name of elsewhere) {
      const [method, path] = name.split(' ')
      const { status, body } = await market.call(method, path, { token: publishable, headers })
      if (path === '/api/v2/defaults/profit_margins' && status === 404) continue
      expect([status, body.code], name).toEqual([403, 'forbidden'])
    }
    const session = { body: { key: publishable }, headers }
    const signIn = await market.call('POST', '/api/v3/session', session)
    expect([signIn.status, signIn.body.code]).toEqual([403, 'forbidden'])
  })

  it('is refused without an Origin, and from one that is not listed', async () => {
    const path = '/api/v3/diamonds/merchant_search'
    for (const origin of [
      undefined,
      'https://other.example',
      'https://shop.example:8443',
      'null',
    ]) {
      const headers: Record<string, string> = origin === undefined ? {} : { origin }
      const options = { token: publishable, body: {}, headers }
      const response = await market.call('POST', path, options)
      expect([response.status, response.body.code], origin).toEqual([403, 'origin_not_allowed'])
    }
  })

  it('gets CORS headers that let the page read the response', async () => {
    const path = '/api/v3/diamonds/merchant_search'
    const preflight = await market.call('OPTIONS', path, {
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-origin']).toBe('*')
    expect(preflight.headers['access-control-allow-headers']).toContain('Authorization')
    const headers = { origin: ORIGIN }
    const search = await market.call('POST', path, { token: publishable, body: {}, headers })
    expect(search.headers['access-control-allow-origin']).toBe('*')
  })
})
