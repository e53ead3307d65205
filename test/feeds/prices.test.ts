import { describe, expect, it } from 'vitest'
import { readNumber } from '../../src/feeds/values/numbers.ts'
import { readStones, stonesByWeight } from './feed-support.ts'

const HEADER = 'Stock #,Shape,Weight,Color,Clarity'
const RATES = { EUR: '0.9', GBP: '0.8', INR: '83' }

/** A file of three stones of 1.50 ct whose other columns are given. */
function fileOf(columns: string, cells: string): string {
  const rows = [1, 2, 3].map((number) => `S-${number},Round,1.50,G,VS1,${cells}`)
  return `${HEADER},${columns}\n${rows.join('\n')}\n`
}

async function costOf(columns: string, cells: string, currency?: string) {
  const { drafts, rejections } = await readStones(fileOf(columns, cells), {
    rates: RATES,
    currency,
  })
  return drafts[0]?.cost ?? rejections[0].reason
}

describe('a price with a point before three digits', () => {
  const file = (...prices: string[]) => {
    const rows = prices.map((price, at) => `S-${at},Round,1.00,G,VS1,${price}`)
    return readStones(`${HEADER},Price Per Carat\n${rows.join('\n')}\n`)
  }

  it('is rejected where nothing says whether it groups thousands', async () => {
    const { drafts, rejections } = await file('5.210', '$ 12.500', '850.125', '5200')
    expect(drafts.map(({ cost }) => cost)).toEqual(['850.13', '5200.00'])
    expect(rejections.map(({ value, reason }) => `${value}: ${reason}`)).toEqual([
      '5.210: The point of the price may group thousands',
      '$ 12.500: The point of the price may group thousands',
    ])
  })

  it('has decimals where other prices have some', async () => {
    const { drafts } = await file('45.125', '850.5', '96.375')
    expect(drafts.map(({ cost }) => cost)).toEqual(['45.13', '850.50', '96.38'])
  })
})

describe('the currency of a price', () => {
  it('is named by its header', async () => {
    expect(await costOf('Price/Cts INR', '415000')).toBe('7500.00')
    expect(await costOf('Total Price EUR', '6750')).toBe('7500.00')
    expect(await costOf('Total Price (GBP)', '6000')).toBe('7500.00')
    expect(await costOf('Total Price €', '6750')).toBe('7500.00')
  })

  it('is named by its cell', async () => {
    for (const cell of ['₹ 6,22,500', 'Rs. 622500', '622500 INR', 'Rs 6,22,500/-']) {
      expect([cell, await costOf('Total Price', `"${cell}"`)]).toEqual([cell, '7500.00'])
    }
    for (const cell of ['€ 6.750,00', '6750 EUR', '6,750 €']) {
      const style = cell.includes('.750') ? ',"61,5"' : ''
      const columns = style === '' ? 'Total Price' : 'Total Price,Depth %'
      expect([cell, await costOf(columns, `"${cell}"${style}`)]).toEqual([cell, '7500.00'])
    }
    expect(await costOf('Total Price', '"US$ 7,500"', 'EUR')).toBe('7500.00')
    expect(await costOf('Total Price', '"$7,500"')).toBe('7500.00')
  })

  it('is named by a column, and otherwise is that of the supplier', async () => {
    expect(await costOf('Total Price,Currency', '6750,EUR')).toBe('7500.00')
    expect(await costOf('Total Price', '6000', 'GBP')).toBe('7500.00')
  })

  it('rejects a stone when two of them contradict each other', async () => {
    expect(await costOf('Total Price,Currency', '"€6,750",USD')).toMatch(/in EUR.*says USD/)
    expect(await costOf('Total Price', '"$6,750"', 'EUR')).toMatch(/dollars.*EUR/)
  })

  it('rejects a stone whose currency has no rate', async () => {
    expect(await costOf('Total Price CHF', '6750')).toBe('There is no exchange rate for CHF')
    expect(await costOf('Total Price (MAD)', '6750')).toBe('There is no exchange rate for MAD')
  })
})

describe('the digits of a price', () => {
  it('may be grouped by lakhs', async () => {
    expect(await costOf('Total Price', '"8,00,500"')).toBe('800500.00')
    expect(await costOf('Total Price', '"1,08,00,500.50"')).toBe('10800500.50')
  })

  it('may be followed by a dash for the cents', async () => {
    expect(await costOf('Total Price', "5'130.-")).toBe('5130.00')
    expect(await costOf('Total Price', 'USD 5130.--')).toBe('5130.00')
    expect(await costOf('Total Price', '"5130,-"')).toBe('5130.00')
  })

  it('are not read when there are hundreds of them', () => {
    for (const text of ['9'.repeat(400), `${'1,000,'.repeat(60)}000`, `USD ${'7'.repeat(400)}`]) {
      expect(readNumber(text, { decimalComma: false })).toBeUndefined()
    }
  })

  it('may be grouped by points where commas are decimal signs', async () => {
    const rows = stonesByWeight(4).map(
      ({ stock, weight }) => `${stock};Round;${String(weight).replace('.', ',')};G;VS1;5.210`,
    )
    const text = `Stock #;Shape;Weight;Color;Clarity;Total Price\n${rows.join('\n')}\n`
    const { drafts } = await readStones(text)
    expect(drafts.map(({ cost }) => cost)).toEqual(Array(4).fill('5210.00'))
  })
})

describe('a price that is not there', () => {
  it.each([
    ['Total Price,Rap,Disc %', '0,9000,0'],
    ['Price Per Carat,Rap,Disc %', ',9000,0'],
    ['Rap,Disc %', '9000,0'],
    ['Price Per Carat', '0'],
  ])('is on request and not invented from the list: %s %s', async (columns, cells) => {
    expect(await costOf(columns, cells)).toBe('The price is on request: the file says 0')
  })
})
