import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createSupplier } from '../../../src/gems/supplier-store.ts'
import { buildApp } from '../../../src/http/app.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../../support/market.ts'
import { stockStones } from '../../support/stocked.ts'

/** How `/mcp` treats its callers, message by message. */
let market: TestMarket
let shop: TestMerchant
let sku: string

beforeAll(async () => {
  market = await openTestMarket({ rateLimitPerMinute: 1_000 })
  shop = await market.merchant()
  ;[{ sku }] = await stockStones(market, {})
})
afterAll(() => market.close())

let ids = 0

function message(method: string, params: object = {}) {
  return { jsonrpc: '2.0', id: ++ids, method, params }
}

interface SendOptions {
  token?: string
  headers?: Record<string, string>
}

function send(body: unknown, { token = shop.key, headers = {} }: SendOptions = {}) {
  return market.call('POST', '/mcp', { token, body, headers })
}

async function callTool(name: string, args: object = {}, options?: SendOptions) {
  const response = await send(message('tools/call', { name, arguments: args }), options)
  const { content, isError = false } = response.body.result
  return { isError, body: JSON.parse(content[0].text), headers: response.headers }
}

const place = (external_order_id: string, more: object = {}) => ({
  order_type: 'invoice',
  external_order_id,
  line_items: [{ sku, quantity: 1 }],
  ...more,
})

describe('/mcp', () => {
  it('lists its tools in few bytes, with the values that a model may use', async () => {
    const { status, body, text } = await send(message('tools/list'))
    expect(status).toBe(200)
    const tools = body.result.tools as { name: string; inputSchema: { required?: string[] } }[]
    expect(tools.map(({ name }) => name)).toEqual([
      'search_diamonds',
      'search_gemstones',
      'curated_diamonds',
      'get_stone',
      'compare_stones',
      'hold_stone',
      'release_hold',
      'make_quote',
      'place_order',
      'list_orders',
      'get_order',
      'account',
    ])
    expect(Buffer.byteLength(text)).toBeLessThan(15_000)
    const required = Object.fromEntries(
      tools.map(({ name, inputSchema }) => [name, inputSchema.required ?? []]),
    )
    expect(required).toMatchObject({
      search_diamonds: [],
      get_stone: ['sku'],
      compare_stones: ['skus'],
      hold_stone: ['sku'],
      place_order: ['order_type', 'line_items', 'external_order_id'],
      get_order: ['uuid'],
    })
    expect(text).toContain('"shape":{"type":"array","items":{"type":"string","enum":["asscher"')
  })

  it('needs no message before another, so that any node answers', async () => {
    const second = await buildApp(market.deps)
    await second.ready()
    const response = await second.inject({
      method: 'POST',
      url: '/mcp',
      headers: { authorization: `Bearer ${shop.key}`, 'mcp-protocol-version': '2025-06-18' },
      payload: message('tools/call', { name: 'account' }),
    })
    expect(response.json().result.isError).toBeUndefined()
    expect(response.headers['mcp-session-id']).toBeUndefined()
    await second.close()
  })

  it('agrees on a version, and says what it is for', async () => {
    const params = { capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const { body } = await send(message('initialize', { protocolVersion: '2025-06-18', ...params }))
    expect(body.result).toMatchObject({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'pavilion' },
    })
    expect(body.result.instructions).toContain('dry run')
    expect((await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202)
    const headers = { 'mcp-protocol-version': '1999-01-01' }
    expect((await send(message('tools/list'), { headers })).status).toBe(400)
  })

  it('admits merchants only, and says how to sign in', async () => {
    const none = await market.call('POST', '/mcp', { body: message('tools/list') })
    expect(none.status).toBe(401)
    expect(none.headers['www-authenticate']).toBe('Bearer')
    const { uuid: supplier_uuid } = await createSupplier(market.database.db, 'Stones of others')
    const supplier = await market.token({ type: 'supplier', supplier_uuid })
    for (const token of [market.adminKey, supplier.token]) {
      const refused = await send(message('tools/list'), { token })
      expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    }
  })

  it('refuses pages of other origins, whatever the host is called', async () => {
    const sendFrom = (origin: string) =>
      send(message('tools/list'), { headers: { origin, host: new URL(origin).host } })
    expect((await sendFrom('http://evil.example')).status).toBe(403)
    expect((await sendFrom('http://localhost.evil.example')).status).toBe(403)
    expect((await sendFrom('http://pavilion.test')).status).toBe(200)
    expect((await sendFrom('http://localhost:6274')).status).toBe(200)
  })

  it('has neither streams nor sessions', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, headers, body } = await market.call(method, '/mcp', { token: shop.key })
      expect([status, headers.allow, body.code]).toEqual([405, 'POST', 'method_not_allowed'])
    }
  })

  it('answers one message at a time', async () => {
    const list = Array.from({ length: 3 }, () => message('tools/list'))
    expect((await send(list)).body.code).toBe('invalid_request')
    expect((await send({ hello: 'world' })).status).toBe(400)
    expect((await send(message('resources/list'))).body.error.code).toBe(-32601)
  })

  it('takes null for no arguments, and says which parameter is wrong', async () => {
    const withArguments = (args: unknown) =>
      send(message('tools/call', { name: 'account', arguments: args }))
    expect((await withArguments(null)).body.result.isError).toBeUndefined()
    expect((await withArguments(undefined)).body.result.isError).toBeUndefined()
    const { status, body } = await withArguments(['x'])
    expect([status, body.id]).toEqual([200, ids])
    expect(body.error).toEqual({
      code: -32602,
      message: expect.stringMatching(/^Invalid params: params\.arguments: [^[{]+$/),
    })
    const nameless = (await send(message('tools/call'))).body.error
    expect(nameless).toMatchObject({
      code: -32602,
      message: expect.stringContaining('params.name'),
    })
    const empty = (await send({ jsonrpc: '2.0', id: 1, method: 'initialize' })).body.error
    expect(empty).toMatchObject({ code: -32602, message: expect.stringContaining('params') })
  })

  it('explains wrong arguments with the nearest name', async () => {
    const wrong = { filters: { colour: ['D'], shape: ['rond'] } }
    const { isError, body } = await callTool('search_diamonds', wrong)
    expect(isError).toBe(true)
    expect(body).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'filters.colour' }, {}],
    })
    expect(body.detail).toContain('did you mean color?')
    expect(body.errors[1].message).toContain('did you mean round?')
    expect((await callTool('serch_diamonds')).body.detail).toContain('search_diamonds')
    expect((await callTool('constructor')).body.code).toBe('not_found')
    expect((await callTool('search_diamonds', { limit: 101 })).body.detail).toBe(
      'limit must be at most 100.',
    )
    expect((await callTool('get_order', { uuid: 'x' })).body.detail).toBe('uuid must be a UUID.')
    expect((await callTool('compare_stones', { skus: [sku] })).body.code).toBe('invalid_request')
    expect((await callTool('get_stone', { sku: '../account' })).body.code).toBe('not_found')
  })

  it('shows no order of another merchant', async () => {
    const [{ sku: sold }] = await stockStones(market, {})
    const line_items = [{ sku: sold, quantity: 1 }]
    const placed = await callTool('place_order', place('OWN-1', { line_items, confirm: true }))
    const { uuid } = placed.body
    const { key: token } = await market.merchant()
    const { isError, body } = await callTool('get_order', { uuid }, { token })
    expect([isError, body.code]).toEqual([true, 'not_found'])
    expect((await callTool('list_orders', {}, { token })).body.total).toBe(0)
  })

  it('lets a key do what its scopes allow', async () => {
    const { merchant } = shop
    const { token } = await market.token({ merchant_uuid: merchant.uuid, scopes: ['search'] })
    expect((await callTool('search_diamonds', {}, { token })).isError).toBe(false)
    for (const [name, args] of [
      ['place_order', place('SCOPE-1')],
      ['hold_stone', { sku }],
      ['account', {}],
    ] as const) {
      const { isError, body } = await callTool(name, args, { token })
      expect([name, isError, body.code]).toEqual([name, true, 'missing_scope'])
    }
  })

  it('places an order only when it is confirmed, and once for an idempotency key', async () => {
    for (const confirm of [undefined, false]) {
      const { body } = await callTool('place_order', place('ONCE-1', { confirm }))
      expect(body).toMatchObject({ dry_run: true, external_order_id: 'ONCE-1' })
    }
    const both = place('ONCE-1', { confirm: true, dry_run: true })
    expect((await callTool('place_order', both)).body.dry_run).toBe(true)
    const order = place('ONCE-1', { confirm: true, idempotency_key: 'once-1' })
    const first = await callTool('place_order', order)
    const second = await callTool('place_order', order)
    expect(first.isError).toBe(false)
    expect(second.body).toEqual(first.body)
    const taken = await callTool('place_order', place('ONCE-1', { confirm: true }))
    expect(taken.body).toMatchObject({ code: 'duplicate_order_id', order_uuid: first.body.uuid })
  })

  it('leaves the same entry in the audit as the operation behind the tool', async () => {
    const [{ sku: held }] = await stockStones(market, {})
    const headers = { 'x-request-id': 'mcp-hold-1' }
    await callTool('hold_stone', { sku: held }, { headers })
    const entries = await market.database.db
      .selectFrom('audit_entry')
      .selectAll()
      .where('request_id', '=', 'mcp-hold-1')
      .execute()
    expect(entries).toMatchObject([{ merchant_uuid: shop.merchant.uuid, ip: '127.0.0.1' }])
  })
})

describe('the minute of a token', () => {
  it('counts a tool as the operations behind it, and every other message once', async () => {
    const { clock } = market.app.services
    const minute = Math.floor(clock.now() / 60_000) * 60_000
    const spy = vi.spyOn(clock, 'now').mockReturnValue(minute + 1_000)
    const { merchant } = shop
    const { token } = await market.token({ merchant_uuid: merchant.uuid, rate_limit_per_minute: 9 })
    const leftAfter = async (body: unknown) => {
      const { headers } = await send(body, { token })
      return Number(/"token";r=(\d+)/.exec(String(headers.ratelimit))?.[1])
    }
    const tool = (name: string, args: object = {}) =>
      message('tools/call', { name, arguments: args })
    expect(await leftAfter(message('tools/list'))).toBe(8)
    expect(await leftAfter(message('tools/call', { name: 'account', arguments: [] }))).toBe(7)
    expect(await leftAfter(tool('search_diamonds'))).toBe(6)
    expect(await leftAfter(tool('search_diamonds', { limit: 'many' }))).toBe(5)
    expect(await leftAfter(tool('unknown'))).toBe(4)
    expect(await leftAfter(tool('search_diamonds', { include: ['facets'] }))).toBe(0)
    const { isError, body } = await callTool('search_diamonds', {}, { token })
    expect([isError, body.code]).toEqual([true, 'rate_limited'])
    expect((await callTool('unknown', {}, { token })).body.code).toBe('rate_limited')
    expect((await send(message('tools/list'), { token })).status).toBe(429)
    spy.mockRestore()
  })
})
