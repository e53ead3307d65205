import { describe, expect, it } from 'vitest'
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

  it('leaves a column Size alone in a file of single stones', async () => {
    const { drafts, fields } = await readStones(
      'Stock #,Shape,Carat,Size,Color,Clarity,Price Per Carat\nS-1,Round,1.01,1.01,G,VS1,500\n',
    )
    expect(drafts).toMatchObject([{ weight: 1.01, length: null }])
    expect(fields.Size).toBeNull()
  })

  it('of gemstones is rejected', async () => {
    const { rejections } = await readStones(
      'Stock #,gemType,Shape,Carat,Color,# Stones,Total Price\nG-1,Ruby,Oval,5,Red,10,900\n',
    )
    expect(rejections).toMatchObject([{ reason: 'A parcel of gemstones cannot be sold' }])
  })
})
