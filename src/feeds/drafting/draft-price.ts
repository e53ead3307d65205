import { digitsFrom, divideHalfUp, scaledFrom } from '../../lib/money.ts'
import { currencyOfPrice } from '../values/currency.ts'
import { mayBeThousands, readNumber, readPositive } from '../values/numbers.ts'
import type { DraftSettings } from './draft-settings.ts'
import { changeOf, mayBeShareOfList } from './learn-discount.ts'
import type { CellReader } from './row-reader.ts'

/** The fields that a price can come from. */
export type PriceSource = 'price_per_carat' | 'total_price' | 'list_price'

export interface PriceFields {
  /** The field that the price came from. */
  priced_by: PriceSource
  cost: string
  /** With all decimals of the feed's price; null where `cost` has them. */
  cost_exact: string | null
  list_price: string | null
  wholesale_price: string
  wholesale_price_us: string
}

interface PriceFault {
  column: PriceSource | 'currency_code'
  reason: string
}

/** The total contradicts the price per carat when they differ by more than this share. */
const CONTRADICTION_MIN = 0.1
/** One in ten-thousandths: a factor that changes nothing. */
const ONE_E4 = 10_000
const COST_CENTS_MAX = 100_000_000_000

/**
 * Returns the prices of a stone, or of one carat of a parcel, in US dollars. The feed's total price
 * counts; without one, it is the price per carat times the weight. Of a parcel, the price per carat
 * counts.
 */
export function draftPrice(
  cell: CellReader,
  settings: DraftSettings,
  carats: number,
  isParcel: boolean,
): PriceFields | PriceFault {
  const { style } = settings.mapping
  const total = readPositive(cell('total_price'), style)
  const quoted = readPositive(cell('price_per_carat'), style)
  const perCarat = quoted ?? fromList(cell, settings)
  if (total === undefined && perCarat === undefined) return missingPrice(cell, settings)
  // A parcel is sold by the carat, and its total is often rounded.
  const isByCarat = quoted !== undefined && (total === undefined || isParcel)
  const pricedBy = isByCarat
    ? 'price_per_carat'
    : total !== undefined
      ? 'total_price'
      : 'list_price'
  if (mayBeThousands(cell(pricedBy), style, settings.hasDecimalPrices)) {
    return { column: pricedBy, reason: 'The point of the price may group thousands' }
  }
  if (total !== undefined && perCarat !== undefined && contradict(total, perCarat * carats)) {
    const reason = `The total price contradicts the price per carat of ${perCarat}`
    return { column: 'total_price', reason }
  }
  const currency = currencyOf(cell, settings, pricedBy)
  if (typeof currency === 'object') return currency
  const rate = settings.rates.get(currency)
  if (rate === undefined) {
    return { column: pricedBy, reason: `There is no exchange rate for ${currency}` }
  }
  const isTotal = pricedBy === 'total_price'
  const priceE4 = Math.round(((isTotal ? total : perCarat) ?? 0) * 1e4)
  const weightE4 = Math.round(carats * 1e4)
  const price: FeedPrice = {
    priceE4,
    timesE4: isParcel || isTotal ? ONE_E4 : weightE4,
    byE4: isParcel && isTotal ? weightE4 : ONE_E4,
    rate,
  }
  // Each price is rounded once, from the feed's own figure and not from the rounded cost.
  const cost = centsOf(price, ONE_E4)
  if (cost < 1 || cost > COST_CENTS_MAX) {
    return { column: pricedBy, reason: 'The price is out of range' }
  }
  const digits = digitsFrom(cost)
  const marked = (factorE4: number) =>
    factorE4 === ONE_E4 ? digits : digitsFrom(Math.max(1, centsOf(price, factorE4)))
  return {
    priced_by: pricedBy,
    cost: digits,
    cost_exact: exactCost(price),
    list_price: listPrice(cell, settings, cost, isParcel ? undefined : carats),
    wholesale_price: marked(settings.markup),
    wholesale_price_us: marked(settings.markupUs),
  }
}

/** A price of zero, and a discount of zero without a price, mean "on request" in the trade. */
function missingPrice(cell: CellReader, settings: DraftSettings): PriceFault {
  const column = missingColumn(cell, settings)
  const { style } = settings.mapping
  const isZero = readNumber(cell(column), style) === 0
  const isBare = cell(column) === '' || column === 'list_price'
  if (isZero || (isBare && readNumber(cell('discount_percentage'), style) === 0)) {
    return { column, reason: 'The price is on request: the file says 0' }
  }
  if (isDiscountUnsure(cell, settings)) {
    return { column, reason: unsureDiscount(settings) }
  }
  const reason = isBare ? 'The price is missing' : 'The price is not a number above zero'
  return { column, reason }
}

function unsureDiscount({ mapping, discount }: DraftSettings): string {
  if (discount.factor === null) return 'The discount may be a percentage or a fraction'
  const { column } = mapping.columns[mapping.at.discount_percentage ?? 0]
  return mayBeShareOfList(column)
    ? 'The percentage may be a discount from the list price or a share of it'
    : 'The discount may be below or above the list price'
}

function isDiscountUnsure(cell: CellReader, { discount, mapping }: DraftSettings): boolean {
  const { factor, sign } = discount
  if (factor !== null && sign !== null) return false
  const hasList = readPositive(cell('list_price'), mapping.style) !== undefined
  return hasList && readNumber(cell('discount_percentage'), mapping.style) !== undefined
}

/** Returns the column to blame for a missing price: one that has a text, or should have one. */
function missingColumn(cell: CellReader, { mapping: { at } }: DraftSettings): PriceSource {
  if (cell('price_per_carat') !== '') return 'price_per_carat'
  if (cell('total_price') !== '') return 'total_price'
  if (at.price_per_carat !== undefined) return 'price_per_carat'
  return at.total_price === undefined ? 'list_price' : 'total_price'
}

/** Whether a total is not what the price per carat comes to. Both may be rounded. */
function contradict(total: number, expected: number): boolean {
  return Math.abs(expected - total) > CONTRADICTION_MIN * Math.max(expected, total) + 1
}

/**
 * The feed's price, and what makes it that of the stone, or of one carat of a parcel: it is
 * multiplied by `times` and divided by `by`. All are ten-thousandths.
 */
interface FeedPrice {
  priceE4: number
  timesE4: number
  byE4: number
  /** Units of the price's currency for one US dollar. */
  rate: string
}

/** Returns price x times / by x factor in US cents, rounded half up. */
function centsOf({ priceE4, timesE4, byE4, rate }: FeedPrice, factorE4: number): number {
  const product = priceE4 * timesE4
  const isWhole = rate === '1' && byE4 === ONE_E4 && factorE4 === ONE_E4
  if (isWhole && product < Number.MAX_SAFE_INTEGER / 2) {
    return Math.floor((product + 500_000) / 1_000_000)
  }
  // price/1e4 x times/by x factor/1e4 dollars, x 100 cents, over a rate with eight decimals.
  const numerator = BigInt(priceE4) * BigInt(timesE4) * BigInt(factorE4) * 100n
  return Number(divideHalfUp(numerator, BigInt(byE4) * scaledFrom(rate, 8)))
}

/** Dollars with eight decimals are the product of two numbers with four. */
const PRODUCT_DECIMALS = 8
const EXACT_DECIMALS = 12

/** Returns price x times / by in US dollars with all decimals; null when it has only cents. */
function exactCost({ priceE4, timesE4, byE4, rate }: FeedPrice): string | null {
  const product = priceE4 * timesE4
  if (rate === '1' && byE4 === ONE_E4 && Number.isSafeInteger(product)) {
    return product % 1_000_000 === 0 ? null : withPoint(String(product), PRODUCT_DECIMALS)
  }
  const numerator = BigInt(priceE4) * BigInt(timesE4) * 10n ** BigInt(EXACT_DECIMALS + 4)
  const exact = divideHalfUp(numerator, BigInt(byE4) * scaledFrom(rate, 8))
  return withPoint(String(exact), EXACT_DECIMALS)
}

function withPoint(digits: string, decimals: number): string {
  const padded = digits.padStart(decimals + 1, '0')
  return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`
}

function currencyOf(
  cell: CellReader,
  settings: DraftSettings,
  pricedBy: PriceSource,
): string | PriceFault {
  const currency = currencyOfPrice({
    price: cell(pricedBy),
    listed: cell('currency_code'),
    header: settings.headerCurrencies.get(pricedBy),
    usual: settings.currency,
  })
  if (typeof currency === 'string') return currency
  const { at, reason } = currency
  return { column: at === 'price' ? pricedBy : 'currency_code', reason }
}

/** Returns the discount in percent, negative below the list; undefined when there is none. */
function discountOf(cell: CellReader, settings: DraftSettings): number | undefined {
  const text = cell('discount_percentage')
  const value = text === '' ? undefined : readNumber(text, settings.mapping.style)
  const { factor, sign } = settings.discount
  if (value === undefined || factor === null || sign === null) return undefined
  const percent = changeOf(value * factor, sign)
  return percent > -99 && percent < 400 ? percent : undefined
}

/** A feed may give only the list price and the discount from it. */
function fromList(cell: CellReader, settings: DraftSettings): number | undefined {
  const list = readPositive(cell('list_price'), settings.mapping.style)
  const discount = discountOf(cell, settings)
  // Without a discount the list price does not count: both are zero for a price "on request".
  if (list === undefined || discount === undefined || discount === 0) return undefined
  return Math.round(list * (1 + discount / 100) * 100) / 100
}

/** A list price further from the price than this factor must mean something else. */
const LIST_FACTOR_MAX = 20

function listPrice(
  cell: CellReader,
  settings: DraftSettings,
  costCents: number,
  /** Undefined for a parcel, whose prices are those of one carat. */
  carats: number | undefined,
): string | null {
  const list = readPositive(cell('list_price'), settings.mapping.style)
  const discount = discountOf(cell, settings)
  const total = readPositive(cell('total_list_price'), settings.mapping.style)
  let cents: number | undefined
  if (list !== undefined) cents = Math.round(Math.round(list * (carats ?? 1) * 1e6) / 1e4)
  else if (total !== undefined && carats !== undefined) cents = total * 100
  else if (discount !== undefined && discount !== 0) cents = costCents / (1 + discount / 100)
  if (cents === undefined) return null
  const isFar = cents > costCents * LIST_FACTOR_MAX || cents * LIST_FACTOR_MAX < costCents
  return isFar ? null : digitsFrom(Math.round(cents))
}
