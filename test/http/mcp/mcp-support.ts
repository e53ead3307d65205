import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { expect } from 'vitest'

/** What a tool has answered. */
export interface ToolAnswer {
  isError: boolean
  /** What the model pays for. */
  bytes: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  body: any
}

export interface Agent {
  client: Client
  call(name: string, args?: object): Promise<ToolAnswer>
}

/** Connects the SDK's own client. */
export async function connectAgent(transport: Transport): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  return {
    client,
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: { ...args } })
      const [content] = result.content as { type: string; text: string }[]
      return {
        isError: result.isError === true,
        bytes: Buffer.byteLength(JSON.stringify(result)),
        body: JSON.parse(content.text),
      }
    },
  }
}

export function overHttp(address: string, key: string): Promise<Agent> {
  const url = new URL('/mcp', address)
  const headers = { authorization: `Bearer ${key}` }
  // The SDK declares its session id in a way that its own interface does not allow.
  return connectAgent(
    new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as unknown as Transport,
  )
}

const FILTERS = { shape: ['round'], weight_min: 1, weight_max: 1.2, clarity: ['VVS1', 'VS2'] }

/** A whole purchase among twelve such stones, step by step. Returns the SKU of what was bought. */
export async function buyOne(agent: Agent, orderId: string): Promise<string> {
  const found = await agent.call('search_diamonds', { filters: FILTERS })
  expect(found.body).toMatchObject({
    total: 12,
    currency_code: 'USD',
    console: 'http://pavilion.test/search?shape=round&clarity=VVS1,VS2&weight=1-1.2',
  })
  expect(found.body.gems).toHaveLength(10)
  const [first, second] = found.body.gems as { sku: string; wholesale_price: number }[]
  const { sku, wholesale_price: price } = first

  const skus = [sku, second.sku]
  const compared = await agent.call('compare_stones', { skus: [...skus, 'GONE'] })
  expect(compared.body.same).toMatchObject({ shape: 'round', color: 'G', lab: 'GCAL' })
  expect(compared.body.gems.map((gem: { sku: string }) => gem.sku)).toEqual(skus)
  expect(compared.body.missing).toEqual(['GONE'])

  const hold = await agent.call('hold_stone', { sku, minutes: 30 })
  expect(hold).toMatchObject({ isError: false, body: { sku } })
  expect((await agent.call('account')).body.holds).toMatchObject([{ sku }])

  const order = {
    order_type: 'invoice',
    external_order_id: orderId,
    line_items: [{ sku, quantity: 1 }],
  }
  const rehearsed = await agent.call('place_order', order)
  expect(rehearsed.body).toMatchObject({ dry_run: true, total: price })
  expect(rehearsed.body).not.toHaveProperty('uuid')
  expect((await agent.call('list_orders')).body).toMatchObject({ total: 0, orders: [] })

  const placed = await agent.call('place_order', { ...order, confirm: true })
  const console = `http://pavilion.test/orders/${orderId}`
  expect(placed.body).toMatchObject({ external_order_id: orderId, total: price, console })
  const { uuid } = placed.body
  expect((await agent.call('get_order', { uuid })).body).toEqual(placed.body)
  expect((await agent.call('list_orders')).body.orders).toMatchObject([{ uuid }])
  expect((await agent.call('account')).body).toMatchObject({ unpaid: price, holds: [] })
  return sku
}

/** A stone whose values are about as long as they get. */
export function stoneOf(n: number, more: object = {}) {
  const price = 123_456 + n * 13.37
  return {
    type: 'lab grown' as const,
    weight: (1 + n / 100).toFixed(2),
    clarity: n % 2 ? ('VVS1' as const) : ('VS2' as const),
    cut_grade: 'IDL' as const,
    fluorescence: 'Very Strong' as const,
    lab: 'GCAL' as const,
    cert_num: `LG98${String(n).padStart(8, '0')}`,
    delivery_days_min: 3,
    delivery_days_max: 14,
    wholesale_price: price,
    wholesale_price_us: price,
    ...more,
  }
}
