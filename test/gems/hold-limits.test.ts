import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteOldHoldTimes } from '../../src/gems/holds/hold-time-store.ts'
import { buildApp } from '../../src/http/app.ts'
import type { App } from '../../src/http/route.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { insertStone } from '../support/stones.ts'

let market: TestMarket
/** A second node on the same database. */
let node: App
let shop: TestMerchant
let stranger: TestMerchant

beforeAll(async () => {
  market = await openTestMarket()
  node = await buildApp(market.deps)
  await node.ready()
  shop = await market.merchant()
  stranger = await market.merchant()
})
afterAll(async () => {
  await node.close()
  await market.close()
})

const PATH = '/api/v3/inventory/holds'
const HOUR_MS = 3_600_000
const stone = () => insertStone(market.database.db)
const hold = (sku: string, hours: number, token = shop.key) =>
  market.call('POST', PATH, { token, body: { sku, minutes: hours * 60 } })
const release = (uuid: string) => market.call('DELETE', `${PATH}/${uuid}`, { token: shop.key })
const setLimits = (merchant: TestMerchant, limits: object) =>
  market.call('PATCH', `/api/operator/merchants/${merchant.merchant.uuid}`, {
    token: market.adminKey,
    body: { limits },
  })
const hoursOf = (held: { created_on: string; expires_on: string }) =>
  (Date.parse(held.expires_on) - Date.parse(held.created_on)) / HOUR_MS

/** Lets hours pass for a stone, by moving everything about its holds into the past. */
async function letPass(sku: string, hours: number): Promise<void> {
  const { db } = market.database
  const by = sql`make_interval(secs => ${hours * 3600})`
  await db.transaction().execute(async (tx) => {
    await sql`
      update gem set hold_created_on = hold_created_on - ${by},
        hold_expires_on = hold_expires_on - ${by}, mover = 'hold'
      where sku = ${sku} and hold_uuid is not null`.execute(tx)
    await sql`
      update hold_time set held_until = held_until - ${by}
      from gem where gem.id = gem_id and sku = ${sku}`.execute(tx)
  })
}

const holdTimes = async (sku: string) => {
  const { rows } = await sql<{ hours: number }>`
    select (held_seconds / 3600)::float8 as hours from hold_time join gem on gem.id = gem_id
    where sku = ${sku}`.execute(market.database.db)
  return rows.map(({ hours }) => hours)
}

describe('the time for which a merchant holds one stone', () => {
  it('is 72 hours over all renewals; then the stone is let go for a day', async () => {
    const { sku } = await stone()
    await hold(sku, 48)
    await letPass(sku, 47)
    const renewed = await hold(sku, 48)
    expect(renewed.status).toBe(201)
    expect(hoursOf(renewed.body)).toBe(72)
    const refused = await hold(sku, 48)
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'hold_exhausted', limit_name: 'max_hold_hours', limit: 72 },
    })
    const again = refused.body.hold_again_on
    expect(Date.parse(again) - Date.parse(renewed.body.expires_on)).toBe(24 * HOUR_MS)
    expect(refused.body.detail).toContain(again)

    await letPass(sku, 26)
    const ended = await hold(sku, 1)
    expect(ended.body.code).toBe('hold_exhausted')
    expect(Date.parse(ended.body.hold_again_on)).toBe(Date.parse(again) - 26 * HOUR_MS)
    const { body: other } = await hold(sku, 1, stranger.key)
    expect(other.merchant_uuid).toBe(stranger.merchant.uuid)

    await letPass(sku, 22)
    expect((await hold(sku, 1)).body.code).toBe('hold_exhausted')
    await letPass(sku, 1.1)
    expect(hoursOf((await hold(sku, 48)).body)).toBe(48)
  })

  it('lets a holder move the end of a hold that cannot last longer to an earlier time', async () => {
    const { sku } = await stone()
    await hold(sku, 48)
    await letPass(sku, 40)
    expect(hoursOf((await hold(sku, 48)).body)).toBe(72)
    const sooner = await hold(sku, 1)
    expect(sooner.status).toBe(201)
    expect(hoursOf(sooner.body)).toBeCloseTo(41, 1)
    expect(hoursOf((await hold(sku, 48)).body)).toBe(72)
  })

  it('adds up holds with less than a day between them, however they ended', async () => {
    const { sku } = await stone()
    const { body: first } = await hold(sku, 48)
    await letPass(sku, 30)
    await release(first.uuid)
    await letPass(sku, 23)
    await hold(sku, 20)
    await letPass(sku, 21)
    const third = await hold(sku, 48)
    expect(hoursOf(third.body)).toBeCloseTo(22, 2)
    await release(third.body.uuid)
    await letPass(sku, 24.1)
    expect(hoursOf((await hold(sku, 48)).body)).toBe(48)
  })

  it('adds up holds by two offers of the stone, also one that has just ended', async () => {
    const certificate = { lab: 'GIA', cert_num: '6204411987' }
    const { sku: one } = await insertStone(market.database.db, certificate)
    const { sku: two } = await insertStone(market.database.db, certificate)
    const pass = async (hours: number) => {
      for (const sku of [one, two]) await letPass(sku, hours)
    }
    expect(hoursOf((await hold(one, 24)).body)).toBe(24)
    await pass(23)
    expect(hoursOf((await hold(two, 24)).body)).toBe(24)
    await pass(23)
    expect(hoursOf((await hold(one, 24)).body)).toBe(24)
    await pass(25)
    // 23 + 23 + 24 hours are used.
    expect(hoursOf((await hold(two, 24)).body)).toBeCloseTo(2, 2)
    await pass(1)
    expect(hoursOf((await hold(one, 24)).body)).toBeCloseTo(1, 2)
    await pass(1.5)
    expect((await hold(two, 24)).body.code).toBe('hold_exhausted')
  })

  it('ends for a hold that an order consumes, and does not count again', async () => {
    const buyer = await market.merchant()
    await setLimits(buyer, { max_hold_hours: 10 })
    const { sku } = await stone()
    expect(hoursOf((await hold(sku, 48, buyer.key)).body)).toBe(10)
    await letPass(sku, 4)
    const order = { order_type: 'invoice', line_items: [{ sku, quantity: 1 }] }
    const placed = await market.call('POST', '/api/v2/orders/place', {
      token: buyer.key,
      body: order,
    })
    expect(placed.status).toBe(200)
    const cancel = `/api/operator/orders/${placed.body.uuid}/cancel`
    await market.call('POST', cancel, { token: market.adminKey, body: {} })
    expect(hoursOf((await hold(sku, 48, buyer.key)).body)).toBeCloseTo(6, 2)
  })

  it('can be set for a merchant, and null sets the standard again', async () => {
    const own = await market.merchant()
    const { sku } = await stone()
    expect((await setLimits(own, { max_hold_hours: 2 })).status).toBe(200)
    expect(hoursOf((await hold(sku, 3, own.key)).body)).toBe(2)
    expect((await hold(sku, 3, own.key)).body).toMatchObject({ code: 'hold_exhausted', limit: 2 })
    await setLimits(own, { max_hold_hours: null })
    expect((await hold(sku, 3, own.key)).status).toBe(201)
  })

  it('is forgotten when it no longer counts, and kept while a live hold needs it', async () => {
    const { db } = market.database
    const forgotten = await stone()
    const { body: ended } = await hold(forgotten.sku, 1)
    await release(ended.uuid)
    await letPass(forgotten.sku, 26)
    const needed = await stone()
    const { body: earlier } = await hold(needed.sku, 48)
    await letPass(needed.sku, 30)
    await release(earlier.uuid)
    await letPass(needed.sku, 23)
    await hold(needed.sku, 42)
    await letPass(needed.sku, 10)
    await deleteOldHoldTimes(db)
    expect(await holdTimes(forgotten.sku)).toEqual([])
    expect(await holdTimes(needed.sku)).toEqual([expect.closeTo(30, 2)])
    expect((await hold(needed.sku, 48)).body.code).toBe('hold_exhausted')
  })
})

describe('the number of live holds', () => {
  it('can be set for a merchant, and holds for requests to two nodes at once', async () => {
    const own = await market.merchant()
    await setLimits(own, { max_holds: 3 })
    const stones = await Promise.all(Array.from({ length: 12 }, stone))
    const headers = { authorization: `Bearer ${own.key}`, 'content-type': 'application/json' }
    const answers = await Promise.all(
      stones.map(({ sku }, at) => {
        const payload = JSON.stringify({ sku })
        const app = at % 2 === 0 ? market.app : node
        return app.inject({ method: 'POST', url: PATH, headers, payload })
      }),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(3)
    const refused = answers.filter(({ statusCode }) => statusCode === 409)
    expect(refused).toHaveLength(9)
    expect(refused[0].json()).toMatchObject({
      code: 'hold_limit',
      limit_name: 'max_holds',
      limit: 3,
      used: 3,
    })
    expect(refused[0].json().detail).toBe(
      "The merchant's limit of live holds is 3; 3 are in use. Release one first, or have the " +
        'operator raise the limit.',
    )
    await setLimits(own, { max_holds: 4 })
    const refusedSku = stones.find((_, at) => answers[at].statusCode === 409)?.sku ?? ''
    expect((await hold(refusedSku, 1, own.key)).status).toBe(201)
    expect((await hold((await stone()).sku, 1, own.key)).body.limit).toBe(4)
  })
})
