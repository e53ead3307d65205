import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../../src/database/open.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { logChanges } from '../../src/events/change-log.ts'
import { lastNumber } from '../support/change-log.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { indexed, stockStones } from '../support/stocked.ts'

let market: TestMarket
let shop: TestMerchant
let db: Db

beforeAll(async () => {
  market = await openTestMarket()
  shop = await market.merchant()
  db = market.database.db
  await stockStones(market, {}, { weight: '2.5' }, { weight: '3.5' })
  await indexed(market)
})
afterAll(() => market.close())

const changes = (after: number) =>
  market.call('GET', `/api/v3/inventory/changes?after=${after}`, { token: shop.key })

async function snapshotNumber(): Promise<number> {
  const { text } = await market.call('GET', '/api/v3/inventory/snapshot', { token: shop.key })
  return JSON.parse(text.slice(0, text.indexOf('\n'))).sequence
}

async function prices(): Promise<number[]> {
  const { body } = await market.call('POST', '/api/v2/diamonds/merchant_search', {
    token: shop.key,
    body: { sort_col: 'weight' },
  })
  return body.gems.map((gem: { wholesale_price: number }) => Number(gem.wholesale_price))
}

/** Changes the price of every stone, and returns the number of the last change. */
async function reprice(price: number): Promise<number> {
  await inTransaction(db, async (tx) => {
    const stones = await tx
      .updateTable('gem')
      .set({ wholesale_price: price, wholesale_price_us: price })
      .returning(['id', 'sku'])
      .execute()
    await logChanges(
      tx,
      stones.map(({ id, sku }) => ({ gem_id: id, sku, kind: 'price' as const })),
    )
  })
  return lastNumber(db)
}

interface FailOver {
  lacks?: { after: number; price: number }
  replicated: boolean
  /** The server had led before, so its history is the one that it remembers. */
  isSame?: boolean
}

/** Another server leads, which lacks the changes after a number, and the prices that they set. */
async function failOver(options: FailOver) {
  const { lacks, replicated, isSame } = options
  await inTransaction(db, async (tx) => {
    if (lacks) {
      await sql`delete from change where sequence > ${lacks.after}`.execute(tx)
      await sql`update change_clock set last = ${lacks.after}`.execute(tx)
      const { price } = lacks
      await tx
        .updateTable('gem')
        .set({ wholesale_price: price, wholesale_price_us: price })
        .execute()
    }
    if (isSame) return
    await sql`update change_clock set history = 'another server',
      replicated = ${replicated}`.execute(tx)
  })
}

describe('after a failover that lost changes', () => {
  let known: number
  let lost: number

  beforeEach(async () => {
    known = await reprice(2_000)
    lost = await reprice(3_000)
    await market.app.services.catchUp()
    expect(await prices()).toEqual([3_000, 3_000, 3_000])
    await failOver({ lacks: { after: known, price: 2_000 }, replicated: false })
  })

  it('the index has what the table has, also when as many changes follow', async () => {
    await market.app.services.catchUp()
    await expect.poll(prices).toEqual([2_000, 2_000, 2_000])
    await reprice(4_000)
    await market.app.services.catchUp()
    expect(await prices()).toEqual([4_000, 4_000, 4_000])
  })

  it('no number is given twice, and who followed to one that may be lost starts over', async () => {
    const next = await reprice(4_000)
    expect(next).toBeGreaterThan(lost)
    for (const after of [known - 1, known, lost - 1, lost]) {
      const { status, body } = await changes(after)
      expect([after, status, body.code]).toEqual([after, 410, 'changes_expired'])
      expect((await changes(body.oldest_sequence)).status).toBe(200)
    }
    const begun = await snapshotNumber()
    expect((await changes(begun)).body).toMatchObject({ changes: [], next: begun, more: false })
    await reprice(5_000)
    expect((await changes(begun)).body.changes).toHaveLength(3)
  })
})

it('the index follows a server that leads again and has lower numbers', async () => {
  const known = await reprice(2_000)
  await reprice(3_000)
  await market.app.services.catchUp()
  await failOver({ lacks: { after: known, price: 2_000 }, replicated: true, isSame: true })
  await market.app.services.catchUp()
  await expect.poll(prices).toEqual([2_000, 2_000, 2_000])
})

describe('after a failover to a standby that had confirmed every number', () => {
  it('followers go on, and only who has seen a lost number starts over', async () => {
    const last = await reprice(2_000)
    await failOver({ replicated: true })
    // Nothing was numbered between two failovers.
    const between = await lastNumber(db)
    expect(between).toBeGreaterThan(last)
    expect((await changes(last)).body).toEqual({ changes: [], next: between, more: false })
    await failOver({ replicated: true })
    const next = await reprice(3_000)
    for (const after of [last - 1, last, between]) {
      const { body } = await changes(after)
      expect(body).toMatchObject({ next, more: false })
      expect(body.changes.slice(-3)).toMatchObject([{}, {}, { sequence: next }])
    }
    expect((await changes(last + 1)).status).toBe(410)
    expect((await changes(between + 1)).status).toBe(410)
    await market.app.services.catchUp()
    expect(await prices()).toEqual([3_000, 3_000, 3_000])
  })
})

it('numbers merchants have seen are not given to other events after a loss', async () => {
  await sql`insert into event_clock (merchant_uuid, last) values (${shop.merchant.uuid}, 7)
    on conflict (merchant_uuid) do update set last = 7`.execute(db)
  await failOver({ replicated: false })
  await lastNumber(db)
  const clock = await db
    .selectFrom('event_clock')
    .select('last')
    .where('merchant_uuid', '=', shop.merchant.uuid)
    .executeTakeFirstOrThrow()
  expect(clock.last).toBeGreaterThan(1_000)
})
