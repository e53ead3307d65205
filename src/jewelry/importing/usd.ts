import { divideHalfUp, scaledFrom } from '../../lib/money.ts'

const RATE_SCALE = 10n ** 8n
const AMOUNT_DECIMALS = 4

/** An amount in a currency as cents of US dollars; `rate` is how many units one dollar buys. */
export function usdCentsFrom(amount: number, rate: string): number {
  const scaled = BigInt(Math.round(amount * 10 ** AMOUNT_DECIMALS))
  const cents = scaled * 100n * RATE_SCALE
  const denominator = scaledFrom(rate, 8) * 10n ** BigInt(AMOUNT_DECIMALS)
  return Number(divideHalfUp(cents, denominator))
}
