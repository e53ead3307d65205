import type { FeedMapping } from '../mapping/mapping.ts'
import { type RawRow, textAt } from '../reading/raw-row.ts'
import { readNumber, readPositive, saysSideOfList } from '../values/numbers.ts'

/** How this file writes discounts; null is what its numbers do not tell. */
export interface DiscountStyle {
  /** 100 where -0.30 means 30 % below the list, 1 where -30 does. */
  factor: number | null
  /** -1 where discounts are written without their minus sign; see `changeOf`. */
  sign: Sign | null
}

/** `of list` where 65 means 65 % of the list price, and not a discount of 65 %. */
type Sign = 1 | -1 | 'of list'
const SIGNS = [1, -1, 'of list'] as const

/** Returns by how many percent a price is above the list price; it is negative below. */
export function changeOf(percent: number, sign: Sign): number {
  return sign === 'of list' ? percent - 100 : percent * sign
}

/** Names such as `Rap %` and `Net %` do not say whether they are a discount or what is left. */
const SAYS_DISCOUNT = /dis|off|back|dpx/i

export function mayBeShareOfList(column: string): boolean {
  return !SAYS_DISCOUNT.test(column)
}

/** A discount with the prices of its row. */
interface Discount {
  value: number
  hasPercentSign: boolean
  /** It says in words whether it is below or above the list price. */
  hasSide: boolean
  /** The price divided by the list price, where the row has both. */
  ratio: number | undefined
}

/** In a column of fractions instead of percentages, the values stay below this. */
const SHARE_MAX = 1.5
const SHARE_VALUES_MIN = 3
/** The numbers of fewer rows decide nothing against the supplier's last file. */
const VALUES_MIN = 50

/**
 * Learns whether discounts are percentages or fractions, and whether a minus sign means below the
 * list price. Prices and list prices prove both. What stays uncertain is null: no price is computed
 * from such a discount.
 */
export function learnDiscount(
  mapping: FeedMapping,
  sample: readonly RawRow[],
  learned: DiscountStyle | undefined,
): DiscountStyle {
  const discounts = discountsOf(mapping, sample)
  if (discounts.length === 0) return learned ?? { factor: null, sign: null }
  const factor = factorOf(discounts)
  const { column } = mapping.columns[mapping.at.discount_percentage ?? 0]
  const found = signOf(discounts, factor, mayBeShareOfList(column))
  const isFew = discounts.length < VALUES_MIN
  // Small percentages look like fractions, so a small file does not contradict percentages.
  const isPercent = isFew && learned?.factor === 1
  return {
    factor: isPercent ? 1 : (factor ?? learned?.factor ?? null),
    sign: (isFew ? learned?.sign : undefined) ?? found ?? learned?.sign ?? null,
  }
}

function discountsOf({ at, style }: FeedMapping, sample: readonly RawRow[]): Discount[] {
  const index = at.discount_percentage
  if (index === undefined) return []
  const numberAt = (cells: readonly string[], column: number | undefined) =>
    readPositive(textAt(cells, column), style)
  return sample.flatMap(({ cells }) => {
    const text = textAt(cells, index)
    const value = readNumber(text, style)
    if (value === undefined || value === 0) return []
    const weight = numberAt(cells, at.weight)
    const total = numberAt(cells, at.total_price)
    const list = numberAt(cells, at.list_price)
    const price =
      numberAt(cells, at.price_per_carat) ?? (total && weight ? total / weight : undefined)
    const ratio = price && list ? price / list : undefined
    return [{ value, hasPercentSign: text.includes('%'), hasSide: saysSideOfList(text), ratio }]
  })
}

function factorOf(discounts: readonly Discount[]): number | undefined {
  if (discounts.some(({ hasPercentSign }) => hasPercentSign)) return 1
  const small = discounts.filter(({ value }) => Math.abs(value) <= SHARE_MAX).length
  const isMixed = hasFractionsToo(discounts)
  if (small <= discounts.length * 0.9 && !isMixed) return 1
  const proof = provenBy([1, 100] as const, discounts, (discount, factor) =>
    SIGNS.some((sign) => fits(discount, changeOf(discount.value * factor, sign))),
  )
  if (proof) return proof
  return discounts.length >= SHARE_VALUES_MIN && !isMixed ? 100 : undefined
}

/** Between fractions and percentages of usual discounts there is nothing. */
const FRACTION_MIN = 0.05
const FRACTION_MAX = 0.95
const PERCENT_MIN = 5
const EACH_SHARE_MIN = 0.1

/** Whether a spreadsheet has some of the percentages as fractions: `-0.32` beside `-30`. */
function hasFractionsToo(discounts: readonly Discount[]): boolean {
  const sizes = discounts.map(({ value }) => Math.abs(value))
  const fractions = sizes.filter((size) => size >= FRACTION_MIN && size <= FRACTION_MAX).length
  const percents = sizes.filter((size) => size >= PERCENT_MIN).length
  if (fractions < SHARE_VALUES_MIN || fractions + percents < sizes.length) return false
  return Math.min(fractions, percents) >= sizes.length * EACH_SHARE_MIN
}

/** Whether the price is above the list price by this many percent, or below where negative. */
function fits({ ratio }: Discount, percent: number): boolean {
  return ratio !== undefined && Math.abs(ratio - (1 + percent / 100)) <= RATIO_TOLERANCE
}

/** Prices and discounts are often rounded. */
const RATIO_TOLERANCE = 0.006
const PROOF_SHARE_MIN = 0.8

/** Returns the reading that most rows prove; a row that fits several of them tells nothing. */
function provenBy<Reading>(
  readings: readonly Reading[],
  discounts: readonly Discount[],
  isProof: (discount: Discount, reading: Reading) => boolean,
): Reading | undefined {
  const votes = discounts.flatMap((discount) => {
    if (discount.ratio === undefined) return []
    const fitting = readings.filter((reading) => isProof(discount, reading))
    return fitting.length === 1 ? fitting : []
  })
  return readings.find((reading) => {
    const agreeing = votes.filter((vote) => vote === reading).length
    return agreeing > 0 && agreeing >= votes.length * PROOF_SHARE_MIN
  })
}

/** Fewer values tell nothing about their sign. */
const SIGNS_MIN = 5
const SIGNS_SHARE_MIN = 0.9
/** Of many stones, most are sold below the list price. */
const MANY_BELOW_MIN = 0.6
/** In percent: what is left of most list prices, which few discounts are as large as. */
const LEFT_MIN = 50
const LEFT_MAX = 110

function signOf(
  discounts: readonly Discount[],
  factor: number | undefined,
  mayBeShare: boolean,
): Sign | undefined {
  const percentOf = ({ value }: Discount) => value * (factor ?? 1)
  const proof = provenBy(SIGNS, discounts, (discount, sign) =>
    fits(discount, changeOf(percentOf(discount), sign)),
  )
  if (proof) return proof
  if (discounts.some(({ hasSide }) => hasSide)) return 1
  const count = discounts.length
  if (count < SIGNS_MIN) return undefined
  const below = discounts.filter(({ value }) => value < 0).length
  // One stone at a premium among discounts does not make them all uncertain.
  const others = Math.max(1, count * (1 - SIGNS_SHARE_MIN))
  if (count - below <= others) return 1
  if (below <= others) return mayBeShare && isMostlyLeft(discounts.map(percentOf)) ? undefined : -1
  return count >= VALUES_MIN && below >= count * MANY_BELOW_MIN ? 1 : undefined
}

function isMostlyLeft(percents: readonly number[]): boolean {
  const left = percents.filter((percent) => percent >= LEFT_MIN && percent <= LEFT_MAX).length
  return left >= percents.length * SIGNS_SHARE_MIN
}
