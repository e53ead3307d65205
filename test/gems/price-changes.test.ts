import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { readPrices } from '../../src/gems/price-changes.ts'
import { insertStone, useDatabase } from '../support/stones.ts'

const database = useDatabase()

describe('the prices of a stone', () => {
  it('begin with the stone', async () => {
    const { db } = database.current
    const { id } = await insertStone(db, {
      wholesale_price: 1100,
      wholesale_price_us: 1200,
      created_on: '2026-01-31 09:15:00+00',
    })
    expect(await readPrices(db, id)).toEqual([
      {
        changed_on: '2026-01-31 09:15:00+00',
        wholesale_price: '1100.00',
        wholesale_price_us: '1200.00',
      },
    ])
  })

  it('are listed newest first, each from the moment it began', async () => {
    const { db } = database.current
    const { id } = await insertStone(db, { created_on: '2026-01-31 09:15:00+00' })
    await setPrices(id, 900, 1200)
    await setPrices(id, 900, 1300)
    const prices = await readPrices(db, id)
    expect(prices.map((price) => [price.wholesale_price, price.wholesale_price_us])).toEqual([
      ['900.00', '1300.00'],
      ['900.00', '1200.00'],
      ['1100.00', '1200.00'],
    ])
    expect(prices[2].changed_on).toBe('2026-01-31 09:15:00+00')
    const { rows } = await sql<{ changed_on: string }>`
      select changed_on from price_change where gem_id = ${id} order by n`.execute(db)
    expect([prices[1].changed_on, prices[0].changed_on]).toEqual(
      rows.map(({ changed_on }) => changed_on),
    )
  })

  it('are not affected by other changes', async () => {
    const { db } = database.current
    const { id } = await insertStone(db)
    await sql`
      update gem set wholesale_price = 1100.00, color = 'D'
      where id = ${id}`.execute(db)
    expect(await readPrices(db, id)).toHaveLength(1)
  })

  it('are recorded for many stones without reading those of all others', async () => {
    const { db } = database.current
    const STONES = 300
    const ids: number[] = []
    for (let i = 0; i < STONES; i++) ids.push((await insertStone(db)).id)
    await sql`delete from price_change`.execute(db)
    await setPrices(ids[0], 1, 1)
    await sql`analyze price_change`.execute(db)
    const read = await db.transaction().execute(async (tx) => {
      await sql`update gem set wholesale_price = 7 where id = any(${ids})`.execute(tx)
      const { rows } = await sql<{ read: number }>`
        select seq_tup_read::int as read from pg_stat_xact_user_tables
        where relname = 'price_change'`.execute(tx)
      return rows[0].read
    })
    expect(read).toBeLessThan(STONES)
  })

  it('are kept for the last hundred changes, and go with the stone', async () => {
    const { db } = database.current
    const { id } = await insertStone(db)
    for (let price = 1; price <= 105; price++) await setPrices(id, price, price)
    const prices = await readPrices(db, id)
    expect(prices.map(({ wholesale_price }) => Number(wholesale_price))).toEqual(
      Array.from({ length: 100 }, (_, i) => 105 - i),
    )
    expect(await countChanges(id)).toBe(100)
    await sql`delete from gem where id = ${id}`.execute(db)
    expect(await countChanges(id)).toBe(0)
    expect(await readPrices(db, id)).toEqual([])
  })

  async function setPrices(id: number, price: number, us: number): Promise<void> {
    await sql`
      update gem set wholesale_price = ${price}, wholesale_price_us = ${us}
      where id = ${id}`.execute(database.current.db)
  }

  async function countChanges(id: number): Promise<number> {
    const { rows } = await sql<{ changes: number }>`
      select count(*)::int as changes from price_change
      where gem_id = ${id}`.execute(database.current.db)
    return rows[0].changes
  }
})
