import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { retireStaleStock } from '../../src/feeds/importing/applying/retire-stale-stock.ts'
import { createMerchant } from '../../src/merchants/merchant-store.ts'
import { lastNumber } from '../support/change-log.ts'
import { csvOf, type ImportMarket, openImportMarket, stones } from './import-support.ts'

let market: ImportMarket
beforeAll(async () => {
  market = await openImportMarket()
})
afterAll(() => market.close())

describe('stock that was not imported for too long', () => {
  it('is taken off sale except what is held, and comes back with the next import', async () => {
    const { db } = market.database
    await market.run(csvOf(stones(150)))
    await market.run(csvOf(stones(3)), { supplier: 'Fresh Ltd' })
    await market.run(csvOf(stones(3)), { supplier: 'Never Ltd' })
    const { uuid } = await createMerchant(db, {
      email: 'a@shop.example',
      legal_dba: 'A',
      country_code: 'US',
    })
    await sql`update gem set hold_uuid = gen_random_uuid(), hold_merchant_uuid = ${uuid}, hold_created_on = now(),
      hold_expires_on = now() + interval '1 hour', mover = 'hold' where sku = (select min(sku) from gem where supplier_id = 1)`.execute(
      db,
    )
    await sql`update supplier set synced_on = now() - interval '9 days' where name <> 'Fresh Ltd'`.execute(
      db,
    )
    await sql`update supplier set fresh_days = null where name = 'Never Ltd'`.execute(db)
    const sequence = await lastNumber(db)
    expect(await retireStaleStock(db)).toBe(149)
    expect(await retireStaleStock(db)).toBe(0)
    expect(new Set((await market.log(sequence)).map((entry) => entry.split(' ')[0]))).toEqual(
      new Set(['gone']),
    )
    const live = await sql<{ name: string; count: number }>`
      select s.name, count(*) as count from gem g join supplier s on s.id = g.supplier_id
      where g.state = 'available' group by 1 order by 1`.execute(db)
    expect(live.rows).toEqual([
      { name: 'Fresh Ltd', count: 3 },
      { name: 'Gems Ltd', count: 1 },
      { name: 'Never Ltd', count: 3 },
    ])
    expect(await market.run(csvOf(stones(150)))).toMatchObject({ changed: 149, unchanged: 1 })
    expect(await retireStaleStock(db)).toBe(0)
  })
})
