import { describe, expect, it } from 'vitest'
import { readStones } from './feed-support.ts'
import { compoundFile, type XlsCell, xlsOf } from './xls-files.ts'

const HEADER = [
  ...['Stock #', 'Shape', 'Weight', 'Color', 'Clarity', 'Price Per Carat', 'Total Price'],
  ...['Depth %', 'Report #', 'Lab', 'Lab Grown', 'Video', 'Member Comments'],
]

/** Stones with every kind of cell that Excel writes. */
const STONES: XlsCell[][] = [
  [
    ...['A & B-1', 'Round', 1.01, 'G', 'VS1', 5200, { formula: 5252 }, 61.7],
    { text: '2141438171', link: 'https://lab.example/2141438171' },
    ...['GIA', false, { text: 'View', link: 'https://video.example/1' }, 'Größe Ω 真'],
  ],
  [
    ...['A-2', 'Oval', 0.9, 'F', 'SI1', 3100.5, { formula: 2790.45 }, 62.123456789],
    ...['0012345678', { formula: 'GIA' }, true],
    ...[{ formula: 'View', link: 'https://video.example/2' }, null],
  ],
  ['A-3', 'Round', { error: true }, 'G', 'VS1', 5200, null, 61, 2141438173, 'GIA', false, '', null],
]

const EXPECTED = [
  {
    vendor_sku: 'A & B-1',
    weight: 1.01,
    cost: '5252.00',
    depth_percentage: 61.7,
    cert_num: '2141438171',
    cert_url: 'https://lab.example/2141438171',
    video_url: 'https://video.example/1',
    lab: 'GIA',
    type: 'mined',
  },
  {
    vendor_sku: 'A-2',
    weight: 0.9,
    cost: '2790.45',
    cert_num: '0012345678',
    cert_url: null,
    video_url: 'https://video.example/2',
    lab: 'GIA',
    type: 'lab grown',
  },
]

describe('an Excel 97 file', () => {
  it('is read with all kinds of cells, formulas and hyperlinks', async () => {
    const sheets = [
      { name: 'Cover', rows: [['Stock list'], ['of today']] },
      { name: 'Stones', rows: [['Title'], [], HEADER, ...STONES] },
    ]
    for (const options of [{}, { isSmall: true }, { recordBytes: 20 }, { recordBytes: 31 }]) {
      const { drafts, rejections, notes, fields } = await readStones(xlsOf(sheets, options))
      expect(drafts).toMatchObject(EXPECTED)
      expect(rejections).toMatchObject([{ row: 6, column: 'Weight', value: '#N/A' }])
      expect(notes).toEqual(['The sheet "Cover" has no header row and was left out.'])
      expect(fields['Report # link']).toBe('cert_url')
    }
  })

  it('keeps letters of other languages, also where a record continues', async () => {
    const names = ['Größe', 'Вес камня', '真珠', 'é'.repeat(90)]
    const rows = names.map((name, index) => [name, 'Round', 1 + index / 100, 'G', 'VS1', 5200])
    for (const recordBytes of [19, 24, 8_224]) {
      const bytes = xlsOf([{ name: 'Камни', rows: [HEADER.slice(0, 6), ...rows] }], { recordBytes })
      const { drafts } = await readStones(bytes)
      expect(drafts.map(({ vendor_sku }) => vendor_sku)).toEqual(names)
    }
  })

  it('has its dates written as dates, by the format of their cells', async () => {
    const header = [...HEADER.slice(0, 6), 'Report Issue Date']
    const rows = [['A-1', 'Round', 1.01, 'G', 'VS1', 5200, { date: 46_173 }]]
    const { sample } = await readStones(xlsOf([{ name: 'S', rows: [header, ...rows] }]))
    expect(sample[0].cells).toEqual(['A-1', 'Round', '1.01', 'G', 'VS1', '5200', '2026-05-31'])
  })

  it('has its prices in the currency that the format of their cells shows', async () => {
    const rows = [['A-1', 'Round', 1.01, 'G', 'VS1', { euros: 5200.5 }]]
    const file = xlsOf([{ name: 'S', rows: [HEADER.slice(0, 6), ...rows] }])
    const { drafts } = await readStones(file, { rates: { EUR: '0.5' } })
    expect(drafts).toMatchObject([{ cost: '10505.01' }])
  })

  it('of Excel 95 is read as well', async () => {
    const rows: XlsCell[][] = [
      HEADER.slice(0, 6),
      ['Ä-1', 'Round', 1.01, 'G', 'VS1', 5200],
      ['A-2', 'Oval', 0.9, 'F', 'SI1', 3100.5],
    ]
    const bytes = xlsOf([{ name: 'S', rows }], { isBiff5: true, streamName: 'Book' })
    const { drafts } = await readStones(bytes)
    expect(drafts).toMatchObject([
      { vendor_sku: 'Ä-1', cost: '5252.00' },
      { vendor_sku: 'A-2', cost: '2790.45' },
    ])
  })

  it('gives the same stones when it is read in a thread', async () => {
    const bytes = xlsOf([{ name: 'Stones', rows: [HEADER, ...STONES] }])
    const { drafts } = await readStones(bytes, { inThread: true })
    expect(drafts).toMatchObject(EXPECTED)
  })

  it('is refused with what it is', async () => {
    const sheets = [{ name: 'S', rows: [HEADER, ...STONES] }]
    const empty = Buffer.alloc(5_000)
    for (const [bytes, message] of [
      [xlsOf(sheets, { isEncrypted: true }), /protected with a password/],
      [compoundFile('EncryptedPackage', empty), /protected with a password/],
      [compoundFile('WordDocument', empty), /a Word document/],
      [compoundFile('Contents', empty), /without a workbook/],
      [compoundFile('Workbook', empty), /before Excel 5/],
      [xlsOf([{ name: 'S', rows: [['hello']] }]), /an Excel 97 file \(XLS\), with no header row/],
      [xlsOf(sheets).subarray(0, 700), /damaged/],
    ] as const) {
      await expect(readStones(bytes)).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(message),
      })
    }
  })
})
