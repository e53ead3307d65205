import { locale } from '../../language/language.ts'

/** Days without a time, such as the due date of an invoice. They are days in UTC. */
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const DAY_MS = 86_400_000

export function dayText(day: string): string {
  const time = timeOf(day)
  return Number.isNaN(time) ? day : days.format(time)
}

/** Whole days from today; negative when the day is over. */
export function daysUntil(day: string): number {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  return Math.round((timeOf(day) - today) / DAY_MS)
}

/** `in 12 days`, `yesterday`. */
export function dayFromNow(day: string): string {
  return daysText(daysUntil(day))
}

export function daysText(count: number): string {
  return relative.format(count, 'day')
}

function timeOf(day: string): number {
  return Date.parse(`${day.slice(0, 10)}T00:00:00Z`)
}
