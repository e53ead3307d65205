import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { logChanges } from '../../src/events/change-log.ts'
import { numberChanges } from '../../src/events/number-changes.ts'
import { undoImport } from '../../src/feeds/importing/applying/undo-import.ts'
import { csvOf, type ImportMarket, openImportMarket, stones } from './import-support.ts'

let market: ImportMarket
beforeAll(async () => {
  market = await openImportMarket()
})
afterAll(() => market.close())

const STONES = 600

/** Sells a stone as an order does: lock, update, log. Returns whether it was available. */
function sell(vendorSku: string): Promise<boolean> {
  return inTransaction(market.database.db, async (tx) => {
    const { rows } = await sql<{ id: number; sku: string }>`
      select id, sku from gem where vendor_sku = ${vendorSku} and state = 'available' and quantity > 0
      for update`.execute(tx)
    if (!rows[0]) return false
    await sql`update gem set state = 'sold', quantity = 0, mover = 'order' where id = ${rows[0].id}`.execute(
      tx,
    )
    await logChanges(tx, [{ gem_id: rows[0].id, sku: rows[0].sku, kind: 'sold' }])
    return true
  })
}

const priced = (round: number) =>
  csvOf(
    stones(STONES, (stone) => ({ ...stone, perCarat: stone.perCarat + round * 3 })).filter(
      (_, index) => round % 2 === 0 || index % 7 !== 0,
    ),
  )

describe('concurrent imports and sales of the same stones', () => {
  it('sell each stone once, and no import puts a sold one back on sale', async () => {
    await market.run(priced(0))
    const sold = new Set<string>()
    let isOver = false
    const buyers = [1, 2, 3].map(async (buyer) => {
      for (let turn = 0; !isOver; turn++) {
        const stock = `S-${((turn * 131 + buyer * 37) % STONES) + 1}`
        if (await sell(stock)) {
          expect(sold.has(stock)).toBe(false)
          sold.add(stock)
        }
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })
    for (let round = 1; round <= 4; round++) {
      const { uuid } = await market.run(priced(round), { mode: 'replace' })
      if (round === 3) await undoImport(market.database, uuid)
    }
    isOver = true
    await Promise.all(buyers)
    expect(sold.size).toBeGreaterThan(0)
    for (const stock of sold)
      expect(await market.gem(stock)).toMatchObject({ state: 'sold', quantity: 0 })
    await expectHistories(sold)
  })
})

/** The log of each stone begins with `new`, alternates `gone` and `back`, and ends with a sale. */
async function expectHistories(sold: ReadonlySet<string>): Promise<void> {
  await numberChanges(market.database.db)
  const { rows } = await sql<{ stock: string; kinds: string[] }>`
    select g.vendor_sku as stock, array_agg(c.kind order by c.sequence) as kinds
    from change c join gem g on g.id = c.gem_id group by 1`.execute(market.database.db)
  expect(rows).toHaveLength(STONES)
  for (const { stock, kinds } of rows) {
    const moves = kinds.filter((kind) => kind !== 'price' && kind !== 'details')
    const pattern = sold.has(stock) ? /^new( gone back)* sold$/ : /^new( gone back)*( gone)?$/
    expect([stock, moves.join(' ')]).toEqual([stock, expect.stringMatching(pattern)])
  }
  const gaps = await sql`
    select from (select sequence - lag(sequence) over (order by sequence) as step from change) as s
    where step <> 1`.execute(market.database.db)
  expect(gaps.rows).toHaveLength(0)
}
