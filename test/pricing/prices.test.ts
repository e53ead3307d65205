import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PriceAdjustment } from '../../src/database/tables/merchants.ts'
import { scaleDown, scaleUp } from '../../src/lib/decimals.ts'
import { applyFactor, factorOf, leastCentsPricedFrom } from '../../src/pricing/factor.ts'
import { listColumn, priceListOf, wholesaleOf } from '../../src/pricing/price-list.ts'
import {
  type MarginTier,
  type PriceRulesSource,
  priceRulesFrom,
} from '../../src/pricing/price-rules.ts'
import {
  meleeUnitPrice,
  offRapHundredths,
  pricePerCarat,
  priceStone,
} from '../../src/pricing/prices.ts'

const tier = (from: number, _to: number, mined: number, lab: number): MarginTier => ({
  weight_or_price: 'weight',
  weight_min: from,
  price_min: 0,
  mined_percent: mined,
  lab_percent: lab,
})
const TIERS = [
  tier(0, 0.75, 35, 50),
  tier(0.76, 0.99, 30, 45),
  tier(1, 1.99, 28, 42),
  tier(2, 10, 25, 40),
]
const GERMAN = { country_code: 'DE', margin_mode: 'weight', price_adjustment: null } as const
const NO_ADJUSTMENT = { mined_percent: 0, lab_percent: 0, gemstone_percent: 0, jewelry_percent: 0 }
const rulesWith = (more: Partial<PriceRulesSource> = {}) =>
  priceRulesFrom({
    merchant: GERMAN,
    product: 'diamond',
    ownTiers: TIERS,
    currency_code: 'USD',
    exchange_rate: '1',
    ...more,
  })
const retailAt = (carats: number, type: 'mined' | 'lab grown' = 'mined') =>
  priceStone(rulesWith(), type, Math.round(carats * 10_000), 100_00).retail_price

describe('the margin tier of a stone', () => {
  it('is the one whose bounds contain the weight, both ends included', () => {
    expect([0, 0.75, 0.76, 0.99, 1, 1.99, 2, 10].map((carats) => retailAt(carats))).toEqual([
      135_00, 135_00, 130_00, 130_00, 128_00, 128_00, 125_00, 125_00,
    ])
    expect(retailAt(0.75, 'lab grown')).toBe(150_00)
  })

  it('is the lower one in a gap, the last above all tiers and the first below them', () => {
    expect(retailAt(0.755)).toBe(135_00)
    expect(retailAt(0.995)).toBe(130_00)
    expect(retailAt(25)).toBe(125_00)
    const rules = rulesWith({ ownTiers: [tier(0.5, 1, 10, 20), tier(1.01, 2, 5, 6)] })
    expect(priceStone(rules, 'mined', 3_000, 100_00).retail_price).toBe(110_00)
  })

  it('follows the base wholesale price in price mode', () => {
    const byPrice = (from: number, percent: number): MarginTier => ({
      weight_or_price: 'price',
      weight_min: 0,
      price_min: from,
      mined_percent: percent,
      lab_percent: percent,
    })
    const ownTiers = [byPrice(1000.01, 20), byPrice(0, 50)]
    const rules = rulesWith({ merchant: { ...GERMAN, margin_mode: 'price' }, ownTiers })
    expect(priceStone(rules, 'mined', 90_000, 1000_00).retail_price).toBe(1500_00)
    expect(priceStone(rules, 'mined', 1_000, 1000_01).retail_price).toBe(1200_01)
  })

  it('comes from the default tiers, by weight, without own tiers of the mode in force', () => {
    const byPrice = { ...GERMAN, margin_mode: 'price' } as const
    const ownTiers = [tier(0, 10, 99, 99)]
    for (const rules of [rulesWith({ merchant: byPrice, ownTiers }), rulesWith({ ownTiers: [] })]) {
      expect(rules.mode).toBe('weight')
      const retailOf = (weight: number) => priceStone(rules, 'mined', weight, 100_00).retail_price
      expect([7_500, 7_600, 10_000, 20_000].map(retailOf)).toEqual([135_00, 130_00, 130_00, 125_00])
    }
  })

  it('for a gemstone goes by what its own tiers say, whatever the mode for diamonds', () => {
    const merchant = { ...GERMAN, margin_mode: 'price' } as const
    const rules = rulesWith({ merchant, product: 'gemstone', ownTiers: [tier(0, 10, 99, 99)] })
    expect(rules.mode).toBe('weight')
    expect(priceStone(rules, 'mined', 10_000, 100_00).retail_price).toBe(199_00)
  })
})

describe('the adjustment of a merchant', () => {
  const adjusted = (percents: Partial<PriceAdjustment>, product: 'diamond' | 'gemstone') =>
    rulesWith({
      merchant: { ...GERMAN, price_adjustment: { ...NO_ADJUSTMENT, ...percents } },
      product,
    })

  it('changes the wholesale price, rounded once, and margins apply to that', () => {
    const rules = adjusted({ mined_percent: -2.5, lab_percent: 4 }, 'diamond')
    const mined = priceStone(rules, 'mined', 10_000, 99_98)
    // 97.4805 and 1.28 x 97.48 = 124.7744
    expect(mined).toMatchObject({ base_wholesale_price: 97_48, base_retail_price: 124_77 })
    const lab = priceStone(rules, 'lab grown', 10_000, 99_98)
    expect(lab).toMatchObject({ base_wholesale_price: 103_98, base_retail_price: 147_65 })
  })

  it('of gemstones is one for both types', () => {
    const rules = adjusted({ mined_percent: 50, lab_percent: 50, gemstone_percent: 1 }, 'gemstone')
    for (const type of ['mined', 'lab grown'] as const) {
      expect(priceStone(rules, type, 10_000, 50_00).base_wholesale_price).toBe(50_50)
    }
  })

  it('decides the tier by price', () => {
    const byPrice = (from: number, percent: number): MarginTier => ({
      weight_or_price: 'price',
      weight_min: 0,
      price_min: from,
      mined_percent: percent,
      lab_percent: percent,
    })
    const price_adjustment = { ...NO_ADJUSTMENT, mined_percent: -10 }
    const merchant = { ...GERMAN, margin_mode: 'price', price_adjustment } as const
    const rules = rulesWith({ merchant, ownTiers: [byPrice(0, 50), byPrice(1000, 20)] })
    expect(priceStone(rules, 'mined', 10_000, 1100_00).retail_price).toBe(1485_00)
    expect(priceStone(rules, 'lab grown', 10_000, 1100_00).retail_price).toBe(1320_00)
  })

  it('equals exact arithmetic, and never changes the order of two stones of one type', () => {
    const percents = fc.integer({ min: -5_000, max: 5_000 })
    const prices = fc.integer({ min: 1, max: 999_999_999_999 })
    fc.assert(
      fc.property(percents, prices, prices, (hundredths, one, other) => {
        const rules = adjusted({ mined_percent: hundredths / 100 }, 'diamond')
        const priceOf = (cents: number) =>
          priceStone(rules, 'mined', 10_000, cents).base_wholesale_price
        const exact = (BigInt(one) * BigInt(10_000 + hundredths) * 2n + 10_000n) / 20_000n
        expect(priceOf(one)).toBe(Number(exact))
        expect(priceOf(Math.min(one, other))).toBeLessThanOrEqual(priceOf(Math.max(one, other)))
        expect(priceOf(one)).toBeGreaterThan(0)
      }),
    )
  })
})

describe('prices', () => {
  it('use the US list for merchants in the USA only', () => {
    const listIn = (country_code: string) =>
      rulesWith({ merchant: { ...GERMAN, country_code } }).list
    expect([listIn('US'), priceListOf({ country_code: 'US' })]).toEqual(['us', 'us'])
    expect([listIn('UM'), priceListOf({ country_code: 'UM' })]).toEqual(['default', 'default'])
  })

  it('are read from the column of the list', () => {
    const product = { wholesale_price: '10.5', wholesale_price_us: '11' }
    expect(wholesaleOf(product, 'default')).toBe(10_50)
    expect(wholesaleOf(product, 'us')).toBe(11_00)
    expect(listColumn('price_per_carat', 'us')).toBe('price_per_carat_us')
  })

  it('are rounded half up once, and equal exact arithmetic for any margin and rate', () => {
    const percents = fc.integer({ min: 0, max: 99_999_99 })
    const rates = fc.oneof(
      fc.constantFrom(1_0000_0000n, 92_000_000n, 150_00000000n),
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
    )
    const cents = fc
      .oneof(fc.integer({ min: 1, max: 1_000_000 }), fc.maxSafeNat())
      .map((n) => n % 1e12)
    fc.assert(
      fc.property(cents, percents, rates, (amount, percent, rate) => {
        const exact = 2n * BigInt(amount) * BigInt(10_000 + percent) * rate
        const whole = (exact + 10n ** 12n) / (2n * 10n ** 12n)
        fc.pre(whole < 2n ** 53n)
        expect(applyFactor(amount, factorOf(percent, rate))).toBe(Number(whole))
      }),
      { numRuns: 5_000 },
    )
  })

  it('can be inverted: the least base price that gives at least a price', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.integer({ min: 0, max: 30_000 }),
        fc.bigInt({ min: 10n ** 6n, max: 10n ** 11n }),
        (price, percent, rate) => {
          const factor = factorOf(percent, rate)
          const cents = leastCentsPricedFrom(price, factor)
          expect(applyFactor(cents, factor)).toBeGreaterThanOrEqual(price)
          if (cents > 0) expect(applyFactor(cents - 1, factor)).toBeLessThan(price)
        },
      ),
    )
  })

  it('round retail from the unrounded product, not from a rounded price', () => {
    const rules = rulesWith({ currency_code: 'EUR', exchange_rate: '0.5' })
    // 0.01 x 1.35 = 0.0135 and x 0.5 = 0.00675: rounded once it is 0.01; 0.01 x 0.5 = 0.005.
    expect(priceStone(rules, 'mined', 5_000, 1)).toEqual({
      base_wholesale_price: 1,
      base_retail_price: 1,
      wholesale_price: 1,
      retail_price: 1,
    })
    // 0.37 x 1.35 = 0.4995 is 0.50, and half of the unrounded 0.24975 is 0.25.
    expect(priceStone(rules, 'mined', 5_000, 37)).toMatchObject({
      base_retail_price: 50,
      retail_price: 25,
    })
  })

  it('per carat divide the price that the caller sees', () => {
    expect(pricePerCarat(100_00, 7_550)).toBe(132_45)
    expect(pricePerCarat(1, 20_000)).toBe(1)
    expect(pricePerCarat(1, 20_001)).toBe(0)
  })

  it('compare with the list price in hundredths of a percent, negative below it', () => {
    expect(offRapHundredths(55_00, 100_00)).toBe(-45_00)
    expect(offRapHundredths(100_00, 100_00)).toBe(0)
    expect(offRapHundredths(1, 3)).toBe(-66_67)
    expect(offRapHundredths(4, 3)).toBe(33_33)
    expect(offRapHundredths(4, null)).toBeNull()
  })

  it('of one melee stone have four decimals', () => {
    expect(meleeUnitPrice(25, 650_00)).toBe(1_6250)
    expect(meleeUnitPrice(1, 50)).toBe(1)
    expect(meleeUnitPrice(1, 49)).toBe(0)
  })
})

describe('numbers of a request', () => {
  it('are scaled by their digits, not by float multiplication', () => {
    expect(scaleUp(1.005, 3)).toBe(1005)
    expect(scaleUp(0.755, 2)).toBe(76)
    expect(scaleDown(0.755, 2)).toBe(75)
    expect(scaleUp(-0.755, 2)).toBe(-75)
    expect(scaleDown(-0.755, 2)).toBe(-76)
    expect(scaleUp(1e-9, 2)).toBe(1)
    expect(scaleDown(1e-9, 2)).toBe(0)
    expect(scaleDown(1e21, 2)).toBe(1e23)
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (n) => {
        expect(scaleUp(n / 1000, 3)).toBe(n)
        expect(scaleDown(n / 1000, 3)).toBe(n)
      }),
    )
  })
})
