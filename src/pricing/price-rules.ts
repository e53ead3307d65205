import { centsFrom, scaledFrom } from '../lib/money.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { DEFAULT_MARGINS } from '../reference/defaults.ts'
import { type Factor, factorOf, RATE_DECIMALS, RATE_SCALE } from './factor.ts'
import type { MarginMode, MarginProduct } from './margin.ts'
import { type WholesaleTerms, wholesaleTermsOf } from './price-adjustment.ts'

/**
 * What a merchant pays: the price list, its own adjustment, the margin tiers and the exchange rate.
 * `priceRulesFrom` is the only place that makes them; prices.ts applies them to a stone.
 */
export interface PriceRules extends WholesaleTerms {
  /** What decides the tier: the stone's weight in 1/10,000 ct or its base price in cents. */
  readonly mode: MarginMode
  readonly tiers: readonly PricedTier[]
  readonly currency_code: string
  /** As the rate was set, for the wire: 0.92. */
  readonly exchange_rate: number
  /** Of the wholesale price: the exchange rate alone. */
  readonly wholesale: Factor
  readonly retail: RetailFactors
}

/** A tier begins at its lower bound and ends where the next begins, which closes the gaps. */
export interface PricedTier {
  readonly from: number
  readonly mined: TierFactors
  readonly lab: TierFactors
}

interface TierFactors {
  readonly base: Factor
  readonly retail: Factor
}

/**
 * The retail factors of the tiers as flat arrays, for loops over many rows: tierFor and applyFactor
 * on objects take 45 ns a row, loops over these some 10. The factor of tier t is at position 2t for
 * mined stones and at 2t + 1 for lab-grown ones.
 */
interface RetailFactors {
  readonly starts: Float64Array
  readonly tops: Float64Array
  readonly bottoms: Float64Array
  readonly exactUpTo: Float64Array
  readonly factors: readonly Factor[]
}

/** A row of profit_margin, or one of the default tiers. */
export interface MarginTier {
  weight_or_price: MarginMode
  weight_min: string | number
  price_min: string | number
  mined_percent: string | number
  lab_percent: string | number
}

export interface PriceRulesSource {
  merchant: Pick<Merchant, 'country_code' | 'margin_mode' | 'price_adjustment'>
  product: MarginProduct
  /** The merchant's own tiers for the product; without any, the default tiers are in force. */
  ownTiers: readonly MarginTier[]
  currency_code: string
  /** Units of the currency for one US dollar. */
  exchange_rate: string
}

/** Weights are in 1/10,000 ct, as in the database. */
export const WEIGHT_DECIMALS = 4
const DEFAULT_TIERS: readonly MarginTier[] = DEFAULT_MARGINS.map((tier) => ({
  ...tier,
  price_min: 0,
}))

export function priceRulesFrom(source: PriceRulesSource): PriceRules {
  const ownMode = marginModeOf(source)
  const own = source.ownTiers.filter((tier) => tier.weight_or_price === ownMode)
  // The default tiers go by weight.
  const mode = own.length > 0 ? ownMode : 'weight'
  const rate = scaledFrom(source.exchange_rate, RATE_DECIMALS)
  const tiers = (own.length > 0 ? own : DEFAULT_TIERS)
    .map((tier) => ({
      from: tierStart(tier, mode),
      mined: tierFactors(tier.mined_percent, rate),
      lab: tierFactors(tier.lab_percent, rate),
    }))
    .toSorted((a, b) => a.from - b.from)
  return {
    ...wholesaleTermsOf(source.merchant, source.product),
    mode,
    tiers,
    currency_code: source.currency_code,
    exchange_rate: Number(source.exchange_rate),
    wholesale: factorOf(0, rate),
    retail: retailFactorsOf(tiers),
  }
}

/** Tiers for gemstones say themselves what they go by; the merchant's mode is about diamonds. */
function marginModeOf({ merchant, product, ownTiers }: PriceRulesSource): MarginMode {
  const [first] = product === 'gemstone' ? ownTiers : []
  return first ? first.weight_or_price : merchant.margin_mode
}

function tierStart(tier: MarginTier, mode: MarginMode): number {
  return mode === 'weight'
    ? Number(scaledFrom(String(tier.weight_min), WEIGHT_DECIMALS))
    : centsFrom(String(tier.price_min))
}

function tierFactors(percent: string | number, rate: bigint): TierFactors {
  const hundredths = centsFrom(String(percent))
  return { base: factorOf(hundredths, RATE_SCALE), retail: factorOf(hundredths, rate) }
}

function retailFactorsOf(tiers: readonly PricedTier[]): RetailFactors {
  const factors = tiers.flatMap(({ mined, lab }) => [mined.retail, lab.retail])
  return {
    starts: Float64Array.from(tiers, ({ from }) => from),
    tops: Float64Array.from(factors, ({ top }) => top),
    bottoms: Float64Array.from(factors, ({ bottom }) => bottom),
    exactUpTo: Float64Array.from(factors, (factor) => factor.exactUpTo),
    factors,
  }
}
