import type {
  BandKeys,
  Bands,
  ColumnKeys,
  FillKeys,
  Order,
  Range,
  RowFilter,
} from '../../index/index.ts'
import { applyFactor, type Factor, leastCentsPricedFrom } from '../../pricing/factor.ts'
import { type Adjustment, adjustedCents, leastStoredCents } from '../../pricing/price-adjustment.ts'
import { listColumn } from '../../pricing/price-list.ts'
import type { PricedTier, PriceRules } from '../../pricing/price-rules.ts'
import { offRapHundredths, pricePerCarat } from '../../pricing/prices.ts'
import { LIST_PRICE } from '../indexing/columns.ts'
import type { PriceField } from './fields.ts'
import {
  boundsOf,
  partsOf,
  type Side,
  sidesOf,
  type TierScope,
  tiersIn,
  typesIn,
} from './price-bounds.ts'
import { fillAdjusted, fillRetail, filterBands, retailBounds, wholesaleBounds } from './retail.ts'

/**
 * How an index that stores wholesale prices is searched by each merchant's own prices. The number
 * that the caller sees is computed only for rows near the ends of a range or a page; all others
 * are decided by bounds on the stored column, whose order no margin or exchange rate changes. Where
 * a merchant's own terms differ by type, the order stays that of the mined stones among themselves
 * and of the lab-grown ones.
 */
type Price = PriceField['price']

/** The stored column that a price follows, in the caller's list. */
export function columnOfPrice(rules: PriceRules, price: Price): string {
  return listColumn(COLUMNS[price], rules.list)
}

const COLUMNS = {
  retail: 'wholesale_price',
  wholesale: 'wholesale_price',
  per_carat: 'price_per_carat',
  off_list: 'off_rap_percentage',
} as const satisfies Record<Price, string>

/** Computes the rounded prices that the caller sees, in cents, of stones of these sides. */
function priceKeys(rules: PriceRules, price: Price, sides: readonly Side[]): FillKeys {
  const column = columnOfPrice(rules, 'wholesale')
  const { adjustment } = rules
  if (price === 'per_carat') return perCaratKeys(rules, column)
  if (price === 'off_list') return adjustment ? offListKeys(adjustment, column) : storedKeys(rules)
  const [{ adjust, factors }] = sides
  // Where all stones have one factor, neither weights nor types need to be read.
  if (sides.length === 1 && factors.length === 1) return keysBy(adjust, factors[0], column)
  if (price === 'wholesale' && adjustment) return wholesaleKeys(rules, adjustment, column)
  return (view, rows, count, keys) => fillRetail(view, column, rules, rows, count, keys)
}

/** The retail prices of stones in the scope, for a histogram. */
export function retailKeys(rules: PriceRules, scope: TierScope): ColumnKeys | BandKeys | FillKeys {
  const column = columnOfPrice(rules, 'retail')
  const sides = sidesOf(rules, 'retail', scope)
  const [{ adjust, factors }] = sides
  const [factor] = factors
  const isOneFactor = factors.every(({ estimate }) => estimate === factor.estimate)
  if (sides.length === 1 && isOneFactor) return { column, ...keyFunctions(adjust, factor) }
  const fill = priceKeys(rules, 'retail', sides)
  // Tiers by price begin at prices that may differ by type, so that they are not bands.
  if (rules.mode === 'price') return fill
  const tiers = tiersIn(rules, scope)
  const types = typesIn(scope)
  const functionsOf = (type: 'mined' | 'lab', tier: PricedTier) =>
    types.includes(type) ? keyFunctions(rules.adjustment?.[type] ?? null, tier[type].retail) : null
  return {
    column,
    fill,
    bands: { column: 'weight', starts: tiers.map(({ from }) => from), split: MINED },
    byBand: tiers.flatMap((tier) => [functionsOf('mined', tier), functionsOf('lab', tier)]),
  }
}

/** What divides the stones of a tier in two. */
const MINED = { column: 'type', value: 'mined' }

/** A retail price of a stored one, and back. */
function keyFunctions(
  adjust: Factor | null,
  factor: Factor,
): Pick<ColumnKeys, 'keyOf' | 'valueFrom'> {
  return {
    keyOf: (stored) => applyFactor(adjustedCents(adjust, stored), factor),
    valueFrom: (cents) => leastStoredCents(adjust, leastCentsPricedFrom(cents, factor)),
  }
}

function keysBy(adjust: Factor | null, factor: Factor, column: string): FillKeys {
  return (view, rows, count, keys) => {
    const { values, base } = view.numbers[column]
    for (let i = 0; i < count; i++) {
      keys[i] = applyFactor(adjustedCents(adjust, values[rows[i]] + base), factor)
    }
  }
}

function wholesaleKeys({ wholesale }: PriceRules, own: Adjustment, column: string): FillKeys {
  return (view, rows, count, keys) => {
    fillAdjusted(view, column, own, rows, count, keys)
    for (let i = 0; i < count; i++) keys[i] = applyFactor(keys[i], wholesale)
  }
}

function perCaratKeys({ wholesale, adjustment }: PriceRules, column: string): FillKeys {
  return (view, rows, count, keys) => {
    const { values, base } = view.numbers[column]
    const { values: weights, base: weightBase } = view.numbers.weight
    const adjusted = adjustment && fillAdjusted(view, column, adjustment, rows, count, keys)
    for (let i = 0; i < count; i++) {
      const row = rows[i]
      const cents = adjusted === null ? values[row] + base : adjusted[i]
      keys[i] = pricePerCarat(applyFactor(cents, wholesale), weights[row] + weightBase)
    }
  }
}

/** A stone without a list price is last in either direction. */
function offListKeys(own: Adjustment, column: string): FillKeys {
  return (view, rows, count, keys) => {
    const { values, base, none } = view.numbers[LIST_PRICE]
    fillAdjusted(view, column, own, rows, count, keys)
    for (let i = 0; i < count; i++) {
      const stored = values[rows[i]]
      const listPrice = stored === none ? null : stored + base
      keys[i] = offRapHundredths(keys[i], listPrice) ?? Number.POSITIVE_INFINITY
    }
  }
}

/** The caller's own terms change nothing: the stored number is what the caller sees. */
function storedKeys(rules: PriceRules): FillKeys {
  return (view, rows, count, keys) => {
    const { values, base, none } = view.numbers[columnOfPrice(rules, 'off_list')]
    for (let i = 0; i < count; i++) {
      const stored = values[rows[i]]
      keys[i] = stored === none ? Number.POSITIVE_INFINITY : stored + base
    }
  }
}

/** Whether the caller's price is the stored column itself. */
function isStored(rules: PriceRules, price: Price): boolean {
  return price === 'off_list' && rules.adjustment === null
}

export function priceOrder(
  rules: PriceRules,
  price: Price,
  descending: boolean,
  scope: TierScope,
): Order {
  const column = columnOfPrice(rules, price)
  if (isStored(rules, price)) return { kind: 'column', column, descending }
  const sides = sidesOf(rules, price, scope)
  const { low, high } = boundsOf(rules, price, sides)
  const bound = (key: number) => (descending ? low(key) : high(key))
  const keys = priceKeys(rules, price, sides)
  const parts = () => partsOf(rules, price, sides)
  return { kind: 'key', follows: column, descending, keys, bound, parts }
}

/** Rows whose price lies in min..max, both in cents (or hundredths of a percent). */
export function priceRange(rules: PriceRules, price: Price, min: number, max: number): Range {
  const column = columnOfPrice(rules, price)
  if (isStored(rules, price)) return { kind: 'range', column, min, max }
  const sides = sidesOf(rules, price)
  const { low, high, certainLow, certainHigh } = boundsOf(rules, price, sides)
  return {
    kind: 'range',
    column,
    min: min === Number.NEGATIVE_INFINITY ? min : low(min),
    max: max === Number.POSITIVE_INFINITY ? max : high(max),
    derived: {
      certainMin: min === Number.NEGATIVE_INFINITY ? min : certainLow(min),
      certainMax: max === Number.POSITIVE_INFINITY ? max : certainHigh(max),
      ...(byBands(rules, price, min, max) ?? {
        filter: filterByKey(priceKeys(rules, price, sides), min, max),
      }),
    },
  }
}

/** A range of retail or adjusted wholesale prices as stored bounds: one pair for each band. */
function byBands(
  rules: PriceRules,
  price: Price,
  min: number,
  max: number,
): { filter: RowFilter; bands: Bands } | undefined {
  const { adjustment } = rules
  const isRetail = price === 'retail'
  if (!isRetail && (price !== 'wholesale' || adjustment === null)) return undefined
  const column = columnOfPrice(rules, 'wholesale')
  const bounds =
    isRetail || adjustment === null
      ? retailBounds(rules, min, max)
      : wholesaleBounds(rules, adjustment, min, max)
  const byWeight = isRetail && rules.mode === 'weight'
  return {
    filter: (view, rows, count) => filterBands(view, column, byWeight, bounds, rows, count),
    bands: {
      column: byWeight ? 'weight' : column,
      split: MINED,
      ...bounds,
      starts: [...bounds.starts],
    },
  }
}

function filterByKey(fill: FillKeys, min: number, max: number): RowFilter {
  return (view, rows, count) => {
    const keys = new Float64Array(count)
    fill(view, rows, count, keys)
    let matching = 0
    for (let i = 0; i < count; i++) {
      if (keys[i] >= min && keys[i] <= max) rows[matching++] = rows[i]
    }
    return matching
  }
}
