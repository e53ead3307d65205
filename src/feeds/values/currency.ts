/** Currencies that feeds name in headers, in cells and in a column of their own. */
const CODES = new Set(
  'USD EUR GBP INR CAD AUD CHF JPY HKD SGD NZD ILS AED CNY ZAR THB BWP RUB TRY SEK DKK NOK'.split(
    ' ',
  ),
)

/** All others count where a header has them in brackets: `TOP` and `ALL` are words, too. */
const BRACKETED = /[([]\s*([A-Z]{3})\s*[)\]]/
const ALL_CODES = new Set(Intl.supportedValuesOf('currency'))

/** Names of currencies in words, and what is written instead of their codes. */
const WORDS = new Map([
  ['RMB', 'CNY'],
  ['YUAN', 'CNY'],
  ['RENMINBI', 'CNY'],
  ['YEN', 'JPY'],
  ['NIS', 'ILS'],
  ['SHEKEL', 'ILS'],
  ['SHEKELS', 'ILS'],
  ['DHS', 'AED'],
  ['DIRHAM', 'AED'],
  ['DIRHAMS', 'AED'],
  ['BAHT', 'THB'],
  ['SFR', 'CHF'],
  ['CDN', 'CAD'],
  ['RUPEE', 'INR'],
  ['RUPEES', 'INR'],
  ['EURO', 'EUR'],
  ['EUROS', 'EUR'],
  ['POUNDS', 'GBP'],
  ['STERLING', 'GBP'],
  ['DOLLAR', 'USD'],
  ['DOLLARS', 'USD'],
])

/** Dollars and francs of other countries: `Hong Kong Dollars`. */
const OF_COUNTRIES: [RegExp, string][] = [
  [/\b(?:CANADIAN|CANADA) DOLLARS?\b/i, 'CAD'],
  [/\b(?:AUSTRALIAN?|AUSSIE) DOLLARS?\b/i, 'AUD'],
  [/\b(?:HONG ?KONG|HK) DOLLARS?\b/i, 'HKD'],
  [/\b(?:SINGAPORE|SINGAPOREAN) DOLLARS?\b/i, 'SGD'],
  [/\b(?:NEW ZEALAND|NZ) DOLLARS?\b/i, 'NZD'],
  [/\b(?:TAIWAN|TAIWANESE|NT) DOLLARS?\b/i, 'TWD'],
  [/\bSWISS FRANCS?\b/i, 'CHF'],
]

/** What `¥` stands for: it is not said which. */
const YEN_OR_YUAN = 'CNY or JPY'

/** Signs that mean one currency. A bare `$` and `¥` are used by several. */
const SIGNS: [RegExp, string][] = [
  [/€/, 'EUR'],
  [/£/, 'GBP'],
  [/₹|\bRs\b/i, 'INR'],
  [/₪/, 'ILS'],
  [/US\s?\$|U\$/i, 'USD'],
  [/HK\s?\$/i, 'HKD'],
  [/NZ\s?\$/i, 'NZD'],
  [/NT\s?\$/i, 'TWD'],
  // `P/C $` is a price per carat.
  [/C(A|AN|DN)\s?\$|(?<![A-Z/.])C\$/i, 'CAD'],
  [/(?<![A-Z/.])SG?\$/i, 'SGD'],
  [/A(U|US)?\s?\$/, 'AUD'],
]

/** Currencies that write a bare `$`. */
const DOLLARS = new Set(['USD', 'CAD', 'AUD', 'HKD', 'SGD', 'NZD'])

const isDigit = (code: number) => code >= 48 && code <= 57

/** Returns the currency that a price's own text names, such as `₹ 8,00,500` or `EUR 1.200`. */
function readCurrencySign(text: string): string | undefined {
  // Almost all prices are bare digits, and every row has one.
  if (text === '' || (isDigit(text.charCodeAt(0)) && isDigit(text.charCodeAt(text.length - 1)))) {
    return undefined
  }
  for (const [sign, code] of SIGNS) if (sign.test(text)) return code
  return currencyNamed(text)
}

/** Returns the currency that a header names as a word: `Price/Cts INR`, `Total (EUR)`. */
function currencyNamed(text: string): string | undefined {
  const ofCountry = OF_COUNTRIES.find(([words]) => words.test(text))?.[1]
  if (ofCountry !== undefined) return ofCountry
  for (const word of text.toUpperCase().split(/[^A-Z]+/)) {
    if (CODES.has(word)) return word
    const named = WORDS.get(word)
    if (named !== undefined) return named
  }
  return undefined
}

/** Returns the currency that a cell of its own column names: `EUR`, `US$`, `£`, `Rupees`. */
export function readCurrency(text: string): string | undefined {
  const code = text.trim().toUpperCase()
  if (/^[A-Z]{3}$/.test(code)) return WORDS.get(code) ?? code
  if (code === '$') return 'USD'
  return readCurrencySign(text)
}

const NAMED = /currency(?:[ _]?code)?\s*[:=]\s*([a-z]{3})(?![a-z])/i

/** Returns the currencies that a title names: codes in capitals, signs and words. */
export function currenciesOfTitle(title: string): string[] {
  const named = NAMED.exec(title)?.[1]
  if (named !== undefined) return [named.toUpperCase()]
  const words = title.split(/[^A-Za-z]+/).map((word) => {
    // `Try` and `Thb` are also words.
    return WORDS.get(word.toUpperCase()) ?? (CODES.has(word) && word !== 'TRY' ? word : undefined)
  })
  const signs = SIGNS.filter(([sign]) => sign.test(title)).map(([, code]) => code)
  return [...new Set([...words, ...signs])].filter((code) => code !== undefined)
}

/** Returns the currency of a column by its header: a code, or a sign. */
export function currencyOfHeader(header: string): string | undefined {
  const named = currencyNamed(header) ?? SIGNS.find(([sign]) => sign.test(header))?.[1]
  if (named) return named
  if (/[¥￥]/.test(header)) return YEN_OR_YUAN
  const code = BRACKETED.exec(header)?.[1]
  return code !== undefined && ALL_CODES.has(code) ? code : undefined
}

/** Returns the header without the currency that it names. */
export function withoutCurrency(header: string): string {
  const bare = OF_COUNTRIES.reduce((text, [words]) => text.replace(words, ' '), header)
  return bare
    .replaceAll(/\b(?:in )?([A-Za-z]+)/gi, (words, word: string) => {
      const upper = word.toUpperCase()
      return CODES.has(upper) || WORDS.has(upper) ? ' ' : words
    })
    .replaceAll(/[€£₹₪¥￥]|US\s?\$|(?<![A-Z/.])(?:HK|NZ|NT|CA|AU|[CSA])\$|\bRs\b\.?/gi, ' ')
}

/** Returns whether a price with a bare `$` can be in this currency. */
function fitsDollarSign(text: string, currency: string): boolean {
  return !text.includes('$') || DOLLARS.has(currency)
}

/** What says the currency of a price, the strongest first. */
interface CurrencySigns {
  /** The cell of the price. */
  price: string
  /** The cell of a column of currencies; empty when there is none. */
  listed: string
  /** The currency that the header of the price's column names. */
  header: string | undefined
  /** The currency of prices that name none. */
  usual: string
}

interface CurrencyFault {
  /** Where the fault is: in the cell of the price, or in the one of the currency. */
  at: 'price' | 'currency'
  reason: string
}

/**
 * The currency of a price is said by its own cell, else by a column of currencies, else by the
 * header, else it is the supplier's. Two that contradict each other reject the row.
 */
export function currencyOfPrice(signs: CurrencySigns): string | CurrencyFault {
  const signed = readCurrencySign(signs.price)
  const listed = signs.listed === '' ? '' : readCurrency(signs.listed)
  if (listed === undefined) return { at: 'currency', reason: 'The currency is not known' }
  if (signed !== undefined && listed !== '' && signed !== listed) {
    return { at: 'currency', reason: `The price is in ${signed}, the column says ${listed}` }
  }
  const named = signed ?? (listed === '' ? signs.header : listed)
  const isEither = named === YEN_OR_YUAN && YEN_OR_YUAN.includes(signs.usual)
  const currency = isEither ? signs.usual : (named ?? signs.usual)
  if (signed === undefined && !fitsDollarSign(signs.price, currency)) {
    return { at: 'price', reason: `The price is in dollars, but its currency is ${currency}` }
  }
  return currency
}
