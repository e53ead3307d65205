import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { createDemoMarket, fillDemoMarket } from '../../src/demo/market.ts'
import { listChanges } from '../support/change-log.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { insertMerchant } from '../support/stones.ts'

const OPTIONS = {
  realm: 'live',
  stones: 1500,
  seed: 7,
  publicUrl: 'http://pavilion.test/',
  asOf: new Date('2026-01-31T12:00:00Z'),
} as const

const opened: { database: Database; clone: ClonedDatabase }[] = []
async function emptyMarket(): Promise<Database> {
  const clone = await cloneDatabase()
  const database = openDatabase({ url: clone.url, poolMax: 4 })
  opened.push({ database, clone })
  return database
}
afterAll(async () => {
  for (const { database, clone } of opened) {
    await database.close()
    await clone.drop()
  }
})

/** A digest of everything that depends on the seed, which is all but the holders. */
async function digestOf({ db }: Database): Promise<string> {
  const { rows } = await sql<{ row: string }>`
    select (to_jsonb(gem) - 'hold_merchant_uuid')::text as row from gem order by id`.execute(db)
  const digest = createHash('sha256')
  for (const { row } of rows) digest.update(row)
  return digest.digest('hex')
}

async function countsOf({ db }: Database) {
  const tables = ['gem', 'supplier', 'merchant', 'exchange_rate', 'change', 'token'] as const
  const counts: number[] = []
  for (const table of tables) {
    const { count } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    counts.push(count)
  }
  return counts
}

describe('filling the demo market', () => {
  let first: Database
  beforeAll(async () => {
    first = await emptyMarket()
    await fillDemoMarket(first, OPTIONS)
  })

  it('creates the same market for the same seed, and another for another seed', async () => {
    const [second, third] = [await emptyMarket(), await emptyMarket()]
    await fillDemoMarket(second, OPTIONS)
    await fillDemoMarket(third, { ...OPTIONS, seed: 8 })
    const digest = await digestOf(first)
    expect(await digestOf(second)).toBe(digest)
    expect(await digestOf(third)).not.toBe(digest)
  })

  it('logs every stone once as new, in the order of ids, by its leading offer', async () => {
    const gems = await first.db
      .selectFrom('gem')
      .leftJoin('offer', 'offer.gem_id', 'gem.id')
      .select(['gem.id', 'gem.sku', 'offer.certificate', 'offer.seen', 'offer.seen_us'])
      .orderBy('gem.id')
      .execute()
    // Jewelry is in the same log, and comes first.
    const logged = await listChanges(first.db, 0, 10_000)
    const changes = logged.filter(({ gem_id }) => gem_id !== null)
    const single = gems.filter(({ certificate }) => certificate === null)
    expect(single.length).toBeLessThan(gems.length)
    // Those with several offers follow, and the changes by the demo orders.
    const newStones = changes.slice(0, single.length)
    expect(newStones.map(({ gem_id, sku, kind }) => [gem_id, sku, kind])).toEqual(
      single.map(({ id, sku }) => [id, sku, 'new']),
    )
    const later = changes.slice(single.length).filter(({ kind }) => kind === 'new')
    type Row = { id: number; seen: boolean | null; seen_us: boolean | null }
    const lists = ({ id, seen, seen_us }: Row): [number, string | null][] => {
      if (seen && seen_us) return [[id, null]]
      if (seen) return [[id, 'default']]
      return seen_us ? [[id, 'us']] : []
    }
    expect(later.map(({ gem_id, price_list }) => [gem_id, price_list])).toEqual(gems.flatMap(lists))
  })

  it('refuses a market that has stones, and changes nothing', async () => {
    const before = await countsOf(first)
    await expect(fillDemoMarket(first, OPTIONS)).rejects.toMatchObject({ code: 'market_not_empty' })
    expect(await createDemoMarket(first, OPTIONS)).toBeUndefined()
    expect(await countsOf(first)).toEqual(before)
  })

  it('fills the market once when two fills run concurrently', async () => {
    const database = await emptyMarket()
    const options = { ...OPTIONS, stones: 50 }
    const results = await Promise.allSettled([
      fillDemoMarket(database, options),
      fillDemoMarket(database, options),
    ])
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([{ reason: { code: 'market_not_empty' } }])
    const { count } = await database.db
      .selectFrom('gem')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('product_type', '=', 'diamond')
      .executeTakeFirstOrThrow()
    expect(count).toBe(50)
  })

  it('leaves nothing behind when it fails, and works afterwards', async () => {
    const database = await emptyMarket()
    await sql`
      create function break_in_the_middle() returns trigger language plpgsql as $$
      begin
        raise exception 'the disk is full';
      end $$`.execute(database.db)
    await sql`
      create trigger broken before insert on gem for each row when (new.product_type = 'gemstone')
      execute function break_in_the_middle()`.execute(database.db)
    await expect(fillDemoMarket(database, OPTIONS)).rejects.toThrow('the disk is full')
    expect(await countsOf(database)).toEqual([0, 0, 0, 0, 0, 0])
    await sql`drop trigger broken on gem`.execute(database.db)
    const { diamonds, keys } = await fillDemoMarket(database, OPTIONS)
    expect(diamonds).toBe(OPTIONS.stones)
    expect(keys).toMatchObject({ merchantKey: expect.stringMatching(/^pav_live_/) })
  })

  it("does not change the operator's own merchants and rates", async () => {
    const database = await emptyMarket()
    const merchant = await insertMerchant(database.db)
    await database.db
      .insertInto('exchange_rate')
      .values({ currency_code: 'EUR', rate: '0.5', set_on: '2020-01-01' })
      .execute()
    const { keys, held } = await fillDemoMarket(database, { ...OPTIONS, stones: 200 })
    expect(keys).toBeUndefined()
    expect(held).toBeGreaterThan(0)
    const holders = await database.db
      .selectFrom('gem')
      .select('hold_merchant_uuid')
      .where('hold_uuid', 'is not', null)
      .distinct()
      .execute()
    expect(holders).toEqual([{ hold_merchant_uuid: merchant }])
    const rates = await database.db
      .selectFrom('exchange_rate')
      .select('rate')
      .where('currency_code', '=', 'EUR')
      .execute()
    expect(rates).toEqual([{ rate: '0.50000000' }])
  })

  it('fills a market without single diamonds', async () => {
    const { diamonds, melee, gemstones } = await fillDemoMarket(await emptyMarket(), {
      ...OPTIONS,
      stones: 0,
    })
    expect(diamonds).toBe(0)
    expect(melee).toBeGreaterThan(300)
    expect(gemstones).toBe(300)
  })
})
