import { divideHalfUp } from '../lib/money.ts'

/**
 * A price is cents x factor, rounded half up once. The factor (margin times exchange rate) is a
 * fraction, so that a price can be computed exactly. BigInt takes some 300 ns, too long where a
 * search computes a hundred thousand prices, so it is used only where doubles are not exact.
 */
export interface Factor {
  readonly numerator: bigint
  readonly denominator: bigint
  /** The fraction as a double, with at most one rounding. */
  readonly estimate: number
  /** Up to so many cents, 2 x cents x numerator + denominator is an exact double. */
  readonly exactUpTo: number
  /** The two as doubles, used only up to `exactUpTo`. */
  readonly top: number
  readonly bottom: number
}

/** Decimals of an exchange rate. */
export const RATE_DECIMALS = 8
/** Exchange rates are scaled by this, which is also the scaled rate of the US dollar itself. */
export const RATE_SCALE = 10n ** BigInt(RATE_DECIMALS)
/** More than numeric(12, 2) can store, and far below where doubles skip integers. */
const MOST_CENTS = 1e13
const PERCENT_SCALE = 10_000n

/** (1 + percent / 100) x rate; the percentage in hundredths, the rate in units of 10^-8. */
export function factorOf(percentHundredths: number, rateScaled: bigint): Factor {
  const numerator = (PERCENT_SCALE + BigInt(percentHundredths)) * rateScaled
  const denominator = PERCENT_SCALE * RATE_SCALE
  const shared = greatestDivisor(numerator, denominator)
  const top = Number(numerator / shared)
  const bottom = Number(denominator / shared)
  return {
    numerator: numerator / shared,
    denominator: denominator / shared,
    estimate: top / bottom,
    exactUpTo: Math.floor((Number.MAX_SAFE_INTEGER - bottom) / (2 * top)),
    top,
    bottom,
  }
}

/** cents x factor, rounded half up, exactly. */
export function applyFactor(cents: number, factor: Factor): number {
  if (cents <= factor.exactUpTo) {
    // Both sides are exact integers below 2^53, so the quotient lies further from the next
    // integer than the division can round: floor is right.
    return Math.floor((2 * cents * factor.top + factor.bottom) / (2 * factor.bottom))
  }
  const estimate = cents * factor.estimate
  const below = Math.floor(estimate)
  // The estimate has three roundings of relative 2^-53 each, so 2^-50 is a safe margin.
  if (Math.abs(estimate - below - 0.5) > estimate * 2 ** -50) {
    return estimate - below >= 0.5 ? below + 1 : below
  }
  return Number(divideHalfUp(BigInt(cents) * factor.numerator, factor.denominator))
}

/** The least whole cents that the factor prices at `price` or more; Infinity when out of range. */
export function leastCentsPricedFrom(price: number, factor: Factor): number {
  if (price / factor.estimate > MOST_CENTS) return Number.POSITIVE_INFINITY
  let cents = Math.max(0, Math.floor((price - 0.5) / factor.estimate))
  while (cents > 0 && applyFactor(cents - 1, factor) >= price) cents--
  while (applyFactor(cents, factor) < price) cents++
  return cents
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b)
}
