import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { undoImport } from '../../src/feeds/importing/applying/undo-import.ts'
import { findSupplier, setSupplier } from '../../src/gems/supplier-store.ts'
import { type ImportMarket, openImportMarket } from './import-support.ts'

let market: ImportMarket
beforeEach(async () => {
  market = await openImportMarket()
})
afterEach(() => market.close())

const db = () => market.database.db

interface Row {
  weight: number
  perCarat: number
}

/** Mined stones of many weights at usual prices. */
const minedStones = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => {
    const weight = Number((0.4 + (index % 25) * 0.1).toFixed(2))
    return { weight, perCarat: Math.round(5_000 * weight + (index % 7) * 30) }
  })

function fileOf(
  columns: string,
  rows: Row[],
  cells: (row: Row, index: number) => string | number,
): string {
  const lines = rows.map((row, at) => `S-${at + 1},Round,${row.weight},G,VS2,${cells(row, at)}`)
  return `Stock #,Shape,Weight,Color,Clarity,${columns}\n${lines.join('\n')}\n`
}

const totalOf = ({ weight, perCarat }: Row) => (weight * perCarat).toFixed(2)
const perCaratOf = ({ perCarat }: Row) => perCarat

async function countGems(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from gem`.execute(db())
  return rows[0].count
}

describe('a price column that may hold prices per carat or of whole stones', () => {
  const eight = fileOf('Price', minedStones(8), totalOf)

  it('stops the import with both readings of three stones, and changes nothing', async () => {
    await expect(market.run(eight)).rejects.toMatchObject({
      code: 'import_unsure',
      message: expect.stringMatching(
        /1\.1 ct: 6,?\d* or 6,?\d*\?.*--price per-carat.*--price total/,
      ),
      extra: {
        questions: [
          {
            about: 'price',
            examples: [expect.any(String), expect.any(String), expect.any(String)],
            readings: [{ option: '--price per-carat' }, { option: '--price total' }],
          },
        ],
      },
    })
    expect(await countGems()).toBe(0)
    expect(await findSupplier(db(), 'Gems Ltd')).toBeUndefined()
  })

  it('is settled by an option, which the next file remembers', async () => {
    await market.run(eight, { price: 'total' })
    expect(await market.gem('S-1')).toMatchObject({ cost: '800.00' })
    const next = fileOf('Price', minedStones(9), totalOf)
    expect(await market.run(next)).toMatchObject({ added: 1, unchanged: 8 })
    expect((await findSupplier(db(), 'Gems Ltd'))?.reading).toMatchObject({
      price: 'total',
      price_settled: true,
      columns: { Price: 'total_price', Weight: 'weight' },
    })
  })

  it('is measured by many stones, and then holds for a file of any few of them', async () => {
    const rows = minedStones(120)
    await market.run(fileOf('Price', rows, perCaratOf))
    const few = fileOf('Price', rows.slice(0, 3), ({ perCarat }) => perCarat + 10)
    expect(await market.run(few)).toMatchObject({
      changed: 3,
      mapping: { Price: 'price_per_carat' },
    })
  })
})

describe("a supplier's next file", () => {
  it('is refused with the difference when it proves another meaning', async () => {
    await market.run(
      fileOf('Price,Worth', minedStones(60), (row) => `${row.perCarat},${totalOf(row)}`),
    )
    const swapped = fileOf(
      'Price,Worth',
      minedStones(60),
      (row) => `${totalOf(row)},${row.perCarat}`,
    )
    await expect(market.run(swapped)).rejects.toMatchObject({
      code: 'reading_changed',
      message: expect.stringContaining('prices were per carat and are now per stone'),
    })
    const before = await market.gem('S-5')
    expect(await market.run(swapped, { relearn: true, maxJumpsShare: 1 })).toMatchObject({
      mapping: { Price: 'total_price' },
    })
    expect((await market.gem('S-5')).cost).toBe(before.cost)
  })

  it('is refused when a column now holds something else', async () => {
    const cells = (depth: number) => (row: Row) => `${row.perCarat},${depth}`
    await market.run(fileOf('Price/Ct,Depth', minedStones(20), cells(61.5)))
    await expect(
      market.run(fileOf('Price/Ct,Depth', minedStones(20), cells(3.9))),
    ).rejects.toMatchObject({
      code: 'reading_changed',
      extra: { differences: [expect.stringContaining('"Depth" was depth_percentage')] },
    })
  })

  it('is refused when its currency or its decimal sign changes', async () => {
    await sql`
      insert into exchange_rate (currency_code, rate) values ('INR', 83)
      on conflict do nothing`.execute(db())
    await market.run(fileOf('Price/Ct', minedStones(20), perCaratOf))
    const rupees = fileOf('Price/Ct', minedStones(20), (row) => row.perCarat * 83)
    await expect(market.run(rupees, { currency: 'INR' })).rejects.toMatchObject({
      code: 'reading_changed',
      message: expect.stringContaining('were in USD and are now in INR'),
    })
  })

  it('keeps what was understood before an import that is undone', async () => {
    await market.run(fileOf('Price', minedStones(8), totalOf), { price: 'total' })
    const second = await market.run(fileOf('Price', minedStones(8), perCaratOf), {
      price: 'per carat',
      relearn: true,
      maxJumpsShare: 1,
    })
    await undoImport(market.database, second.uuid)
    expect((await findSupplier(db(), 'Gems Ltd'))?.reading).toMatchObject({ price: 'total' })
  })
})

describe('prices that jump', () => {
  const dearer = (share: number) => (row: Row, index: number) =>
    Math.round(row.perCarat * (index < 100 * share ? 1.5 : 1))

  it('in more than 5 % of the known stones stop the import', async () => {
    await market.run(fileOf('Price/Ct', minedStones(100), perCaratOf))
    const file = fileOf('Price/Ct', minedStones(100), dearer(0.06))
    await expect(market.run(file)).rejects.toMatchObject({
      code: 'too_many_jumps',
      extra: { jumps: 6, known: 100, max_jumps_percent: 5 },
    })
    expect(await market.run(file, { maxJumpsShare: 0.06 })).toMatchObject({ changed: 6 })
  })

  it('in a few known stones do not', async () => {
    await market.run(fileOf('Price/Ct', minedStones(100), perCaratOf))
    expect(await market.run(fileOf('Price/Ct', minedStones(100), dearer(0.05)))).toMatchObject({
      changed: 5,
    })
  })
})

describe('the prices of a whole file', () => {
  it('are refused when they are more than three times those of the market', async () => {
    await market.run(fileOf('Price/Ct', minedStones(80), perCaratOf))
    const rupees = fileOf('Price/Ct', minedStones(10), (row) => row.perCarat * 83)
    await expect(market.run(rupees, { supplier: 'Other Ltd' })).rejects.toMatchObject({
      code: 'wrong_price_level',
      message: expect.stringMatching(/8\d times higher.*currency \(read as USD\)/),
    })
    const accepted = { supplier: 'Other Ltd', acceptPrices: true }
    expect(await market.run(rupees, accepted)).toMatchObject({ rows: 10 })
  })

  it('at the level of grown stones ask what the supplier sells', async () => {
    const cheap = fileOf('Price/Ct', minedStones(10), ({ weight }) => Math.round(400 * weight))
    await expect(market.run(cheap)).rejects.toMatchObject({
      code: 'import_unsure',
      message: expect.stringContaining('--type lab-grown'),
      extra: { questions: [{ about: 'type' }] },
    })
    await market.run(fileOf('Price/Ct', minedStones(3), perCaratOf))
    await setSupplier(db(), 'Gems Ltd', { stone_type: 'mined' })
    await expect(market.run(cheap, { maxJumpsShare: 1 })).rejects.toMatchObject({
      code: 'wrong_price_level',
    })
  })
})

describe('a doubtful price', () => {
  it('has the same verdict when the same file comes again', async () => {
    const rows = minedStones(60)
    const file = fileOf('Price/Ct', rows, (row, index) => (index === 7 ? 12 : row.perCarat))
    const first = await market.run(file)
    expect(first).toMatchObject({ added: 59, quarantined: 1 })
    const again = await market.run(file)
    expect(again).toMatchObject({ unchanged: 59, quarantined: 1 })
    expect(again.rejections).toEqual(first.rejections)
  })
})
