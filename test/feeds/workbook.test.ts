import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readStones } from './feed-support.ts'
import { workbookOf } from './hostile-files.ts'
import { type Cell, workbook } from './xlsx-files.ts'

const HEADER = [
  'Stock #',
  'Shape',
  'Weight',
  'Color',
  'Clarity',
  'Price Per Carat',
  'Depth %',
  'Report #',
  'Lab Grown',
  'Lab',
]
const STONES: Cell[][] = [
  ['A & B-1', 'Round', 1.01, 'G', 'VS1', 5200, 0.617, 2141438171, false, { inline: 'GIA' }],
  ['A-2', 'Oval', 0.9000000000000001, 'F', 'SI1', 3100.5, 0.62, '0012345678', true, null],
  ['A-3', 'Round', { error: '#N/A' }, 'G', 'VS1', 5200, null, null, false, 'GIA'],
]

describe('a workbook', () => {
  for (const level of [0, 6] as const) {
    it(`is read from its first sheet with a header, ${level === 0 ? 'stored' : 'deflated'}`, async () => {
      const bytes = workbook(
        [
          { name: 'Cover', rows: [['Stock list'], ['of today']] },
          { name: 'Stones', rows: [['Title'], [], HEADER, ...STONES] },
        ],
        { level },
      )
      const { drafts, rejections } = await readStones(bytes, { chunkBytes: 777 })
      expect(drafts).toMatchObject([
        {
          vendor_sku: 'A & B-1',
          weight: 1.01,
          cost: '5252.00',
          depth_percentage: 61.7,
          cert_num: '2141438171',
          type: 'mined',
          lab: 'GIA',
        },
        {
          vendor_sku: 'A-2',
          weight: 0.9,
          cost: '2790.45',
          depth_percentage: 62,
          cert_num: '0012345678',
          type: 'lab grown',
          lab: null,
        },
      ])
      expect(rejections).toMatchObject([
        { row: 6, column: 'Weight', value: '#N/A', reason: 'The weight is missing' },
      ])
    })
  }

  it('has numbers of stock that became dates, which are rejected', async () => {
    const stock = { number: '46361', format: 0 }
    const rows: Cell[][] = [HEADER, [stock, 'Round', 1.01, 'G', 'VS1', 5200], STONES[0]]
    const bytes = workbook([{ name: 'Stones', rows }], { formats: ['d/m/yyyy'] })
    const { drafts, rejections } = await readStones(bytes)
    expect(drafts).toHaveLength(1)
    expect(rejections).toMatchObject([
      { value: '2026-12-05', reason: 'The stock number was damaged by a spreadsheet' },
    ])
  })

  it('has cells that are merged over several rows, of which a price is that of none', async () => {
    const stone = (stock: string, shape: string | null, price: number | null): Cell[] => {
      return [stock, shape, 1.01, 'G', 'VS1', price]
    }
    const rows = [
      HEADER.slice(0, 6),
      stone('A', 'Round', 5200),
      stone('B', null, null),
      stone('C', null, 5300),
      stone('D', 'Oval', 4200),
      stone('E', null, 4300),
    ]
    const bytes = workbook([{ name: 'Stones', rows, merged: ['B2:B4', 'F2:F3', 'A1:A1'] }])
    const { drafts, rejections } = await readStones(bytes)
    expect(drafts.map(({ vendor_sku, shape }) => [vendor_sku, shape])).toEqual([
      ['C', 'round'],
      ['D', 'oval'],
    ])
    expect(rejections.map(({ row, reason }) => [row, reason])).toEqual([
      [2, 'The price is missing'],
      [3, 'The price is missing'],
      [6, 'The shape is missing'],
    ])
  })

  it('says nothing in cells with an error, and does not offer a stone by one', async () => {
    const error = { error: '#REF!' }
    const rows: Cell[][] = [
      ['Stock #', 'Shape', 'Weight', 'Color', 'Clarity', 'Price/Ct', 'Lab', 'Shade', 'Status'],
      ['A', 'Round', 1.01, 'G', 'VS1', 5200, error, error, 'Available'],
      ['B', 'Round', 1.01, 'G', 'VS1', 5200, 'GIA', null, { error: '#N/A' }],
      ['C', 'Round', 1.01, 'G', 'VS1', error, 'GIA', null, 'Available'],
      [error, 'Round', 1.01, 'G', 'VS1', 5200, 'GIA', null, 'Available'],
    ]
    const { drafts, rejections } = await readStones(workbook([{ name: 'Stones', rows }]))
    expect(drafts).toMatchObject([{ vendor_sku: 'A', lab: null, lab_name: null, shade: null }])
    expect(rejections).toMatchObject([
      { value: '#N/A', reason: 'The availability is not known' },
      { value: '#REF!', reason: 'The price is missing' },
      { value: '#REF!', reason: 'The stock number is missing' },
    ])
  })

  it('is also read from gzip', async () => {
    const { drafts } = await readStones(
      gzipSync(workbook([{ name: 'S', rows: [HEADER, ...STONES] }])),
    )
    expect(drafts).toHaveLength(2)
  })

  it('is refused when no sheet has a header, or when it is damaged', async () => {
    await expect(readStones(workbook([{ name: 'S', rows: [['hello']] }]))).rejects.toMatchObject({
      code: 'invalid_request',
    })
    const whole = workbook([{ name: 'S', rows: [HEADER, ...STONES] }])
    await expect(readStones(whole.slice(0, -40))).rejects.toMatchObject({ code: 'invalid_request' })
    const broken = Uint8Array.from(whole)
    broken.fill(0xff, 60, 120)
    await expect(readStones(broken)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('is refused with what was seen when no spreadsheet writes such a file', async () => {
    for (const [rows, shared, seen] of [
      ['<row><c r="ZZZZZZZ2"><v>1</v></c></row>', '', 'a cell ZZZZZZZ2'],
      ['<row r="9999999"/>', '', 'a row 9999999'],
      ['<a>'.repeat(100_000), '', 'nested more than 64 levels'],
      [`<row ${'a'.repeat(2_000_000)}/>`, '', 'longer than 1048576 characters'],
      ['<a/>'.repeat(6_000_000), '', 'unpacks to more than'],
    ]) {
      await expect(readStones(workbookOf(rows, shared))).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining(seen),
      })
    }
  })

  it('keeps no empty cells, and rejects a row with more than 2,000 cells', async () => {
    const header = HEADER.map((name) => `<c t="str"><v>${name}</v></c>`).join('')
    const cells = ['S-1', 'Round', 1.01, 'G', 'VS1', 5200].map((value) => `<c><v>${value}</v></c>`)
    const stone = (more: string) => `<row>${cells.join('')}${more}</row>`
    const bytes = workbookOf(
      `<row>${header}</row>${stone('<c r="XFD2"/>')}${stone('<c r="XFD3"><v>1</v></c>')}`,
    )
    const { drafts, rejections } = await readStones(bytes)
    expect(drafts).toMatchObject([{ vendor_sku: 'S-1', cost: '5252.00' }])
    expect(rejections).toMatchObject([{ row: 3, reason: expect.stringContaining('2000 cells') }])
  })
})

describe('a price whose currency only the format of its cell shows', () => {
  const HEAD = ['Stock #', 'Shape', 'Weight', 'Color', 'Clarity', 'Price Per Carat']
  const rates = { EUR: '0.5', INR: '80', HKD: '8' }

  it.each([
    ['[$€-407]\\ #,##0.00', '10000.00'],
    ['#,##0.00\\ "€"', '10000.00'],
    ['_-* #,##0.00\\ [$€-1]_-', '10000.00'],
    ['"Rs." #,##0', '62.50'],
    ['[$HK$-C04]#,##0', '625.00'],
    ['[$$-409]#,##0.00', '5000.00'],
    ['"$"#,##0.00_);[Red]("$"#,##0.00)', '5000.00'],
    ['0.00" ct"', '5000.00'],
    ['#,##0.00', '5000.00'],
  ])('is in the currency of %s', async (format, cost) => {
    const price: Cell = { number: '5000', format: 0 }
    const rows = [HEAD, ['A', 'Oval', 1, 'G', 'VS1', price]]
    const { drafts } = await readStones(workbook([{ name: 'S', rows }], { formats: [format] }), {
      rates,
    })
    expect(drafts).toMatchObject([{ cost }])
  })

  it('leaves stock numbers, weights and certificates as they are in a sheet of one format', async () => {
    const euros = (number: string): Cell => ({ number, format: 0 })
    const numbers = ['1001', '1.5', '5000', '2141438171'].map(euros)
    const rows = [
      ['Stock #', 'Weight', 'Price Per Carat', 'Report #', 'Shape', 'Color', 'Clarity'],
      [...numbers, 'Oval', 'G', 'VS1'],
    ]
    const book = workbook([{ name: 'S', rows }], { formats: ['[$€-407]\\ #,##0.00'] })
    const { drafts } = await readStones(book, { rates })
    expect(drafts).toMatchObject([
      { vendor_sku: '1001', weight: 1.5, cost: '15000.00', cert_num: '2141438171' },
    ])
  })

  it('is rejected in dollars where the supplier has euros', async () => {
    const rows = [HEAD, ['A', 'Oval', 1, 'G', 'VS1', { number: '5000', format: 0 }]]
    const book = workbook([{ name: 'S', rows }], { formats: ['"$"#,##0.00'] })
    const { rejections } = await readStones(book, { rates, currency: 'EUR' })
    expect(rejections).toMatchObject([
      { reason: 'The price is in dollars, but its currency is EUR' },
    ])
  })
})
