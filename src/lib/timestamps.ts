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
