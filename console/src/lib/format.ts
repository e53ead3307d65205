import { countryIn, findCountry } from '../../../src/reference/countries.ts'
import { language, locale, t } from '../language/language.ts'

/** Numbers, money, weights and dates as text, in the reader's own locale. */
const numberFormats = new Map<string, Intl.NumberFormat>()

function numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options)
  let format = numberFormats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(locale, options)
    numberFormats.set(key, format)
  }
  return format
}

/** With more digits the price of a single small stone adds up to that of many. */
export function money(amount: number | null | undefined, currency: string, most = 2): string {
  if (amount === null || amount === undefined) return '–'
  const digits = Math.abs(amount) > 0 && Math.abs(amount) < 1 ? 4 : most
  const options = { style: 'currency', currency, maximumFractionDigits: digits } as const
  return numbers({ ...options, minimumFractionDigits: 2 }).format(amount)
}

export function count(value: number): string {
  return numbers({ maximumFractionDigits: 0 }).format(value)
}

export function decimal(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined) return '–'
  return numbers({ minimumFractionDigits: 0, maximumFractionDigits: digits }).format(value)
}

export function carats(weight: number): string {
  const digits = weight < 0.1 ? 4 : 2
  const options = { minimumFractionDigits: 2, maximumFractionDigits: digits }
  return `${numbers(options).format(weight)} ct`
}

export function percent(value: number | null | undefined, digits = 1): string {
  return value === null || value === undefined ? '–' : `${decimal(value, digits)} %`
}

export function millimeters(...sizes: (number | null)[]): string {
  if (sizes.some((size) => size === null)) return '–'
  return `${sizes.map((size) => decimal(size)).join(' × ')} mm`
}

const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
/** A day without a time, such as the due date of an invoice, is the same day everywhere. */
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
const dateTimes = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

function dateOf(timestamp: string): Date {
  const iso = timestamp.replace(' ', 'T')
  return new Date(/(Z|[+-]\d\d:\d\d)$/.test(iso) ? iso : `${iso}Z`)
}

export function date(timestamp: string | null): string {
  if (timestamp === null) return '–'
  const isDay = /^\d{4}-\d\d-\d\d$/.test(timestamp)
  return isDay ? days.format(Date.parse(timestamp)) : dates.format(dateOf(timestamp))
}

export function dateTime(timestamp: string | null): string {
  return timestamp === null ? '–' : dateTimes.format(dateOf(timestamp))
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

/** `in 3 hours`, `yesterday`. */
export function fromNow(timestamp: string | null): string {
  if (timestamp === null) return t('never')
  const ms = dateOf(timestamp).getTime() - Date.now()
  const [unit, size] = UNITS.find(([, size]) => Math.abs(ms) >= size) ?? ['minute', 60_000]
  return relative.format(Math.round(ms / size), unit)
}

export function isPast(timestamp: string): boolean {
  return dateOf(timestamp).getTime() < Date.now()
}

/** `tapered_baguette` as `tapered baguette`, in the reader's language. */
export function humanize(name: string | null | undefined): string {
  if (!name) return '–'
  return t(name.replaceAll('_', ' '))
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `3 stones`; both words are texts of the dictionary. */
export function plural(amount: number, one: string, many = `${one}s`): string {
  return `${count(amount)} ${t(amount === 1 ? one : many)}`
}

/**
 * The path of a link that this server serves itself, or null. Pictures of the demo market and of
 * shapes count whatever host their link names: the market may be open under another address.
 */
export function sameOriginPath(url: string | null): string | null {
  if (!url || !URL.canParse(url)) return url
  const { pathname, search, origin } = new URL(url)
  const isOurs = origin === window.location.origin || /^\/(media\/demo|shapes)\//.test(pathname)
  return isOurs ? pathname + search : null
}

const countries = new Intl.DisplayNames(locale, { type: 'region' })

/** The name of a country by its code of three letters. */
export function countryName(code: string): string {
  const two = findCountry(code)
  return two ? (countries.of(two) ?? code) : code
}

/** Where a gemstone was found, as suppliers write it: a country, a region or a mine. */
export function placeName(text: string): string {
  if (language === 'en') return text
  return countryIn(locale, text) ?? t(text)
}
