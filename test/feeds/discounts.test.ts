import { describe, expect, it } from 'vitest'
import { importFile } from './differential/cut-file.ts'
import { readStones } from './feed-support.ts'

const HEADER = 'Stock #,Shape,Weight,Color,Clarity'

/** A file with one row for each line of cells. */
const fileOf = (columns: string, lines: string[]) =>
  `${HEADER},${columns}\n${lines.map((cells, at) => `S-${at},Round,1.50,G,VS1,${cells}`).join('\n')}\n`

async function read(columns: string, lines: string[]) {
  const { drafts, rejections, mapping } = await readStones(fileOf(columns, lines))
  const { reason } =
    mapping.columns[columns.split(',').findIndex((name) => /Disc|Off/.test(name)) + 5]
  const sold = drafts.map(({ cost, list_price }) => [
    Number(cost),
    list_price && Number(list_price),
  ])
  return { sold, reasons: rejections.map((rejection) => rejection.reason), reason }
}

describe('the sign of a discount', () => {
  it('is certain where all of five discounts have the same', async () => {
    const lines = (sign: string) => [30, 25, 40, 35, 20].map((value) => `10000,${sign}${value}`)
    const below = [10_500, 11_250, 9_000, 9_750, 12_000].map((cost) => [cost, 15_000])
    expect((await read('Rap,Off Rap %', lines('-'))).sold).toEqual(below)
    expect((await read('Rap,Off Rap %', lines(''))).sold).toEqual(below)
  })

  it.each([
    ['%s below', -1],
    ['%s% off', -1],
    ['R-%s', -1],
    ['-%s% back', -1],
    ['%s above', 1],
  ])('is that of the words of %j', async (words, sign) => {
    const percents = [30, 25.5, 40, 35, 20]
    const lines = percents.map((percent) => `10000,${words.replace('%s', String(percent))}`)
    const costs = percents.map((percent) => [15_000 * (1 + (sign * percent) / 100), 15_000])
    const { sold, reasons } = await read('Rap,Rap Disc', lines)
    expect({ sold, reasons }).toEqual({ sold: costs, reasons: [] })
  })

  it('is not guessed from a few discounts, or from as many above the list as below', async () => {
    const unsure = 'The discount may be below or above the list price'
    for (const values of [['30'], ['-5', '-3'], ['30', '25', '-5', '40', '22', '-8', '31']]) {
      const { sold, reasons } = await read(
        'Rap,Disc %',
        values.map((value) => `10000,${value}`),
      )
      expect(sold).toEqual([])
      expect(new Set(reasons)).toEqual(new Set([unsure]))
    }
  })

  it('leaves the list price empty where it is not certain, and the report says so', async () => {
    const values = ['30', '25', '-5', '40', '22', '-8', '31']
    const { sold, reason } = await read(
      'Price Per Carat,Disc %',
      values.map((value) => `7000,${value}`),
    )
    expect(sold).toEqual(values.map(() => [10_500, null]))
    expect(reason).toBe(
      'its numbers may be below or above the list price, so no price is computed from them',
    )
  })

  it('is proved by rows that have a price and a list price', async () => {
    const proof = ['7000,10000,30', '10500,10000,-5', ',10000,20', ',10000,-10']
    expect((await read('Price Per Carat,Rap,Disc %', proof)).sold).toEqual([
      [10_500, 15_000],
      [15_750, 15_000],
      [12_000, 15_000],
      [16_500, 15_000],
    ])
  })
})

describe('a discount of one percent', () => {
  it('is not mistaken for a fraction where there are few', async () => {
    const unsure = { sold: [], reason: expect.stringContaining('may be') }
    expect(await read('Rap,Disc %', ['10000,-1', '10000,-0.5'])).toMatchObject(unsure)
    const signed = ['-1%', '-0.5%', '-1%', '-1%', '-1%'].map((value) => `10000,${value}`)
    expect((await read('Rap,Disc %', signed)).sold[1]).toEqual([14_925, 15_000])
  })
})

describe('a parcel with both prices', () => {
  it('is sold at its price per carat, because totals are rounded', async () => {
    const { drafts } = await readStones(
      `${HEADER},Price Per Carat,Total Price,# Stones\nP-1,Round,1.23,G,VS1,180,221,40\n` +
        'P-2,Round,2.31,G,VS1,200,462,60\nP-3,Round,3.10,G,VS1,150,465,70\n',
    )
    expect(drafts.map(({ cost }) => cost)).toEqual(['180.00', '200.00', '150.00'])
  })
})

describe('an update file', () => {
  it('may have a line of totals where the last file had values', async () => {
    const file = (cells: string[]) =>
      Buffer.from(
        `${HEADER},Price Per Carat,Separable\n` +
          cells.map((cell, at) => `S-${at},Round,1.50,G,VS1,7000,${cell}\n`).join(''),
      )
    const first = await importFile(file(['TRUE', 'TRUE', 'FALSE', 'TRUE']))
    const bytes = Buffer.concat([file(['', '', '']), Buffer.from(',,,,,,Total: 3\n')])
    const second = await importFile(bytes, first.reading)
    expect(second.refusal).toBeUndefined()
    expect(second.drafts.size).toBe(3)
  })
})

describe('a column of percentages that does not say discount', () => {
  const list = [60, 62.5, 65, 70, 72, 68]

  it('is a share of the list price where price and list price prove it', async () => {
    const proved = list.map((share) => `${share * 100},10000,${share}`)
    const { drafts } = await readStones(
      fileOf('Price Per Carat,Rap,Net%', [...proved, ',10000,61', ',10000,66']),
    )
    expect(drafts.map(({ cost }) => Number(cost)).slice(-2)).toEqual([9_150, 9_900])
    expect(drafts.map(({ list_price }) => Number(list_price))).toEqual(drafts.map(() => 15_000))
  })

  it('is not read as a large discount where nothing proves it', async () => {
    const { drafts, rejections } = await readStones(
      fileOf(
        'Rap,Rap %',
        list.map((share) => `10000,${share}`),
      ),
    )
    expect(drafts).toEqual([])
    expect(new Set(rejections.map(({ reason }) => reason))).toEqual(
      new Set(['The percentage may be a discount from the list price or a share of it']),
    )
    const priced = await readStones(
      fileOf(
        'Price Per Carat,Rap %',
        list.map((share) => `${share * 100},${share}`),
      ),
    )
    expect(priced.drafts.map(({ list_price }) => list_price)).toEqual(list.map(() => null))
  })

  it('is a discount where it is as small as discounts are, or proved', async () => {
    const small = await readStones(
      fileOf(
        'Rap,Rap %',
        [30, 25, 40, 35, 20].map((value) => `10000,${value}`),
      ),
    )
    expect(Number(small.drafts[0].cost)).toBe(10_500)
    const large = list.map((value) => `${(100 - value) * 100},10000,${value}`)
    const { drafts } = await readStones(fileOf('Price Per Carat,Rap,Rap %', large))
    expect(drafts.map(({ list_price }) => Number(list_price))).toEqual(list.map(() => 15_000))
  })
})

describe('one stone at a premium', () => {
  it('does not make the discounts of the others uncertain', async () => {
    const sold = (values: string[]) =>
      read(
        'Rap,Disc %',
        values.map((value) => `10000,${value}`),
      )
    expect(
      (await sold(['-30', '-25', '-40', '-35', '-20', '2'])).sold.map(([cost]) => cost),
    ).toEqual([10_500, 11_250, 9_000, 9_750, 12_000, 15_300])
    expect((await sold(['30', '25', '40', '35', '-2'])).sold.map(([cost]) => cost)).toEqual([
      10_500, 11_250, 9_000, 9_750, 15_300,
    ])
  })
})

describe('a price in two currencies', () => {
  const stone = (at: number, change: object = {}) => ({
    stock_num: `V-${at}`,
    shape: 'Round',
    size: '1.50',
    color: 'G',
    clarity: 'VS1',
    total_sales_price: '9000.00',
    total_sales_price_in_currency: '8280.00',
    currency_code: 'EUR',
    ...change,
  })

  it('is the one that the column of currencies does not belong to', async () => {
    const stones = [1, 2, 3].map((at) => stone(at, { price_per_carat: '6000' }))
    const { drafts, fields } = await readStones(JSON.stringify(stones), { rates: { EUR: '0.92' } })
    expect(fields).toMatchObject({ total_sales_price: 'total_price', currency_code: null })
    expect(drafts.map(({ cost }) => cost)).toEqual(['9000.00', '9000.00', '9000.00'])
  })

  it('is in that currency where both are the same, or where there is one', async () => {
    const same = [1, 2, 3].map((at) => stone(at, { total_sales_price: '8280.00' }))
    const rates = { rates: { EUR: '0.92' } }
    expect((await readStones(JSON.stringify(same), rates)).drafts[0].cost).toBe('9000.00')
    const only = [1, 2, 3].map((at) => stone(at, { total_sales_price: undefined }))
    expect((await readStones(JSON.stringify(only), rates)).drafts[0].cost).toBe('9000.00')
  })
})
