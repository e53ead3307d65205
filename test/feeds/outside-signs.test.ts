import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ImportMarket, openImportMarket } from './import-support.ts'

let market: ImportMarket
let supplier = 0
beforeAll(async () => {
  market = await openImportMarket()
})
afterAll(() => market.close())

const HEADER = 'Stock #,Shape,Weight,Color,Clarity,Price Per Carat,Lab'
const row = (at: number, perCarat = 5_000) => `S-${at},Round,1.0${at},G,VS2,${perCarat},IGI`
const ROWS = [1, 2, 3, 4, 5, 6, 7, 8]

/** Imports a file for a supplier of its own; returns the code and the text of a refusal, if any. */
async function run(text: string, request: { fileName?: string; supplier?: string } = {}) {
  const name = request.supplier ?? `Supplier ${++supplier}`
  try {
    const report = await market.run(text, { ...request, supplier: name })
    return { code: 'imported', detail: '', added: report.added, rejected: report.rejected }
  } catch (error) {
    const { code, message } = error as Error & { code: string }
    return { code, detail: message, added: 0, rejected: 0 }
  }
}

const fileOf = (rows: string[], { title = '', header = HEADER } = {}) =>
  `${title}${header}\n${rows.join('\n')}\n`

describe('a sign of growth outside of the rows', () => {
  const plain = fileOf(ROWS.map((at) => row(at)))

  it.each([
    [
      'a title',
      fileOf(
        ROWS.map((at) => row(at)),
        { title: 'CVD STOCK LIST 12-03-2026\n' },
      ),
      {},
    ],
    ['a section', fileOf([row(1), 'LAB GROWN,,,,,,', row(2), row(3)]), {}],
    ['the name of the file', plain, { fileName: 'labgrown-stock.csv' }],
    ['the name of the supplier', plain, { supplier: 'Blue CVD Diamonds' }],
  ])('in %s is asked about', async (_, text, request) => {
    const result = await run(text, request)
    expect(result).toMatchObject({
      code: 'import_unsure',
      detail: expect.stringMatching(/says that stones are lab grown.*--type both/s),
    })
  })

  it('is not asked about when every row says so itself', async () => {
    const rows = ROWS.map((at) => `${row(at, 300)} LG`)
    expect(await run(fileOf(rows, { title: 'Lab Grown\n' }))).toMatchObject({ added: 8 })
  })

  it('in the title of a column makes the stones with a number in it lab grown', async () => {
    const rows = ROWS.map((at) => `${row(at, 300)},21410000${at}`)
    await run(fileOf(rows, { header: `${HEADER},Lab Grown Report #` }), { supplier: 'Columns' })
    const gems = await market.gems()
    expect(gems.filter(({ cost, type }) => Number(cost) < 400 && type === 'mined')).toEqual([])
  })
})

describe('stones at the prices of lab grown ones', () => {
  it('are asked about when they are a part of a file without any sign', async () => {
    const mixed = [
      ...ROWS.map((at) => row(at)),
      ...ROWS.map((at) => row(at, 400).replace('S', 'T')),
    ]
    expect(await run(fileOf(mixed.slice(0, 13)))).toMatchObject({
      code: 'import_unsure',
      detail: expect.stringContaining('5 of 13 stones are priced like lab grown ones'),
    })
  })

  it('are refused when they say so and are priced in cents or rupees', async () => {
    const rows = ROWS.map((at) => `${row(at, 30_000)} LG`)
    expect(await run(fileOf(rows))).toMatchObject({ code: 'wrong_price_level' })
  })
})

describe('a title that names a currency', () => {
  it('is asked about when it is not the one of the supplier', async () => {
    const rows = ROWS.map((at) => row(at))
    expect(await run(fileOf(rows, { title: 'All prices in EUR\n' }))).toMatchObject({
      code: 'import_unsure',
      detail: expect.stringContaining('--currency EUR'),
    })
    expect(await run(fileOf(rows, { title: 'All prices in USD\n' }))).toMatchObject({ added: 8 })
  })
})

describe('a second header', () => {
  it('in another order refuses the file, and a repeated one does not', async () => {
    const other = 'Stock #,Shape,Weight,Clarity,Color,Price Per Carat,Lab'
    expect(await run(fileOf([row(1), row(2), other, row(3)]))).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining('Row 4 is another header'),
    })
    const rows = [row(1), row(2), HEADER.toLowerCase(), row(3)]
    expect(await run(fileOf(rows))).toMatchObject({ added: 3, rejected: 1 })
  })
})

describe('a currency outside of the stones', () => {
  const stones = ROWS.map((at) => ({
    stock_num: `S-${at}`,
    shape: 'Round',
    weight: `1.0${at}`,
    color: 'G',
    clarity: 'VS2',
    price_per_carat: 5_000,
  }))
  const elements = stones.map((stone) => {
    const members = Object.entries(stone).map(([name, value]) => `<${name}>${value}</${name}>`)
    return `<stone>${members.join('')}</stone>`
  })
  const list = elements.join('')

  it.each([
    ['JSON', JSON.stringify({ currency: 'EUR', stones })],
    ['JSON, after the stones', JSON.stringify({ stones, currency: 'eur' })],
    ['JSON, deeper', JSON.stringify({ meta: { currency_code: 'EUR' }, data: { stones } })],
    ['an attribute of XML', `<stock currency="EUR">${list}</stock>`],
    ['an element of XML', `<stock><currency>EUR</currency>${list}</stock>`],
    ['XML, after the stones', `<stock>${list}<Currency>EUR</Currency></stock>`],
  ])('in %s is asked about', async (_, text) => {
    expect(await run(text)).toMatchObject({
      code: 'import_unsure',
      detail: expect.stringMatching(/names EUR, but the supplier's currency is USD/),
    })
  })

  it('is not asked about when it is the supplier’s', async () => {
    expect(await run(JSON.stringify({ currency: 'USD', stones }))).toMatchObject({ added: 8 })
    expect(await run(`<stock currency="USD">${list}</stock>`)).toMatchObject({ added: 8 })
  })
})
