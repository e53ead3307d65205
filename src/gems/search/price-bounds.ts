import { type Factor, leastCentsPricedFrom } from '../../pricing/factor.ts'
import { leastStoredCents } from '../../pricing/price-adjustment.ts'
import { type PricedTier, type PriceRules, WEIGHT_DECIMALS } from '../../pricing/price-rules.ts'
import type { PriceField } from './fields.ts'

/** What the filters say about weight and type, which decide a stone's prices. */
export interface TierScope {
  weightMin: number
  weightMax: number
  types: readonly (string | null)[]
}

/**
 * Bounds on the stored value for a price that the caller sees. A row with that price or a higher
 * one stores at least `low`; a row with it or a lower one at most `high`. Every row that stores
 * `certainLow` or more has that price or a higher one; up to `certainHigh`, it or a lower one.
 */
interface Bounds {
  low: (price: number) => number
  high: (price: number) => number
  certainLow: (price: number) => number
  certainHigh: (price: number) => number
}

export function boundsOf(
  rules: PriceRules,
  price: PriceField['price'],
  sides: readonly Side[],
): Bounds {
  const bounds = sides.map((side) => sideBounds(rules, price, side))
  return bounds.length === 1 ? bounds[0] : boundsOfAll(bounds)
}

/**
 * Bounds for the stones of each factor by themselves. These are in the order of the stored column,
 * so that the bounds of one price are next to each other.
 */
export function partsOf(
  rules: PriceRules,
  price: PriceField['price'],
  sides: readonly Side[],
): readonly Bounds[] {
  return sides.flatMap(({ adjust, factors }) =>
    [...new Map(factors.map((factor) => [factor.estimate, factor])).values()].map((factor) =>
      sideBounds(rules, price, { adjust, factors: [factor] }),
    ),
  )
}

function sideBounds(
  { wholesale }: PriceRules,
  price: PriceField['price'],
  { adjust, factors }: Side,
): Bounds {
  if (price === 'per_carat') return perCaratBounds(adjust, wholesale)
  return price === 'off_list' ? offListBounds(adjust) : factorBounds(adjust, factors)
}

/** Bounds for stones of either type. */
function boundsOfAll(sides: readonly Bounds[]): Bounds {
  return {
    low: (price) => Math.min(...sides.map(({ low }) => low(price))),
    high: (price) => Math.max(...sides.map(({ high }) => high(price))),
    certainLow: (price) => Math.max(...sides.map(({ certainLow }) => certainLow(price))),
    certainHigh: (price) => Math.min(...sides.map(({ certainHigh }) => certainHigh(price))),
  }
}

/**
 * Stones that are adjusted alike, and the factors that they can have: all of them, or those of one
 * type where the merchant has terms of its own. Between prices that were adjusted alike, a greater
 * factor never gives a lower price.
 */
export interface Side {
  adjust: Factor | null
  factors: readonly Factor[]
}

export function sidesOf(rules: PriceRules, price: PriceField['price'], scope?: TierScope): Side[] {
  const { adjustment, wholesale } = rules
  const types = typesIn(scope)
  const tiers = price === 'retail' ? tiersIn(rules, scope) : []
  const factorsOf = (type: 'mined' | 'lab') =>
    price === 'retail' ? tiers.map((tier) => tier[type].retail) : [wholesale]
  if (adjustment) {
    return types.map((type) => ({ adjust: adjustment[type], factors: factorsOf(type) }))
  }
  return [{ adjust: null, factors: price === 'retail' ? types.flatMap(factorsOf) : [wholesale] }]
}

/** Which types a stone in the scope can have. */
export function typesIn(scope?: TierScope): ('mined' | 'lab')[] {
  const isMined = scope?.types.includes('mined') ?? true
  const isLab = scope?.types.some((type) => type !== 'mined') ?? true
  return [...(isMined ? (['mined'] as const) : []), ...(isLab ? (['lab'] as const) : [])]
}

/** The tiers that a stone in the scope can have. */
export function tiersIn({ tiers, mode }: PriceRules, scope?: TierScope): readonly PricedTier[] {
  if (!scope || mode === 'price') return tiers
  const inScope = tiers.filter(
    ({ from }, i) =>
      (i === 0 || from <= scope.weightMax) &&
      (tiers[i + 1]?.from ?? Number.POSITIVE_INFINITY) > scope.weightMin,
  )
  return inScope.length > 0 ? inScope : tiers
}

function factorBounds(adjust: Factor | null, factors: readonly Factor[]): Bounds {
  const least = factors.reduce((a, b) => (b.estimate < a.estimate ? b : a))
  const most = factors.reduce((a, b) => (b.estimate > a.estimate ? b : a))
  const stored = (cents: number, factor: Factor) =>
    leastStoredCents(adjust, leastCentsPricedFrom(cents, factor))
  return {
    low: (cents) => stored(cents, most),
    high: (cents) => stored(cents + 1, least) - 1,
    certainLow: (cents) => stored(cents, least),
    certainHigh: (cents) => stored(cents + 1, most) - 1,
  }
}

/**
 * The stored number is rounded down to whole US cents; the caller's is rounded up to three times,
 * and the errors of the first roundings, of the stone's price, grow when it is divided by a small
 * weight.
 */
function perCaratBounds(adjust: Factor | null, { estimate: rate }: Factor): Bounds {
  const estimate = (adjust?.estimate ?? 1) * rate
  const priceError = (adjust ? 0.5 * rate : 0) + (rate === 1 ? 0 : 0.5)
  const slack = 1 + priceError / LEAST_WEIGHT_CARATS
  const low = (cents: number) => Math.floor((cents - slack) / estimate) - 2
  const high = (cents: number) => Math.ceil((cents + slack) / estimate) + 2
  return { low, high, certainLow: high, certainHigh: low }
}

/** The least weight that the database can hold. */
const LEAST_WEIGHT_CARATS = 10 ** -WEIGHT_DECIMALS

/**
 * Both numbers are hundredths of a percent, rounded, above the list price. The adjusted price is
 * rounded before, and that error grows when it is divided by a low list price.
 */
function offListBounds(adjust: Factor | null): Bounds {
  const estimate = adjust?.estimate ?? 1
  const slack = 1 + (0.5 * LIST_PRICE_ITSELF) / LEAST_LIST_CENTS
  const bound = (hundredths: number, error: number) =>
    (hundredths + LIST_PRICE_ITSELF + error) / estimate - LIST_PRICE_ITSELF
  const low = (hundredths: number) => Math.floor(bound(hundredths, -slack)) - 2
  const high = (hundredths: number) => Math.ceil(bound(hundredths, slack)) + 2
  return { low, high, certainLow: high, certainHigh: low }
}

/** A hundred percent. */
const LIST_PRICE_ITSELF = 10_000
/** The database holds no list price below a cent. */
const LEAST_LIST_CENTS = 1
