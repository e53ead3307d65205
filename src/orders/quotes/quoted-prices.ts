import { scaleDown, scaleUp } from '../../lib/decimals.ts'
import { amountFrom, centsFrom, digitsFrom, divideHalfUp, scaledFrom } from '../../lib/money.ts'
import { type FieldError, Refusal } from '../../lib/refusal.ts'
import { RATE_DECIMALS, RATE_SCALE } from '../../pricing/factor.ts'
import { WEIGHT_DECIMALS } from '../../pricing/price-rules.ts'
import { meleeUnitPrice, offRapHundredths } from '../../pricing/prices.ts'
import type { Product } from '../product.ts'
import type { QuoteLine } from './quote.ts'
import { isOtherStone, markOf } from './quoted-stone.ts'

/**
 * The prices of one unit, in US dollars as an order charges them and in the currency of the quote.
 * They have whole cents, except the stones of a parcel, which have four decimals as in an order.
 */
export interface UnitPrices {
  /** In US dollars. */
  price: string
  /** In the currency of the quote. */
  wholesale_price: string
}

const PRICE_DECIMALS = 4
const CENT = 100n
/** What `price` of an order line holds, in 1/10,000 dollars. */
const PRICE_LIMIT = 10n ** 14n

export function isMelee(product: Product): boolean {
  return product.kind === 'gem' && !product.single
}

/** What the buyer pays for one at this moment. */
export function marketPrices(product: Product, exchangeRate: string): UnitPrices {
  const unit = BigInt(product.unit_price)
  const rate = scaledFrom(exchangeRate, RATE_DECIMALS)
  return {
    price: digitsOf(unit),
    wholesale_price: digitsOf(quotient(unit * rate, RATE_SCALE, isMelee(product))),
  }
}

/** What the buyer's own price for one is. */
export function retailPrice(product: Product): string {
  const cents = centsFrom(Number(product.fields.retail_price ?? 0).toFixed(2))
  if (!isMelee(product)) return digitsFrom(cents)
  return digitsOf(BigInt(meleeUnitPrice(weightOf(product.fields), cents)))
}

/** The prices of one unit that was offered or countered in the currency of the quote. */
function agreedPrices(amount: string, exchangeRate: string, melee: boolean): UnitPrices {
  const scaled = scaledFrom(amount, PRICE_DECIMALS)
  const rate = scaledFrom(exchangeRate, RATE_DECIMALS)
  return {
    price: digitsOf(quotient(scaled * RATE_SCALE, rate, melee)),
    wholesale_price: digitsOf(scaled),
  }
}

/**
 * The prices of a line of a requested quote, when so much is agreed on for one. The price of the
 * market stays what it is in US dollars: converted there and back it may differ by a cent.
 */
export function answeredPrices(line: QuoteLine, amount: string, exchangeRate: string): UnitPrices {
  const { price, wholesale_price, market_price, melee } = line
  if (Number(amount) === Number(market_price)) return { price, wholesale_price }
  return agreedPrices(amount, exchangeRate, melee)
}

function quotient(numerator: bigint, denominator: bigint, melee: boolean): bigint {
  return melee
    ? divideHalfUp(numerator, denominator)
    : divideHalfUp(numerator, denominator * CENT) * CENT
}

/** The digits of amounts from a request; refuses what a price cannot be, and names each line. */
export function readAmounts(
  amounts: readonly { amount: number; field: string; melee: boolean }[],
  exchangeRate: string,
): string[] {
  const errors: FieldError[] = []
  const digits = amounts.map(({ amount, field, melee }) => {
    const decimals = melee ? PRICE_DECIMALS : 2
    if (scaleUp(amount, decimals) !== scaleDown(amount, decimals)) {
      errors.push({ field, message: `must have at most ${decimals} decimals` })
      return '0'
    }
    const read = digitsOf(BigInt(scaleDown(amount, PRICE_DECIMALS)))
    const price = scaledFrom(agreedPrices(read, exchangeRate, melee).price, PRICE_DECIMALS)
    if (price >= PRICE_LIMIT) {
      errors.push({ field, message: 'is more than an order can hold in US dollars' })
    }
    // An order for nothing would be paid when it is placed.
    if (price === 0n) errors.push({ field, message: 'is nothing when it is rounded in US dollars' })
    return read
  })
  if (errors.length === 0) return digits
  throw new Refusal('invalid_request', `${errors[0].field} ${errors[0].message}.`, { errors })
}

const TERMS = [
  'base_currency_code',
  'currency_code',
  'exchange_rate',
  'base_wholesale_price',
  'base_retail_price',
  'wholesale_price',
  'retail_price',
  'off_rap_percentage',
] as const

/** The prices in the copy of a product, and the stone that they are for. */
export function termsOf(product: Product): Record<string, unknown> {
  const { fields } = product
  const own = TERMS.filter((name) => Object.hasOwn(fields, name))
  const stone = markOf(product)
  return { ...Object.fromEntries(own.map((name) => [name, fields[name]])), ...(stone && { stone }) }
}

/** The product at the prices of the quote, for the order that keeps a copy of it. */
export function atQuotedPrice(product: Product, line: QuoteLine): Product {
  const unit_price = Number(scaledFrom(line.price, PRICE_DECIMALS))
  const { stone: _, ...prices } = line.terms
  const fields = { ...product.fields, ...prices }
  const isAgreed = Number(line.wholesale_price) !== Number(line.market_price)
  return {
    ...product,
    unit_price,
    fields: isAgreed ? withAgreed(fields, line) : fields,
    replaced: isOtherStone(product, line.terms),
  }
}

/** A price that differs from the market's is shown as such, of a parcel by the carat. */
function withAgreed(fields: Record<string, unknown>, line: QuoteLine): Record<string, unknown> {
  const toCents = (digits: string) => {
    const scaled = scaledFrom(digits, PRICE_DECIMALS)
    return Number(
      line.melee
        ? divideHalfUp(scaled * CENT, BigInt(weightOf(fields)))
        : divideHalfUp(scaled, CENT),
    )
  }
  const baseCents = toCents(line.price)
  const listPrice = fields.off_rap_price
  const listCents = typeof listPrice === 'number' ? centsFrom(listPrice.toFixed(2)) : null
  const offRap = offRapHundredths(baseCents, listCents)
  return {
    ...fields,
    base_wholesale_price: amountFrom(baseCents),
    wholesale_price: amountFrom(toCents(line.wholesale_price)),
    ...(Object.hasOwn(fields, 'off_rap_percentage') && {
      off_rap_percentage: offRap === null ? null : amountFrom(offRap),
    }),
  }
}

function weightOf(fields: Record<string, unknown>): number {
  return scaleDown(Number(fields.weight), WEIGHT_DECIMALS)
}

/** 1/10,000 as digits: 16250 is `1.6250`. */
function digitsOf(scaled: bigint): string {
  const digits = String(scaled).padStart(PRICE_DECIMALS + 1, '0')
  return `${digits.slice(0, -PRICE_DECIMALS)}.${digits.slice(-PRICE_DECIMALS)}`
}
