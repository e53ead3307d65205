import { Refusal } from './refusal.ts'

/**
 * The three formats of a timestamp in responses. The input is what PostgreSQL prints for a
 * timestamptz in UTC, `2026-01-31 09:15:00.12+00`, without trailing zeros; the output always has
 * six digits.
 */
const PRINTED = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/

/** Whether the text is a timestamp as PostgreSQL prints it. */
export function isPrinted(text: string): boolean {
  return PRINTED.test(text)
}

function partsOf(timestamp: string): { day: string; time: string } {
  const match = PRINTED.exec(timestamp)
  if (!match) throw new RangeError(`not a UTC timestamp as PostgreSQL prints it: ${timestamp}`)
  return { day: match[1], time: `${match[2]}.${(match[3] ?? '').padEnd(6, '0')}` }
}

/** `2026-01-31T09:15:00.123456+00:00`: the usual format. */
export function isoWithOffset(timestamp: string): string {
  const { day, time } = partsOf(timestamp)
  return `${day}T${time}+00:00`
}

/** `2026-01-31T09:15:00.123456`: `ordered_on` in the v2 order list and search. */
export function isoWithoutOffset(timestamp: string): string {
  const { day, time } = partsOf(timestamp)
  return `${day}T${time}`
}

/** `2026-01-31 09:15:00.123456`: `created_on` and `updated_on` of a gem in search. */
export function spacedTimestamp(timestamp: string): string {
  const { day, time } = partsOf(timestamp)
  return `${day} ${time}`
}

export function isoOrNull(timestamp: string | null): string | null {
  return timestamp === null ? null : isoWithOffset(timestamp)
}

/** Milliseconds since 1970, for comparing with a clock. */
export function millisecondsOf(timestamp: string): number {
  return Date.parse(isoWithOffset(timestamp))
}

export function earliestOf(timestamps: readonly string[]): string | undefined {
  return timestamps.toSorted((a, b) => millisecondsOf(a) - millisecondsOf(b)).at(0)
}

/** Milliseconds since 1970 in the usual format. */
export function isoFromMilliseconds(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00')
}

/** A day of UTC, which has no summer time. */
export const DAY_MS = 86_400_000

/** The moment so many days of 24 hours later, with its microseconds, as PostgreSQL prints it. */
export function daysAfter(timestamp: string, days: number): string {
  const later = new Date(millisecondsOf(timestamp) + days * DAY_MS).toISOString()
  // A Date does not keep microseconds.
  const fraction = /\.\d+/.exec(timestamp)?.[0] ?? ''
  return `${later.slice(0, 10)} ${later.slice(11, 19)}${fraction}+00`
}

/** An offset such as `+00:00` in a query that was not encoded: its `+` arrives as a space. */
const UNENCODED_OFFSET = /^ (?=\d\d:?\d\d$)/

/**
 * Microseconds since 1970 of an ISO 8601 timestamp that a caller sent; without an offset it is in
 * UTC. NaN when it is none.
 */
export function microsecondsFrom(timestamp: string): number {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?(.*))?$/is.exec(
    timestamp,
  )
  if (!match) return Number.NaN
  const [, day, time = '00:00', fraction = '', offset = ''] = match
  // Date.parse reads the 31st of February as the 3rd of March.
  const midnight = new Date(`${day}T00:00Z`)
  if (Number.isNaN(+midnight) || !midnight.toISOString().startsWith(day)) return Number.NaN
  const zone = /^\s*$/.test(offset) ? 'Z' : offset.replace(UNENCODED_OFFSET, '+')
  const milliseconds = Date.parse(`${day}T${time}${zone}`)
  return milliseconds * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

/** `microsecondsFrom`, which refuses what is none by the name of its field; undefined stays. */
export function sinceFrom(field: string, timestamp: string | undefined): number | undefined {
  const since = timestamp === undefined ? undefined : microsecondsFrom(timestamp)
  if (!Number.isNaN(since)) return since
  const message = 'must be a timestamp, for example 2026-01-31T00:00:00Z'
  throw new Refusal('invalid_request', `${field} ${message}.`, { errors: [{ field, message }] })
}

/** The UTC day `2026-01-31` of a day or a timestamp that a caller sent. */
export function dayFrom(field: string, timestamp: string | undefined): string | undefined {
  const since = sinceFrom(field, timestamp)
  return since === undefined ? undefined : new Date(since / 1000).toISOString().slice(0, 10)
}
