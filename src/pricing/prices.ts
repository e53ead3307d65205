import { divideHalfUp } from '../lib/money.ts'
import type { GemType } from '../reference/attributes.ts'
import { applyFactor } from './factor.ts'
import { adjustedCents, adjustmentFor } from './price-adjustment.ts'
import type { PricedTier, PriceRules } from './price-rules.ts'

/**
 * What a stone costs a merchant. All amounts are whole cents. The base price is the stored one with
 * the merchant's adjustment, rounded; every other price is rounded once, from the unrounded product
 * of the base price, the margin and the rate.
 */
interface Priced {
  base_wholesale_price: number
  base_retail_price: number
  wholesale_price: number
  retail_price: number
}

/**
 * The last tier that begins at or below the value. So a value in a gap has the lower tier, a value
 * above all tiers the last one, and a value below all tiers the first one.
 */
function tierFor(rules: PriceRules, weightScaled: number, baseCents: number): PricedTier {
  const value = rules.mode === 'weight' ? weightScaled : baseCents
  const { tiers } = rules
  let at = tiers.length - 1
  while (at > 0 && tiers[at].from > value) at--
  return tiers[at]
}

/** The four prices of a stone in cents, from its stored wholesale price in the caller's list. */
export function priceStone(
  rules: PriceRules,
  type: GemType,
  weightScaled: number,
  storedCents: number,
): Priced {
  const baseCents = adjustedCents(adjustmentFor(rules.adjustment, type), storedCents)
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
