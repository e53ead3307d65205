import { cached } from './spelling.ts'

/** How the file writes numbers: `1,25` may be one and a quarter or a misplaced separator. */
export interface NumberStyle {
  decimalComma: boolean
}

const DIGIT = /\d/
const PLAIN_PERCENT = /^-?\d+(\.\d+)?%$/
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d+)?$/
/** No number of a feed is longer with its unit; hundreds of digits would be read as infinite. */
const NUMBER_CHARS_MAX = 40
/** `8,00,500`: the last three digits, then groups of two, as in India. */
const LAKHS = /^[+-]?\d{1,2}(,\d{2})+,\d{3}(\.\d+)?$/
/** `5.210` where commas are decimal signs. */
const GROUPED_BY_POINTS = /^[+-]?[1-9]\d{0,2}(\.\d{3})+$/

/**
 * Reads a number as feeds write it: `1.01`, `60.70%`, `$ 5,210.00`, `1 234,50`, `.53ct`, `(30)` for
 * a negative. Returns undefined for an empty text and for anything else.
 */
export function readNumber(text: string, style: NumberStyle): number | undefined {
  const plain = readPlain(text)
  if (plain !== undefined) {
    const isGrouped = style.decimalComma && GROUPED_BY_POINTS.test(text)
    return isGrouped ? Number(text.replaceAll('.', '')) : plain
  }
  if (text.length > NUMBER_CHARS_MAX || !DIGIT.test(text)) return undefined
  // A shortcut for the two commonest other forms, `61.5%` and `5,210.00`.
  if (PLAIN_PERCENT.test(text)) return Number(text.slice(0, -1))
  if (!style.decimalComma && GROUPED.test(text)) return Number(text.replaceAll(',', ''))
  const isBelow = BELOW_LIST.test(text)
  let digits = text
    .replace(SIDE_OF_LIST, '')
    .replace(RAP_BEFORE, '')
    .replaceAll(UNITS, '')
    .replace(MINUS, '-')
  // `(30)` and `30-` are negative numbers of bookkeepers.
  const isNegative = isBelow || /^\(.*\)$|^[\d.,]+-$/.test(digits)
  if (isNegative) digits = digits.replaceAll(/[()-]/g, '')
  digits = plainDigits(digits, style)
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(digits)) return undefined
  const value = Number(digits)
  return isNegative ? -value : value
}

/** `32.5 below`, `30% off` and `R-30` are discounts from the list price, `5 above` is a premium. */
const BELOW_LIST = /[\d%)\s](?:below|under|off|less|back)$/i
const SIDE_OF_LIST = /(?<=[\d%)\s])(?:below|under|off|less|back|above|over)$/i
const RAP_BEFORE = /^R(?:AP)?\s?(?=[+−–-])/i
/** What word processors write for a minus sign. */
const MINUS = /^[−–]/
/** Everything that feeds write around the digits of a number; `.-` and `,-` stand for no cents. */
const UNITS = new RegExp(
  "[\\s\\u00a0'’]|(?:US|HK|NZ|NT|SG|CA|AU|[ACS])?\\$|[€£₹₪%°]|RS\\.?|" +
    '(?:(?:P?/|PER)\\s?)?(?:T?CTS?\\.?(?:\\s?T?W)?|TCW|CARATS?)\\.?$|MM\\.?$|/-$|' +
    '(?<=\\d)[.,][-–—]{1,2}(?!\\d)|' +
    'USD|EUROS?|EUR|GBP|INR|CAD|AUD|CHF|JPY|HKD|SGD|NZD|ILS|AED|CNY|ZAR|THB|RMB|NIS|CDN|DHS|SFR|' +
    'RUPEES?|YUAN|SHEKELS?|DIRHAMS?|BAHT|DOLLARS?',
  'gi',
)

/** Whether a discount says in words that it is below or above the list price. */
export function saysSideOfList(text: string): boolean {
  return SIDE_OF_LIST.test(text)
}

const POWERS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

/**
 * Reads digits with at most one point, and a minus sign before them, without a regular expression,
 * because every row has a dozen of them. Dividing a whole number below 2^53 by a power of ten
 * rounds once, as Number() does.
 */
function readPlain(text: string): number | undefined {
  if (text.length === 0 || text.length > 12) return undefined
  const first = text.charCodeAt(0) === 45 ? 1 : 0
  if (first === text.length) return undefined
  let whole = 0
  let point = -1
  for (let at = first; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit >= 0 && digit <= 9) whole = whole * 10 + digit
    else if (digit === -2 && point === -1 && at > first) point = at
    else return undefined
  }
  const decimals = point === -1 ? 0 : text.length - point - 1
  if (decimals >= POWERS.length) return undefined
  return first === 0 ? whole / POWERS[decimals] : -whole / POWERS[decimals]
}

function plainDigits(digits: string, style: NumberStyle): string {
  const comma = digits.lastIndexOf(',')
  const point = digits.lastIndexOf('.')
  if (comma === -1) {
    const isGrouped = style.decimalComma && GROUPED_BY_POINTS.test(digits)
    return isGrouped ? digits.replaceAll('.', '') : digits
  }
  if (LAKHS.test(digits)) return digits.replaceAll(',', '')
  if (point !== -1) {
    // With both, the later one is the decimal sign.
    return comma > point ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '')
  }
  const isGrouped = /^[+-]?\d{1,3}(,\d{3})+$/.test(digits)
  if (isGrouped && !style.decimalComma) return digits.replaceAll(',', '')
  return digits.indexOf(',') === comma ? digits.replace(',', '.') : digits
}

/** `5.210` may be five dollars or five thousand; nobody writes `850.125` for 850 thousand. */
const MAYBE_THOUSANDS = /^[^\d]{0,6}[1-9]\d?\.\d{3}[^\d]{0,8}$/
/** No groups of thousands: `850.5`, `5210.125`. */
const WITH_DECIMALS = /\d\.(?:\d{1,2}|\d{4,6})(?!\d)|\d{4}\.\d/

/** Whether a file writes decimals of prices with a point. */
export function hasDecimalPoints(prices: Iterable<string>): boolean {
  for (const text of prices) if (WITH_DECIMALS.test(text)) return true
  return false
}

/** Whether the point of a price may group thousands, in a file that does not show what it is. */
export function mayBeThousands(text: string, style: NumberStyle, hasDecimals: boolean): boolean {
  return !hasDecimals && !style.decimalComma && MAYBE_THOUSANDS.test(text)
}

export function readPositive(text: string, style: NumberStyle): number | undefined {
  const value = readNumber(text, style)
  return value !== undefined && value > 0 ? value : undefined
}

const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g

/** Reads a whole number from `3`, `1,500`, `3.0` or `3 days`; the larger one of `3-5 days`. */
export function readCount(text: string): number | undefined {
  const numbers = text.replaceAll(THOUSANDS, '').match(/\d+(\.\d+)?/g)
  if (!numbers) return undefined
  const value = Math.max(...numbers.map(Number))
  return Number.isSafeInteger(value) ? value : Math.ceil(value)
}

/** `-3`, a date, and a time in months, which have no certain number of days. */
const NOT_DAYS = new RegExp(
  '^-|\\d([-/.])\\d+\\1\\d|MONTH|YEAR|DAY.*(?:WEEK|HOUR)|(?:WEEK|HOUR).*DAY|' +
    '(?<![A-Z])(?:JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|JULY?|' +
    'AUG(?:UST)?|(?:SEPT?|OCTO?|NOV|DEC)(?:(?:EM)?BER)?)(?![A-Z])',
  'i',
)
const HOURS_OF_DAY = 24
const DAYS_OF_WEEK = 7

/** Reads a number of days from `3`, `3 days`, `2 weeks` or `48 hours`; the larger of `3-5 days`. */
export const readDays = cached((text: string): number | undefined => {
  const isDays = text.length <= NUMBER_CHARS_MAX && !NOT_DAYS.test(text)
  const count = isDays ? readCount(text) : undefined
  if (count === undefined) return undefined
  const isHours = /HOUR|HRS?\b|\d\s?H\b/i.test(text)
  const days = isHours
    ? count / HOURS_OF_DAY
    : /WEEK|WKS?\b/i.test(text)
      ? count * DAYS_OF_WEEK
      : count
  return days > DAYS_MAX ? undefined : Math.ceil(days)
})

const DAYS_MAX = 3_650

/** Reads a percentage; spreadsheets write 61.7% as 0.617. */
export function readPercentage(text: string, style: NumberStyle): number | undefined {
  const value = readPositive(text, style)
  if (value === undefined) return undefined
  const percent = value <= 1 ? value * 100 : value
  return percent <= 100 ? percent : undefined
}

/**
 * No stone or pavilion is so flat, and no table so small: the decimal point is in the wrong place,
 * or the number is in millimetres.
 */
const PROPORTION_MIN = 10

/** Reads a depth or a table in percent of the width; spreadsheets write 43% as 0.43. */
export function readProportion(text: string, style: NumberStyle): number | undefined {
  const percent = readPercentage(text, style)
  return percent === undefined || percent < PROPORTION_MIN ? undefined : percent
}

/** Rounds measures half up to a number of decimals. Money is rounded by lib/money.ts. */
export function roundTo(value: number, decimals: number): number {
  const factor = 10 ** decimals
  return Math.round((value + Number.EPSILON) * factor) / factor
}

/**
 * Returns whether commas in these texts are decimal signs: followed by other than three digits, or
 * after a point. A point before three digits tells nothing, as it may group thousands. Undefined
 * when no text tells.
 */
export function sniffDecimalComma(texts: Iterable<string>): boolean | undefined {
  let commas = 0
  let points = 0
  for (const text of texts) {
    const digits = text.replaceAll(UNITS, '')
    if (/^-?(\d+,(\d{1,2}|\d{4})|0,\d+|\d{1,3}(\.\d{3})+,\d+)$/.test(digits)) commas++
    else if (/\d\.\d/.test(digits) && !GROUPED_BY_POINTS.test(digits)) points++
  }
  return commas === 0 && points === 0 ? undefined : commas > points
}
