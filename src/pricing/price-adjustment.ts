import type { PriceAdjustment } from '../database/tables/merchants.ts'
import { centsFrom } from '../lib/money.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { applyFactor, type Factor, factorOf, leastCentsPricedFrom, RATE_SCALE } from './factor.ts'
import type { MarginProduct } from './margin.ts'
import { type PriceList, priceListOf, wholesaleOf } from './price-list.ts'

/**
 * The operator may agree on terms with a merchant: percentages by which the wholesale prices that
 * it sees and pays differ from those of its list. The adjusted price is rounded to whole cents, and
 * everything else (margins, tiers by price, exchange rate, discount off the list price) follows
 * from it. The order of a merchant's mined stones stays, and that of its lab-grown ones, so an
 * index in the order of the stored prices serves every merchant.
 */
export const ADJUSTED_PERCENTS = [
  'mined_percent',
  'lab_percent',
  'gemstone_percent',
  'jewelry_percent',
] as const satisfies (keyof PriceAdjustment)[]

/** A larger difference is another price list, or a slip of the pen. */
export const ADJUSTED_PERCENT_MAX = 50

/** The factors of a merchant's stored wholesale prices, by the type of the stone. */
export interface Adjustment {
  readonly mined: Factor
  readonly lab: Factor
}

/** Null when the merchant pays what its list says. */
function adjustmentOf(
  { price_adjustment: own }: Pick<Merchant, 'price_adjustment'>,
  product: MarginProduct,
): Adjustment | null {
  if (own === null) return null
  const mined = product === 'gemstone' ? own.gemstone_percent : own.mined_percent
  const lab = product === 'gemstone' ? own.gemstone_percent : own.lab_percent
  return mined === 0 && lab === 0 ? null : { mined: percentFactor(mined), lab: percentFactor(lab) }
}

/** The factor of jewelry and watches; null when the merchant pays what its list says. */
export function jewelryAdjustmentOf({
  price_adjustment: own,
}: Pick<Merchant, 'price_adjustment'>): Factor | null {
  return own === null || own.jewelry_percent === 0 ? null : percentFactor(own.jewelry_percent)
}

function percentFactor(percent: number): Factor {
  return factorOf(centsFrom(String(percent)), RATE_SCALE)
}

/** The wholesale price in US cents that a merchant sees and pays, from the stored one. */
export function adjustedCents(factor: Factor | null, storedCents: number): number {
  return factor === null ? storedCents : applyFactor(storedCents, factor)
}

/** The least stored price that a merchant sees as `cents` or more. */
export function leastStoredCents(factor: Factor | null, cents: number): number {
  return factor === null ? cents : leastCentsPricedFrom(cents, factor)
}

export function adjustmentFor(adjustment: Adjustment | null, type: string): Factor | null {
  return adjustment && (type === 'mined' ? adjustment.mined : adjustment.lab)
}

/** Which wholesale prices a merchant pays. */
export interface WholesaleTerms {
  readonly list: PriceList
  readonly adjustment: Adjustment | null
}

/** Parcels of melee have the terms of diamonds. */
export function wholesaleTermsOf(
  merchant: Pick<Merchant, 'country_code' | 'price_adjustment'>,
  product: MarginProduct,
): WholesaleTerms {
  return { list: priceListOf(merchant), adjustment: adjustmentOf(merchant, product) }
}

/** The wholesale price of a stone, or of a carat of a parcel, in US cents. */
export function wholesaleFor(
  { list, adjustment }: WholesaleTerms,
  gem: { type: string; wholesale_price: string; wholesale_price_us: string },
): number {
  return adjustedCents(adjustmentFor(adjustment, gem.type), wholesaleOf(gem, list))
}

/** What the operator asks for: a percentage that is absent is 0. */
export type PriceAdjustmentRequest = {
  readonly [Percent in keyof PriceAdjustment]?: number | null
}

/** The value to write into the column; null clears the adjustment. */
export function adjustmentColumn(request: PriceAdjustmentRequest | null): string | null {
  if (request === null) return null
  const { mined_percent, lab_percent, gemstone_percent, jewelry_percent } = request
  const adjustment: PriceAdjustment = {
    mined_percent: mined_percent ?? 0,
    lab_percent: lab_percent ?? 0,
    gemstone_percent: gemstone_percent ?? 0,
    jewelry_percent: jewelry_percent ?? 0,
  }
  return JSON.stringify(adjustment)
}

/** Whether two adjustments make the same prices: none is as good as zeros. */
export function isSameAdjustment(a: PriceAdjustment | null, b: PriceAdjustment | null): boolean {
  return ADJUSTED_PERCENTS.every((percent) => (a?.[percent] ?? 0) === (b?.[percent] ?? 0))
}
