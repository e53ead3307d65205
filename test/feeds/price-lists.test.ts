import { describe, expect, it } from 'vitest'
import { readStones } from './feed-support.ts'

/** The stones of a cutter, with their discounts from the list price as positive numbers. */
const STONES = [
  { sku: 'K101', shape: 'RBC', weight: 1.01, cut: 'EX-1', list: 7800, back: 32.5 },
  { sku: 'K102', shape: 'OB', weight: 0.72, cut: '', list: 4100, back: 38 },
  { sku: 'K103', shape: 'CMB', weight: 2.03, cut: '', list: 12500, back: 41 },
  { sku: 'K104', shape: 'MB', weight: 1.5, cut: '', list: 15800, back: 28.25 },
  { sku: 'K105', shape: 'RB', weight: 0.31, cut: 'X2', list: 2300, back: 44 },
  { sku: 'K106', shape: 'PRN', weight: 0.9, cut: '', list: 3500, back: 30 },
].map((stone) => {
  const rate = Math.round(stone.list * (100 - stone.back)) / 100
  return { ...stone, rate, amount: (rate * stone.weight).toFixed(2) }
})
type Stone = (typeof STONES)[number]

/** A file with the columns of one supplier. */
function listOf(names: string, cells: (stone: Stone, index: number) => unknown[]): string {
  const rows = STONES.map((stone, index) => cells(stone, index).join(','))
  return `${names}\n${rows.join('\n')}\n`
}

const FILES = {
  'Rap Rate, Rap Disc %, Net Rate, Net Amt': listOf(
    'Sr No,Pkt No,Shp#,Cts.,Col.,Cla.,CUT.,Rap Rate,Rap Disc %,Net Rate,Net Amt',
    ({ sku, shape, weight, cut, list, back, rate, amount }, index) => {
      return [index + 1, sku, shape, weight, 'G', 'VS1', cut, list, -back, rate, amount]
    },
  ),
  'Base Rate, Dis, Pr/Ct, Amt $': listOf(
    'STOCK NO,Shape,Weight,Color,Clarity,Prop,Base Rate,Dis,Pr/Ct,Amt $',
    ({ sku, shape, weight, cut, list, back, rate, amount }) => {
      return [sku, shape, weight, 'G', 'VS1', cut, list, back, rate, amount]
    },
  ),
  'Rap $/CT, B OFF %, B RATE, Net Amt($)': listOf(
    'REF#,SHAPE,CTS,COLOR,PURITY,CUT,Rap $/CT,B OFF %,B RATE,Net Amt($)',
    ({ sku, shape, weight, cut, list, back, rate, amount }) => {
      return [sku, shape, weight, 'G', 'VS1', cut, list, -back, rate, amount]
    },
  ),
  'Rap, %, Final': listOf(
    'Stone No,Shape,Carat,Color,Clarity,Cut,Rap,%,Final',
    ({ sku, shape, weight, cut, list, back, amount }) => {
      return [sku, shape, weight, 'G', 'VS1', cut, list, -back, amount]
    },
  ),
}

describe('a price list with the columns', () => {
  for (const [columns, text] of Object.entries(FILES)) {
    it(`${columns} is understood`, async () => {
      const { drafts, rejections } = await readStones(text)
      expect(rejections).toEqual([])
      expect(drafts.map(({ vendor_sku, cost }) => [vendor_sku, cost])).toEqual(
        STONES.map(({ sku, amount }) => [sku, amount]),
      )
      const shapes = ['round', 'oval', 'cushion', 'marquise', 'round', 'princess']
      expect(drafts.map(({ shape }) => shape)).toEqual(shapes)
      const cuts = ['EX', null, null, null, 'EX', null]
      expect(drafts.map(({ cut_grade }) => cut_grade)).toEqual(cuts)
      const lists = drafts.map(({ list_price }) => Number(list_price))
      expect(lists).toEqual(STONES.map(({ list, weight }) => Number((list * weight).toFixed(2))))
    })
  }
})

describe('a column that numbers the rows', () => {
  const rows = (names: string, numbers: (index: number) => string) =>
    listOf(names, ({ sku, shape, weight, amount }, index) => {
      return [numbers(index), sku, shape, weight, 'G', 'VS1', amount]
    })

  it.each(['Sr', 'Sr.', 'Serial No'])('called %s is not the stock number', async (name) => {
    const columns = `${name},Pkt No,Shape,Carat,Color,Clarity,Total Price`
    const { drafts, mapping } = await readStones(rows(columns, (index) => String(index + 1)))
    expect(drafts.map(({ vendor_sku }) => vendor_sku)).toEqual(STONES.map(({ sku }) => sku))
    expect(mapping.columns[0]).toMatchObject({
      field: null,
      reason: expect.stringContaining('numbers the rows'),
    })
  })

  it('leaves stones without another stock number to their certificates', async () => {
    const columns = 'Sr,Certificate #,Shape,Carat,Color,Clarity,Total Price'
    const numbered = rows(columns, (index) => String(index + 1)).replaceAll(/,K/g, ',2141438')
    const { drafts } = await readStones(numbered)
    expect(drafts[0]).toMatchObject({ vendor_sku: '2141438101', cert_num: '2141438101' })
  })

  it('is the stock number where no other column is and its numbers do not follow', async () => {
    const columns = 'Sr,Packing,Shape,Carat,Color,Clarity,Total Price'
    const { drafts } = await readStones(rows(columns, (index) => String(index * 7 + 1001)))
    expect(drafts.map(({ vendor_sku }) => vendor_sku).slice(0, 3)).toEqual(['1001', '1008', '1015'])
  })

  it('yields to another stock number where rows were left out of the list', async () => {
    const columns = 'Sr,Pkt No,Shape,Carat,Color,Clarity,Total Price'
    const { drafts } = await readStones(rows(columns, (index) => String(index * 7 + 3)))
    expect(drafts.map(({ vendor_sku }) => vendor_sku)).toEqual(STONES.map(({ sku }) => sku))
  })
})
