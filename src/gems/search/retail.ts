import type { View } from '../../index/index.ts'
import { applyFactor, leastCentsPricedFrom } from '../../pricing/factor.ts'
import type { PriceRules } from '../../pricing/price-rules.ts'

/** The code of 'mined', the first value of the type list. */
const MINED = 1

/** Writes the retail prices of the rows, in cents. */
export function fillRetail(
  view: View,
  column: string,
  rules: PriceRules,
  rows: Uint32Array,
  count: number,
  prices: Float64Array,
): void {
  const { values, base } = view.numbers[column]
  const { values: weights, base: weightBase } = view.numbers.weight
  const { codes } = view.codes.type
  const byWeight = rules.mode === 'weight'
  const { starts, tops, bottoms, exactUpTo, factors } = rules.retail
  const last = starts.length - 1
  for (let i = 0; i < count; i++) {
    const row = rows[i]
    const cents = values[row] + base
    const value = byWeight ? weights[row] + weightBase : cents
    let tier = last
    while (tier > 0 && starts[tier] > value) tier--
    const position = 2 * tier + (codes[row] === MINED ? 0 : 1)
    prices[i] =
      cents <= exactUpTo[position]
        ? Math.floor((2 * cents * tops[position] + bottoms[position]) / (2 * bottoms[position]))
        : applyFactor(cents, factors[position])
  }
}

/** Moves the rows whose retail price lies within the bounds to the front; returns their number. */
export function filterRetail(
  view: View,
  column: string,
  rules: PriceRules,
  bounds: TierBounds,
  rows: Uint32Array,
  count: number,
): number {
  const { values, base } = view.numbers[column]
  const { values: weights, base: weightBase } = view.numbers.weight
  const { codes } = view.codes.type
  const byWeight = rules.mode === 'weight'
  const { starts } = rules.retail
  const { lows, highs } = bounds
  const last = starts.length - 1
  let matching = 0
  for (let i = 0; i < count; i++) {
    const row = rows[i]
    const cents = values[row] + base
    const value = byWeight ? weights[row] + weightBase : cents
    let tier = last
    while (tier > 0 && starts[tier] > value) tier--
    const position = 2 * tier + (codes[row] === MINED ? 0 : 1)
    if (cents >= lows[position] && cents <= highs[position]) rows[matching++] = row
  }
  return matching
}

/** The least and the greatest base price of each tier whose retail price lies in the range. */
interface TierBounds {
  lows: Float64Array
  highs: Float64Array
}

export function tierBounds(rules: PriceRules, min: number, max: number): TierBounds {
  const { factors } = rules.retail
  return {
    lows: Float64Array.from(factors, (factor) =>
      min === Number.NEGATIVE_INFINITY ? min : leastCentsPricedFrom(min, factor),
    ),
    highs: Float64Array.from(factors, (factor) =>
      max === Number.POSITIVE_INFINITY ? max : leastCentsPricedFrom(max + 1, factor) - 1,
    ),
  }
}
