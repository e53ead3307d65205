import type { Bands, FillKeys, Order, Range, RowFilter } from '../../index/index.ts'
import { applyFactor, type Factor, leastCentsPricedFrom } from '../../pricing/factor.ts'
import { listColumn } from '../../pricing/price-list.ts'
import { type PriceRules, WEIGHT_DECIMALS } from '../../pricing/price-rules.ts'
import { pricePerCarat } from '../../pricing/prices.ts'
import type { PriceField } from './fields.ts'
import { fillRetail, filterRetail, tierBounds } from './retail.ts'

/**
 * How an index that stores wholesale prices is searched by each merchant's own prices. The number
 * that the caller sees is computed only for rows near the ends of a range or a page; all others
 * are decided by bounds on the stored column, whose order no margin or exchange rate changes.
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

/** Computes the rounded prices that the caller sees, in cents, of stones in the scope. */
export function priceKeys(rules: PriceRules, price: Price, scope?: TierScope): FillKeys {
  const column = columnOfPrice(rules, 'wholesale')
  if (price === 'per_carat') return perCaratKeys(rules, column)
  const factors = price === 'retail' ? retailFactors(rules, scope) : [rules.wholesale]
  // Where all stones have one factor, neither weights nor types need to be read.
  if (factors.length === 1) return keysBy(factors[0], column)
  return (view, rows, count, keys) => fillRetail(view, column, rules, rows, count, keys)
}

function keysBy(factor: Factor, column: string): FillKeys {
  return (view, rows, count, keys) => {
    const { values, base } = view.numbers[column]
    for (let i = 0; i < count; i++) keys[i] = applyFactor(values[rows[i]] + base, factor)
  }
}

function perCaratKeys({ wholesale }: PriceRules, column: string): FillKeys {
  return (view, rows, count, keys) => {
    const { values, base } = view.numbers[column]
    const { values: weights, base: weightBase } = view.numbers.weight
    for (let i = 0; i < count; i++) {
      const cents = applyFactor(values[rows[i]] + base, wholesale)
      keys[i] = pricePerCarat(cents, weights[rows[i]] + weightBase)
    }
  }
}

/** What the filters say about weight and type, which decide a stone's margin tier. */
export interface TierScope {
  weightMin: number
  weightMax: number
  types: readonly (string | null)[]
}

export function priceOrder(
  rules: PriceRules,
  price: Price,
  descending: boolean,
  scope: TierScope,
): Order {
  const column = columnOfPrice(rules, price)
  if (price === 'off_list') return { kind: 'column', column, descending }
  const { low, high } = boundsOf(rules, price, scope)
  const bound = (key: number) => (descending ? low(key) : high(key))
  const keys = priceKeys(rules, price, scope)
  return { kind: 'key', follows: column, descending, keys, bound }
}

/** Rows whose price lies in min..max, both in cents (or hundredths of a percent). */
export function priceRange(rules: PriceRules, price: Price, min: number, max: number): Range {
  const column = columnOfPrice(rules, price)
  if (price === 'off_list') return { kind: 'range', column, min, max }
  const { low, high, certainLow, certainHigh } = boundsOf(rules, price)
  return {
    kind: 'range',
    column,
    min: min === Number.NEGATIVE_INFINITY ? min : low(min),
    max: max === Number.POSITIVE_INFINITY ? max : high(max),
    derived: {
      certainMin: min === Number.NEGATIVE_INFINITY ? min : certainLow(min),
      certainMax: max === Number.POSITIVE_INFINITY ? max : certainHigh(max),
      ...(price === 'retail'
        ? byTier(rules, min, max)
        : { filter: filterByKey(rules, price, min, max) }),
    },
  }
}

/** The retail range as wholesale bounds: one pair for each tier and type. */
function byTier(rules: PriceRules, min: number, max: number): { filter: RowFilter; bands: Bands } {
  const column = columnOfPrice(rules, 'wholesale')
  const bounds = tierBounds(rules, min, max)
  return {
    filter: (view, rows, count) => filterRetail(view, column, rules, bounds, rows, count),
    bands: {
      column: rules.mode === 'weight' ? 'weight' : column,
      starts: rules.tiers.map(({ from }) => from),
      split: { column: 'type', value: 'mined' },
      ...bounds,
    },
  }
}

function filterByKey(rules: PriceRules, price: Price, min: number, max: number): RowFilter {
  const fill = priceKeys(rules, price)
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

function boundsOf(rules: PriceRules, price: Price, scope?: TierScope): Bounds {
  if (price === 'per_carat') return perCaratBounds(rules.wholesale)
  const factors = price === 'wholesale' ? [rules.wholesale] : retailFactors(rules, scope)
  const least = factors.reduce((a, b) => (b.estimate < a.estimate ? b : a))
  const most = factors.reduce((a, b) => (b.estimate > a.estimate ? b : a))
  return {
    low: (cents) => leastCentsPricedFrom(cents, most),
    high: (cents) => leastCentsPricedFrom(cents + 1, least) - 1,
    certainLow: (cents) => leastCentsPricedFrom(cents, least),
    certainHigh: (cents) => leastCentsPricedFrom(cents + 1, most) - 1,
  }
}

/** The factors that a stone in the scope can have. */
function retailFactors({ tiers, mode }: PriceRules, scope?: TierScope): Factor[] {
  const factors = tiers.flatMap(({ from, mined, lab }, i) => {
    if (!scope) return [mined.retail, lab.retail]
    const isOut =
      (i > 0 && from > scope.weightMax) ||
      (tiers[i + 1]?.from ?? Number.POSITIVE_INFINITY) <= scope.weightMin
    if (mode === 'weight' && isOut) return []
    const isMined = scope.types.includes('mined')
    const isLab = scope.types.some((type) => type !== 'mined')
    return [...(isMined ? [mined.retail] : []), ...(isLab ? [lab.retail] : [])]
  })
  return factors.length > 0 ? factors : tiers.map(({ mined }) => mined.retail)
}

/**
 * The stored number is rounded down to whole US cents; the caller's is rounded twice, and the error
 * of the first rounding, of the stone's price, grows when it is divided by a small weight.
 */
function perCaratBounds({ estimate }: Factor): Bounds {
  const slack = estimate === 1 ? 1 : 1 + 0.5 / LEAST_WEIGHT_CARATS
  const low = (cents: number) => Math.floor((cents - slack) / estimate) - 2
  const high = (cents: number) => Math.ceil((cents + slack) / estimate) + 2
  return { low, high, certainLow: high, certainHigh: low }
}

/** The least weight that the database can hold. */
const LEAST_WEIGHT_CARATS = 10 ** -WEIGHT_DECIMALS
