import { describe, expect, it } from 'vitest'
import { checkColumns } from '../../src/feeds/importing/checks/import-checks.ts'
import { readStones } from './feed-support.ts'

const HEADER =
  'Stock #,Shape,Weight,Color,Clarity,Total Price,Number of Diamonds,Certificate #,Measurements,Comments'

/** Reads rows of `weight,price,number,certificate,measurements,comment`. */
async function read(...rows: string[]) {
  const lines = rows.map((cells, at) => {
    const [weight, price, ...rest] = cells.split(',')
    return `S-${at},Round,${weight},G,VS1,${price},${rest.join(',')}`
  })
  return readStones(`${HEADER}\n${lines.join('\n')}\n`)
}

describe('one stone', () => {
  it('is what a certificate names, whatever the number of stones says', async () => {
    const { drafts } = await read('1.02,5000,4,2141438171,,', '1.02,5000,4,2141438172,,')
    expect(drafts).toMatchObject([
      { product_type: 'diamond', weight: 1.02, quantity: 1, cost: '5000.00' },
      { product_type: 'diamond', weight: 1.02, cert_num: '2141438172' },
    ])
  })

  it('is what has sides that fit the whole weight', async () => {
    const { drafts } = await read('1.02,5000,4,,6.45x6.48x4.00,', '1.02,5000,2,,6.45x6.48x4.00,')
    expect(drafts).toMatchObject([
      { product_type: 'diamond', weight: 1.02, quantity: 1 },
      { product_type: 'diamond', weight: 1.02, quantity: 1 },
    ])
  })

  it('may have two certificates when its sides fit the whole weight', async () => {
    const { drafts } = await read('1.02,5000,1,2141438171 / 551234567,6.45x6.48x4.00,')
    expect(drafts).toMatchObject([{ cert_num: '2141438171', weight: 1.02, quantity: 1 }])
  })
})

describe('a pair', () => {
  const pair = {
    product_type: 'diamond',
    weight: 2.04,
    quantity: 1,
    cost: '10000.00',
    cert_num: '2141438171 / 2141438172',
    pair_separable: false,
  }

  it('with one price is one SKU with both certificates', async () => {
    const { drafts } = await read(
      '2.04,10000,2,2141438171 / 2141438172,6.45x6.48x4.00,',
      '2.04,10000,2,"2141438171, 2141438172",,',
      '2.04,10000,1,2141438171/2141438172,,matched pair',
    )
    expect(drafts).toMatchObject([pair, pair, pair])
  })

  it('may have the sides of both stones in one cell', async () => {
    const sides = '6.45x6.48x4.00 / 6.47x6.49x4.01'
    const { drafts, unreadable } = await read(
      `2.04,10000,2,2141438171 / 2141438172,${sides},`,
      `2.04,10000,1,2141438171 / 2141438172,${sides.replace(' / ', '; ')},`,
      '2.04,10000,2,2141438171 / 2141438172,6.45x6.48x4.00 / 4.10x4.12x2.5,',
    )
    const measured = { ...pair, length: 6.48, width: 6.45, depth: 4 }
    expect(drafts).toMatchObject([measured, measured, { ...pair, length: null }])
    expect(unreadable).toEqual(['measurements 6.45x6.48x4.00 / 4.10x4.12x2.5'])
  })

  it('is not priced by what a carat of the pair costs', async () => {
    const { drafts, fields } = await readStones(
      'Stock #,Shape,Weight,Color,Clarity,Price Per Carat,Asking Price Per Carat For Pair\n' +
        [1, 2, 3].map((at) => `S-${at},Round,1.0${at},G,VS1,5000,5600\n`).join(''),
    )
    expect(drafts.map(({ cost }) => cost)).toEqual(['5050.00', '5100.00', '5150.00'])
    expect(fields['Asking Price Per Carat For Pair']).toBeNull()
  })

  it('may have its certificates in two columns', async () => {
    const { drafts } = await readStones(
      'Stock #,Shape,Weight,Color,Clarity,Total Price,Qty,Certificate Number 1,Certificate Number 2\n' +
        'S-1,Round,2.04,G,VS1,10000,2,2141438171,2141438172\n' +
        'S-2,Round,1.02,G,VS1,5000,1,2141438173,\n',
    )
    expect(drafts).toMatchObject([pair, { cert_num: '2141438173', weight: 1.02 }])
  })

  it('that is called so needs no certificates, however small it is', async () => {
    const { drafts } = await read('2.04,10000,2,,,pair', '0.30,300,2,,,matched pair')
    expect(drafts).toMatchObject([
      { ...pair, cert_num: null },
      { product_type: 'diamond', weight: 0.3, quantity: 1, cost: '300.00', pair_separable: false },
    ])
  })

  it('is rejected when one certificate is missing, or when it may be one stone', async () => {
    const { drafts, rejections } = await read(
      '2.04,10000,2,2141438171,6.45x6.48x4.00,pair',
      '2.04,10000,2,,,',
      '2.04,10000,1,2141438171 / 2141438172,,',
    )
    expect(drafts).toEqual([])
    expect(rejections.map(({ reason }) => reason)).toEqual([
      'A pair needs the certificates of both stones, or none',
      'Two stones: a pair or a parcel is not said',
      'Two certificates: one stone or a pair is not said',
    ])
  })

  it('that is flagged on single stones leaves them single', async () => {
    const { drafts } = await readStones(
      'Stock #,Shape,Weight,Color,Clarity,Total Price,Is Matched Pair,Pair Stock #,Report #\n' +
        'S-1,Round,1.02,G,VS1,5000,TRUE,S-2,2141438171\n' +
        'S-2,Round,1.01,G,VS1,5000,TRUE,S-1,2141438172\n' +
        'S-3,Round,1.01,G,VS1,5000,FALSE,,2141438173\n',
    )
    expect(drafts.map(({ weight, pair_vendor_sku }) => [weight, pair_vendor_sku])).toEqual([
      [1.02, 'S-2'],
      [1.01, 'S-1'],
      [1.01, null],
    ])
  })

  it('of which each stone has a row of its own, with the number of both, is not one row', async () => {
    const { drafts, rejections } = await readStones(
      'Stock #,Shape,Weight,Color,Clarity,Total Price,Is Matched Pair,Pair Stock #,' +
        'Number of Diamonds,Report #\n' +
        'S-1,Round,1.02,G,VS1,5000,TRUE,S-2,2,2141438171\n' +
        'S-2,Round,1.01,G,VS1,5000,TRUE,S-1,2,2141438172\n' +
        'S-3,Round,2.02,G,VS1,9000,TRUE,,2,2141438173\n',
    )
    expect(drafts.map(({ weight, pair_vendor_sku }) => [weight, pair_vendor_sku])).toEqual([
      [1.02, 'S-2'],
      [1.01, 'S-1'],
    ])
    expect(rejections).toMatchObject([{ row: 4 }])
  })
})

describe('a parcel', () => {
  it('is what has several stones without certificates', async () => {
    const { drafts } = await read('2.00,1000,100,,,', '0.04,40,2,,,', '2.00,1000,100,,1.7x1.7x1.1,')
    expect(drafts).toMatchObject([
      { product_type: 'melee', quantity: 100, weight: 0.02, cost: '500.00' },
      { product_type: 'melee', quantity: 2, weight: 0.02 },
      { product_type: 'melee', quantity: 100, weight: 0.02, length: 1.7 },
    ])
  })

  it.each([
    ['Size (mm)', '1.3', '1.25 mm'],
    ['Size', '1.3 mm', '1.25'],
    ['Measurements', '1.3', '1.25mm'],
    ['Diameter', '1.3', 'Ø 1.25'],
    ['MM Size', '1.30', '1.25'],
  ])('keeps the size that the column %s names', async (column, first, second) => {
    const { drafts, estimated_sizes } = await readStones(
      `Stock #,Shape,Weight,Color,Clarity,Price Per Carat,Parcel Stones,${column}\n` +
        `P-1,Round,2.00,G,VS1,500,100,${first}\nP-2,Princess,2.00,G,VS1,500,100,${second}\n` +
        'P-3,Round,2.00,G,VS1,500,100,\n',
    )
    expect(drafts).toMatchObject([
      { product_type: 'melee', length: 1.3, width: 1.3 },
      { product_type: 'melee', length: 1.25, width: 1.25 },
      { product_type: 'melee', length: 1.76, width: null },
    ])
    expect(estimated_sizes).toBe(1)
  })

  it.each([
    ['a sieve', ['+6.5-8', '+11-14', '+6.5 -7', '000-2']],
    ['an open sieve', ['+2', '-2', '+11', '#6.5']],
    ['carats each', ['0.03-0.07', '0.18-0.22', '1/10', '0,05']],
    ['points', ['20 pts', '10 pointer', '5 pts.', '3 points']],
  ])('has no sides of %s, but those of its weight, which is counted', async (_, sizes) => {
    const rows = sizes.map((size, at) => `P-${at},RD,"${size}",2.00,100,G,VS1,500\n`)
    for (const name of ['Size', 'Measurements', 'Size (mm)']) {
      const { drafts, estimated_sizes, unreadable } = await readStones(
        `Stock #,Shape,${name},Total Carats,Pcs,Color,Clarity,Price Per Carat\n${rows.join('')}`,
      )
      expect(drafts.map(({ length, width }) => [length, width])).toEqual(
        Array(4).fill([1.76, null]),
      )
      expect([estimated_sizes, unreadable]).toEqual([4, []])
    }
  })

  it('keeps its sides beside sieves in the same column', async () => {
    const { drafts } = await readStones(
      'Stock #,Shape,Size,Total Carats,Pcs,Color,Clarity,Price Per Carat\n' +
        'P-1,RD,+6.5-8,10,1000,G,VS1,500\nP-2,RD,1/10,10,100,G,VS1,500\n' +
        'P-3,RD,3.0-3.2mm,10,85,G,VS1,500\nP-4,RD,-2,10,2500,G,VS1,500\n',
    )
    expect(drafts.map(({ length, width }) => [length, width])).toEqual([
      [1.4, null],
      [3.02, null],
      [3.2, 3],
      [1.03, null],
    ])
  })

  it('leaves a column Size alone in a file of single stones', async () => {
    const { drafts, fields } = await readStones(
      'Stock #,Shape,Carat,Size,Color,Clarity,Price Per Carat\nS-1,Round,1.01,1.01,G,VS1,500\n',
    )
    expect(drafts).toMatchObject([{ weight: 1.01, length: null }])
    expect(fields.Size).toBeNull()
  })

  it('may have the weight of one stone and their number only', async () => {
    const text =
      'Stock #,Shape,Weight per pc,Pcs,Color,Clarity,Price Per Carat\n' +
      'M-1,Round,0.02,500,G-H,VS-SI,800\nM-2,Round,0.05,,G-H,VS-SI,800\n'
    const { drafts, rejections, mapping } = await readStones(text)
    expect(drafts).toMatchObject([
      { product_type: 'melee', quantity: 500, weight: 0.02, cost: '800.00' },
    ])
    expect(rejections).toMatchObject([{ reason: 'The weight is missing' }])
    expect(() => checkColumns(mapping)).not.toThrow()
  })

  it('may have the weight of one stone in place of its own, as the size of round ones tells', async () => {
    const text =
      'Stock #,Shape,Carat,Pcs,MM,Color,Clarity,Price Per Carat\n' +
      'M-1,Round,0.02,100,1.7,G-H,VS-SI,500\nM-2,Round,0.05,200,2.4,G-H,VS-SI,500\n' +
      'M-3,Round,2,100,1.7,G-H,VS-SI,500\nM-4,Princess,0.02,100,1.7,G-H,VS-SI,500\n'
    const { drafts, rejections } = await readStones(text)
    expect(drafts.map(({ weight, quantity }) => [weight, quantity])).toEqual([
      [0.02, 100],
      [0.05, 200],
      [0.02, 100],
    ])
    expect(rejections).toMatchObject([
      { row: 5, reason: 'The weight is too small for the number of stones' },
    ])
  })

  it('is noted when its average weight contradicts weight and number', async () => {
    const text =
      'Stock #,Shape,Weight,Avg Weight,Pcs,Color,Clarity,Price Per Carat\n' +
      'M-1,Round,10,0.02,500,G-H,VS-SI,800\nM-2,Round,10,0.05,500,G-H,VS-SI,800\n' +
      'M-3,Round,3.4,0.01,500,G-H,VS-SI,800\n'
    const { drafts, unreadable } = await readStones(text)
    expect(drafts).toHaveLength(3)
    expect(unreadable).toEqual(['average_weight 0.05'])
  })

  it('of gemstones is rejected', async () => {
    const { rejections } = await readStones(
      'Stock #,gemType,Shape,Carat,Color,# Stones,Total Price\nG-1,Ruby,Oval,5,Red,10,900\n',
    )
    expect(rejections).toMatchObject([{ reason: 'A parcel of gemstones cannot be sold' }])
  })
})

describe('the word Pair in place of a stock number', () => {
  const HEADER = 'Stock #,Shape,Weight,Color,Clarity,Total Price,Cert #,Pair,Qty'
  const STONES = [
    'a1,Pear,2.02,G,VS1,9000,2141438171 / 2141438172,Matched Pair,2',
    'a2,Heart,1.00,G,VS1,2500,,pair,2',
    'a3,Oval,1.01,G,VS1,4500,2141438173,a4,1',
    'a4,Oval,1.02,G,VS1,4550,2141438174,a3,1',
  ]

  it('calls a row a pair, and names no other stone', async () => {
    const { drafts, rejections } = await readStones(`${HEADER}\n${STONES.join('\n')}\n`)
    expect(rejections).toEqual([])
    expect(drafts.map((draft) => [draft.pair_vendor_sku, draft.quantity])).toEqual([
      [null, 1],
      [null, 1],
      ['a4', 1],
      ['a3', 1],
    ])
  })
})

describe('a parcel without a number of stones', () => {
  const GRADES = 'Stock #,Shape,Weight,Color,Clarity,Price Per Carat'
  const MISSING = 'The number of stones of the parcel is missing'

  it.each([
    ['Product Type', 'Melee'],
    ['Product Type', 'Parcel'],
    ['Lot Type', 'Melee Parcel'],
    ['Type', 'Melee'],
    ['Stone Type', 'Melee'],
    ['Category', 'Natural melee diamonds'],
    ['Item Type', 'Parcels'],
    ['Is Parcel', 'Yes'],
  ])('is rejected where %s is %s', async (column, said) => {
    const { drafts, rejections } = await readStones(
      `${GRADES},${column}\nc1,Round,25.00,G-H,VS-SI,550,${said}\nc2,RD,2.00,G,VS1,550,${said}\n`,
    )
    expect(drafts).toEqual([])
    expect(rejections.map(({ reason }) => reason)).toEqual([MISSING, MISSING])
  })

  it('is rejected where the shape calls it melee, or the number is one for many carats', async () => {
    const { rejections } = await readStones(
      `${GRADES},Pcs,Lot Type\nc1,Round Melee,25.00,G-H,VS-SI,550,,\nc2,Round,25.00,G-H,VS-SI,550,1,Parcel\n`,
    )
    expect(rejections.map(({ reason }) => reason)).toEqual([MISSING, MISSING])
  })

  it('is one where its sieve or its size says so', async () => {
    const { drafts, rejections } = await readStones(
      `${GRADES},Size,Sieve,Pcs\na1,Round,10.50,G-H,VS,420,1.05,+2-2.5,2100\n` +
        'a2,Round,3.00,G-H,SI,350,0.9 mm,,\na3,Round,2.00,G-H,VS,500,,+6.5-8,\n' +
        'a4,Round,1.01,G,VS1,5000,6.4,,\n',
    )
    expect(drafts).toMatchObject([
      { vendor_sku: 'a1', product_type: 'melee', quantity: 2100 },
      { vendor_sku: 'a2', product_type: 'melee', quantity: 1130, length: 0.9, cost: '350.00' },
      { vendor_sku: 'a4', product_type: 'diamond', weight: 1.01 },
    ])
    expect(rejections).toMatchObject([{ row: 4, reason: MISSING }])
  })

  it('has as many stones as the average weight tells, which is counted', async () => {
    const { drafts, estimated_counts } = await readStones(
      `${GRADES},Avg Weight,Size (mm),Lot Type\n` +
        'a1,Round,10.00,G-H,VS,550,0.02,1.7,Parcel\na2,Princess,12.50,G-H,VS,550,0.025,1.8,Melee\n' +
        'a3,Round,12.50,G-H,VS,550,,2.4,Melee\n',
    )
    expect(drafts).toMatchObject([
      { product_type: 'melee', quantity: 500, weight: 0.02, length: 1.7, cost: '550.00' },
      { product_type: 'melee', quantity: 500, weight: 0.025, length: 1.8 },
      { product_type: 'melee', quantity: 248, length: 2.4, width: 2.4 },
    ])
    expect(estimated_counts).toBe(3)
  })

  it('has as many stones as a size in carats tells', async () => {
    const { drafts } = await readStones(
      `${GRADES},Size,Lot Type\na1,Round,10.00,G-H,VS,550,1/10,Parcel\n` +
        'a2,Round,10.00,G-H,VS,550,0.03-0.07,Parcel\na3,Round,10.00,G-H,VS,550,20 pts,Melee\n',
    )
    expect(drafts.map(({ quantity, weight, length }) => [quantity, weight, length])).toEqual([
      [100, 0.1, 3.02],
      [200, 0.05, 2.39],
      [50, 0.2, 3.8],
    ])
  })

  it('is one stone where a certificate, or its sides, or no column calls it a parcel', async () => {
    const { drafts, estimated_counts } = await readStones(
      `${GRADES},Lot Type,Report #,Measurements,Comments\n` +
        'b1,Round,1.02,G,VS1,5500,Parcel,2141438171,,\n' +
        'b2,Round,1.02,G,VS1,5500,Parcel,,6.45x6.48x4.00,\n' +
        'b3,Round,1.02,G-H,VS1,5500,Single,,,from a parcel\n' +
        'b4,Round,1.02,G,VS1,5500,Non-parcel,,,\n',
    )
    expect(drafts.map(({ product_type }) => product_type)).toEqual(Array(4).fill('diamond'))
    expect(estimated_counts).toBeUndefined()
  })
})

describe('a weight', () => {
  it('may be in points, and is rejected where it is a class of weights', async () => {
    const weights = ['101 pts', '50 pt', '33.5 points', '0.70 ctw', '1/2 ct']
    const rows = weights.map((weight, at) => `S-${at},Round,${weight},G,VS1,5000`)
    const header = 'Stock #,Shape,Weight,Color,Clarity,Price Per Carat'
    const { drafts, rejections } = await readStones([header, ...rows].join('\n'))
    expect(drafts.map(({ weight }) => weight)).toEqual([1.01, 0.5, 0.335, 0.7])
    expect(drafts[0].cost).toBe('5050.00')
    expect(rejections).toMatchObject([{ row: 6, column: 'Weight', value: '1/2 ct' }])
  })
})
