import { resolve } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressFor } from '../../src/cli/command.ts'
import { createForwarding } from '../../src/cli/merchant/mcp-forwarding.ts'
import { revokeToken } from '../../src/merchants/token-store.ts'
import { type Agent, buyOne, connectAgent, stoneOf } from '../http/mcp/mcp-support.ts'
import { runPavilion } from '../support/command-line.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'

/** The command that lets an agent talk over its standard input and output. */
let market: TestMarket
let address: string
let shop: TestMerchant

beforeAll(async () => {
  market = await openTestMarket()
  await stockStones(market, ...Array.from({ length: 12 }, (_, n) => stoneOf(n)))
  shop = await market.merchant()
  address = await market.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => market.close())

function overStdio(args: string[]): Promise<Agent> {
  const command = { command: process.execPath, args: [resolve('bin/pavilion'), 'mcp', ...args] }
  return connectAgent(new StdioClientTransport(command))
}

describe('pavilion mcp', () => {
  it('makes a whole purchase', async () => {
    const agent = await overStdio(['--url', address, '--key', shop.key])
    expect((await agent.client.listTools()).tools).toHaveLength(12)
    await buyOne(agent, 'STDIO-1')
    const wrong = await agent.call('search_diamonds', { filters: { colour: ['D'] } })
    expect(wrong).toMatchObject({ isError: true, body: { code: 'invalid_request' } })
    expect(wrong.body.detail).toContain('did you mean color?')
    await agent.client.close()
  })

  it('says which key or address is missing', async () => {
    const noKey = await runPavilion(['mcp', '--json'], {})
    expect(noKey.code).toBe(1)
    expect(JSON.parse(noKey.stdout).error).toMatchObject({ code: 'unauthenticated' })
    const noAddress = await runPavilion(['mcp'], { PAVILION_KEY: 'x', PAVILION_URL: 'gems' })
    expect(noAddress.code).toBe(1)
    expect(noAddress.stderr).toContain('PAVILION_URL')
  })
})

describe('the market that a command calls', () => {
  const settings = {
    publicUrl: 'http://gems.example',
    sandboxPublicUrl: 'http://try.example',
    calls: { url: undefined, key: undefined },
  }

  it.each([
    ['pav_live_1', {}, 'http://gems.example'],
    ['pav_test_1', {}, 'http://try.example'],
    ['pav_live_1', { sandbox: true }, 'http://try.example'],
    ['pav_test_1', { url: 'http://other.example' }, 'http://other.example'],
  ])('with %s and %o is that of the key, unless it is named', (key, options, expected) => {
    expect(addressFor(key, options, settings)).toBe(expected)
  })
})

describe('what is forwarded', () => {
  const message = (method: string, params: Record<string, unknown> = {}) =>
    ({ jsonrpc: '2.0', id: 7, method, params }) as const
  const tool = message('tools/call', { name: 'account', arguments: {} })

  it('is answered with the id of its message, and a notification is not', async () => {
    const forward = createForwarding(`${address}/mcp`, shop.key)
    expect(await forward(tool)).toMatchObject({ id: 7, result: { content: [{ type: 'text' }] } })
    expect(await forward({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeUndefined()
  })

  it('tells a model that its key was revoked', async () => {
    const { uuid, token } = await market.token({ merchant_uuid: shop.merchant.uuid })
    await revokeToken(market.database.db, uuid)
    const forward = createForwarding(`${address}/mcp`, token)
    const text = '{"code":"unauthenticated","detail":"The token was revoked."}'
    expect(await forward(tool)).toMatchObject({
      result: { isError: true, content: [{ type: 'text', text }] },
    })
    expect(await forward(message('initialize'))).toMatchObject({
      error: { code: -32_000, message: 'unauthenticated: The token was revoked.' },
    })
  })

  it('tells that nothing is at the address, or something else', async () => {
    const away = createForwarding('http://127.0.0.1:1/mcp', shop.key)
    expect(JSON.stringify(await away(tool))).toContain('cannot be reached: ')
    const page = createForwarding(`${address}/docs/start.js`, shop.key)
    expect(JSON.stringify(await page(message('ping')))).toContain('not_found')
  })
})
