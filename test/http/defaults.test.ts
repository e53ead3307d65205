import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSupplier } from '../../src/gems/supplier-store.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

let market: TestMarket
let key: string

beforeAll(async () => {
  market = await openTestMarket()
  key = (await market.merchant()).key
})
afterAll(() => market.close())

const read = async (path: string) => (await market.call('GET', path, { token: key })).body

describe('the defaults endpoints', () => {
  it('list the gem attributes exactly, in order, in both versions', async () => {
    const attributes = await read('/api/v3/defaults/gem_attributes')
    // biome-ignore format: as the specification prints them
    expect(attributes).toEqual({
      clarity: ['FL', 'IF', 'VVS1', 'VVS2', 'VS1', 'VS2', 'SI1', 'SI2', 'I1', 'I2', 'I3'],
      color: ['D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'OP', 'P', 'Q', 'QR',
        'R', 'S', 'ST', 'T', 'U', 'UV', 'V', 'W', 'WX', 'X', 'Y', 'YZ', 'Z'],
      cut_code: ['rose_cut', 'brilliant_cut', 'step_cut', 'mirror_cut', 'european_cut',
        'old_mine_cut', 'mixed_cut', 'modified_cut'],
      cut_grade: ['IDL', 'EX', 'VG', 'G', 'F', 'P', null],
      fluorescence: ['Very Strong', 'Strong', 'Medium', 'Faint', 'Slight', 'Very Slight', 'None',
        null],
      lab: ['GIA', 'GCAL', 'IGI', null],
      polish_grade: ['EX', 'VG', 'G', 'F', 'P'],
      shape: ['asscher', 'baguette', 'briolette', 'bullets', 'calf', 'cushion', 'emerald',
        'half_moon', 'heart', 'hexagon', 'lozenge', 'marquise', 'octagon', 'oval', 'pear',
        'princess', 'radiant', 'rectangle', 'round', 'shield', 'tapered_baguette', 'trapezoid',
        'triangle'],
      symmetry_grade: ['EX', 'VG', 'G', 'F', 'P'],
      type: ['mined', 'lab grown'],
    })
    expect(await read('/api/v2/defaults/gem_attributes')).toEqual(attributes)
  })

  it('list the default margin tiers without the fields of a merchant', async () => {
    const tier = (weight_min: number, weight_max: number, mined: number, lab: number) => ({
      weight_min,
      weight_max,
      mined_percent: mined,
      lab_percent: lab,
      weight_or_price: 'weight',
    })
    expect(await read('/api/v3/defaults/profit_margins')).toEqual([
      tier(0, 0.75, 35, 50),
      tier(0.76, 0.99, 30, 45),
      tier(1, 1.99, 30, 45),
      tier(2, 10, 25, 40),
    ])
  })

  it('return the default templates by shape and grade', async () => {
    const templates = await read('/api/v2/defaults/merchant_templates')
    // biome-ignore format: one line
    expect(Object.keys(templates)).toEqual([
      'asscher', 'cushion', 'emerald', 'marquise', 'oval', 'pear', 'princess', 'radiant', 'round',
    ])
    for (const [shape, grades] of Object.entries<Record<string, object>>(templates)) {
      expect(Object.keys(grades).sort()).toEqual(['excellent', 'ideal', 'very good'])
      const common = { culet_size: null, fluorescence: 'None', length: null, width: null }
      expect(grades.ideal).toMatchObject({
        ...common,
        color: 'F',
        clarity: 'VS1',
        polish_grade: 'EX',
      })
      expect(grades.excellent).toMatchObject({ color: 'H', clarity: 'VS2', symmetry_grade: 'VG' })
      expect(grades['very good']).toMatchObject({ color: 'I', clarity: 'SI1', polish_grade: 'VG' })
      const round = shape === 'round'
      const girdles = { girdle_max: round ? 'MD' : 'STK', girdle_min: round ? 'MD' : 'VTN' }
      expect(grades.ideal).toMatchObject({ ...girdles, cut_grade: round ? 'EX' : null })
    }
    expect(templates.round.excellent.cut_grade).toBe('EX')
    expect(templates.round['very good'].cut_grade).toBe('VG')
    expect(templates.oval.excellent.girdle_max).toBe('TK')
    expect(templates.oval['very good'].girdle_max).toBe('VTK')
    expect(await read('/api/v3/defaults/merchant_templates')).toEqual(templates)
  })

  it('list the two collections with ten settings each', async () => {
    const collections = await read('/api/v2/defaults/collections')
    expect(collections.map(({ id }: { id: string }) => id)).toEqual([
      'bespoke_single',
      'bespoke_pair',
    ])
    expect(collections[1].title).toBe('Bespoke Pair')
    expect(collections[1].product_settings).toHaveLength(10)
    expect(collections[0].product_settings[5]).toEqual({
      collection_id: 'bespoke_single',
      mode: 'SINGLE',
      ratio_enabled: true,
      ratio_max: 1.6,
      ratio_min: 1.45,
      shape: 'pear',
      title: 'Asscher Diamond',
      types: ['mined', 'lab grown'],
      weight_max: 10,
      weight_min: 0,
    })
    expect(await read('/api/v3/defaults/collections')).toEqual(collections)
  })

  it('return the gem ratios', async () => {
    const ratios = await read('/api/v2/defaults/gem_ratios')
    expect(ratios).toEqual({
      asscher: { square: { ratio_min: 1, ratio_max: 1.054 } },
      cushion: {
        rectangular: { ratio_min: 1.1, ratio_max: 1.2 },
        square: { ratio_min: 1, ratio_max: 1.054 },
      },
      emerald: { rectangular: { ratio_min: 1.3, ratio_max: 1.55 } },
      marquise: { rectangular: { ratio_min: 1.9, ratio_max: 2 } },
      oval: { rectangular: { ratio_min: 1.35, ratio_max: 1.55 } },
      pear: { rectangular: { ratio_min: 1.45, ratio_max: 1.6 } },
      princess: { square: { ratio_min: 1, ratio_max: 1.054 } },
      radiant: { rectangular: { ratio_min: 1.3, ratio_max: 1.55 } },
    })
    expect(await read('/api/v3/defaults/gem_ratios')).toEqual(ratios)
  })

  it('accept any valid token; a publishable key is not told the margins', async () => {
    const { uuid: supplier_uuid } = await createSupplier(market.database.db, 'Default Stones')
    const { uuid: merchant_uuid } = (await market.merchant()).merchant
    const origin = 'https://shop.example'
    const supplier = (await market.token({ type: 'supplier', supplier_uuid })).token
    const request = { type: 'publishable', merchant_uuid, origins: [origin] } as const
    const publishable = (await market.token(request)).token
    const names = ['collections', 'gem_attributes', 'gem_ratios', 'merchant_templates']
    const call = async (name: string, token: string) => {
      const path = `/api/v3/defaults/${name}`
      return (await market.call('GET', path, { token, headers: { origin } })).status
    }
    for (const name of names) {
      for (const token of [market.adminKey, supplier, publishable]) {
        expect(await call(name, token), name).toBe(200)
      }
    }
    expect(await call('profit_margins', supplier)).toBe(200)
    expect(await call('profit_margins', publishable)).toBe(403)
  })
})
