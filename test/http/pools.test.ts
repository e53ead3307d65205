import type { PoolClient } from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'

const CONNECTIONS = 2
const WAITING_MAX = 3

let market: TestMarket
let buyer: TestMerchant
let held: PoolClient[] = []

beforeEach(async () => {
  market = await openTestMarket({}, { poolMax: CONNECTIONS, waitingMax: WAITING_MAX })
  buyer = await market.merchant()
})
afterEach(async () => {
  vi.restoreAllMocks()
  release()
  await market.close()
})

/** Calls until the token is in memory, which it is only while the database sends notifications. */
async function remember(key: string): Promise<void> {
  const connect = vi.spyOn(market.database.pool, 'connect')
  const connectionsUsed = async () => {
    connect.mockClear()
    expect((await listAttributes(key)).status).toBe(200)
    return connect.mock.calls.length
  }
  await expect.poll(connectionsUsed).toBe(0)
  connect.mockRestore()
}

/** Longer than a token is trusted without being read again. */
function letTimePass(): void {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 2 * 60_000)
}

/** Buyers whose requests wait for a connection each, because their tokens are known already. */
async function rememberedBuyers(): Promise<TestMerchant[]> {
  const buyers = await Promise.all(Array.from({ length: WAITING_MAX }, () => market.merchant()))
  for (const { key } of buyers) await remember(key)
  return buyers
}

/** Takes every connection of the requests, as slow statements would. */
async function holdConnections(): Promise<void> {
  const { pool } = market.database
  held = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.connect()))
}

function release(): void {
  for (const client of held) client.release()
  held = []
}

const listMargins = (key = buyer.key) =>
  market.call('GET', '/api/v3/profit_margins/list', { token: key })
/** Needs a token and no query of its own. */
const listAttributes = (key = buyer.key) =>
  market.call('GET', '/api/v3/defaults/gem_attributes', { token: key })

async function metric(name: string): Promise<number> {
  const { text } = await market.call('GET', '/metrics')
  const pattern = new RegExp(`^pavilion_database_pool_${name}\\{pool="requests"\\} (\\d+)$`, 'm')
  return Number(pattern.exec(text)?.[1])
}

describe('while every connection of the requests is in use', () => {
  it('a bounded number of requests wait, and one more is refused at once with Retry-After', async () => {
    const buyers = await rememberedBuyers()
    await holdConnections()
    const waiting = buyers.map(({ key }) => listMargins(key))
    await expect.poll(() => metric('waiting')).toBe(WAITING_MAX)
    expect([await metric('max'), await metric('in_use')]).toEqual([CONNECTIONS, CONNECTIONS])
    const refused = await listMargins()
    expect([refused.status, refused.body.code]).toEqual([503, 'overloaded'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await metric('refused')).toBe(1)
    release()
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
    expect([await metric('waiting'), await metric('in_use')]).toEqual([0, 0])
  })

  it('a known token that is due to be verified again is answered from memory', async () => {
    await remember(buyer.key)
    await holdConnections()
    letTimePass()
    expect((await listAttributes()).status).toBe(200)
  })

  it('a revoked token is still refused', async () => {
    const { uuid, token } = await market.token({ merchant_uuid: buyer.merchant.uuid })
    const buyers = await rememberedBuyers()
    await remember(token)
    await holdConnections()
    await held[0].query('update token set revoked_on = now() where uuid = $1', [uuid])
    letTimePass()
    // A notification removes it, and then reading it again would have to wait.
    const waiting = buyers.map(({ key }) => listMargins(key))
    await expect.poll(() => metric('waiting')).toBe(WAITING_MAX)
    const status = async () => (await listAttributes(token)).status
    await expect.poll(status).toBe(503)
    release()
    await Promise.all(waiting)
    expect(await status()).toBe(401)
  })

  it('an unknown token is refused with 503 when too many are waiting', async () => {
    const { token } = await market.token({ merchant_uuid: buyer.merchant.uuid })
    const buyers = await rememberedBuyers()
    await holdConnections()
    const waiting = buyers.map(({ key }) => listMargins(key))
    await expect.poll(() => metric('waiting')).toBe(WAITING_MAX)
    const refused = await listAttributes(token)
    expect([refused.status, refused.body.code]).toEqual([503, 'overloaded'])
    release()
    await Promise.all(waiting)
  })

  it('background work, the change log and the readiness checks go on', async () => {
    const { services } = market.app
    await expect.poll(() => services.diamonds.index.sequence()).toBeDefined()
    await remember(buyer.key)
    await holdConnections()
    await services.catchUp()
    const changes = await market.call('GET', '/api/v3/inventory/changes?after=0', {
      token: buyer.key,
    })
    expect(changes.status).toBe(200)
    expect((await market.call('GET', '/readyz/write')).status).toBe(200)
    expect((await market.call('GET', '/readyz')).body.checks.database).toBe('ok')
  })
})

describe('a request that waits too long for a connection', () => {
  it('is refused with 503 and Retry-After', async () => {
    const other = await openTestMarket({}, { poolMax: 1, waitMs: 1_000 })
    try {
      const client = await other.database.pool.connect()
      const { status, body, headers } = await other.call('GET', '/api/v3/profit_margins/list', {
        token: other.adminKey,
      })
      client.release()
      expect([status, body.code]).toEqual([503, 'overloaded'])
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    } finally {
      await other.close()
    }
  })
})
