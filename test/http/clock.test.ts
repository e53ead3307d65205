import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { SCOPES } from '../../src/reference/roles.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'

/**
 * A node whose system clock is wrong, and is even set while it runs. Only `Date` is wrong: the time
 * that passes is counted rightly by every machine.
 */
const HOUR_MS = 3_600_000
const realTime = Date.now
const wrongBy = (hours: number) => vi.setSystemTime(realTime() + hours * HOUR_MS)

let market: TestMarket
let shop: TestMerchant

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: realTime() + 5 * HOUR_MS })
  market = await openTestMarket({ rateLimitPerMinute: 1_000 })
  shop = await market.merchant()
})
beforeEach(() => void wrongBy(5))
afterAll(async () => {
  vi.useRealTimers()
  await market.close()
})

const search = async (sku: string) => {
  const { body } = await market.call('POST', '/api/v3/diamonds/merchant_search', {
    token: shop.key,
    body: { limit: 100 },
  })
  return body.gems.find((gem: { sku: string }) => gem.sku === sku)
}

const expiresIn = async (uuid: string, minutes: number) => {
  await sql`update token set expires_on = clock_timestamp() + ${minutes} * interval '1 minute'
    where uuid = ${uuid}`.execute(market.database.db)
  await market.app.services.catchUp()
}

describe('A node whose clock is wrong by hours', () => {
  it.each([5, -5])('shows who holds a stone (%i h)', async (hours) => {
    wrongBy(hours)
    const [{ sku }] = await stockStones(market, {})
    const body = { sku, minutes: 30 }
    const { body: hold } = await market.call('POST', '/api/v3/inventory/holds', {
      token: shop.key,
      body,
    })
    expect((await search(sku)).on_hold).toBe(true)
    await sql`update gem set hold_expires_on = clock_timestamp() - interval '1 minute',
      mover = 'hold' where hold_uuid = ${hold.uuid}`.execute(market.database.db)
    await stockStones(market, {})
    await expect.poll(async () => (await search(sku)).on_hold).toBe(false)
  })

  it.each([5, -5])('ends a token when it expires (%i h)', async (hours) => {
    wrongBy(hours)
    const { uuid, token } = await market.token({ merchant_uuid: shop.merchant.uuid })
    const status = async () => (await market.call('GET', '/api/v3/session', { token })).status
    await expiresIn(uuid, 60)
    expect(await status()).toBe(200)
    await expiresIn(uuid, -1)
    await expect.poll(status).toBe(401)
  })

  it('opens a session of twelve hours, and keys of as many days as asked for', async () => {
    const { body } = await market.call('POST', '/api/v3/session', {
      body: { key: market.adminKey },
    })
    expect((Date.parse(body.expires_on) - realTime()) / HOUR_MS).toBeCloseTo(12, 1)
    const { token } = await market.token({ merchant_uuid: shop.merchant.uuid, scopes: SCOPES })
    const asked = { name: 'shop', expires_in_days: 2 }
    const { body: key } = await market.call('POST', '/api/v3/tokens', { token, body: asked })
    expect((Date.parse(key.expires_on) - realTime()) / HOUR_MS).toBeCloseTo(48, 1)
  })

  it('counts requests in the minute of the other nodes', async () => {
    const { db } = market.database
    await sql`delete from rate_count`.execute(db)
    await search('')
    const minutes = async () => {
      const { rows } = await sql<{ late: number }>`
        select extract(epoch from now())::int / 60 - minute as late from rate_count`.execute(db)
      return rows.map(({ late }) => late)
    }
    await expect.poll(minutes).not.toEqual([])
    for (const late of await minutes()) expect([0, 1]).toContain(late)
  })

  it.each([
    [2, 503, '7200 s ahead of the clock of the database; at most 60 s are tolerated'],
    [-2, 503, '7200 s behind the clock of the database; at most 60 s are tolerated'],
    [0, 200, 'ok'],
  ])('is reported by /readyz and /metrics (%i h)', async (hours, status, reason) => {
    await stockStones(market, {})
    wrongBy(hours)
    const { body, ...response } = await market.call('GET', '/readyz')
    expect([response.status, body.checks.clock]).toEqual([status, reason])
    const { text } = await market.call('GET', '/metrics')
    const seconds = Number(/^pavilion_clock_difference_seconds (\S+)$/m.exec(text)?.[1])
    expect(Math.abs(seconds - hours * 3600)).toBeLessThan(30)
  })
})

describe('The clock of a market', () => {
  const moveBy = async (interval: string) => {
    await sql`create or replace function market_offset() returns interval language sql stable
      parallel safe return ${sql.lit(interval)}::interval`.execute(market.database.db)
    await market.app.services.clock.measure()
  }
  afterEach(() => moveBy('0'))

  it('is moved in one place, for SQL and for what is in memory', async () => {
    wrongBy(0)
    const [{ sku }] = await stockStones(market, {})
    const { uuid, token } = await market.token({ merchant_uuid: shop.merchant.uuid })
    await expiresIn(uuid, 24 * 60)
    const read = () => market.call('GET', '/api/v3/inventory/holds', { token })
    await market.call('POST', '/api/v3/inventory/holds', { token, body: { sku, minutes: 600 } })
    expect((await search(sku)).on_hold).toBe(true)
    await moveBy('12 hours')
    expect((await search(sku)).on_hold).toBe(false)
    expect((await read()).body.holds).toEqual([])
    await moveBy('3 days')
    expect((await read()).status).toBe(401)
    // The node's own clock is still right.
    expect((await market.call('GET', '/readyz')).body.checks.clock).toBe('ok')
  })
})
