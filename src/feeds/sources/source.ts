/** A feed source: where a supplier's file is fetched from, how often, and with which rules. */
import type { Selectable } from 'kysely'
import type { FeedSourceTable } from '../../database/tables/sources.ts'
import { Refusal } from '../../lib/refusal.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'

/** A source with the name of its supplier. */
export interface FeedSource extends Selectable<FeedSourceTable> {
  supplier: string
}

const MINUTE_SECONDS = 60
const UNIT_SECONDS = new Map([
  ['s', 1],
  ['m', MINUTE_SECONDS],
  ['h', 60 * MINUTE_SECONDS],
  ['d', 24 * 60 * MINUTE_SECONDS],
])
/** Once a month; a larger number must be a typing error. */
const EVERY_SECONDS_MAX = 31 * 24 * 60 * MINUTE_SECONDS
export const EVERY_ABSENT = '2h'

/** Reads how often a source is fetched: `90s`, `15m`, `2h`, `1d`. */
export function readEvery(text: string): number {
  const match = /^(\d{1,7})([smhd])$/.exec(text.trim())
  const seconds = match ? Number(match[1]) * (UNIT_SECONDS.get(match[2]) ?? Number.NaN) : Number.NaN
  if (seconds >= MINUTE_SECONDS && seconds <= EVERY_SECONDS_MAX) return seconds
  throw refuseField('every', 'must be a duration from 1m to 31d, such as 15m, 2h or 1d')
}

/** The largest unit that is exact: 7200 seconds are `2h`. */
function showEvery(seconds: number): string {
  for (const unit of ['d', 'h', 'm']) {
    const size = UNIT_SECONDS.get(unit) ?? 1
    if (seconds % size === 0) return `${seconds / size}${unit}`
  }
  return `${seconds}s`
}

/** The wait after the first failure; each further failure doubles it, up to an hour. */
const FIRST_WAIT_SECONDS = 30
const WAIT_SECONDS_MAX = 3600

/** How long to wait after this many failures in a row. */
export function retryAfterSeconds(failures: number): number {
  // Beyond ten doublings the maximum counts anyway, and the number stays small.
  return Math.min(FIRST_WAIT_SECONDS * 2 ** Math.min(failures - 1, 10), WAIT_SECONDS_MAX)
}

export function refuseField(field: string, message: string): Refusal {
  return new Refusal('invalid_request', `${field} ${message}.`, { errors: [{ field, message }] })
}

/** A source as the operator sees it: its secrets are named, and never shown. */
export function renderSource(source: FeedSource) {
  const { uuid, supplier, url, mode, username, host_key, sheet, mapping, failures } = source
  return {
    uuid,
    supplier,
    url,
    every: showEvery(source.every_seconds),
    mode,
    user: username,
    has_password: source.password !== null,
    has_key: source.private_key !== null,
    host_key,
    sheet,
    mapping,
    state: stateOf(source),
    failures,
    failing_since: isoOrNull(source.failing_since),
    due_on: source.paused_on === null ? isoWithOffset(source.due_on) : null,
    paused_on: isoOrNull(source.paused_on),
    created_on: isoWithOffset(source.created_on),
    updated_on: isoWithOffset(source.updated_on),
  }
}

export const SOURCE_STATES = ['active', 'running', 'failing', 'paused'] as const

function stateOf(source: FeedSource): (typeof SOURCE_STATES)[number] {
  if (source.run_uuid !== null) return 'running'
  if (source.paused_on !== null) return 'paused'
  return source.failures > 0 ? 'failing' : 'active'
}

/** The row that a source's secrets are sealed for. */
export function secretRowOf(uuid: string) {
  return { table: 'feed_source', uuid }
}
