import { centsFrom, divideHalfUp, scaledFrom } from '../lib/money.ts'
import type { GemType } from '../reference/attributes.ts'
import { applyFactor, type Factor, factorOf, RATE_DECIMALS } from './factor.ts'

/**
 * What a stone costs whom: section 3 of the contract. All amounts are whole cents. Every price is
 * rounded once, from the unrounded product of the base price, the margin and the exchange rate.
 */
export interface PriceRules {
  readonly list: PriceList
  /** What picks the tier: the stone's weight in 1/10,000 ct, or its base wholesale price in cents. */
  readonly mode: 'weight' | 'price'
  readonly tiers: readonly PricedTier[]
  readonly currency_code: string
  /** As the rate was set, for the wire: 0.92. */
  readonly exchange_rate: number
  /** Of the wholesale price: the exchange rate alone. */
  readonly wholesale: Factor
}

export type PriceList = 'default' | 'us'

/** A tier begins at its lower bound and ends where the next begins, which closes the gaps. */
export interface PricedTier {
  readonly from: number
  readonly mined: TierFactors
  readonly lab: TierFactors
}

export interface TierFactors {
  readonly base: Factor
  readonly retail: Factor
}

/** A row of profit_margin, or one of the default tiers. */
export interface MarginTier {
  weight_or_price: 'weight' | 'price'
  weight_min: string | number
  price_min: string | number
  mined_percent: string | number
  lab_percent: string | number
}

export interface PriceRulesSource {
  country_code: string
  margin_mode: 'weight' | 'price'
  /** The merchant's tiers for the kind of product that is to be priced. */
  ownTiers: readonly MarginTier[]
  /** Always by weight. */
  defaultTiers: readonly MarginTier[]
  currency_code: string
  /** Units of the currency for one US dollar. */
  exchange_rate: string
}

export const BASE_CURRENCY = 'USD'
/** Weights are kept in 1/10,000 ct, as the database does. */
export const WEIGHT_DECIMALS = 4
const USD_RATE = scaledFrom('1', RATE_DECIMALS)

export function priceRulesFrom(source: PriceRulesSource): PriceRules {
  const own = source.ownTiers.filter((tier) => tier.weight_or_price === source.margin_mode)
  const mode = own.length > 0 ? source.margin_mode : 'weight'
  const rate = scaledFrom(source.exchange_rate, RATE_DECIMALS)
  const tiers = (own.length > 0 ? own : source.defaultTiers)
    .map((tier) => ({
      from: tierStart(tier, mode),
      mined: tierFactors(tier.mined_percent, rate),
      lab: tierFactors(tier.lab_percent, rate),
    }))
    .toSorted((a, b) => a.from - b.from)
  return {
    list: source.country_code === 'US' ? 'us' : 'default',
    mode,
    tiers,
    currency_code: source.currency_code,
    exchange_rate: Number(source.exchange_rate),
    wholesale: factorOf(0, rate),
  }
}

function tierStart(tier: MarginTier, mode: 'weight' | 'price'): number {
  return mode === 'weight'
    ? Number(scaledFrom(String(tier.weight_min), WEIGHT_DECIMALS))
    : centsFrom(String(tier.price_min))
}

function tierFactors(percent: string | number, rate: bigint): TierFactors {
  const hundredths = centsFrom(String(percent))
  return { base: factorOf(hundredths, USD_RATE), retail: factorOf(hundredths, rate) }
}

/**
 * The last tier that begins at or below the value: so a value in a gap has the lower tier, one
 * above all tiers the last, and one below all of them the first.
 */
export function tierFor(rules: PriceRules, weightScaled: number, baseCents: number): PricedTier {
  const value = rules.mode === 'weight' ? weightScaled : baseCents
  const { tiers } = rules
  let at = tiers.length - 1
  while (at > 0 && tiers[at].from > value) at--
  return tiers[at]
}

export interface Priced {
  base_wholesale_price: number
  base_retail_price: number
  wholesale_price: number
  retail_price: number
}

/** The four prices of a stone in cents, from its wholesale price in the caller's list. */
export function priceStone(
  rules: PriceRules,
  type: GemType,
  weightScaled: number,
  baseCents: number,
): Priced {
  const tier = tierFor(rules, weightScaled, baseCents)
  const factors = type === 'mined' ? tier.mined : tier.lab
  return {
    base_wholesale_price: baseCents,
    base_retail_price: applyFactor(baseCents, factors.base),
    wholesale_price: applyFactor(baseCents, rules.wholesale),
    retail_price: applyFactor(baseCents, factors.retail),
  }
}

/** Cents per carat of the rounded wholesale price that the caller sees. */
export function pricePerCarat(wholesaleCents: number, weightScaled: number): number {
  return divideRounded(wholesaleCents * 10_000, weightScaled)
}

/** Hundredths of a percent above (or, negative, below) the reference list price. */
export function offRapHundredths(baseCents: number, listCents: number | null): number | null {
  return listCents === null ? null : divideRounded((baseCents - listCents) * 10_000, listCents)
}

/** The price of one melee stone in 1/10,000 dollars: its weight x the price of a carat. */
export function meleeUnitPrice(weightScaled: number, centsPerCarat: number): number {
  return divideRounded(weightScaled * centsPerCarat, 100)
}

/** Half up, away from zero for negatives; in doubles where they are exact. */
function divideRounded(numerator: number, denominator: number): number {
  const magnitude = Math.abs(numerator)
  const doubled = 2 * magnitude + denominator
  const rounded =
    doubled <= Number.MAX_SAFE_INTEGER
      ? Math.floor(doubled / (2 * denominator))
      : Number(divideHalfUp(BigInt(magnitude), BigInt(denominator)))
  return numerator < 0 ? -rounded + 0 : rounded
}
