import { readCurrency } from '../../values/currency.ts'

/** `[$€-407]`, `[$HK$-C04]` and `[$CHF]`: a sign, and the language that it is written in. */
const BRACKETED = /\[\$([^\]-]{1,20})(?:-([0-9A-F]{1,8}))?\]/i
/** `"Rs." #,##0` and `€ #,##0`: a text or a sign of its own. */
const WRITTEN = /"([^"]*)"|([$€£₹₪])/g
/** Countries whose bare `$` is known by the language of the format. */
const DOLLARS = new Map([
  ['409', 'USD'],
  ['1009', 'CAD'],
  ['C0C', 'CAD'],
  ['C09', 'AUD'],
  ['1409', 'NZD'],
  ['4809', 'SGD'],
])

/** Between the currency of a format and the digits of its cell; files hardly write it there. */
const GAP = '\u00a0'
const FORMATTED = new RegExp(`^(?:\\$|[A-Z]{3})${GAP}(?=[-\\d])`)

/**
 * Returns the currency that the format of a number shows, as a text to put before its digits: who
 * reads the sheet sees `€ 5,210`, while its cell has 5210 only. Undefined when it shows none.
 */
export function currencyOfFormat(pattern: string): string | undefined {
  const [positive] = pattern.split(';')
  const bracketed = BRACKETED.exec(positive)
  if (bracketed) {
    const [, sign, language = ''] = bracketed
    const dollars = sign.trim() === '$' ? DOLLARS.get(language.toUpperCase()) : undefined
    return dollars === undefined ? prefixOf(sign) : `${dollars}${GAP}`
  }
  for (const [, text, sign] of positive.matchAll(WRITTEN)) {
    const prefix = prefixOf(text ?? sign)
    if (prefix !== undefined) return prefix
  }
  return undefined
}

/** A bare `$` is used by several countries, so that it stays as it is. */
function prefixOf(sign: string): string | undefined {
  if (sign.trim() === '$') return `$${GAP}`
  const code = sign.length <= SIGN_CHARS_MAX ? readCurrency(sign) : undefined
  return code !== undefined && READ_BESIDE_NUMBERS.has(code) ? `${code}${GAP}` : undefined
}

/**
 * Removes the currency of a format from a text that is not an amount: where a whole sheet has one
 * format, a stock number is shown as `€ 1,001`, too.
 */
export function withoutFormatCurrency(text: string): string {
  return text.includes(GAP) ? text.replace(FORMATTED, '') : text
}

const SIGN_CHARS_MAX = 8
/** See values/numbers.ts: other codes beside digits would make them no number. */
const READ_BESIDE_NUMBERS = new Set(
  'USD EUR GBP INR CAD AUD CHF JPY HKD SGD NZD ILS AED CNY ZAR THB'.split(' '),
)
