import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refreshGridPrices } from '../../src/feeds/grids/grid-prices.ts'
import { recoverGrids } from '../../src/feeds/grids/load-grid.ts'
import { undoImport } from '../../src/feeds/importing/applying/undo-import.ts'
import { runImport } from '../../src/feeds/importing/run-import.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { indexed } from '../support/stocked.ts'
import { insertStone } from '../support/stones.ts'
import { inPieces } from './feed-support.ts'

const PATH = '/api/operator/price_grids'
let market: TestMarket
let shop: TestMerchant
beforeAll(async () => {
  market = await openTestMarket()
  shop = await market.merchant({ country_code: 'DE' })
})
afterAll(() => market.close())

const load = (csv: string, token = market.adminKey) =>
  market.app
    .inject({
      method: 'POST',
      url: `${PATH}?file_name=sheet.csv`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      payload: csv,
    })
    .then((response) => ({ status: response.statusCode, body: response.json() }))

const list = async () =>
  (await market.call('GET', PATH, { token: market.adminKey })).body.price_grids

/** A sheet of both shapes: the price of a cell is `base` and something for its grade and weight. */
function sheetOf(date: string, base: number): string {
  const ranges = [
    [0.3, 0.39],
    [0.4, 0.49],
    [1, 1.49],
    [5, 5.99],
  ]
  const rows: string[] = []
  for (const [shape, extra] of [
    ['BR', 1000],
    ['PS', 0],
  ] as const) {
    for (const [index, clarity] of ['IF', 'VS1', 'SI2'].entries()) {
      for (const [step, color] of ['D', 'G', 'K'].entries()) {
        for (const [from, to] of ranges) {
          const price = base + extra - index * 100 - step * 10 + Math.round(from * 100)
          rows.push([shape, clarity, color, from, to, price, date].join(','))
        }
      }
    }
  }
  return `${rows.join('\r\n')}\r\n`
}

async function listPriceOf(id: number) {
  const gem = await market.database.db
    .selectFrom('gem')
    .select(['list_price', 'list_price_from_grid'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return gem.list_price === null ? null : Number(gem.list_price)
}

const importFile = (content: string) =>
  runImport(market.database, {
    supplier: 'Grid Gems',
    mode: 'update',
    bytes: inPieces(Buffer.from(content), 65_536),
    acceptPrices: true,
    maxJumpsShare: 1,
  })

describe('price grids', () => {
  it('give every mined diamond without a list price of its own one', async () => {
    const { db } = market.database
    const price = (base: number, weight: number) => Math.round(base * weight * 100) / 100
    const cases: [object, number | null][] = [
      [{ color: 'G', clarity: 'VS1', weight: '1.01' }, price(5990, 1.01)],
      [{ color: 'G', clarity: 'FL', weight: '1.01' }, price(6090, 1.01)],
      [{ shape: 'pear', color: 'D', clarity: 'IF', weight: '1.4999' }, price(5100, 1.4999)],
      // In the gap between two rows the lower one counts, above the sheet the last.
      [{ color: 'K', clarity: 'SI2', weight: '0.395' }, price(5810, 0.395)],
      [{ color: 'K', clarity: 'SI2', weight: '2.5' }, price(5880, 2.5)],
      [{ color: 'K', clarity: 'SI2', weight: '12' }, price(6280, 12)],
      [{ color: 'K', clarity: 'SI2', weight: '0.29' }, null],
      [{ color: 'E', clarity: 'VS1', weight: '1.01' }, null],
      [{ type: 'lab grown', grow_method: 'CVD' }, null],
      [{ is_fancy: true, color: 'YL', clarity: 'VS1' }, null],
      [{ product_type: 'gemstone', species: 'ruby', color: 'G' }, null],
      [{ cert_num: '2141438171 / 2141438172', weight: '2.04' }, null],
      [{ list_price: 7777 }, 7777],
    ]
    const stones: { id: number }[] = []
    for (const [columns] of cases) stones.push(await insertStone(db, columns))
    const { status, body } = await load(sheetOf('3/31/2026', 5000))
    expect(status).toBe(200)
    expect(body.changed).toBe(6)
    expect(body.price_grids).toMatchObject([
      { shape: 'BR', dated_on: '2026-03-31', rows: 36, in_force: true, file_name: 'sheet.csv' },
      { shape: 'PS', dated_on: '2026-03-31', rows: 36, in_force: true },
    ])
    for (const [index, [columns, expected]] of cases.entries()) {
      expect([columns, await listPriceOf(stones[index].id)]).toEqual([columns, expected])
    }
  })

  it('show in searches and changes at once', async () => {
    const { db } = market.database
    const { sku } = await insertStone(db, { shape: 'heart', weight: '1.00', wholesale_price: 2500 })
    const before = await market.call('GET', '/api/v3/inventory/snapshot', { token: shop.key })
    const { sequence } = JSON.parse(before.text.split('\n')[0])
    await load(sheetOf('2026-04-07', 5010))
    const body = { filters: { sku: [sku] } }
    const path = '/api/v2/diamonds/merchant_search'
    await indexed(market)
    const { body: found } = await market.call('POST', path, { token: shop.key, body })
    // 5010 - 100 - 10 + 100 = 5000 per carat.
    expect(found.gems[0]?.off_rap_percentage ?? found).toBe(-50)
    const changes = await market.call('GET', `/api/v3/inventory/changes?after=${sequence}`, {
      token: shop.key,
    })
    expect(changes.body.changes).toContainEqual(expect.objectContaining({ sku, kind: 'price' }))
  })

  it('are recomputed by a newer sheet and not by an older one, and are listed', async () => {
    const { id } = await insertStone(market.database.db, { weight: '1.00' })
    expect((await load(sheetOf('4/14/2026', 6000))).body.changed).toBeGreaterThan(0)
    expect(await listPriceOf(id)).toBe(6990)
    const older = await load(sheetOf('2026-01-05', 1000))
    expect(older.body).toMatchObject({ changed: 0, price_grids: [{ in_force: false }, {}] })
    expect(await listPriceOf(id)).toBe(6990)
    const again = await load(sheetOf('4/14/2026', 6100))
    expect(again.body.price_grids[0].in_force).toBe(true)
    expect(await listPriceOf(id)).toBe(7090)
    const grids = await list()
    expect(grids.filter((grid: { in_force: boolean }) => grid.in_force)).toHaveLength(2)
    expect(grids.at(-1).dated_on).toBe('2026-01-05')
  })

  it('are used by imports, keep what a feed carries, and survive undoing an import', async () => {
    const header = 'Stock #,Shape,Weight,Color,Clarity,Price Per Carat,Rap Price'
    const rows = ['A-1,Round,1.00,G,VS1,3000,', 'A-2,Round,1.00,G,VS1,3000,6500']
    await importFile(`${header}\n${rows.join('\n')}\n`)
    const read = async () => {
      const { rows: stones } = await market.database.pool.query(
        `select vendor_sku, list_price::float8 as list_price, list_price_from_grid from gem
         where vendor_sku like 'A-%' order by vendor_sku`,
      )
      return stones.map((stone) => Object.values(stone))
    }
    expect(await read()).toEqual([
      ['A-1', 7090, true],
      ['A-2', 6500, false],
    ])
    const same = await importFile(`${header}\n${rows.join('\n')}\n`)
    expect(same).toMatchObject({ changed: 0, unchanged: 2 })
    const { uuid } = await importFile(
      `${header}\nA-1,Round,1.00,D,VS1,3000,6200\nA-2,Round,1.00,G,VS1,3100,\n`,
    )
    expect(await read()).toEqual([
      ['A-1', 6200, false],
      ['A-2', 7090, true],
    ])
    await load(sheetOf('4/21/2026', 7000))
    await undoImport(market.database, uuid)
    expect(await read()).toEqual([
      ['A-1', 7990, true],
      ['A-2', 6500, false],
    ])
    expect(await refreshGridPrices(market.database.db)).toBe(0)
  })

  it('are completed after an interruption', async () => {
    const { db } = market.database
    let id = 0
    const interruptAndRecover = async () => {
      id = (await insertStone(db, { weight: '1.00' })).id
      await db.updateTable('price_grid').set({ applied_on: null }).execute()
      return recoverGrids(market.database)
    }
    // The market itself does it once a minute: if it was faster, there is another interruption.
    await expect.poll(interruptAndRecover).toBe(1)
    expect(await listPriceOf(id)).toBe(7990)
    expect(await recoverGrids(market.database)).toBe(0)
  })

  it.each([
    ['an empty file', '\n\n', 'line 1'],
    ['another shape', 'XX,VS1,G,1,1.49,5000,3/31/2026', 'line 1'],
    ['a wrong clarity', 'BR,VS1,G,1,1.49,5000,3/31/2026\nBR,VS3,G,1,1.49,1,3/31/2026', 'line 2'],
    ['a wrong color', 'BR,VS1,AB,1,1.49,5000,3/31/2026', 'line 1'],
    ['turned weights', 'BR,VS1,G,1.49,1,5000,3/31/2026', 'line 1'],
    ['a price of nothing', 'BR,VS1,G,1,1.49,0,3/31/2026', 'line 1'],
    ['a day that does not exist', 'BR,VS1,G,1,1.49,5000,2/30/2026', 'line 1'],
    ['a missing cell', 'BR,VS1,G,1,1.49,5000', 'line 1'],
    ['two dates', 'BR,VS1,G,1,1.49,1,3/31/2026\nBR,VS2,G,1,1.49,1,4/1/2026', 'line 2'],
    ['weights twice', 'BR,VS1,G,1,1.49,1,3/31/2026\nBR,VS1,G,1.2,1.6,1,3/31/2026', 'line 2'],
  ])('are refused with %s, by line, and nothing changes', async (_, csv, field) => {
    const before = await list()
    const { status, body } = await load(csv)
    expect([status, body.code, body.errors[0].field]).toEqual([422, 'invalid_request', field])
    expect(await list()).toEqual(before)
  })

  it('are for the operator only', async () => {
    expect((await load(sheetOf('2026-05-01', 1), shop.key)).status).toBe(403)
    expect((await market.call('GET', PATH, { token: shop.key })).status).toBe(403)
  })
})
