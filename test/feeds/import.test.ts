import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { undoImport } from '../../src/feeds/importing/applying/undo-import.ts'
import { listImports, listRejections } from '../../src/feeds/importing/import-store.ts'
import { expireHolds, releaseHold } from '../../src/gems/holds/end-holds.ts'
import { setSupplier } from '../../src/gems/supplier-store.ts'
import { createMerchant } from '../../src/merchants/merchant-store.ts'
import { gemStock } from '../../src/orders/stock/gem-stock.ts'
import { lastNumber } from '../support/change-log.ts'
import {
  csvOf,
  type ImportMarket,
  openImportMarket,
  stones,
  withoutTime,
} from './import-support.ts'
import { type Cell, workbook } from './xlsx-files.ts'

let market: ImportMarket
beforeEach(async () => {
  market = await openImportMarket()
})
afterEach(() => market.close())

const db = () => market.database.db

async function move(vendorSku: string, set: string): Promise<void> {
  await sql`update gem set ${sql.raw(set)} where vendor_sku = ${vendorSku}`.execute(db())
}

async function hold(vendorSku: string): Promise<void> {
  const merchant = await createMerchant(db(), {
    email: 'a@shop.example',
    legal_dba: 'A',
    country_code: 'US',
  })
  await sql`
    update gem set hold_uuid = gen_random_uuid(), hold_merchant_uuid = ${merchant.uuid},
      hold_created_on = now(), hold_expires_on = now() + interval '1 hour', mover = 'hold'
    where vendor_sku = ${vendorSku}`.execute(db())
}

/** S-1 is sold, S-2 on memo, S-3 and S-4 are held. */
async function take(): Promise<void> {
  await move('S-1', `state = 'sold', quantity = 0, mover = 'order'`)
  await move('S-2', `state = 'memo', quantity = 0, mover = 'order'`)
  await hold('S-3')
  await move(
    'S-4',
    `hold_uuid = gen_random_uuid(), hold_merchant_uuid = (select uuid from merchant),
      hold_created_on = now(), hold_expires_on = now() + interval '1 hour', mover = 'hold'`,
  )
}

/** Both orders end, one hold is released and the other one expires. */
async function letGo(): Promise<void> {
  const [sold, memo, held] = await Promise.all(
    ['S-1', 'S-2', 'S-3'].map((stock) => market.gem(stock)),
  )
  await db()
    .transaction()
    .execute((tx) =>
      gemStock.restock(
        tx,
        [sold, memo].map(({ id, sku }) => ({
          sku: String(sku),
          stock_id: String(id),
          quantity: 1,
          taken_from: 'available',
          parcel: false,
        })),
      ),
    )
  const { hold_merchant_uuid: holder, hold_uuid: lease } = held
  await db()
    .transaction()
    .execute((tx) => releaseHold(tx, String(holder), String(lease)))
  await move('S-4', `hold_expires_on = now() - interval '1 minute', mover = 'hold'`)
  expect(await expireHolds(db())).toBe(1)
}

describe('an import', () => {
  it('adds stones, returns the specified report, and logs each of them', async () => {
    const report = await market.run(csvOf(stones(25)))
    expect(report).toMatchObject({
      supplier: 'Gems Ltd',
      mode: 'update',
      rows: 25,
      added: 25,
      changed: 0,
      unchanged: 0,
      removed: 0,
      rejected: 0,
      rejections: [],
      mapping: {
        'Stock #': 'vendor_sku',
        Shape: 'shape',
        Weight: 'weight',
        'Price Per Carat': 'price_per_carat',
      },
      unmapped: [],
    })
    expect(await market.gem('S-3')).toMatchObject({
      shape: 'round',
      weight: '0.7000',
      cost: '2114.00',
      wholesale_price: '2114.00',
      state: 'available',
      quantity: 1,
    })
    const log = await market.log()
    expect(log).toHaveLength(25)
    expect(new Set(log.map((entry) => entry.split(' ')[0]))).toEqual(new Set(['new']))
  })

  it('that is identical reports all unchanged and writes nothing', async () => {
    await market.run(csvOf(stones(25)))
    const before = await market.gems()
    const sequence = await lastNumber(db())
    const report = await market.run(csvOf(stones(25)))
    expect(report).toMatchObject({ rows: 25, added: 0, changed: 0, unchanged: 25, rejected: 0 })
    expect(await market.gems()).toEqual(before)
    expect(await lastNumber(db())).toBe(sequence)
  })

  it('with the columns in another order finds every stone unchanged', async () => {
    await market.run(csvOf(stones(5)))
    const sequence = await lastNumber(db())
    const turned = csvOf(stones(5))
      .split('\n')
      .map((line) => line.split(',').reverse().join(','))
      .join('\n')
    expect(await market.run(turned)).toMatchObject({ unchanged: 5, changed: 0, added: 0 })
    expect(await lastNumber(db())).toBe(sequence)
  })

  it('updates what changed, logs the kind of change, and leaves the rest', async () => {
    await market.run(csvOf(stones(10)))
    const untouched = await market.gem('S-9')
    const sequence = await lastNumber(db())
    const changed = stones(10, (stone, index) => ({
      ...stone,
      ...(index === 0 && { perCarat: 3_333 }),
      ...(index === 1 && { color: 'H' }),
    }))
    expect(await market.run(csvOf(changed))).toMatchObject({ changed: 2, unchanged: 8, removed: 0 })
    expect(await market.log(sequence)).toEqual(['price S-1', 'details S-2'])
    expect(await market.gem('S-2')).toMatchObject({ color: 'H' })
    expect(await market.gem('S-9')).toEqual(untouched)
  })

  it('removes nothing in update mode, and what the file lacks in replace mode', async () => {
    await market.run(csvOf(stones(10)))
    const sequence = await lastNumber(db())
    const fewer = csvOf(stones(10).slice(2))
    expect(await market.run(fewer)).toMatchObject({ removed: 0, unchanged: 8 })
    expect(await market.run(fewer, { mode: 'replace' })).toMatchObject({ removed: 2, unchanged: 8 })
    expect(await market.log(sequence)).toEqual(['gone S-1', 'gone S-2'])
    expect(await market.gem('S-1')).toMatchObject({ state: 'gone', quantity: 0 })
  })

  it('brings a stone back that was gone, under its old SKU', async () => {
    await market.run(csvOf(stones(10)))
    const { sku } = await market.gem('S-1')
    await market.run(csvOf(stones(10).slice(1)), { mode: 'replace' })
    const sequence = await lastNumber(db())
    expect(await market.run(csvOf(stones(10)))).toMatchObject({ changed: 1, unchanged: 9 })
    expect(await market.log(sequence)).toEqual(['back S-1'])
    expect(await market.gem('S-1')).toMatchObject({ state: 'available', quantity: 1, sku })
  })

  it('that would remove too much is refused and changes nothing', async () => {
    await market.run(csvOf(stones(10)))
    const before = await market.gems()
    const few = csvOf(stones(10).slice(5))
    await expect(market.run(few, { mode: 'replace' })).rejects.toMatchObject({
      code: 'too_many_removed',
    })
    expect(await market.gems()).toEqual(before)
    expect(await market.run(few, { mode: 'replace', maxRemovedShare: 0.5 })).toMatchObject({
      removed: 5,
    })
  })

  it('that replaces and would take too much off sale is refused; an update is not', async () => {
    await market.run(csvOf(stones(10)))
    const before = await market.gems()
    const sold = (count: number) =>
      csvOf(stones(10, (stone, at) => (at < count ? { ...stone, availability: 'NA' } : stone)))
    await expect(market.run(sold(5), { mode: 'replace' })).rejects.toMatchObject({
      code: 'too_many_removed',
      extra: { removed: 5, live: 10 },
    })
    expect(await market.gems()).toEqual(before)
    expect(await market.run(sold(9))).toMatchObject({ not_offered: 9 })
  })

  it('pairs the two stones that have the number of one set', async () => {
    const file = (...sets: (number | null)[]) =>
      JSON.stringify(
        sets.map((MatchedSetId, at) => ({
          SerialNumber: `S-${at}`,
          Shape: 'Round',
          CaratWeight: 1 + at / 100,
          Color: 'G',
          Clarity: 'VS1',
          PricePerCarat: 5000,
          MatchedSetId,
        })),
      )
    const pairs = async () => {
      const gems = await market.gems()
      const names = new Map(gems.map(({ sku, vendor_sku }) => [sku, vendor_sku]))
      return gems.map(({ pair_vendor_sku, pair_sku }) => [
        pair_vendor_sku,
        names.get(pair_sku as string) ?? null,
      ])
    }
    const none = [null, null]
    await market.run(file(77, null, 77, 0, 88))
    expect(await pairs()).toEqual([['S-2', 'S-2'], none, ['S-0', 'S-0'], none, none])
    expect(await market.run(file(77, null, 77, 0, 88))).toMatchObject({ changed: 0 })
    await market.run(file(77, null, 77, 0, 88, 88))
    expect((await pairs()).slice(4)).toEqual([
      ['S-5', 'S-5'],
      ['S-4', 'S-4'],
    ])
  })

  it('takes off what is in a sheet of stock and in one of sold stones', async () => {
    const header = ['Stock #', 'Shape', 'Weight', 'Color', 'Clarity', 'Price Per Carat']
    const rows = (...numbers: number[]) => [
      header,
      ...numbers.map((at): Cell[] => [`S-${at}`, 'Round', 1 + at / 100, 'G', 'VS1', 5000]),
    ]
    const file = (names: [string, string]) =>
      workbook([
        { name: names[0], rows: rows(1, 2, 3, 4, 5, 6) },
        { name: names[1], rows: rows(6, 7) },
      ])
    const added = await market.run(file(['Stock', 'Sold']))
    expect(added).toMatchObject({ rows: 8, added: 5, rejected: 3 })
    expect(added.rejections).toMatchObject([
      { row: 2, value: 'S-6', reason: 'The stone is not on offer (sheet Sold)' },
      { row: 3, value: 'S-7', reason: 'The stone is not on offer (sheet Sold)' },
      { row: 7, value: 'S-6', reason: 'Row 2 takes this stone off the market' },
    ])
    await market.run(file(['Stock', 'New']))
    expect(await market.gem('S-6')).toMatchObject({ state: 'available' })
    for (let run = 0; run < 2; run++) {
      await market.run(file(['Stock', 'Sold']))
      expect(await market.gem('S-6')).toMatchObject({ state: 'gone', quantity: 0 })
      expect(await market.gem('S-1')).toMatchObject({ state: 'available' })
    }
  })

  it('takes a stone off sale whose row says that it is not on offer', async () => {
    await market.run(csvOf(stones(10)))
    const sequence = await lastNumber(db())
    const sold = csvOf(
      stones(11, (stone, index) =>
        index === 3 || index === 10 ? { ...stone, availability: 'NA' } : stone,
      ),
    )
    const report = await market.run(sold)
    expect(report).toMatchObject({
      changed: 1,
      not_offered: 1,
      removed: 0,
      unchanged: 9,
      rejected: 1,
    })
    expect(report.rejections).toEqual([
      { row: 12, column: 'Availability', value: 'NA', reason: 'The stone is not on offer' },
    ])
    expect(await market.log(sequence)).toEqual(['gone S-4'])
    expect(await market.run(sold)).toMatchObject({ changed: 0, unchanged: 10 })
    expect(await market.run(csvOf(stones(10)))).toMatchObject({ changed: 1, unchanged: 9 })
    expect(await market.gem('S-4')).toMatchObject({ state: 'available', quantity: 1 })
  })

  it.each(['update', 'replace'] as const)(
    'takes a stone off sale whose availability is not known, and names the word (%s)',
    async (mode) => {
      await market.run(csvOf(stones(10)))
      const sequence = await lastNumber(db())
      const odd = csvOf(
        stones(11, (stone, index) =>
          index === 3 || index === 10 ? { ...stone, availability: 'purple' } : stone,
        ),
      )
      const report = await market.run(odd, { mode })
      expect(report).toMatchObject({ changed: 1, not_offered: 1, unchanged: 9, rejected: 1 })
      expect(report.rejections).toMatchObject([
        { row: 12, value: 'purple', reason: 'The availability is not known' },
      ])
      expect(report.notes.unreadable).toEqual([
        { field: 'availability', value: 'purple', row: 5, count: 1 },
      ])
      expect(await market.log(sequence)).toEqual(['gone S-4'])
      expect(await market.run(odd, { mode })).toMatchObject({ changed: 0, unchanged: 10 })
      await market.run(csvOf(stones(10)), { mode })
      expect(await market.gem('S-4')).toMatchObject({ state: 'available', quantity: 1 })
    },
  )

  it('leaves sold, memo, held and disabled stones as they are', async () => {
    await market.run(csvOf(stones(10)))
    await move('S-1', `state = 'sold', quantity = 0, mover = 'order'`)
    await move('S-2', `state = 'memo', quantity = 0, mover = 'order'`)
    await hold('S-3')
    await move('S-4', `state = 'disabled', mover = 'operator'`)
    const cheaper = stones(10, (stone) => ({ ...stone, perCarat: stone.perCarat - 100 }))
    await market.run(csvOf(cheaper))
    expect(await market.gem('S-1')).toMatchObject({ state: 'sold', quantity: 0 })
    expect(await market.gem('S-2')).toMatchObject({ state: 'memo', quantity: 0 })
    expect(await market.gem('S-3')).toMatchObject({
      state: 'available',
      hold_uuid: expect.any(String),
    })
    expect(await market.gem('S-4')).toMatchObject({ state: 'disabled', quantity: 1 })
    const gone = await market.run(csvOf(cheaper.slice(4)), { mode: 'replace' })
    expect(gone.removed).toBe(1)
    expect(await market.gem('S-1')).toMatchObject({ state: 'sold' })
    expect(await market.gem('S-2')).toMatchObject({ state: 'memo' })
    expect(await market.gem('S-3')).toMatchObject({
      state: 'available',
      quantity: 1,
      hold_uuid: expect.any(String),
    })
    expect(await market.gem('S-4')).toMatchObject({ state: 'disabled', quantity: 0 })
  })

  it('removes a held or sold stone that the feed dropped, once it is released', async () => {
    await market.run(csvOf(stones(10)))
    await take()
    const rest = csvOf(stones(10).slice(4))
    expect(await market.run(rest, { mode: 'replace' })).toMatchObject({ removed: 0 })
    expect(await market.run(rest, { mode: 'replace' })).toMatchObject({ changed: 0, removed: 0 })
    await letGo()
    for (const stock of ['S-1', 'S-2', 'S-3', 'S-4']) {
      expect(await market.gem(stock)).toMatchObject({ state: 'gone', quantity: 0, hold_uuid: null })
    }
    expect((await market.log()).slice(-2).sort()).toEqual(['gone S-3', 'gone S-4'])
    expect(await market.run(csvOf(stones(10)), { mode: 'replace' })).toMatchObject({ changed: 4 })
    expect(await market.gem('S-1')).toMatchObject({ state: 'available', feed_gone: false })
  })

  it('keeps a dropped stone when a later file lists it again, or when the import is undone', async () => {
    await market.run(csvOf(stones(10)))
    await take()
    const before = await market.gems()
    const rest = csvOf(stones(10).slice(4))
    const first = await market.run(rest, { mode: 'replace' })
    await undoImport(market.database, first.uuid)
    expect(withoutTime(await market.gems())).toEqual(withoutTime(before))
    await market.run(rest, { mode: 'replace' })
    await market.run(csvOf(stones(10)))
    expect(withoutTime(await market.gems())).toEqual(withoutTime(before))
    const last = await market.run(rest, { mode: 'replace' })
    await letGo()
    await undoImport(market.database, last.uuid)
    for (const stock of ['S-1', 'S-2', 'S-3', 'S-4']) {
      const gem = await market.gem(stock)
      expect(gem).toMatchObject({ state: 'available', quantity: 1, feed_gone: false })
    }
  })

  it('removes a held stone that is no longer on offer, once it is released', async () => {
    await market.run(csvOf(stones(10)))
    await take()
    const off = stones(10, (stone, at) => ({ ...stone, ...(at < 4 && { availability: 'NA' }) }))
    await market.run(csvOf(off))
    await letGo()
    expect(await market.gem('S-1')).toMatchObject({ state: 'gone' })
    expect(await market.gem('S-3')).toMatchObject({ state: 'gone' })
  })

  it('does not offer sold pieces of a parcel again', async () => {
    const parcel = { stock: 'P-1', weight: 2, perCarat: 500, stones: 100 }
    await market.run(csvOf([parcel]))
    expect(await market.gem('P-1')).toMatchObject({
      product_type: 'melee',
      quantity: 100,
      weight: '0.0200',
      cost: '500.00',
      color_max: 'G',
      clarity_max: 'VS1',
    })
    await move('P-1', 'quantity = 60')
    await market.run(csvOf([{ ...parcel, perCarat: 510 }]))
    expect(await market.gem('P-1')).toMatchObject({ quantity: 60, cost: '510.00' })
    await market.run(csvOf([{ ...parcel, perCarat: 510, stones: 120, weight: 2.4 }]))
    expect(await market.gem('P-1')).toMatchObject({ quantity: 80 })
    await market.run(csvOf([{ ...parcel, perCarat: 510, stones: 50, weight: 1 }]))
    expect(await market.gem('P-1')).toMatchObject({ quantity: 50 })
  })

  it('names every row that cannot be sold, and imports the rest', async () => {
    const bad = [
      'S-1,G,Round,1.00,G,VS1,5000,',
      'S-2,G,Round,,G,VS1,5000,',
      'S-3,G,Round,1.00,G,VS1,0,',
      'S-4,G,Blob,1.00,G,VS1,5000,',
      'S-5,G,Round,1.00,,VS1,5000,',
      'S-6,G,Round,1.00,G,,5000,',
      'S-1,G,Round,1.00,G,VS1,5000,',
      ',G,Round,1.00,G,VS1,5000,',
      'S-9,G,Round,1.00,G,VS1,5000,',
    ]
    const report = await market.run(`${csvOf([]).trimEnd()}\n${bad.join('\n')}`)
    expect(report).toMatchObject({ rows: 9, added: 2, rejected: 7 })
    expect(
      report.rejections.map(({ row, column, value, reason }) => [row, column, value, reason]),
    ).toEqual([
      [3, 'Weight', '', 'The weight is missing'],
      [4, 'Price Per Carat', '0', 'The price is on request: the file says 0'],
      [5, 'Shape', 'Blob', 'The shape is not known'],
      [6, 'Color', '', 'The color is missing'],
      [7, 'Clarity', '', 'The clarity is missing'],
      [8, 'Stock #', 'S-1', 'Row 2 already has this stock number'],
      [9, 'Stock #', '', 'The stock number is missing'],
    ])
    expect(await listRejections(db(), report.uuid)).toHaveLength(7)
  })

  it('quarantines a price that differs more than tenfold from similar stones', async () => {
    const report = await market.run(
      csvOf(
        stones(30, (stone, index) =>
          index === 7
            ? { ...stone, perCarat: 40 }
            : index === 9
              ? { ...stone, perCarat: 300_000 }
              : stone,
        ),
      ),
    )
    expect(report).toMatchObject({ added: 28, rejected: 2, quarantined: 2 })
    expect(
      report.rejections.map(({ row, column, value, reason }) => [
        row,
        column,
        value,
        reason.replace(/\d+/, 'N'),
      ]),
    ).toEqual([
      [9, 'Price Per Carat', '40', 'The price is about N times lower than for similar stones'],
      [
        11,
        'Price Per Carat',
        '300000',
        'The price is about N times higher than for similar stones',
      ],
    ])
  })

  it.each(['mined', 'lab grown'])(
    'compares a small feed with the stones on sale: %s',
    async (type) => {
      const own = (...args: Parameters<typeof stones>) => {
        const [head, ...rows] = csvOf(stones(...args))
          .trimEnd()
          .split('\n')
        return [`${head},Type`, ...rows.map((row) => `${row},${type}`)].join('\n')
      }
      await market.run(own(60))
      const two = own(2, (stone, index) => ({ ...stone, perCarat: index === 0 ? 90_000 : 1_400 }))
      const report = await market.run(two, { supplier: 'Small Ltd' })
      expect(report).toMatchObject({ added: 1, rejected: 1, quarantined: 1 })
      expect(report.rejections[0].reason).toMatch(/times higher than for similar stones$/)
    },
  )

  it('applies markups, and updates every stone when they change', async () => {
    await market.run(csvOf(stones(3)))
    await setSupplier(db(), 'Gems Ltd', { markup: 10, markup_us: '12.5' })
    expect(await market.run(csvOf(stones(3)))).toMatchObject({ changed: 3, unchanged: 0 })
    expect(await market.gem('S-1')).toMatchObject({
      cost: '1500.00',
      wholesale_price: '1650.00',
      wholesale_price_us: '1687.50',
    })
  })

  it('converts the currency of the feed to dollars, and refuses one without a rate', async () => {
    await sql`insert into exchange_rate (currency_code, rate) values ('EUR', 0.8)`.execute(db())
    await market.run(csvOf(stones(1)), { currency: 'EUR' })
    expect(await market.gem('S-1')).toMatchObject({ cost: '1875.00' })
    await expect(market.run(csvOf(stones(1)), { currency: 'XTS' })).rejects.toMatchObject({
      code: 'unknown_currency',
    })
  })

  it('uses and saves the mapping of the operator, and refuses unknown names', async () => {
    const text = csvOf(stones(5)).replace('Weight', 'Gewicht').replace('Availability', 'Gruppe')
    await expect(market.run(text)).rejects.toThrow(/weight/)
    await expect(market.run(text, { mapping: { Gewicht: 'wieght' } })).rejects.toMatchObject({
      errors: [{ message: 'wieght is not a known field; did you mean weight?' }],
    })
    expect(await market.run(text, { mapping: { Gewicht: 'weight', Gruppe: null } })).toMatchObject({
      added: 5,
      mapping: { Gewicht: 'weight' },
      unmapped: ['Gruppe'],
    })
    expect(await market.run(text)).toMatchObject({ unchanged: 5 })
  })

  it('is refused while another import of the supplier is running', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    async function* slowly() {
      yield Buffer.from(csvOf(stones(3)))
      await gate
    }
    const first = market.run('', { bytes: slowly() })
    await expect.poll(async () => (await listImports(db(), { limit: 1, offset: 0 })).total).toBe(1)
    await expect(market.run(csvOf(stones(3)))).rejects.toMatchObject({ code: 'import_running' })
    expect(await market.run(csvOf(stones(3)), { supplier: 'Other Ltd' })).toMatchObject({
      added: 3,
    })
    release()
    expect(await first).toMatchObject({ added: 3 })
  })

  it('that fails deletes the supplier that it created', async () => {
    const failing: [string, string?][] = [['nothing to see'], [''], [csvOf(stones(2)), 'XTS']]
    for (const [file, currency] of failing) {
      await expect(market.run(file, { supplier: 'Typo', currency })).rejects.toThrow()
    }
    expect((await sql`select from supplier`.execute(db())).rows).toEqual([])
    await market.run(csvOf(stones(2)), { supplier: 'Kept' })
    await expect(market.run('nothing', { supplier: 'Kept' })).rejects.toThrow()
    expect((await sql`select name from supplier`.execute(db())).rows).toEqual([{ name: 'Kept' }])
    expect((await listImports(db(), { limit: 9, offset: 0 })).total).toBe(2)
  })

  it('is recorded with its counts, its mapping and the reason for a failure', async () => {
    const { uuid } = await market.run(csvOf(stones(5)), { fileName: 'list.csv' })
    await market.run('nothing to see', { fileName: 'letter.txt' }).catch(() => {})
    const { imports, total } = await listImports(db(), { limit: 10, offset: 0 })
    expect(total).toBe(2)
    expect(imports[0]).toMatchObject({
      status: 'failed',
      file_name: 'letter.txt',
      failure: expect.stringContaining('no header row'),
    })
    expect(imports[1]).toMatchObject({ uuid, status: 'done', added: 5, file_name: 'list.csv' })
    expect(imports[1].columns[0]).toMatchObject({
      column: 'Stock #',
      field: 'vendor_sku',
      confidence: 1,
      reason: expect.any(String),
    })
  })
})

describe('a dry run', () => {
  it('shows the whole difference and changes nothing, not even its supplier', async () => {
    await market.run(csvOf(stones(0)), { dryRun: true, supplier: 'Nobody' }).catch(() => {})
    const fresh = await market.run(csvOf(stones(3)), { dryRun: true, supplier: 'Nobody' })
    expect(fresh).toMatchObject({ dry_run: true, added: 3 })
    expect((await sql`select from supplier`.execute(db())).rows).toEqual([])
    await market.run(csvOf(stones(10)))
    const before = await market.gems()
    const sequence = await lastNumber(db())
    const next = stones(11, (stone, index) => ({
      ...stone,
      ...(index === 0 && { perCarat: 6_000 }),
      ...(index === 1 && { color: 'H' }),
    })).filter(({ stock }) => stock !== 'S-5')
    const report = await market.run(csvOf(next), { dryRun: true, mode: 'replace' })
    expect(report).toMatchObject({ dry_run: true, added: 1, changed: 2, removed: 1, unchanged: 7 })
    expect(report.diff).toMatchObject({
      added: [{ row: 11, vendor_sku: 'S-11' }],
      changed: [
        { vendor_sku: 'S-1', fields: { cost: { from: 1500, to: 3000 } } },
        { vendor_sku: 'S-2', fields: { color: { from: 'G', to: 'H' } } },
      ],
      removed: [{ vendor_sku: 'S-5' }],
      price_jumps: [{ vendor_sku: 'S-1', percent: 100 }],
    })
    expect(await market.gems()).toEqual(before)
    expect(await lastNumber(db())).toBe(sequence)
    expect((await listImports(db(), { limit: 10, offset: 0 })).total).toBe(1)
  })
})

describe('import undo', () => {
  it('restores exactly what the latest import of a supplier changed', async () => {
    await market.run(csvOf(stones(20)))
    await market.run(csvOf(stones(20).slice(1)), { mode: 'replace' })
    const before = await market.gems()
    const next = stones(24, (stone, index) => ({
      ...stone,
      ...(index % 3 === 0 && { perCarat: stone.perCarat + 7 }),
      ...(index % 5 === 0 && { color: 'D' }),
    }))
      .slice(0, 24)
      .filter(({ stock }) => stock !== 'S-4')
    const { uuid } = await market.run(csvOf(next), { mode: 'replace' })
    expect(await market.gems()).not.toEqual(before)
    const undone = await undoImport(market.database, uuid)
    expect(undone.status).toBe('undone')
    expect(withoutTime(await market.gems())).toEqual(withoutTime(before))
    expect(await market.run(csvOf(next), { mode: 'replace' })).toMatchObject({
      added: 4,
      removed: 1,
    })
  })

  it('is refused for any import but the latest, and the second time', async () => {
    const first = await market.run(csvOf(stones(2)))
    const second = await market.run(csvOf(stones(3)))
    await expect(undoImport(market.database, first.uuid)).rejects.toMatchObject({
      code: 'nothing_to_undo',
    })
    await undoImport(market.database, second.uuid)
    await expect(undoImport(market.database, second.uuid)).rejects.toMatchObject({
      code: 'nothing_to_undo',
    })
    await expect(undoImport(market.database, 'x')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('keeps what was sold, held or disabled since then', async () => {
    await market.run(csvOf(stones(4)))
    const { uuid } = await market.run(csvOf(stones(8, (stone) => ({ ...stone, color: 'H' }))))
    await move('S-1', `state = 'sold', quantity = 0, mover = 'order'`)
    await move('S-5', `state = 'sold', quantity = 0, mover = 'order'`)
    await hold('S-6')
    await move('S-2', `state = 'disabled', mover = 'operator'`)
    const sequence = await lastNumber(db())
    await undoImport(market.database, uuid)
    expect(await market.gem('S-1')).toMatchObject({ state: 'sold', color: 'H' })
    expect(await market.gem('S-2')).toMatchObject({ state: 'disabled', color: 'G', quantity: 1 })
    expect(await market.gem('S-3')).toMatchObject({ state: 'available', color: 'G', quantity: 1 })
    expect(await market.gem('S-5')).toMatchObject({ state: 'sold' })
    expect(await market.gem('S-6')).toMatchObject({
      state: 'available',
      hold_uuid: expect.any(String),
    })
    await expect(market.gem('S-7')).rejects.toThrow()
    const log = await market.log(sequence)
    expect(log.slice(0, 2)).toEqual(['details S-3', 'details S-4'])
    expect(log.slice(2).map((entry) => entry.split(' ')[0])).toEqual(['gone', 'gone'])
  })
})

describe('a list of prices without species', () => {
  it('does not make a diamond of a gemstone', async () => {
    const header = 'Stock #,Shape,Carat,Color,Clarity,Price Per Carat'
    const request = { supplier: 'Colored Stones' }
    await market.run(`${header},gemType\nCS-1,Oval,1.50,Blue,,900,Sapphire\n`, request)
    const file = `${header}\nCS-1,Oval,1.50,Blue,,950\nCS-2,Oval,1.50,G,VS1,5000\n`
    const report = await market.run(file, request)
    expect(report).toMatchObject({ added: 1, changed: 0, rejected: 1 })
    expect(report.rejections).toMatchObject([
      { row: 2, reason: 'This stone is a sapphire: the row does not say what it is' },
    ])
    expect(await market.gem('CS-1')).toMatchObject({ product_type: 'gemstone', color: 'blue' })
  })
})
