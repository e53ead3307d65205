import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  FEED_COLUMNS,
  feedColumns,
  GEM_COLUMNS,
  type Gem,
  ratioGroupOf,
  SKU_PATTERN,
  STONE_FIELDS,
  skuOf,
} from '../../src/gems/gem.ts'
import { renderStone, stoneJson } from '../../src/gems/gem-rendering.ts'

const SUPPLIER = '0192f0c1-2a3b-7c4d-8e5f-60718293a4b5'
const OTHER = '0192f0c1-2a3b-7c4d-8e5f-60718293a4b6'

/** A row as PostgreSQL prints it; every column that is not named is null. */
const rowOf = (columns: Partial<Gem>) =>
  ({ ...Object.fromEntries(GEM_COLUMNS.map((column) => [column, null])), ...columns }) as Gem

const STONE = rowOf({
  id: 4711,
  sku: 'D123456789',
  product_type: 'diamond',
  type: 'mined',
  shape: 'round',
  cut_code: 'brilliant_cut',
  weight: '1.0200',
  length: '6.450',
  depth_percentage: '61.00',
  crown_angle: '0.00',
  color: 'F',
  overtone: 'gräulich "\\',
  is_fancy: false,
  cut_grade: 'EX',
  quantity: 1,
  days_to_return: 10,
  v360_info: { frames: [1, 'é'] },
  created_on: '2026-01-31 09:15:00.12+00',
  updated_on: '2026-01-31 09:15:00+00',
})

describe('the JSON of a stone', () => {
  it('writes each column as its kind, and null where the stone has no value', () => {
    const stone = renderStone(STONE, 'http://pavilion.test')
    const shown = Object.fromEntries(Object.entries(stone).filter(([, value]) => value !== null))
    expect(shown).toEqual({
      id: 4711,
      sku: 'D123456789',
      product_type: 'diamond',
      type: 'mined',
      parcel: false,
      shape: 'round',
      cut_code: 'brilliant_cut',
      weight: 1.02,
      length: 6.45,
      depth_percentage: 61,
      crown_angle: 0,
      color: 'F',
      overtone: 'gräulich "\\',
      is_fancy: false,
      cut_grade: 'EX',
      cut_grade_description: 'Excellent',
      quantity: 1,
      enabled: true,
      is_sustainable: false,
      days_to_return: 10,
      created_on: '2026-01-31 09:15:00.120000',
      updated_on: '2026-01-31 09:15:00.000000',
      v360_info: { frames: [1, 'é'] },
      shape_icon_url: 'http://pavilion.test/shapes/round.svg',
      shape_icon_url_png: 'http://pavilion.test/shapes/round.png',
      shape_image_url: 'http://pavilion.test/shapes/round.png',
    })
  })

  it('is what a serialiser writes, in the order of the fields, without the last brace', () => {
    const stone = renderStone(STONE, 'http://pavilion.test')
    expect(Object.keys(stone)).toEqual(STONE_FIELDS)
    expect(`${stoneJson(STONE, 'http://pavilion.test')}}`).toBe(JSON.stringify(stone))
  })

  it('writes every decimal as the number that it is', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(4), (units, decimals) => {
        const weight = (units / 10 ** decimals).toFixed(decimals)
        const json = stoneJson({ ...STONE, weight }, '')
        expect(json).toContain(`"weight":${JSON.stringify(Number(weight))},`)
      }),
    )
  })

  it('names the species of a gemstone and the quality of a parcel', () => {
    const gemstone = renderStone({ ...STONE, product_type: 'gemstone', species: 'ruby' }, '')
    expect(gemstone).toMatchObject({ parcel: false, stone_type: 'ruby', quality: null })
    const grades = { color: 'F', color_max: 'D', clarity: 'VS2', clarity_max: 'VVS1' }
    const parcel = renderStone({ ...STONE, product_type: 'melee', ...grades }, '')
    expect(parcel).toMatchObject({ parcel: true, stone_type: null, quality: 'D-F/VVS1-VS2' })
  })

  it('has nothing that only the operator may know', () => {
    const hidden = [
      'cost',
      'cost_exact',
      'list_price',
      'list_price_from_grid',
      'supplier_id',
      'vendor_sku',
      'state',
      'hold_merchant_uuid',
    ]
    expect(STONE_FIELDS).not.toEqual(expect.arrayContaining([expect.toBeOneOf(hidden)]))
  })
})

describe('the columns that a feed writes', () => {
  it('are each of exactly one kind of change', () => {
    const kinds = ['identity', 'quantity', 'price', 'media', 'details'] as const
    const all = kinds.flatMap((kind) => feedColumns(kind))
    expect(all.toSorted()).toEqual(FEED_COLUMNS.toSorted())
    expect(feedColumns('price')).toEqual([
      'cost',
      'cost_exact',
      'list_price',
      'list_price_from_grid',
      'wholesale_price',
      'wholesale_price_us',
    ])
    expect(feedColumns('identity', 'quantity')).toEqual(['vendor_sku', 'quantity'])
  })
})

describe('the ratio group', () => {
  it('is square up to the bound of the table, and null for shapes without such forms', () => {
    expect(ratioGroupOf('cushion', 1.054)).toBe('square')
    expect(ratioGroupOf('cushion', 1.055)).toBe('rectangular')
    expect(ratioGroupOf('round', 1)).toBeNull()
  })
})

describe('skuOf', () => {
  it('gives the same stone the same number at every import, now and in years', () => {
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

  it('reveals nothing about the neighbours in the stock', () => {
    let alike = 0
    for (let number = 0; number < 10_000; number++) {
      const [sku, next] = [skuOf(SUPPLIER, `A${number}`), skuOf(SUPPLIER, `A${number + 1}`)]
      alike += sku.split('').filter((character, at) => character === next[at]).length
    }
    // By chance, two numbers agree in 9/32 + 1/22 = 0.33 of their ten positions: in ten thousand
    // pairs that makes 3268.
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
  })
})

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const VALUES = new Map(DIGITS.split('').map((digit, value) => [digit, value]))

/** Ten digits of five bits are fifty bits, which a number represents exactly. */
function numberOf(sku: string): number {
  let number = 0
  for (const digit of sku) number = number * 32 + VALUES.get(digit)!
  return number
}

/** Fixed values: numbers on invoices must not change with a release. */
const FROZEN = ['QKGJ2DT2TX', 'Q2TQ5XPMX6', 'FCTCWAY1CS']
