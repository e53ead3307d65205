import { locale, t } from '../../language/language.ts'

/** Days of UTC, `2026-01-31`; both belong to the range. */
export interface DayRange {
  from: string
  to: string
}

const DAY_MS = 86_400_000
/** The most that one request returns. */
export const DAYS_MAX = 400

/** Ranges that end today, by their names in the address. */
export const RANGES = [
  ['7', t('7 days')],
  ['30', t('30 days')],
  ['90', t('90 days')],
  ['365', t('Year')],
  ['own', t('Own dates')],
] as const
export type RangeName = (typeof RANGES)[number][0]

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

export function daysOf({ from, to }: DayRange): number {
  return Math.round((Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / DAY_MS) + 1
}

export function lastDays(days: number): DayRange {
  const to = new Date().toISOString().slice(0, 10)
  return { from: dayAfter(to, 1 - days), to }
}

/** The range in an address, and by which name it was chosen. */
export function rangeIn(params: URLSearchParams): { name: RangeName; range: DayRange } {
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? '']
  if (isDay(from) && isDay(to) && from <= to) return { name: 'own', range: { from, to } }
  const name = RANGES.find(([each]) => each === params.get('range'))?.[0] ?? '30'
  return { name, range: lastDays(name === 'own' ? 30 : Number(name)) }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00Z`))
}

/** As many days directly before. */
export function rangeBefore(range: DayRange): DayRange {
  const days = daysOf(range)
  return { from: dayAfter(range.from, -days), to: dayAfter(range.from, -1) }
}

const long = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

export function dayText(day: string): string {
  return long.format(Date.parse(`${day}T00:00Z`))
}

export function shortDay(day: string): string {
  return short.format(Date.parse(`${day}T00:00Z`))
}
