import { describe, expect, it } from 'vitest'
import { type FileResult, importFile } from './differential/cut-file.ts'
import { readStones } from './feed-support.ts'

const HEADER = 'Stock #,Shape,Weight,Color,Clarity'
const WEIGHTS = [0.52, 0.71, 1.53, 2.02, 0.9]

interface Row {
  at: number
  weight: number
  perCarat: number
  total: string
}

/** Writes five stones; `cells` makes the columns after the clarity. */
function fileOf(columns: string, cells: (row: Row) => string | number): string {
  const rows = WEIGHTS.map((weight, at) => {
    const perCarat = 3_000 + at * 450
    const row = { at, weight, perCarat, total: (perCarat * weight).toFixed(2) }
    return `S-${at},Round,${weight},G,VS1,${cells(row)}`
  })
  return `${HEADER},${columns}\n${rows.join('\n')}\n`
}

const read = (columns: string, cells: (row: Row) => string | number): Promise<FileResult> =>
  importFile(Buffer.from(fileOf(columns, cells)))

const firstOf = ({ drafts, refusal }: FileResult) => refusal ?? drafts.get('S-0')

describe('two columns that contradict each other', () => {
  it.each([
    ['Total Price,Total Price', ({ total }: Row) => `${Number(total) * 2},${total}`],
    ['Price,Price', ({ perCarat }: Row) => `${perCarat * 2},${perCarat}`],
    ['Price/Ct,Weight', ({ perCarat, weight }: Row) => `${perCarat},${weight * 2}`],
    ['Price/Ct,Carat', ({ perCarat, weight }: Row) => `${perCarat},${weight * 1.4}`],
    ['Price/Ct,Color', ({ perCarat }: Row) => `${perCarat},F`],
  ])('called %s refuse the file', async (columns, cells) => {
    const { refusal } = await read(columns, cells)
    expect(refusal).toContain('mean the same and differ in 5 of the first rows')
  })

  it('because one is rounded do no harm', async () => {
    const { drafts } = await read(
      'Price/Ct,Carat',
      ({ perCarat, weight }) => `${perCarat},${weight + 0.004}`,
    )
    expect(drafts.size).toBe(5)
  })

  it('and say the same do no harm', async () => {
    const { drafts } = await read(
      'Price/Ct,Carat',
      ({ perCarat, weight }) => `${perCarat},${weight}0`,
    )
    expect(drafts.size).toBe(5)
  })

  it('as the price and the total are asked about', async () => {
    const { refusal } = await read(
      'Price/Ct,Total Price',
      ({ perCarat, total }) => `${perCarat},${Number(total) * 1.3}`,
    )
    expect(refusal).toContain('The price may be in the column "Price/Ct" or in "Total Price"')
  })

  it('as a price and the same price less the discount are asked about', async () => {
    const { refusal } = await read(
      'Price/Ct,Disc %,Net',
      ({ perCarat, at }) => `${perCarat},-${30 + at},${perCarat * (0.7 - at / 100)}`,
    )
    expect(refusal).toContain('or in "Net", which is lower by the discount')
  })
})

describe('a list price', () => {
  it('of whole stones is recognized by the price and the discount', async () => {
    const { drafts } = await readStones(
      fileOf(
        'Price/Ct,Rap,Disc %',
        ({ perCarat, total }) => `${perCarat},${Number(total) * 2},-50`,
      ),
    )
    expect(drafts[0]).toMatchObject({ cost: '1560.00', list_price: '3120.00' })
  })
})

describe('a row that lost or gained a cell', () => {
  const columns = 'Price/Ct,Cut,Polish,Symmetry,Fluorescence,Lab,Report #'

  it.each([
    ['', 11],
    ['EX,,', 13],
  ])('is rejected when its values do not fit (%j)', async (polish, count) => {
    const { drafts, rejections } = await read(
      columns,
      ({ at, perCarat }) =>
        `${perCarat},EX,${at === 1 ? polish : 'EX,'}VG,Faint,GIA,214143817${at}`,
    )
    expect([...drafts.keys()]).toEqual(['S-0', 'S-2', 'S-3', 'S-4'])
    const reason = `The row has ${count} cells, others have 12, and its values do not fit`
    expect(rejections).toMatchObject([{ row: 3, reason }])
  })

  it('at its end is read', async () => {
    const { drafts } = await read('Price/Ct,Lab,Comment', ({ perCarat, at }) =>
      at === 1 ? `${perCarat},GIA` : `${perCarat},GIA,clean`,
    )
    expect(drafts.size).toBe(5)
  })
})

describe('measurements', () => {
  const sides = ({ weight }: Row) =>
    [6.45, 6.42, 3.98].map((mm) => (mm * weight ** (1 / 3)).toFixed(2))

  it('prove that the names of depth and table are swapped', async () => {
    const swapped = await read(
      'Price/Ct,Depth %,Table %,Measurements',
      (row) => `${row.perCarat},${56 + row.at},62,${sides(row).join('x')}`,
    )
    expect(firstOf(swapped)).toMatchObject({ depth_percentage: 62, table_percentage: 56 })
  })

  it('with the depth before the width are put in order', async () => {
    const shifted = await read('Price/Ct,Length,Width,Depth', (row) => {
      const [length, width, depth] = sides(row)
      return `${row.perCarat},${length},${depth},${width}`
    })
    expect(firstOf(shifted)).toMatchObject({ length: 5.19, width: 5.16, depth: 3.2 })
  })

  it('that contradict a short code reject the stone', async () => {
    const text = fileOf('Price/Ct,Measurements', (row) => `${row.perCarat},${sides(row).join('x')}`)
    const { rejections } = await importFile(Buffer.from(text.replaceAll('Round', 'PC')))
    expect(rejections[0].reason).toBe(
      'The code PC means princess, which the measurements contradict',
    )
  })
})

describe('sides of which the third is the longest', () => {
  it('are noted, and none of them is kept', async () => {
    const header = 'Stock #,Shape,Weight,Color,Clarity,Price/Ct,Measurements'
    const { drafts, unreadable } = await readStones(
      `${header}\nA,Oval,1.01,G,VS1,5000,5.50x3.40x8.00\nB,Oval,1.01,G,VS1,5000,8.00x5.50x3.40\n`,
    )
    expect(drafts).toMatchObject([
      { length: null, width: null, depth: null, ratio: null },
      { length: 8, width: 5.5, depth: 3.4 },
    ])
    expect(unreadable).toEqual(['measurements 5.50x3.40x8.00'])
  })
})

describe('a cell that was read too boldly', () => {
  const one = async (columns: string, cell: string) =>
    firstOf(await read(`Price/Ct,${columns}`, ({ perCarat }) => `${perCarat},${cell}`))

  it.each([
    ['Location', 'Memo'],
    ['Location', 'Sold'],
    ['Remarks', 'SOLD'],
    ['Remarks', 'Hold till Friday'],
    ['Remarks', 'not available'],
    ['Comments', 'Stone on hold'],
    ['Member Comments', 'Currently on memo.'],
    ['Remarks', 'The stone is reserved'],
    ['Remarks', 'Продано'],
    ['Remarks', '已售'],
    ['rm', 'On memo until May'],
    ['Availability,Stone Status', 'G,已售'],
  ])('takes the stone off: %s says %s', async (columns, cell) => {
    expect(await one(columns, cell)).toBeUndefined()
  })

  it.each([
    ['Location', 'Not available'],
    ['Report Comments', 'Not available'],
    ['Remarks', 'Not available for memo'],
    ['Remarks', 'Sold as a pair only'],
    ['Remarks', 'Not on hold'],
    ['Remarks', 'Memo possible'],
    ['Availability,Stone Status', 'G,Нет'],
  ])('leaves the stone on sale: %s says %s', async (columns, cell) => {
    expect(await one(columns, cell)).toBeDefined()
  })

  it('is null where it is not certain', async () => {
    expect(await one('Lab', 'GIA / IGI')).toMatchObject({ lab: null, lab_name: 'GIA / IGI' })
    expect(await one('Cut', 'PR')).toMatchObject({ cut_grade: null })
    expect(await one('Image', 'https://media.example/1.pdf')).toMatchObject({ image_top_url: null })
  })

  it('does not take its country from the supplier', async () => {
    const text = fileOf(
      'Price/Ct,Country',
      ({ perCarat, at }) => `${perCarat},${at ? 'India' : 'Vault'}`,
    )
    const { drafts } = await readStones(text, { supplier: { country_code: 'BEL' } })
    expect(drafts.map(({ country_code }) => country_code).slice(0, 2)).toEqual([null, 'IND'])
  })

  it('is read as far as it is certain', async () => {
    const text = (color: string) =>
      fileOf('Price/Ct,Report #', ({ perCarat, at }) => `${perCarat},GIA214143817${at}`).replaceAll(
        ',G,',
        `,${color},`,
      )
    const { drafts } = await readStones(text('U-V Light Yellow'))
    expect(drafts[0]).toMatchObject({ color: 'UV', is_fancy: false, cert_num: '2141438170' })
  })
})

describe('the example of a template', () => {
  it.each(['SAMPLE', 'Sample stone', 'Example: X 2', 'e.g. AB123', 'Muster'])(
    'is rejected by its stock number %s',
    async (stock) => {
      const { drafts, rejections } = await readStones(
        'Stock #,Shape,Weight,Color,Clarity,Price/Ct\n' +
          `${stock},Round,1.01,G,VS1,5000\nTEST-1,Round,1.02,G,VS1,5000\n` +
          'SAMPLE-2,Round,1.03,G,VS1,5000\nEX.123,Round,1.04,G,VS1,5000\n',
      )
      const numbers = drafts.map(({ vendor_sku }) => vendor_sku)
      expect(numbers).toEqual(['TEST-1', 'SAMPLE-2', 'EX.123'])
      expect(rejections[0].reason).toBe('This is the example of a template')
    },
  )
})

describe('a line of totals', () => {
  it('is not a stone, and does not disturb the proof of a price', async () => {
    const cells = ({ perCarat, total }: Row) => `${perCarat},${total}`
    for (const line of ['TOTAL,,25.3,,,3500,99999', 'Grand Total,Round,25.3,G,VS1,3500,88550']) {
      const text = `${fileOf('Price,Total', cells)}${line}\n`
      const { drafts, rejections } = await importFile(Buffer.from(text))
      expect(drafts.size).toBe(5)
      expect(rejections[0].reason).toBe('This is a line of totals')
    }
  })
})

describe('a unit or a currency in a header', () => {
  it('that is not carats refuses the weight', async () => {
    const text = fileOf('Price/Ct', ({ perCarat }) => perCarat).replace('Weight', 'Weight (g)')
    expect((await importFile(Buffer.from(text))).refusal).toContain('recognized as weight')
  })

  it('may be a word, and a column of currencies may have signs', async () => {
    const rates = { INR: '80', GBP: '0.8' }
    const words = await readStones(
      fileOf('Price Per Carat Rupees', () => 80_000),
      { rates },
    )
    expect(words.drafts[0]).toMatchObject({ cost: '520.00' })
    const signs = await readStones(
      fileOf('Price/Ct,Currency', () => '800,£'),
      { rates },
    )
    expect(signs.drafts[0]).toMatchObject({ cost: '520.00' })
    const unknown = await readStones(
      fileOf('Price/Ct,Currency', () => '800,Florin'),
      { rates },
    )
    expect(unknown.rejections[0]).toMatchObject({ reason: 'The currency is not known' })
  })
})

describe('lab growth', () => {
  it.each([
    ['Remark', 'C.V.D.'],
    ['Report #', '2141000000LG'],
    ['Nat/Lab', 'L'],
  ])('is seen in %s (%s)', async (columns, cell) => {
    const result = await read(`Price/Ct,${columns}`, ({ perCarat }) => `${perCarat / 10},${cell}`)
    expect(firstOf(result)).toMatchObject({ type: 'lab grown' })
  })
})
