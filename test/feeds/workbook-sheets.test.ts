import { describe, expect, it } from 'vitest'
import { readStones } from './feed-support.ts'
import { type Cell, workbook } from './xlsx-files.ts'

const HEADER = ['Stock #', 'Shape', 'Weight', 'Color', 'Clarity', 'Price Per Carat']
const ROUND: Cell[] = ['A-1', 'Round', 1.01, 'G', 'VS1', 5200]
const OVAL: Cell[] = ['A-2', 'Oval', 0.9, 'F', 'SI1', 3100.5]

describe('a workbook with several sheets', () => {
  it('is read from every sheet that has stones, and the report names the sheet of a row', async () => {
    const bytes = workbook([
      { name: 'Cover', rows: [['Stock list'], ['of today']] },
      { name: 'Rounds', rows: [['Title'], HEADER, ROUND] },
      {
        name: 'Fancies',
        rows: [
          ['Shape', 'Stock #', 'Color', 'Clarity', 'Weight', 'Lab', 'Price Per Carat'],
          ['Oval', 'A-2', 'F', 'SI1', 0.9, 'GIA', 3100.5],
          ['Oval', 'A-3', 'F', 'SI1', null, 'GIA', 3100.5],
        ],
      },
    ])
    for (const inThread of [false, true]) {
      const { drafts, rejections, notes } = await readStones(bytes, { inThread })
      expect(drafts).toMatchObject([
        { vendor_sku: 'A-1', shape: 'round', weight: 1.01, cost: '5252.00', lab: null },
        { vendor_sku: 'A-2', shape: 'oval', weight: 0.9, cost: '2790.45', lab: 'GIA', color: 'F' },
      ])
      expect(rejections).toMatchObject([
        { row: 3, column: 'Weight', reason: 'The weight is missing (sheet Fancies)' },
      ])
      expect(notes).toEqual([
        'The sheets "Rounds", "Fancies" were read as one list.',
        'The sheet "Cover" has no header row and was left out.',
      ])
    }
  })

  it.each(['Sold', 'On Memo', 'Memo', 'HOLD', 'Reserved', 'Sold stones', 'Продано'])(
    'does not offer the stones of a sheet called %s beside others',
    async (name) => {
      const bytes = workbook([
        { name: 'Stock', rows: [HEADER, ROUND] },
        { name, rows: [HEADER, OVAL] },
      ])
      const { drafts, rejections } = await readStones(bytes)
      expect(drafts.map(({ vendor_sku }) => vendor_sku)).toEqual(['A-1'])
      expect(rejections).toEqual([
        {
          row: 2,
          column: 'Stock #',
          value: 'A-2',
          reason: `The stone is not on offer (sheet ${name})`,
        },
      ])
      const alone = workbook([{ name, rows: [HEADER, OVAL] }])
      expect((await readStones(alone)).drafts).toHaveLength(1)
    },
  )

  it('is read from the one sheet that is named, also a hidden one', async () => {
    const other = ['A-9', ...ROUND.slice(1)]
    const bytes = workbook([
      { name: 'Stock', rows: [HEADER, ROUND] },
      { name: 'Fancies', rows: [HEADER, OVAL], isHidden: true },
      { name: 'Old', rows: [HEADER, other] },
    ])
    for (const inThread of [false, true]) {
      const { drafts, notes } = await readStones(bytes, { inThread, sheet: 'fancies' })
      expect(drafts.map(({ vendor_sku }) => vendor_sku)).toEqual(['A-2'])
      expect(notes).toEqual([])
    }
    await expect(readStones(bytes, { sheet: 'Today' })).rejects.toThrow(
      'There is no sheet "Today" in an Excel workbook (XLSX), which has "Stock", "Fancies", "Old".',
    )
    const csv = `${HEADER.join(',')}\nA-1,Round,1.01,G,VS1,5200\n`
    await expect(readStones(csv, { sheet: 'Stock' })).rejects.toThrow('The file has no sheets')
  })

  it('says which sheets were left out: hidden ones, and those with other prices', async () => {
    const total = [...HEADER.slice(0, 5), 'Total Price']
    const { drafts, notes } = await readStones(
      workbook([
        {
          name: 'Summary',
          rows: [
            ['Shape', 'Weight', 'Color'],
            ['Round', 1.01, 'G'],
          ],
        },
        { name: 'Stock', rows: [HEADER, ROUND] },
        { name: 'Old stock', rows: [HEADER, ['A-9', ...ROUND.slice(1)]], isHidden: true },
        { name: 'Deals', rows: [total, OVAL] },
      ]),
    )
    expect(drafts.map(({ vendor_sku }) => vendor_sku)).toEqual(['A-1'])
    expect(notes).toEqual([
      'The sheet "Old stock" is hidden and was left out.',
      'The sheet "Summary" has no column for a stock number, the price and was left out.',
      'The sheet "Deals" was left out: it has no column Price Per Carat and it has a column ' +
        'Total Price that the first lacks. Send it separately.',
    ])
  })
})

describe('a heading among the rows', () => {
  const row = (stock: string): Cell[] => [stock, ...ROUND.slice(1)]

  it.each(['SOLD STONES', 'On Memo', 'Stones on hold (2)', 'RESERVED:'])(
    'takes the stones below %s off the market, until another offers stones',
    async (heading) => {
      const rows = [HEADER, row('A-1'), [heading], row('A-2'), ['ROUND'], row('A-3')]
      const { drafts, rejections } = await readStones(
        workbook([{ name: 'S', rows: [...rows, ['AVAILABLE STONES'], HEADER, row('A-4')] }]),
      )
      expect(drafts.map(({ vendor_sku }) => vendor_sku)).toEqual(['A-1', 'A-4'])
      const taken = rejections.filter(({ value }) => value.startsWith('A-'))
      expect(taken.map(({ value, reason }) => [value, reason])).toEqual([
        ['A-2', 'The stone is not on offer'],
        ['A-3', 'The stone is not on offer'],
      ])
    },
  )

  it('does so in a CSV file and in a sheet that is joined with others', async () => {
    const lines = ['A-1,Round,1.01,G,VS1,5200', 'SOLD STONES,,,,,', 'A-2,Oval,0.9,F,SI1,3100']
    const csv = [HEADER.join(','), ...lines].join('\n')
    expect((await readStones(csv)).drafts).toMatchObject([{ vendor_sku: 'A-1' }])
    const bytes = workbook([
      { name: 'Rounds', rows: [HEADER, ROUND, ['SOLD'], row('A-5')] },
      { name: 'Fancies', rows: [HEADER, OVAL] },
    ])
    for (const inThread of [false, true]) {
      const { drafts } = await readStones(bytes, { inThread })
      expect(drafts.map(({ vendor_sku }) => vendor_sku)).toEqual(['A-1', 'A-2'])
    }
  })
})

describe('the hyperlinks of a workbook', () => {
  it('are the values of cells that show a word, and a column beside values of their own', async () => {
    const header = [...HEADER, 'Report #', 'Lab', 'Certificate Image', 'Video', 'Image']
    const link = (text: string, url: string) => ({ text, link: url })
    const { drafts, fields } = await readStones(
      workbook([
        {
          name: 'S',
          rows: [
            header.map((name) => (name === 'Video' ? link(name, 'https://help.example/') : name)),
            [
              ...ROUND,
              link('2141438171', 'https://lab.example/?no=2141438171&lang=en'),
              'GIA',
              null,
              { formula: 'HYPERLINK("https://v.example/1","View Video")', value: 'View Video' },
              link('Click here', 'https://i.example/1.jpg'),
            ],
            [...OVAL, 2141438172, 'GIA', null, link('Video', 'mailto:a@b.example'), null],
          ],
        },
      ]),
    )
    expect(drafts).toMatchObject([
      {
        cert_num: '2141438171',
        cert_url: 'https://lab.example/?no=2141438171&lang=en',
        video_url: 'https://v.example/1',
        image_top_url: 'https://i.example/1.jpg',
      },
      { cert_num: '2141438172', cert_url: null, video_url: null },
    ])
    expect(fields['Report # link']).toBe('cert_url')
  })

  it('are not the certificates of all stones where one number has one', async () => {
    const link = (text: string, url: string) => ({ text, link: url })
    const rows = [1, 2, 3, 4].map((at): Cell[] => [
      `A-${at}`,
      ...ROUND.slice(1),
      at === 2 ? link('2141438172', 'https://lab.example/2') : `214143817${at}`,
      link('View', `https://media.example/${at}.pdf`),
    ])
    const header = [...HEADER, 'Cert No', 'Certificate']
    const { drafts, fields } = await readStones(workbook([{ name: 'S', rows: [header, ...rows] }]))
    expect(fields).toMatchObject({ 'Cert No': 'cert_num', Certificate: 'cert_url' })
    expect(drafts.map(({ cert_url }) => cert_url)).toEqual(
      [1, 2, 3, 4].map((at) => `https://media.example/${at}.pdf`),
    )
  })

  it('are read from formulas in a CSV file', async () => {
    const { drafts } = await readStones(
      `${HEADER.join(',')},Video,Report #\nA-1,Round,1.01,G,VS1,5200,` +
        '"=HYPERLINK(""https://v.example/1"",""View"")",' +
        '"=HYPERLINK(""https://lab.example/1"",""2141438171"")"\n',
    )
    expect(drafts).toMatchObject([{ video_url: 'https://v.example/1', cert_num: '2141438171' }])
  })
})
