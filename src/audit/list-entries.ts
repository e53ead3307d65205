import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../database/actor.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../lib/refusal.ts'
import { isoWithOffset, microsecondsFrom } from '../lib/timestamps.ts'
import { isUuid } from '../lib/uuid.ts'

export interface EntryFilter {
  /** The UUID of a user or a token, or a kind of actor. */
  actor?: string | undefined
  /** The id of what was written. */
  subject?: string | undefined
  /** `order.cancel`, or `order.*` for all that begin so. */
  action?: string | undefined
  /** What this merchant did, and what was done to it. */
  merchant_uuid?: string | undefined
  /** Microseconds since 1970: not before the first, and before the second. */
  from?: number | undefined
  to?: number | undefined
}

interface EntryPage {
  limit: number
  /** How many entries are skipped. Not together with a cursor, which knows where a page begins. */
  offset?: number | undefined
  cursor?: string | undefined
  sort_col?: EntrySort | undefined
  sort_order?: 'asc' | 'desc' | undefined
}

/** What entries can be sorted by. Each has an index, since a log only grows. */
const SORTS = { at: [], action: [sql.ref('action')], actor: [sql.ref('actor_name')] } as const

type EntrySort = keyof typeof SORTS
export const ENTRY_SORTS = Object.keys(SORTS) as EntrySort[]
/** Merchants are not told who it was on another side, so the order does not tell them either. */
export const OWN_ENTRY_SORTS = ['at', 'action'] as const satisfies EntrySort[]

interface Entry {
  uuid: string
  at: string
  actor: { kind: string; uuid: string | null; name: string }
  action: string
  subject: { kind: string; id: string }
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  request_id: string | null
  ip: string | null
}

interface StoredEntry extends Omit<Entry, 'actor' | 'subject'> {
  id: number
  actor_kind: Actor['kind']
  actor_uuid: string | null
  actor_name: string
  actor_side: Actor['side']
  subject_kind: string
  subject_id: string
}

interface Entries {
  entries: Entry[]
  /** How many there are with these filters. */
  total: number
  /** How many are skipped, or were on the pages before. */
  offset: number
  limit: number
  next_cursor: string | null
}

/** All entries, newest first unless asked otherwise, for the operator. */
export function listEntries(db: Db, filter: EntryFilter, page: EntryPage): Promise<Entries> {
  return readEntries(db, conditionsOf(filter), page, renderEntry)
}

/**
 * What the users and keys of a merchant did, and what others did to it. The merchant is told the
 * side of the others, and nothing of who it was there.
 */
export function listOwnEntries(
  db: Db,
  merchantUuid: string,
  filter: EntryFilter,
  page: EntryPage,
): Promise<Entries> {
  const conditions = conditionsOf({ ...filter, merchant_uuid: merchantUuid })
  // Who did it on another side cannot be asked for either.
  if (filter.actor !== undefined) conditions.push(sql`actor_side in ('merchant', 'system')`)
  return readEntries(db, conditions, page, renderForMerchant)
}

type Condition = RawBuilder<unknown>

function conditionsOf(filter: EntryFilter): Condition[] {
  const { actor, subject, action, merchant_uuid, from, to } = filter
  return [
    merchant_uuid === undefined ? undefined : sql`merchant_uuid = ${merchant_uuid}::uuid`,
    actor === undefined ? undefined : actorCondition(actor),
    subject === undefined ? undefined : sql`subject_id = ${subject}`,
    action === undefined ? undefined : actionCondition(action),
    from === undefined ? undefined : sql`at >= ${momentOf(from)}`,
    to === undefined ? undefined : sql`at < ${momentOf(to)}`,
  ].filter((condition) => condition !== undefined)
}

/** Actors that are neither a user nor a token are named by their kind. */
const NAMED_ACTORS = ['command_line', 'system']

function actorCondition(actor: string): Condition {
  if (isUuid(actor)) return sql`actor_uuid = ${actor}::uuid`
  if (NAMED_ACTORS.includes(actor)) return sql`actor_uuid is null and actor_kind = ${actor}`
  throw refusal('actor', `must be the UUID of a user or a token, or ${NAMED_ACTORS.join(' or ')}`)
}

/** All actions of a noun are a range of the index: the slash is the character after the dot. */
function actionCondition(action: string): Condition {
  if (!action.endsWith('.*')) return sql`action = ${action}`
  const start = action.slice(0, -1)
  return sql`action >= ${start} and action < ${`${start.slice(0, -1)}/`}`
}

function momentOf(microseconds: number): Condition {
  return sql`(timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond')`
}

async function readEntries(
  db: Db,
  conditions: readonly Condition[],
  { limit, offset: skipped, cursor, sort_col = 'at', sort_order = 'desc' }: EntryPage,
  render: (entry: StoredEntry) => Entry,
): Promise<Entries> {
  if (cursor !== undefined && skipped !== undefined) {
    throw refusal('offset', 'cannot be combined with cursor, which knows where the page begins')
  }
  const sort = { sort_col, sort_order }
  const place = cursor === undefined ? undefined : readCursor(cursor, sort)
  const all = [sql`true`, ...conditions, ...(place ? [place.isBehind] : [])]
  // One more than the page tells whether there are more.
  const { rows } = await sql<StoredEntry>`
    select id, uuid, at, actor_kind, actor_uuid, actor_name, actor_side, action, subject_kind,
      subject_id, before, after, request_id, ip
    from audit_entry where ${sql.join(all, sql` and `)}
    order by ${orderOf(sort)} limit ${limit + 1} offset ${skipped ?? 0}`.execute(db)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > limit && last !== undefined
  const offset = place?.before ?? skipped ?? 0
  // A first page with all entries needs no second query to count them.
  const isWhole = offset === 0 && !hasMore
  return {
    entries: page.map(render),
    total: isWhole ? page.length : await countEntries(db, conditions),
    offset,
    limit,
    next_cursor: hasMore ? writeCursor(last, offset + page.length, sort) : null,
  }
}

/** Every filter has an index, which is enough to count what it finds. */
async function countEntries(db: Db, conditions: readonly Condition[]): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from audit_entry
    where ${sql.join([sql`true`, ...conditions], sql` and `)}`.execute(db)
  return rows[0].total
}

function renderEntry(entry: StoredEntry): Entry {
  return {
    uuid: entry.uuid,
    at: isoWithOffset(entry.at),
    actor: { kind: entry.actor_kind, uuid: entry.actor_uuid, name: entry.actor_name },
    action: entry.action,
    subject: { kind: entry.subject_kind, id: entry.subject_id },
    before: entry.before,
    after: entry.after,
    request_id: entry.request_id,
    ip: entry.ip,
  }
}

function renderForMerchant(entry: StoredEntry): Entry {
  const { actor_side: side } = entry
  if (side === 'merchant') return renderEntry(entry)
  const before = withoutTerms(entry.before)
  const after = withoutTerms(entry.after)
  const actor = { kind: side, uuid: null, name: side }
  return { ...renderEntry(entry), actor, before, after, request_id: null, ip: null }
}

/** Only the operator sees by how much the prices of a merchant differ from its list. */
function withoutTerms(fields: Entry['after']): Entry['after'] {
  if (fields === null) return null
  const { price_adjustment: _, ...others } = fields
  return others
}

type Sort = Required<Pick<EntryPage, 'sort_col' | 'sort_order'>>

/** All columns in one direction, so that an index serves it forwards or backwards. */
function orderOf({ sort_col, sort_order }: Sort): Condition {
  const direction = sort_order === 'asc' ? sql`asc` : sql`desc`
  const columns = [...SORTS[sort_col], sql`at`, sql`id`]
  return sql.join(columns.map((column) => sql`${column} ${direction}`))
}

/** Behind the numbers: the action, or that the name is the one of that entry. */
const BY_ACTOR = '@actor'

/**
 * The place of the last entry of a page: its time, its number, how many entries the pages until
 * there had, and what it is sorted by.
 */
function writeCursor({ at, id, action }: StoredEntry, before: number, { sort_col }: Sort): string {
  const sorted = { at: '', action: ` ${action}`, actor: ` ${BY_ACTOR}` }[sort_col]
  const numbers = `${microsecondsFrom(isoWithOffset(at))} ${id} ${before}`
  return Buffer.from(`${numbers}${sorted}`).toString('base64url')
}

function sortOf(behindNumber: string | undefined): EntrySort {
  if (behindNumber === undefined) return 'at'
  return behindNumber === BY_ACTOR ? 'actor' : 'action'
}

/** Where a page begins, and how many entries the pages before it had. */
interface Place {
  isBehind: Condition
  before: number
}

function readCursor(cursor: string, { sort_col, sort_order }: Sort): Place {
  const text = Buffer.from(cursor, 'base64url').toString()
  const match = /^(\d{1,16}) (\d{1,16}) (\d{1,15})(?: ([\w.@]{1,100}))?$/.exec(text)
  const isOfSort = sortOf(match?.[4]) === sort_col
  if (!match || !isOfSort || Buffer.from(text).toString('base64url') !== cursor) {
    throw refusal('cursor', 'is not a next_cursor of this list: send it as it was received')
  }
  const columns = sql.join([...SORTS[sort_col], sql`at`, sql`id`])
  const id = sql`${match[2]}::bigint`
  const sorted = {
    at: [],
    action: [sql`${match[4]}`],
    // A name may be too long for a cursor.
    actor: [sql`(select actor_name from audit_entry where id = ${id})`],
  }[sort_col]
  const last = sql.join([...sorted, momentOf(Number(match[1])), id])
  const isBehind = sql`(${columns}) ${sort_order === 'asc' ? sql`>` : sql`<`} (${last})`
  return { isBehind, before: Number(match[3]) }
}

function refusal(field: string, message: string): Refusal {
  return new Refusal('invalid_request', `${field} ${message}.`, { errors: [{ field, message }] })
}
