import type { FeedMapping } from '../mapping/mapping.ts'
import type { RawRow } from '../reading/raw-row.ts'
import { readNumber, readPositive } from '../values/numbers.ts'

/** How this file writes discounts; null is what its numbers do not tell. */
export interface DiscountStyle {
  /** 100 where -0.30 means 30 % below the list, 1 where -30 does. */
  factor: number | null
  /** -1 where discounts are written without their minus sign. */
  sign: 1 | -1 | null
}

/** A discount with the prices of its row. */
interface Discount {
  value: number
  hasPercentSign: boolean
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
  const isFew = discounts.length < VALUES_MIN
  // Small percentages look like fractions, so a small file does not contradict percentages.
  const isPercent = isFew && learned?.factor === 1
  return {
    factor: isPercent ? 1 : (factor ?? learned?.factor ?? null),
    sign: (isFew ? learned?.sign : undefined) ?? signOf(discounts, factor) ?? learned?.sign ?? null,
  }
}

function discountsOf({ at, style }: FeedMapping, sample: readonly RawRow[]): Discount[] {
  const index = at.discount_percentage
  if (index === undefined) return []
  const numberAt = (cells: readonly string[], column: number | undefined) =>
    column === undefined ? undefined : readPositive((cells[column] ?? '').trim(), style)
  return sample.flatMap(({ cells }) => {
    const text = (cells[index] ?? '').trim()
    const value = readNumber(text, style)
    if (value === undefined || value === 0) return []
    const weight = numberAt(cells, at.weight)
    const total = numberAt(cells, at.total_price)
    const list = numberAt(cells, at.list_price)
    const price =
      numberAt(cells, at.price_per_carat) ?? (total && weight ? total / weight : undefined)
    const ratio = price && list ? price / list : undefined
    return [{ value, hasPercentSign: text.includes('%'), ratio }]
  })
}

function factorOf(discounts: readonly Discount[]): number | undefined {
  if (discounts.some(({ hasPercentSign }) => hasPercentSign)) return 1
  const small = discounts.filter(({ value }) => Math.abs(value) <= SHARE_MAX).length
  if (small <= discounts.length * 0.9) return 1
  const proof = provenBy(discounts, (discount) => {
    const isShare = fits(discount, discount.value) || fits(discount, -discount.value)
    const isPercent = fits(discount, discount.value / 100) || fits(discount, -discount.value / 100)
    return isShare === isPercent ? undefined : isShare ? 1 : -1
  })
  if (proof) return proof === 1 ? 100 : 1
  return discounts.length >= SHARE_VALUES_MIN ? 100 : undefined
}

/** Below the list price by this share, or above it where the share is negative. */
function fits({ ratio }: Discount, share: number): boolean {
  return ratio !== undefined && Math.abs(ratio - (1 + share)) <= RATIO_TOLERANCE
}

/** Prices and discounts are often rounded. */
const RATIO_TOLERANCE = 0.006
const PROOF_SHARE_MIN = 0.8

/** What most rows that tell anything say; undefined without any. */
function provenBy(
  discounts: readonly Discount[],
  vote: (discount: Discount) => 1 | -1 | undefined,
): 1 | -1 | undefined {
  const votes = discounts.map(vote).filter((one) => one !== undefined)
  const positive = votes.filter((one) => one === 1).length
  if (votes.length > 0 && positive >= votes.length * PROOF_SHARE_MIN) return 1
  if (votes.length > 0 && positive <= votes.length * (1 - PROOF_SHARE_MIN)) return -1
  return undefined
}

/** With fewer values than this, all must have the same sign. */
const SIGNS_SAME_MIN = 5
const SIGNS_SHARE_MIN_FROM = 10
const SIGNS_SHARE_MIN = 0.9
/** Of many stones, most are sold below the list price. */
const MANY_BELOW_MIN = 0.6

function signOf(
  discounts: readonly Discount[],
  factor: number | undefined,
): DiscountStyle['sign'] | undefined {
  const proof = provenBy(discounts, (discount) => {
    const share = (discount.value * (factor ?? 1)) / 100
    const isNegativeBelow = fits(discount, share)
    const isPositiveBelow = fits(discount, -share)
    return isNegativeBelow === isPositiveBelow ? undefined : isNegativeBelow ? 1 : -1
  })
  if (proof) return proof
  const count = discounts.length
  const negative = discounts.filter(({ value }) => value < 0).length / count
  if (count < SIGNS_SAME_MIN) return undefined
  if (count < SIGNS_SHARE_MIN_FROM) return negative === 1 ? 1 : negative === 0 ? -1 : undefined
  if (negative >= SIGNS_SHARE_MIN) return 1
  if (negative <= 1 - SIGNS_SHARE_MIN) return -1
  return count >= VALUES_MIN && negative >= MANY_BELOW_MIN ? 1 : undefined
}
