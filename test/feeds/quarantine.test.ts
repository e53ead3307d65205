import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { undoImport } from '../../src/feeds/importing/applying/undo-import.ts'
import { decideQuarantined, listQuarantine } from '../../src/feeds/importing/quarantine.ts'
import { setSupplier } from '../../src/gems/supplier-store.ts'
import { csvOf, type ImportMarket, openImportMarket, stones } from './import-support.ts'

let market: ImportMarket
beforeEach(async () => {
  market = await openImportMarket()
})
afterEach(() => market.close())

const ALL = { limit: 100, offset: 0 }
const quarantine = () => listQuarantine(market.database.db, ALL)
const decide = (uuid: string, decision: 'released' | 'dismissed') =>
  decideQuarantined(market.database, uuid, decision)

/** Sixty stones, of which S-8 has another price per carat than its kind. */
const fileWith = (perCarat: number, clarity = 'VS1') =>
  csvOf(stones(60, (stone, index) => (index === 7 ? { ...stone, perCarat, clarity } : stone)))

async function onlyRow(): Promise<string> {
  const { rows, total } = await quarantine()
  expect(total).toBe(1)
  return rows[0].uuid
}

describe('a released row', () => {
  it('is on sale as it is, with a change for followers', async () => {
    const report = await market.run(fileWith(40))
    expect(report).toMatchObject({ added: 59, quarantined: 1 })
    const decided = await decide(await onlyRow(), 'released')
    expect(decided).toMatchObject({ decision: 'released', supplier: 'Gems Ltd', row: 9 })
    expect(await market.gem('S-8')).toMatchObject({
      sku: decided.sku,
      state: 'available',
      quantity: 1,
      cost: '48.00',
      wholesale_price: '48.00',
      clarity: 'VS1',
    })
    expect((await market.log()).at(-1)).toBe('new S-8')
    expect(await quarantine()).toEqual({ rows: [], total: 0 })
  })

  it('stays on sale when the row comes again, also with other details or a new markup', async () => {
    await market.run(fileWith(40))
    await decide(await onlyRow(), 'released')
    expect(await market.run(fileWith(40))).toMatchObject({ unchanged: 60, rejected: 0 })
    expect(await market.run(fileWith(40, 'VS2'))).toMatchObject({ changed: 1, rejected: 0 })
    expect(await market.gem('S-8')).toMatchObject({ clarity: 'VS2', cost: '48.00' })
    await setSupplier(market.database.db, 'Gems Ltd', { markup: 10 })
    expect(await market.run(fileWith(40))).toMatchObject({ changed: 60, rejected: 0 })
    expect(await market.gem('S-8')).toMatchObject({ wholesale_price: '52.80' })
  })

  it('is doubted again when its price changes, and stays as it was', async () => {
    await market.run(fileWith(40))
    await decide(await onlyRow(), 'released')
    expect(await market.run(fileWith(45))).toMatchObject({ unchanged: 59, quarantined: 1 })
    expect(await market.gem('S-8')).toMatchObject({ cost: '48.00', state: 'available' })
    await decide(await onlyRow(), 'released')
    expect(await market.gem('S-8')).toMatchObject({ cost: '54.00' })
    expect((await market.log()).at(-1)).toBe('price S-8')
  })

  it('leaves the market when its import is undone, and returns with the file', async () => {
    const { uuid } = await market.run(fileWith(40))
    await decide(await onlyRow(), 'released')
    await undoImport(market.database, uuid)
    expect(await market.gems()).toEqual([])
    expect(await market.run(fileWith(40))).toMatchObject({ added: 60, rejected: 0 })
  })

  it('gets its old price back when the import of the new one is undone', async () => {
    await market.run(fileWith(3_070))
    const { uuid } = await market.run(fileWith(40))
    await decide(await onlyRow(), 'released')
    expect(await market.gem('S-8')).toMatchObject({ cost: '48.00' })
    await undoImport(market.database, uuid)
    expect(await market.gem('S-8')).toMatchObject({ cost: '3684.00' })
  })

  it('is refused when it is decided, replaced by a newer import, or sold', async () => {
    await market.run(fileWith(40))
    const first = await onlyRow()
    await market.run(fileWith(40))
    const second = await onlyRow()
    expect(second).not.toBe(first)
    await expect(decide(first, 'released')).rejects.toMatchObject({
      code: 'wrong_state',
      message: expect.stringContaining('not of the latest import'),
    })
    await decide(second, 'released')
    await expect(decide(second, 'dismissed')).rejects.toMatchObject({ code: 'wrong_state' })
    await market.run(fileWith(45))
    const third = await onlyRow()
    await market.database.db
      .updateTable('gem')
      .set({ state: 'sold', quantity: 0, mover: 'order' })
      .where('vendor_sku', '=', 'S-8')
      .execute()
    await expect(decide(third, 'released')).rejects.toMatchObject({
      code: 'wrong_state',
      message: expect.stringContaining('sold or on memo'),
    })
    expect(await onlyRow()).toBe(third)
  })
})

describe('a dismissed row', () => {
  it('stays away until its price changes', async () => {
    await market.run(fileWith(40))
    expect(await decide(await onlyRow(), 'dismissed')).toMatchObject({
      decision: 'dismissed',
      sku: null,
    })
    expect((await quarantine()).total).toBe(0)
    const again = await market.run(fileWith(40))
    expect(again).toMatchObject({ unchanged: 59, rejected: 1, quarantined: 0 })
    expect(again.rejections[0].reason).toMatch(/similar stones, and the row was dismissed$/)
    expect((await quarantine()).total).toBe(0)
    expect(await market.run(fileWith(41))).toMatchObject({ quarantined: 1 })
    expect((await quarantine()).total).toBe(1)
    expect(await market.run(fileWith(3_100))).toMatchObject({ added: 1, rejected: 0 })
    expect((await quarantine()).total).toBe(0)
  })
})

describe('the quarantine', () => {
  it('is listed in pages with its total', async () => {
    const off = [3, 17, 31]
    await market.run(
      csvOf(stones(60, (stone, at) => (off.includes(at) ? { ...stone, perCarat: 40 } : stone))),
    )
    const { db } = market.database
    const pages = [0, 1, 2, 3].map((offset) => listQuarantine(db, { limit: 1, offset }))
    const found = await Promise.all(pages)
    expect(found.map(({ total }) => total)).toEqual([3, 3, 3, 3])
    const skus = found.flatMap(({ rows }) => rows.map(({ vendor_sku }) => vendor_sku))
    expect(skus).toEqual(['S-4', 'S-18', 'S-32'])
  })
})
