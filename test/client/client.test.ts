import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as classes from '../../client/src/error-codes.ts'
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  createClient,
  NotFoundError,
  pavilion,
  SkuUnavailableError,
  ValidationError,
} from '../../client/src/index.ts'
import { errorOf, openServedMarket, type ServedMarket, troubledFetch } from './client-support.ts'

interface Stone {
  sku: string
  weight: number
}

interface PlacedOrder {
  uuid: string
  external_order_id: string
}

let market: ServedMarket
let skus: string[]
beforeAll(async () => {
  market = await openServedMarket()
  skus = await market.stock(7, (index) => ({ weight: (1 + index / 10).toFixed(2) }))
})
afterAll(() => market.close())

const byWeight = { sort_col: 'weight', sort_order: 'asc' }
const skusOf = (rows: unknown) => (rows as Stone[]).map(({ sku }) => sku)

let orderCount = 0
const orderOf = (sku: string) => ({
  order_type: 'invoice',
  external_order_id: `C-${++orderCount}`,
  line_items: [{ sku, quantity: 1 }],
})

describe('lists', () => {
  it('are one page when awaited and every row when iterated', async () => {
    const list = market.client().diamonds.search({ ...byWeight, limit: 3 })
    const page = (await list) as { gems: Stone[]; total: number }
    expect(skusOf(page.gems)).toEqual(skus.slice(0, 3))
    expect(page.total).toBe(7)
    const found: unknown[] = []
    for await (const stone of list) found.push(stone)
    expect(skusOf(found)).toEqual(skus)
    const counts: number[] = []
    for await (const each of list.pages()) counts.push((each as typeof page).gems.length)
    expect(counts).toEqual([3, 3, 1])
  })

  it('ask for no page that nobody reads', async () => {
    const { fetch, keys } = troubledFetch()
    for await (const _ of market.client({ fetch }).search({ ...byWeight, limit: 2 })) break
    expect(keys).toHaveLength(1)
  })

  it('begin where the caller asks', async () => {
    const rest = await market.client().searchAll({ ...byWeight, limit: 2, offset: 3 })
    expect(skusOf(rest)).toEqual(skus.slice(3))
  })

  it('of orders go on by offset, and are an array when all of them are awaited', async () => {
    const { key } = await market.merchant()
    const client = market.client({ key })
    const placed: string[] = []
    for (const sku of await market.stock(3)) {
      placed.push(((await client.orders.place(orderOf(sku))) as PlacedOrder).uuid)
    }
    const uuids = (rows: unknown[]) => rows.map((row) => (row as PlacedOrder).uuid)
    expect(uuids(await client.orders.all({ limit: 2 }))).toEqual(placed)
    const iterated: unknown[] = []
    for await (const order of client.orders.all()) iterated.push(order)
    expect(uuids(iterated)).toEqual(placed)
    expect(await client.orders.get(placed[0])).toMatchObject({ uuid: placed[0] })
  })
})

describe('calls that go wrong', () => {
  it('are repeated with one key, so that an order is placed once', async () => {
    const { key } = await market.merchant()
    const [sku] = await market.stock(1)
    const { fetch, keys } = troubledFetch('away', 503, 429, 'lost')
    const client = market.client({ key, fetch })
    const order = await client.orders.place(orderOf(sku))
    expect(order).toMatchObject({ line_items: [{ sku }] })
    expect(keys).toHaveLength(5)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f-]{32,36}$/)
    expect(await market.client({ key }).orders.all()).toHaveLength(1)
  })

  it('keep the key that the caller gives, and searches have none', async () => {
    const { fetch, keys } = troubledFetch()
    const client = market.client({ fetch })
    const [sku] = await market.stock(1)
    const order = orderOf(sku)
    const first = await client.orders.place(order, { idempotencyKey: 'shop-17' })
    expect(await client.orders.place(order, { idempotencyKey: 'shop-17' })).toEqual(first)
    await client.search({ limit: 1 })
    expect(keys).toEqual(['shop-17', 'shop-17', null])
  })

  it('that add a template have a key, too', async () => {
    const { key } = await market.merchant()
    const { fetch, keys } = troubledFetch('lost')
    const body = { group: 'STUDS', label: 'A', color: 'F', clarity: 'VS1', grade_name: 'ideal' }
    await market.client({ key, fetch }).request('POST /api/v3/merchant_templates', { body })
    expect(keys).toEqual([expect.any(String), keys[0]])
    const { merchant_templates } = (await market.client({ key }).templates()) as {
      merchant_templates: { group: string }[]
    }
    expect(merchant_templates.filter(({ group }) => group === 'STUDS')).toHaveLength(1)
  })

  it('are not repeated when that cannot help', async () => {
    const { fetch, keys } = troubledFetch()
    const error = await errorOf(market.client({ fetch }).search({ limit: -1 }))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({ code: 'invalid_request', status: 422 })
    expect(error.errors[0].field).toBe('limit')
    expect(keys).toHaveLength(1)
  })

  it('end after the retries that are allowed', async () => {
    const { fetch, keys } = troubledFetch(503, 503, 503)
    const retried: number[] = []
    const onRetry = ({ status }: { status: number }) => retried.push(status)
    const client = market.client({ fetch, retries: 1, onRetry })
    expect(await errorOf(client.account())).toMatchObject({ status: 503, code: 'from_a_proxy' })
    expect(keys).toHaveLength(2)
    expect(retried).toEqual([503])
  })

  it('that removed something succeed although the first response was lost', async () => {
    const [sku] = await market.stock(1)
    const { fetch } = troubledFetch('lost')
    const hold = (await market.client().holds.place({ sku, minutes: 5 })) as { uuid: string }
    await market.client({ fetch }).holds.release(hold.uuid)
    const again = await errorOf(market.client().holds.release(hold.uuid))
    expect(again).toBeInstanceOf(NotFoundError)
  })

  it('end with the signal', async () => {
    const { fetch } = troubledFetch(503, 503, 503, 503, 503)
    const signal = AbortSignal.abort(new Error('closed'))
    const error = await errorOf(market.client({ fetch }).account({}, { signal }))
    expect(error.message).toBe('closed')
    const waiting = new AbortController()
    const following = market.client().events.follow({ after: 1_000, signal: waiting.signal })
    const next = following.next()
    waiting.abort()
    expect(await next).toMatchObject({ done: true })
  })

  it('say what cannot be reached', async () => {
    const away = pavilion({ url: 'http://127.0.0.1:1', key: 'pav_live_x', retries: 0 })
    const error = await errorOf(away.account())
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ code: 'connection_lost', status: 0 })
    expect(error.message).toContain('127.0.0.1:1')
  })

  it('end when the server takes too long', async () => {
    const never: typeof fetch = (_input, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    const client = market.client({ fetch: never, retries: 0, timeoutMs: 20 })
    expect(await errorOf(client.account())).toMatchObject({ code: 'timeout', status: 0 })
  })
})

describe('errors', () => {
  it('are classes by code, below the class of their status', async () => {
    const [sku] = await market.stock(1)
    await market.place([sku])
    const error = await errorOf(market.client().orders.place(orderOf(sku)))
    expect(error).toBeInstanceOf(SkuUnavailableError)
    expect(error).toBeInstanceOf(ConflictError)
    expect(error).toMatchObject({
      name: 'SkuUnavailableError',
      code: 'sku_unavailable',
      status: 409,
    })
    expect(error.body).toHaveProperty('substitutes')
    expect(error.requestId).toBeTruthy()
  })

  it('of a wrong key tell so', async () => {
    const error = await errorOf(market.client({ key: 'pav_live_wrong' }).account())
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error).toMatchObject({ code: 'unauthenticated', status: 401 })
  })

  it('have no class whose code the server does not have', () => {
    const codes = readFileSync('src/lib/refusal.ts', 'utf8')
    const unknown = Object.keys(classes)
      .map((name) =>
        name
          .replace(/Error$/, '')
          .split(/(?=[A-Z])/)
          .join('_')
          .toLowerCase(),
      )
      .filter((code) => code !== 'budget_exceeded' && !codes.includes(`'${code}'`))
    expect(unknown).toEqual([])
  })

  it('of missing options come before any call', () => {
    expect(() => createClient({ url: '', key: 'pav_live_x' })).toThrow('url must be the address')
    expect(() => createClient({ url: market.url, key: '' })).toThrow('key must be an API key')
  })
})

describe('the operations', () => {
  it('of the client are all served', () => {
    const served = market.app.services.operations.map(
      ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    )
    const named = readFileSync('client/src/market.ts', 'utf8').matchAll(
      /'((?:GET|POST|PATCH|DELETE) \/api[^']+)'/g,
    )
    const names = [...new Set([...named].map(([, name]) => name))]
    expect(names.length).toBeGreaterThan(30)
    expect(names.filter((name) => !served.includes(name))).toEqual([])
  })

  it('can all be called by name', async () => {
    const client = market.client()
    const stone = await client.request('GET /api/v3/inventory/gems/{sku}', {
      path: { sku: skus[0] },
      query: { currency_code: 'USD' },
    })
    expect(stone).toEqual(await client.stone(skus[0]))
  })

  it('return documents as files', async () => {
    const [sku] = await market.stock(1)
    const client = market.client()
    const { uuid } = (await client.orders.place(orderOf(sku))) as PlacedOrder
    const body = { tracking_company: 'Facet Express', tracking_number: 'FX-1' }
    const fulfill = `/api/operator/orders/${uuid}/fulfill`
    expect((await market.call('POST', fulfill, { token: market.adminKey, body })).status).toBe(200)
    const pdf = await client.orders.document(uuid, 'invoice')
    expect(pdf.type).toBe('application/pdf')
    expect((await pdf.text()).slice(0, 5)).toBe('%PDF-')
  })
})
