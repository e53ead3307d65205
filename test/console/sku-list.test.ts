import { describe, expect, it } from 'vitest'
import { readSkus } from '../../console/src/operator/merchants/order/sku-list.ts'

/** What the operator pastes to order for a merchant. */
const read = (text: string) => readSkus(text).map(({ sku, quantity }) => `${sku}×${quantity}`)

describe('a pasted list of SKUs', () => {
  it('is separated by lines, commas, semicolons, tabs and spaces', () => {
    expect(read(' AB1\n\nAB2,AB3;AB4\tAB5 AB6\r\n')).toEqual(
      ['AB1', 'AB2', 'AB3', 'AB4', 'AB5', 'AB6'].map((sku) => `${sku}×1`),
    )
    expect(read(' \n,;')).toEqual([])
  })

  it('has quantities after a SKU on its line', () => {
    expect(read('MELEE-1 25\nMELEE-2 x 30\nMELEE-3 x40\nAB1 AB2 2')).toEqual([
      'MELEE-1×25',
      'MELEE-2×30',
      'MELEE-3×40',
      'AB1×1',
      'AB2×2',
    ])
  })

  it('adds up a SKU that is named twice, and leaves letters as they are', () => {
    expect(read('ring-a 2\nring-a 3\nring-a')).toEqual(['ring-a×6'])
    expect(read('123\n456')).toEqual(['123×1', '456×1'])
  })
})
