import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isOutage } from '../../src/database/errors.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { createDemoMarket } from '../../src/demo/market.ts'
import { resetMarket } from '../../src/demo/reset-market.ts'
import { findToken } from '../../src/merchants/known-tokens.ts'
import { findServedAddress, recordServedAddress } from '../../src/merchants/market-store.ts'
import { hashToken } from '../../src/merchants/token.ts'
import { createToken } from '../../src/merchants/token-store.ts'
import { createScenarios } from '../../src/orders/sandbox/scenarios.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

let market: TestMarket
let keys: { merchantKey: string } | undefined
const options = { realm: 'live', stones: 300, seed: 1, publicUrl: 'http://pavilion.test' } as const

beforeAll(async () => {
  market = await openTestMarket()
  keys = await createDemoMarket(market.database, options)
})
afterAll(() => market.close())

async function search(token: string) {
  const body = { limit: 1000 }
  return market.call('POST', '/api/v2/diamonds/merchant_search', { token, body })
}

async function products(token: string) {
  return market.call('POST', '/api/v3/products/query', { token, body: { limit: 500 } })
}

function orOutage(error: unknown): undefined {
  if (!isOutage(error)) throw error
}

describe('a reset', () => {
  it('keeps the address of the market', async () => {
    await recordServedAddress(market.database.db, 'http://gems.example')
    await recordServedAddress(market.database.db, 'http://pearls.example')
    await resetMarket(market.database, undefined)
    expect(await findServedAddress(market.database.db)).toBe('http://pearls.example')
    await vi.waitFor(() => resetMarket(market.database, options), { timeout: 60_000 })
  })

  it('lets a running node serve the new market', async () => {
    const old = keys?.merchantKey ?? ''
    // The node was open before its market had stones.
    const before = async () => (await search(old)).body.metadata?.total_count ?? 0
    await expect.poll(before).toBeGreaterThan(0)
    const oldProducts = (await products(old)).body.total
    expect(oldProducts).toBeGreaterThan(0)

    const filled = await resetMarket(market.database, { ...options, stones: 120, seed: 2 })
    expect(filled?.keys).toBeUndefined()
    const fresh = old
    const now = async () => {
      const { status, body } = await search(fresh)
      return status === 200 ? body.metadata.total_count : -1
    }
    const expected = await market.database.db
      .selectFrom('gem')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('product_type', '=', 'diamond')
      .where('is_fancy', '=', false)
      .where('state', '=', 'available')
      .executeTakeFirstOrThrow()
    await expect.poll(now).toBe(expected.count)
    const visible = (await products(fresh)).body
    const known = await market.database.db.selectFrom('product').select('id').execute()
    const ids = new Set(known.map(({ id }) => id))
    for (const { id } of visible.products) expect(ids).toContain(id)
  })

  it('never shows a caller a missing table', async () => {
    const token = keys?.merchantKey ?? ''
    const statuses = new Set<number>()
    let isDone = false
    const calling = [1, 2, 3].map(async () => {
      while (!isDone) {
        for (const path of [
          '/api/v3/events',
          '/api/v2/orders/list',
          '/api/v2/merchant_addresses/list',
        ]) {
          statuses.add((await market.call('GET', path, { token })).status)
        }
        // A refused call does not wait for anything: without a pause the reset would not go on.
        await sleep(10)
      }
    })
    await resetMarket(market.database, { ...options, stones: 120, seed: 3 })
    isDone = true
    await Promise.all(calling)
    // 503 while the connections are closed.
    for (const status of statuses) expect([200, 503]).toContain(status)
  })

  it('keeps merchants, users, keys and webhooks, and nothing else of them', async () => {
    const { db } = market.database
    // The server writes when a key was last used while this test runs.
    const tokens = async () =>
      (await db.selectFrom('token').selectAll().orderBy('uuid').execute()).map(
        ({ last_used_on: _, ...token }) => token,
      )
    const kept = async () => ({
      merchants: await db.selectFrom('merchant').selectAll().orderBy('uuid').execute(),
      users: await db.selectFrom('app_user').selectAll().orderBy('uuid').execute(),
      tokens: await tokens(),
      webhooks: await db.selectFrom('webhook_endpoint').selectAll().orderBy('uuid').execute(),
    })
    const [{ merchant_uuid }] = await db
      .selectFrom('token')
      .select('merchant_uuid')
      .where('hash', '=', hashToken(keys?.merchantKey ?? ''))
      .execute()
    await sql`insert into webhook_endpoint (uuid, merchant_uuid, url, secret) values
      (gen_random_uuid(), ${merchant_uuid}, 'https://hooks.shop.example/', 'x')`.execute(db)
    const { uuid: supplier_uuid } = await db
      .selectFrom('supplier')
      .select('uuid')
      .where('confirms', '=', true)
      .executeTakeFirstOrThrow()
    await inTransaction(db, (tx) =>
      createToken(tx, { realm: 'live', type: 'supplier', supplier_uuid, name: 'shipping' }),
    )
    const before = await vi.waitFor(kept, { timeout: 60_000 })
    expect(before.tokens.some(({ supplier_uuid }) => supplier_uuid !== null)).toBe(true)
    await resetMarket(market.database, { ...options, stones: 120, seed: 3 })
    expect(await vi.waitFor(kept, { timeout: 60_000 })).toEqual(before)
    const deliveries = await db.selectFrom('webhook_delivery').select('uuid').execute()
    expect(deliveries).toEqual([])
  })

  it('creates the scenarios of a sandbox again, whose buyer is still there', async () => {
    const { db } = market.database
    const held = () =>
      db.selectFrom('gem').select('hold_merchant_uuid').where('sku', '=', 'TEST-HELD').execute()
    await vi.waitFor(() => createScenarios(db), { timeout: 60_000 })
    const before = await held()
    const filled = await resetMarket(market.database, { ...options, realm: 'test', stones: 20 })
    expect(filled).toMatchObject({ diamonds: 20 })
    expect(await vi.waitFor(held, { timeout: 60_000 })).toEqual(before)
    // The server creates those of a sandbox that a reset left empty.
    await resetMarket(market.database, undefined)
    await vi.waitFor(() => createScenarios(db), { timeout: 60_000 })
    expect(await held()).toEqual(before)
  })

  it('that fails leaves the market as it was', async () => {
    await vi.waitFor(() => resetMarket(market.database, options), { timeout: 60_000 })
    const stones = () =>
      market.database.db.selectFrom('gem').select('sku').orderBy('sku').limit(5).execute()
    const before = await vi.waitFor(stones, { timeout: 60_000 })
    const failing = { ...options, seed: 4, publicUrl: 'no address' }
    await expect(resetMarket(market.database, failing)).rejects.toThrow('Invalid URL')
    expect(before).toHaveLength(5)
    expect(await stones()).toEqual(before)
  })

  it('finds a token together with its merchant', async () => {
    await resetMarket(market.database, options)
    let hasReset = false
    const resettingAfterFirstRead = market.database.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (!hasReset) await resetMarket(market.database, undefined)
        hasReset = true
        return result
      },
    })
    const hash = hashToken(keys?.merchantKey ?? '')
    expect(await findToken(market.database.db, hash)).toBeDefined()
    // The reset closes all connections; the second read may still get one of them.
    const found = await findToken(resettingAfterFirstRead, hash).catch(orOutage)
    expect(found === undefined || found.merchant !== null).toBe(true)
    expect(hasReset).toBe(true)
  })

  it('starts the numbers of stones and memos from one', async () => {
    const { db } = market.database
    const resetAndDraw = async () => {
      await resetMarket(market.database, undefined)
      const { rows } = await sql<{ memo: number; stones: number }>`
        select nextval('memo_number') as memo,
          nextval(pg_get_serial_sequence('gem', 'id')) as stones`.execute(db)
      return rows
    }
    // A read may still get a connection that the reset has closed.
    const rows = await vi.waitFor(resetAndDraw, { timeout: 60_000 })
    expect(rows).toEqual([{ memo: 1, stones: 1 }])
  })
})
