import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestMarket, type TestMarket } from '../support/market.ts'
import { readStones } from './feed-support.ts'
import { type Cell, workbook } from './xlsx-files.ts'

const HEADER = ['Stock #', 'Weight', 'Color', 'Clarity', 'Price Per Carat']
const stone = (stock: string, weight = 1.01): Cell[] => [stock, weight, 'G', 'VS1', 5200]
const NOTE = 'The shape of a stone is what the heading above it or the name of its sheet says.'

const shapesIn = async (content: string | Uint8Array, inThread = false) => {
  const { drafts, rejections } = await readStones(content, { inThread })
  const shapes = Object.fromEntries(drafts.map(({ vendor_sku, shape }) => [vendor_sku, shape]))
  return { shapes, reasons: rejections.map(({ reason }) => reason) }
}

describe('the name of a sheet', () => {
  it.each([false, true])('is the shape of its stones (in a thread: %s)', async (inThread) => {
    const bytes = workbook([
      { name: 'Round', rows: [HEADER, stone('A-1')] },
      { name: 'PEARS 0.90-1.49 ct', rows: [HEADER, stone('A-2')] },
      { name: 'Emerald', rows: [HEADER, stone('A-3')] },
      { name: 'Cushion LG', rows: [HEADER, stone('A-4')] },
    ])
    expect(await shapesIn(bytes, inThread)).toEqual({
      shapes: { 'A-1': 'round', 'A-2': 'pear', 'A-3': 'emerald', 'A-4': 'cushion' },
      reasons: [],
    })
  })

  it('counts where the stones of another sheet have a column of shapes', async () => {
    const fancies = [
      [...HEADER, 'Shape'],
      [...stone('A-2'), 'Oval'],
      [...stone('A-3'), ''],
    ]
    const { drafts, rejections, notes } = await readStones(
      workbook([
        { name: 'Round', rows: [HEADER, stone('A-1')] },
        { name: 'Fancy', rows: fancies },
      ]),
    )
    expect(drafts).toMatchObject([{ shape: 'round' }, { shape: 'oval' }])
    expect(rejections).toMatchObject([{ row: 3, reason: 'The shape is missing (sheet Fancy)' }])
    expect(notes).toEqual(['The sheets "Round", "Fancy" were read as one list.'])
  })

  it('is not the shape of a stone that has its own', async () => {
    const rows = [
      [...HEADER, 'Shape'],
      [...stone('A-1'), 'Oval'],
    ]
    expect((await shapesIn(workbook([{ name: 'Round', rows }]))).shapes).toEqual({ 'A-1': 'oval' })
  })

  it.each(['Fancy Shapes', 'Round & Oval', 'PS', 'Stock', 'Heart Trading Co'])(
    'does not count if it is %s',
    async (name) => {
      const bytes = workbook([{ name, rows: [HEADER, stone('A-1')] }])
      expect(await shapesIn(bytes)).toEqual({ shapes: {}, reasons: ['The shape is missing'] })
    },
  )
})

describe('a heading', () => {
  const csv = (rows: Cell[][]) =>
    [HEADER, ...rows].map((cells) => cells.map(String).join(',')).join('\n')

  it('is the shape of the stones below it, until the next heading', async () => {
    const rows = [['ROUND BRILLIANT'], stone('A-1'), stone('A-2', 0.5), ['Pear'], stone('A-3')]
    const { drafts, rejections, notes } = await readStones(csv(rows))
    expect(drafts.map(({ shape }) => shape)).toEqual(['round', 'round', 'pear'])
    expect(rejections).toEqual([])
    expect(notes).toEqual([NOTE])
    const other = [['ROUND'], stone('A-1'), ['FANCY SHAPES'], stone('A-2')]
    expect((await shapesIn(csv(other))).shapes).toEqual({ 'A-1': 'round' })
  })

  it('above the header is the name of a firm as well, and does not count', async () => {
    const content = `Princess Diamonds\n${csv([stone('A-1')])}`
    expect((await shapesIn(content)).shapes).toEqual({})
  })
})

describe('an import', () => {
  let market: TestMarket
  beforeAll(async () => {
    market = await openTestMarket()
  })
  afterAll(() => market.close())

  it('sells the stones of a sheet called by its shape, and refuses another one without shapes', async () => {
    const upload = async (name: string) => {
      const bytes = workbook([{ name, rows: [HEADER, stone(`${name}-1`), stone(`${name}-2`)] }])
      const response = await market.app.inject({
        method: 'POST',
        url: '/api/operator/imports?supplier=Sheets',
        headers: { authorization: `Bearer ${market.adminKey}`, 'content-type': 'text/csv' },
        payload: Buffer.from(bytes),
      })
      return response.json()
    }
    expect(await upload('Marquise')).toMatchObject({
      added: 2,
      rejected: 0,
      notes: { file: [NOTE] },
    })
    expect((await upload('Stock')).detail).toContain('No column was recognized as shape')
  })
})
