import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SKU_PATTERN, skuOf } from '../../src/gems/gem-sku.ts'

const SUPPLIER = '0192f0c1-2a3b-7c4d-8e5f-60718293a4b5'
const OTHER = '0192f0c1-2a3b-7c4d-8e5f-60718293a4b6'

describe('skuOf', () => {
  it('gives the same stone the same number at every import, today and in years', () => {
    expect(skuOf(SUPPLIER, 'A-1001')).toBe(skuOf(SUPPLIER, 'A-1001'))
    expect([skuOf(SUPPLIER, 'A-1001'), skuOf(SUPPLIER, 'A-1002'), skuOf(OTHER, 'A-1001')]).toEqual(
      FROZEN,
    )
  })

  it('has ten characters that cannot be misread, and the first is a letter', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ unit: 'binary' }), fc.nat(3), (uuid, stock, attempt) => {
        expect(skuOf(uuid, stock, attempt)).toMatch(SKU_PATTERN)
      }),
    )
    expect('LG12345678').not.toMatch(SKU_PATTERN)
    expect('2201234567').not.toMatch(SKU_PATTERN)
  })

  it('tells nothing about the neighbours in the stock', () => {
    let alike = 0
    for (let number = 0; number < 10_000; number++) {
      const [sku, next] = [skuOf(SUPPLIER, `A${number}`), skuOf(SUPPLIER, `A${number + 1}`)]
      alike += sku.split('').filter((character, place) => character === next[place]).length
    }
    // Ten places of chance agree 9/32 + 1/22 times a pair: 0.33, in ten thousand pairs 3268.
    expect(alike).toBeGreaterThan(2900)
    expect(alike).toBeLessThan(3650)
  })

  it('gives another number at another attempt, after a collision', () => {
    const numbers = [0, 1, 2].map((attempt) => skuOf(SUPPLIER, 'A-1001', attempt))
    expect(new Set(numbers).size).toBe(3)
  })

  it('gives two million stones of two suppliers two million numbers', () => {
    const numbers = new Float64Array(2_000_000)
    for (let stone = 0; stone < numbers.length; stone++) {
      const supplier = stone % 2 === 0 ? SUPPLIER : OTHER
      numbers[stone] = numberOf(skuOf(supplier, `RD${100_000 + (stone >> 1)}`))
    }
    numbers.sort()
    let collisions = 0
    for (let place = 1; place < numbers.length; place++) {
      if (numbers[place] === numbers[place - 1]) collisions++
    }
    expect(collisions).toBe(0)
  }, 120_000)
})

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const VALUES = new Map(DIGITS.split('').map((digit, value) => [digit, value]))

/** Ten digits of five bits are fifty bits: a number holds them exactly. */
function numberOf(sku: string): number {
  let number = 0
  for (const digit of sku) number = number * 32 + VALUES.get(digit)!
  return number
}

/** Written down once: numbers on invoices do not change with a release. */
const FROZEN = ['QKGJ2DT2TX', 'Q2TQ5XPMX6', 'FCTCWAY1CS']
