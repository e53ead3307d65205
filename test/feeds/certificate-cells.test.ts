import { describe, expect, it } from 'vitest'
import { readStones } from './feed-support.ts'

const HEADER = 'Stock #,Shape,Weight,Color,Clarity,Price Per Carat'
const STONE = 'Oval,1.50,G,VS1,5000'

/** Reads one column of certificates; each text is a stone. */
async function certificates(column: string, texts: string[]) {
  const rows = texts.map((text, at) => `S${at},${STONE},${text}`)
  return readStones(`${HEADER},${column}\n${rows.join('\n')}\n`)
}

describe('a certificate number with its laboratory', () => {
  it.each(['Certificate', 'Certificate #', 'Report No'])('is both in %s', async (column) => {
    const { drafts, otherLabs } = await certificates(column, [
      'GIA 2201400000',
      'IGI LG123456789',
      'HRD-190001234567',
      'GIA#2201400001',
      'GIA: 2201400002',
      'GIA2201400003',
    ])
    expect(drafts.map(({ lab, lab_name, cert_num }) => [lab, lab_name, cert_num])).toEqual([
      ['GIA', 'GIA', '2201400000'],
      ['IGI', 'IGI', 'LG123456789'],
      [null, 'HRD', '190001234567'],
      ['GIA', 'GIA', '2201400001'],
      ['GIA', 'GIA', '2201400002'],
      ['GIA', 'GIA', '2201400003'],
    ])
    expect(otherLabs).toEqual([{ lab_original: 'HRD', count: 1 }])
  })

  it('yields to the column of laboratories', async () => {
    const text = `${HEADER},Lab,Certificate #\nA,${STONE},IGI,GIA 2201400000\n`
    expect((await readStones(text)).drafts).toMatchObject([{ lab: 'IGI', cert_num: '2201400000' }])
  })
})

describe('the certificates of a pair', () => {
  it.each([
    '2201400000 - 2201400001',
    '2201400000 – 2201400001',
    '2201400000-2201400001',
    '2201400000 / 2201400001',
    'GIA 2201400000 - GIA 2201400001',
  ])('are two numbers in %s', async (text) => {
    const { drafts } = await readStones(`${HEADER},Is Pair,Certificate #\nA,${STONE},Yes,${text}\n`)
    expect(drafts).toMatchObject([{ cert_num: '2201400000 / 2201400001' }])
  })
})

describe('a word of the trade in place of a certificate number', () => {
  it.each(['SOLD', 'Reserved', 'On Memo', 'Verkauft', 'on hold'])(
    'takes the stone off the market: %s',
    async (text) => {
      const few = await certificates('Certificate', [text])
      expect(few.drafts).toEqual([])
      const numbers = ['2201400000', '2201400001', '2201400002', text]
      const many = await certificates('Certificate #', numbers)
      expect(many.drafts).toHaveLength(3)
      expect(many.rejections).toMatchObject([{ reason: 'The stone is not on offer', value: text }])
      const gem = `Stock #,gemType,Shape,Carat,Color,Certificate,Price/Ct\nG,Ruby,Oval,1.5,Red,${text},900\n`
      expect((await readStones(gem)).rejections).toHaveLength(1)
    },
  )

  it('is not one that says that there is none', async () => {
    const { drafts } = await certificates('Certificate #', ['N/A', 'None', 'Not available', 'NA'])
    expect(drafts).toHaveLength(4)
  })
})

describe('a word of the trade in place of a price', () => {
  const stones = (columns: string, rows: string[]) =>
    readStones(`Stock #,Shape,Weight,Color,Clarity,${columns}\n${rows.join('\n')}\n`)

  it.each(['SOLD', 'Hold', 'on memo', 'Reserved', 'Sold 12/3'])(
    'takes the stone off the market: %s',
    async (text) => {
      const prices = ['A,Oval,1.5,G,VS1,5000', `B,Oval,1.6,G,VS1,${text}`]
      const { drafts, rejections } = await stones('Price Per Carat', prices)
      expect(drafts).toHaveLength(1)
      expect(rejections).toMatchObject([{ value: text, reason: 'The stone is not on offer' }])
    },
  )

  it('may stand over the whole row', async () => {
    const rows = ['A', 'B', 'C'].map((sku) => `${sku},Oval,1.5,G,VS1,5000,7500`)
    const { rejections } = await stones('Price Per Carat,Total Price', [...rows, 'D,SOLD'])
    expect(rejections).toMatchObject([
      { row: 5, column: 'Shape', reason: 'The stone is not on offer' },
    ])
  })

  it('is none where the price is on request', async () => {
    const rows = ['A,Oval,1.5,G,VS1,5000', 'B,Oval,1.6,G,VS1,on request']
    const { rejections } = await stones('Price Per Carat', rows)
    expect(rejections).toMatchObject([{ reason: 'The price is not a number above zero' }])
  })
})

describe('a remark', () => {
  it.each(['Memo out to a client', 'On hold - K.', 'Reserved by K.', 'sold on 12/3', 'Hold by K.'])(
    'takes the stone off the market: %s',
    async (text) => {
      const { rejections } = await readStones(`${HEADER},Remark\nA,${STONE},${text}\n`)
      expect(rejections).toMatchObject([{ reason: 'The stone is not on offer' }])
    },
  )

  it.each(['Sold as a pair', 'Memo available', 'Hold possible'])('leaves it: %s', async (text) => {
    const { drafts } = await readStones(`${HEADER},Remark\nA,${STONE},${text}\n`)
    expect(drafts).toHaveLength(1)
  })
})
