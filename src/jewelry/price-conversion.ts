import { divideHalfUp, scaledFrom } from '../lib/money.ts'
import { type Factor, RATE_DECIMALS, RATE_SCALE } from '../pricing/factor.ts'
import { adjustedCents, leastStoredCents } from '../pricing/price-adjustment.ts'

/** `RATE_SCALE` as a double, for prices that are exact in doubles. */
const SCALE = Number(RATE_SCALE)

/** Converts US cents to cents of a currency, rounded half up, and price bounds back to US cents. */
export interface Conversion {
  /** Tells conversions apart: two of the same name give the same prices. */
  name: string
  convert(usdCents: number): number
  /** Returns the lowest amount in US cents whose converted price is not below this price. */
  usdCentsFrom(price: number): number
  /** Returns the highest amount in US cents whose converted price is not above this price. */
  usdCentsUpTo(price: number): number
}

export function conversionAt(rate: string): Conversion {
  const scaled = scaledFrom(rate, RATE_DECIMALS)
  const scaledNumber = Number(scaled)
  /** Converted >= wanted  ⇔  2 x usd x rate + scale >= 2 x scale x wanted. */
  const leastUsd = (wanted: bigint) => {
    const numerator = 2n * RATE_SCALE * wanted - RATE_SCALE
    const denominator = 2n * scaled
    return numerator <= 0n ? 0n : (numerator + denominator - 1n) / denominator
  }
  return {
    name: rate,
    convert(usdCents) {
      const doubled = usdCents * scaledNumber * 2
      // Most prices fit into 53 bits, where Number is exact and thirty times faster.
      if (doubled < Number.MAX_SAFE_INTEGER - SCALE) {
        return Math.floor((doubled + SCALE) / (2 * SCALE))
      }
      return Number(divideHalfUp(BigInt(usdCents) * scaled, RATE_SCALE))
    },
    usdCentsFrom: (price) => Number(leastUsd(BigInt(Math.ceil(exactCents(price))))),
    usdCentsUpTo: (price) => Number(leastUsd(BigInt(Math.floor(exactCents(price)) + 1))) - 1,
  }
}

/** Converts stored wholesale prices, which the merchant's own terms change before the rate does. */
export function adjustedConversion(conversion: Conversion, factor: Factor | null): Conversion {
  if (factor === null) return conversion
  return {
    name: `${conversion.name} ${factor.numerator}/${factor.denominator}`,
    convert: (usdCents) => conversion.convert(adjustedCents(factor, usdCents)),
    usdCentsFrom: (price) => leastStoredCents(factor, conversion.usdCentsFrom(price)),
    usdCentsUpTo: (price) => leastStoredCents(factor, conversion.usdCentsUpTo(price) + 1) - 1,
  }
}

/** Returns a price in cents, without the artefacts of multiplying a binary fraction. */
function exactCents(price: number): number {
  return Number((price * 100).toFixed(4))
}

const AMOUNT_DECIMALS = 4

/** Converts an amount to US cents; `rate` is how many units of its currency one dollar buys. */
export function usdCentsFrom(amount: number, rate: string): number {
  const scaled = BigInt(Math.round(amount * 10 ** AMOUNT_DECIMALS))
  const cents = scaled * 100n * RATE_SCALE
  const denominator = scaledFrom(rate, RATE_DECIMALS) * 10n ** BigInt(AMOUNT_DECIMALS)
  return Number(divideHalfUp(cents, denominator))
}
