import { codeAt, type View } from '../../index/index.ts'
import { applyFactor, type Factor, leastCentsPricedFrom } from '../../pricing/factor.ts'
import { type Adjustment, leastStoredCents } from '../../pricing/price-adjustment.ts'
import type { PriceRules } from '../../pricing/price-rules.ts'
import { MINED_CODE } from '../indexing/columns.ts'

/** Writes the wholesale prices that the caller pays, in US cents, and returns them. */
export function fillAdjusted(
  view: View,
  column: string,
  { mined, lab }: Adjustment,
  rows: Uint32Array,
  count: number,
  prices: Float64Array,
): Float64Array {
  const { values, base } = view.numbers[column]
  const { type } = view.codes
  for (let i = 0; i < count; i++) {
    const row = rows[i]
    prices[i] = applyFactor(values[row] + base, codeAt(type, row) === MINED_CODE ? mined : lab)
  }
  return prices
}

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
  const { type } = view.codes
  const byWeight = rules.mode === 'weight'
  const { starts, tops, bottoms, exactUpTo, factors } = rules.retail
  const last = starts.length - 1
  const { adjustment } = rules
  const adjusted = adjustment && fillAdjusted(view, column, adjustment, rows, count, prices)
  for (let i = 0; i < count; i++) {
    const row = rows[i]
    const cents = adjusted === null ? values[row] + base : adjusted[i]
    const value = byWeight ? weights[row] + weightBase : cents
    let tier = last
    while (tier > 0 && starts[tier] > value) tier--
    const position = 2 * tier + (codeAt(type, row) === MINED_CODE ? 0 : 1)
    prices[i] =
      cents <= exactUpTo[position]
        ? Math.floor((2 * cents * tops[position] + bottoms[position]) / (2 * bottoms[position]))
        : applyFactor(cents, factors[position])
  }
}

/** Moves the rows whose price lies within the bounds to the front; returns their number. */
export function filterBands(
  view: View,
  column: string,
  byWeight: boolean,
  bounds: BandBounds,
  rows: Uint32Array,
  count: number,
): number {
  const { values, base } = view.numbers[column]
  const { values: weights, base: weightBase } = view.numbers.weight
  const { type } = view.codes
  const { starts, lows, highs } = bounds
  const last = starts.length - 1
  let matching = 0
  for (let i = 0; i < count; i++) {
    const row = rows[i]
    const cents = values[row] + base
    const value = byWeight ? weights[row] + weightBase : cents
    let band = last
    while (band > 0 && starts[band] > value) band--
    const position = 2 * band + (codeAt(type, row) === MINED_CODE ? 0 : 1)
    if (cents >= lows[position] && cents <= highs[position]) rows[matching++] = row
  }
  return matching
}

/**
 * The least and the greatest stored price of each band whose price lies in the range: those of
 * mined stones at position 2b, those of lab-grown ones at 2b + 1. A band begins at a weight or at a
 * stored price.
 */
interface BandBounds {
  starts: Float64Array
  lows: Float64Array
  highs: Float64Array
}

/** The bands of the retail price, one for each tier. */
export function retailBounds(rules: PriceRules, min: number, max: number): BandBounds {
  const { tiers, adjustment } = rules
  const bands = bandsOf(rules)
  const factors = bands.flatMap(({ mined, lab }) => [
    { adjust: adjustment?.mined ?? null, factor: tiers[mined].mined.retail },
    { adjust: adjustment?.lab ?? null, factor: tiers[lab].lab.retail },
  ])
  const starts = Float64Array.from(bands, ({ from }) => from)
  return { starts, ...storedBounds(factors, min, max) }
}

/** One band: the wholesale price differs by type only. */
export function wholesaleBounds(
  { wholesale: factor }: PriceRules,
  { mined, lab }: Adjustment,
  min: number,
  max: number,
): BandBounds {
  const factors = [
    { adjust: mined, factor },
    { adjust: lab, factor },
  ]
  return { starts: Float64Array.of(0), ...storedBounds(factors, min, max) }
}

/** What makes a stored price the one that the caller sees: two steps, each rounded. */
interface Steps {
  adjust: Factor | null
  factor: Factor
}

function storedBounds(steps: readonly Steps[], min: number, max: number) {
  return {
    lows: Float64Array.from(steps, ({ adjust, factor }) =>
      min === Number.NEGATIVE_INFINITY
        ? min
        : leastStoredCents(adjust, leastCentsPricedFrom(min, factor)),
    ),
    highs: Float64Array.from(steps, ({ adjust, factor }) =>
      max === Number.POSITIVE_INFINITY
        ? max
        : leastStoredCents(adjust, leastCentsPricedFrom(max + 1, factor)) - 1,
    ),
  }
}

/** Where a band begins, and the tiers that its mined and its lab-grown stones have. */
interface Band {
  from: number
  mined: number
  lab: number
}

/**
 * Tiers by price begin at an adjusted price, so at stored prices that may differ by type: then a
 * band begins wherever one of the two does.
 */
function bandsOf({ mode, tiers, adjustment }: PriceRules): Band[] {
  if (mode === 'weight' || adjustment === null) {
    return tiers.map(({ from }, tier) => ({ from, mined: tier, lab: tier }))
  }
  const mined = tiers.map(({ from }) => leastStoredCents(adjustment.mined, from))
  const lab = tiers.map(({ from }) => leastStoredCents(adjustment.lab, from))
  const starts = [...new Set([...mined, ...lab])].sort((a, b) => a - b)
  return starts.map((from) => ({ from, mined: tierAt(mined, from), lab: tierAt(lab, from) }))
}

/** The last tier that begins at or below the price, or the first. */
function tierAt(starts: readonly number[], price: number): number {
  let tier = starts.length - 1
  while (tier > 0 && starts[tier] > price) tier--
  return tier
}
