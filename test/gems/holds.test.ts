import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { expireHolds } from '../../src/gems/holds/end-holds.ts'
import { placeHold } from '../../src/gems/holds/place-hold.ts'
import { lastNumber, listChanges } from '../support/change-log.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { insertStone, leaseOf } from '../support/stones.ts'

let market: TestMarket
let shop: TestMerchant
let stranger: TestMerchant

beforeAll(async () => {
  market = await openTestMarket()
  shop = await market.merchant()
  stranger = await market.merchant()
})
afterAll(() => market.close())

const PATH = '/api/v3/inventory/holds'
const stone = (columns: Parameters<typeof insertStone>[1] = {}) =>
  insertStone(market.database.db, columns)
const hold = (sku: string, body: object = {}, token = shop.key) =>
  market.call('POST', PATH, { token, body: { sku, ...body } })
const release = (uuid: string, token = shop.key) =>
  market.call('DELETE', `${PATH}/${uuid}`, { token })
const listed = async (token = shop.key) => (await market.call('GET', PATH, { token })).body

async function changesSince(sequence: number, sku: string) {
  const changes = await listChanges(market.database.db, sequence, 1000)
  return changes.filter((change) => change.sku === sku).map(({ kind }) => kind)
}

describe('POST /api/v3/inventory/holds', () => {
  it('holds a stone for an hour unless told otherwise, and logs it', async () => {
    const { sku } = await stone()
    const before = await lastNumber(market.database.db)
    const { status, body } = await hold(sku)
    expect(status).toBe(201)
    expect(body).toMatchObject({ sku, merchant_uuid: shop.merchant.uuid })
    const minutes = (Date.parse(body.expires_on) - Date.parse(body.created_on)) / 60_000
    expect(minutes).toBeCloseTo(60, 3)
    expect(await changesSince(before, sku)).toEqual(['hold'])
    expect((await listed()).holds).toContainEqual(body)
  })

  it("moves the expiry of the caller's own hold, and keeps its uuid and its beginning", async () => {
    const { sku } = await stone()
    const first = (await hold(sku, { minutes: 1 })).body
    const second = (await hold(sku, { minutes: 2880 })).body
    expect(second).toMatchObject({ uuid: first.uuid, created_on: first.created_on })
    expect(Date.parse(second.expires_on) - Date.parse(first.expires_on)).toBeGreaterThan(1e8)
    const { holds } = await listed()
    expect(holds.filter((row: { sku: string }) => row.sku === sku)).toEqual([second])
  })

  it('refuses what cannot be held, and writes nothing', async () => {
    const held = await stone(leaseOf(stranger.merchant.uuid, 5))
    const cases = [
      [held.sku, 409, 'sku_on_hold'],
      [(await stone({ can_hold: false })).sku, 409, 'not_holdable'],
      [
        (await stone({ product_type: 'melee', quantity: 9, color_max: 'F' })).sku,
        409,
        'not_holdable',
      ],
      [(await stone({ state: 'sold', quantity: 0 })).sku, 409, 'sku_unavailable'],
      [(await stone({ state: 'disabled' })).sku, 409, 'sku_unavailable'],
      [(await stone({ quantity: 0 })).sku, 409, 'sku_unavailable'],
      ['NOSUCHSKU', 422, 'invalid_request'],
    ] as const
    const before = await lastNumber(market.database.db)
    for (const [sku, status, code] of cases) {
      const answer = await hold(sku)
      expect([answer.status, answer.body.code]).toEqual([status, code])
      if (status === 422) expect(answer.body.errors[0].field).toBe('sku')
    }
    expect(await lastNumber(market.database.db)).toBe(before)
  })

  it('refuses wrong minutes and unknown names with 422', async () => {
    const { sku } = await stone()
    for (const body of [{ minutes: 0 }, { minutes: -1 }, { minutes: 2880.1 }, { minutes: '5' }]) {
      expect((await hold(sku, body)).body.errors[0].field).toBe('minutes')
    }
    expect((await hold(sku, { minute: 5 })).body.errors[0].message).toContain('minutes')
    expect((await market.call('POST', PATH, { token: shop.key, body: {} })).status).toBe(422)
  })

  it('holds a stone whose earlier hold has ended, from that instant on', async () => {
    const { sku } = await stone()
    const { body: first } = await hold(sku, { minutes: 0.005 }, stranger.key)
    const answers = []
    for (;;) {
      const answer = await hold(sku)
      answers.push(answer)
      if (answer.status === 201) break
      expect(answer.body.code).toBe('sku_on_hold')
    }
    const { created_on, uuid } = answers.at(-1)!.body
    expect(uuid).not.toBe(first.uuid)
    expect(created_on >= first.expires_on).toBe(true)
    expect((await release(first.uuid, stranger.key)).status).toBe(404)
  })

  it('lets a merchant have fifty live holds, also when they come at once', async () => {
    const { key } = await market.merchant()
    const stones = await Promise.all(Array.from({ length: 60 }, () => stone()))
    const answers = await Promise.all(stones.map(({ sku }) => hold(sku, {}, key)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50)
    expect(answers.filter(({ body }) => body.code === 'hold_limit')).toHaveLength(10)
    const own = answers.find(({ status }) => status === 201)!.body
    expect((await hold(own.sku, {}, key)).status).toBe(201)
    await release(own.uuid, key)
    expect((await hold((await stone()).sku, {}, key)).status).toBe(201)
  })

  it('gives the stone to exactly one of a hundred merchants', async () => {
    const { sku } = await stone()
    const merchants = []
    for (let n = 0; n < 100; n++) merchants.push(await market.merchant())
    const before = await lastNumber(market.database.db)
    const answers = await Promise.all(merchants.map(({ key }) => hold(sku, {}, key)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'sku_on_hold')).toHaveLength(99)
    expect(await changesSince(before, sku)).toEqual(['hold'])
  })

  it('returns the first hold for a repeated idempotency key', async () => {
    const { sku } = await stone()
    const headers = { 'idempotency-key': sku }
    const send = () => market.call('POST', PATH, { token: shop.key, body: { sku }, headers })
    const first = await send()
    expect((await send()).text).toBe(first.text)
  })
})

describe('GET and DELETE of holds', () => {
  it("lists the caller's live holds, oldest first, in pages", async () => {
    const { key, merchant } = await market.merchant()
    const skus = []
    for (let n = 0; n < 3; n++) skus.push((await hold((await stone()).sku, {}, key)).body.sku)
    await stone(leaseOf(merchant.uuid, -1))
    const page = await market.call('GET', `${PATH}?limit=2&offset=1`, { token: key })
    expect(page.body).toMatchObject({ total: 3, limit: 2, offset: 1 })
    expect(page.body.holds.map((row: { sku: string }) => row.sku)).toEqual(skus.slice(1))
  })

  it('releases a hold, logs it, and lets the next merchant have the stone', async () => {
    const { sku } = await stone()
    const { uuid } = (await hold(sku)).body
    const before = await lastNumber(market.database.db)
    expect((await release(uuid, stranger.key)).status).toBe(404)
    expect((await release(uuid)).status).toBe(204)
    expect((await release(uuid)).status).toBe(404)
    expect(await changesSince(before, sku)).toEqual(['release'])
    expect((await hold(sku, {}, stranger.key)).status).toBe(201)
  })

  it('need the scope inventory', async () => {
    const { token } = await market.token({
      merchant_uuid: shop.merchant.uuid,
      scopes: ['search', 'orders:write'],
    })
    expect((await hold((await stone()).sku, {}, token)).status).toBe(403)
    expect((await market.call('GET', PATH, { token })).status).toBe(403)
    expect((await market.call('GET', PATH, { token: market.adminKey })).status).toBe(403)
  })
})

describe('the end of a hold', () => {
  it('is logged once as a release and as an event, however many nodes expire holds', async () => {
    const { db } = market.database
    const stones: { sku: string }[] = []
    for (let n = 0; n < 5; n++) stones.push(await stone())
    const before = await lastNumber(db)
    await inTransaction(db, async (tx) => {
      for (const { sku } of stones) {
        await placeHold(tx, shop.merchant.uuid, { sku, minutes: 1e-6 })
      }
    })
    await Promise.all(Array.from({ length: 8 }, () => expireHolds(db)))
    // The app's own background task may have expired some of them first.
    while ((await listChanges(db, before, 100)).length < 10) await sleep(20)
    for (const { sku } of stones) {
      expect(await changesSince(before, sku)).toEqual(['hold', 'release'])
    }
    const skus = stones.map(({ sku }) => sku)
    const events = await sql<{ event_type: string; sku: string }>`
      select event_type, event_data ->> 'sku' as sku from event
      where event_data ->> 'sku' = any(${skus}) and event_type <> 'hold.create'`.execute(db)
    expect(events.rows.map(({ sku }) => sku).sort()).toEqual(skus.sort())
    expect(events.rows.every(({ event_type }) => event_type === 'hold.expire')).toBe(true)
    const left = await sql`
      select 1 from gem where hold_expires_on < clock_timestamp()`.execute(db)
    expect(left.rows).toEqual([])
  })

  it('leaves neither hold nor log entry behind when its event cannot be written', async () => {
    const { db } = market.database
    const { sku } = await stone()
    const before = await lastNumber(db)
    await sql`
      alter table event add constraint refused_event check (event_data ->> 'sku' <> ${sql.lit(sku)})
        not valid`.execute(db)
    const failing = inTransaction(db, (tx) =>
      placeHold(tx, shop.merchant.uuid, { sku, minutes: 1 }),
    )
    await expect(failing).rejects.toThrow('refused_event')
    await sql`alter table event drop constraint refused_event`.execute(db)
    expect(await changesSince(before, sku)).toEqual([])
    expect((await hold(sku, {}, stranger.key)).status).toBe(201)
  })
})
