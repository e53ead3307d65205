import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import { encodeStones } from '../known-stones.ts'
import type { SavedSearch } from '../saved-search.ts'

/** How far the matcher is, and the number of the last change of a search with alerts. */
export interface MatcherState {
  place: number
  version: number
}

/**
 * Locks the matcher's row until the commit, and counts a change of searches. Taken after the lock
 * of the merchant and before those of searches.
 */
export async function lockMatcher(tx: Tx): Promise<MatcherState> {
  const { rows } = await sql<MatcherState>`
    update alert_matcher set version = version + 1 returning place, version`.execute(tx)
  return rows[0]
}

/** Locks the row without a change: searches with alerts cannot be changed until the commit. */
export async function waitForMatcher(tx: Tx): Promise<MatcherState> {
  const { rows } = await sql<MatcherState>`
    select place, version from alert_matcher for update`.execute(tx)
  return rows[0]
}

/** A node keeps the lease for this long after it last renewed it. */
const LEASE_SECONDS = 30

export interface Lease extends MatcherState {
  term: number
}

/** Takes or renews the lease; undefined while another node has it. */
export async function claimLease(db: Db, holder: string): Promise<Lease | undefined> {
  const { rows } = await sql<Lease>`
    update alert_matcher set holder = ${holder},
      term = term + case when holder = ${holder} then 0 else 1 end,
      held_until = market_clock() + make_interval(secs => ${LEASE_SECONDS})
    where holder is null or holder = ${holder} or held_until <= market_clock()
    returning place, version, term`.execute(db)
  return rows[0]
}

/** Lets another node go on at once. */
export async function endLease(db: Db, holder: string): Promise<void> {
  await sql`update alert_matcher set held_until = market_clock()
    where holder = ${holder}`.execute(db)
}

/** A search with alerts, of a merchant that trades. */
export type AlertSearch = Pick<
  SavedSearch,
  'uuid' | 'merchant_uuid' | 'kind' | 'filters' | 'max_retail_price' | 'alert' | 'version' | 'known'
>

/** Reading the rows of this many searches does not delay other work. */
const LISTED_AT_ONCE = 1_000

export async function listAlertSearches(db: Db | Tx): Promise<AlertSearch[]> {
  const searches: AlertSearch[] = []
  for (let after = ''; ; after = searches[searches.length - 1].uuid) {
    const isLater = after === '' ? sql`true` : sql`search.uuid > ${after}`
    const { rows } = await sql<AlertSearch>`
      select search.uuid, merchant_uuid, kind, filters, max_retail_price, alert, version, known
      from saved_search as search join merchant on merchant.uuid = merchant_uuid
      where alert <> 'off' and activated and not deleted and ${isLater}
      order by search.uuid limit ${LISTED_AT_ONCE}`.execute(db)
    searches.push(...rows)
    if (rows.length < LISTED_AT_ONCE) return searches
  }
}

/** The stones that the log mentions, and whose prices changed, up to a number of the log. */
interface LoggedChanges {
  ids: number[]
  /** The merchants whose prices changed; null stands for all. */
  merchants: (string | null)[]
}

/** Undefined when the log no longer goes back to `after`. */
export async function readLogged(
  db: Db,
  after: number,
  upTo: number,
): Promise<LoggedChanges | undefined> {
  const { rows } = await sql<{ first: number | null; ids: number[]; merchants: string[] }>`
    select min(sequence) as first,
      coalesce(array_agg(distinct gem_id) filter (where gem_id is not null), '{}') as ids,
      coalesce(array_agg(distinct coalesce(merchant_uuid::text, ''))
        filter (where kind = 'prices'), '{}') as merchants
    from change where sequence > ${after} and sequence <= ${upTo}`.execute(db)
  const [{ first, ids, merchants }] = rows
  if (first !== after + 1) return undefined
  return { ids: ids.map(Number), merchants: merchants.map((uuid) => (uuid === '' ? null : uuid)) }
}

/** Stones that a search is known to match: a set, and the greatest id in it. */
export interface KnownStones {
  stones: Buffer
  last_id: number
}

/** What is known of the searches' stones from an id on. */
export async function readKnown(
  db: Db,
  searchUuids: readonly string[],
  fromId: number,
): Promise<Map<string, KnownStones[]>> {
  const { rows } = await sql<{ search_uuid: string } & KnownStones>`
    select search_uuid, stones, last_id from saved_search_stones
    where search_uuid = any(${searchUuids}::uuid[]) and last_id >= ${fromId}`.execute(db)
  const known = new Map<string, KnownStones[]>(searchUuids.map((uuid) => [uuid, []]))
  for (const { search_uuid, ...set } of rows) known.get(search_uuid)?.push(set)
  return known
}

/** Records the stones that a search matches now as known, without an alert. */
export async function recordKnown(
  tx: Tx,
  { uuid, version, ids }: { uuid: string; version: number; ids: readonly number[] },
): Promise<void> {
  await sql`update saved_search set version = ${version}, known = true
    where uuid = ${uuid}`.execute(tx)
  if (ids.length === 0) return
  await sql`insert into saved_search_stones (search_uuid, stones, last_id)
    values (${uuid}, ${encodeStones(ids)}, ${ids[ids.length - 1]})`.execute(tx)
}

/** Forgets what is known of a search's stones, and the alerts that are not raised yet. */
export async function forgetStones(tx: Tx, uuid: string): Promise<void> {
  await sql`delete from saved_search_stones where search_uuid = ${uuid}`.execute(tx)
}

/** What one search was found to match. */
export interface FoundStones extends KnownStones {
  uuid: string
}

/** A statement with this many searches takes some tens of milliseconds. */
const INSERTED_AT_ONCE = 1_000

/**
 * Records what was found, and that the log was compared up to `to`, all or nothing. Returns false
 * and writes nothing when another node went on meanwhile, or when a search was changed.
 */
export async function saveFound(
  tx: Tx,
  { holder, from, to, version }: { holder: string; from: number; to: number; version: number },
  found: readonly FoundStones[],
): Promise<boolean> {
  const moved = await sql`update alert_matcher set place = ${to}
    where holder = ${holder} and place = ${from} and version = ${version}`.execute(tx)
  if (moved.numAffectedRows !== 1n) return false
  for (let at = 0; at < found.length; at += INSERTED_AT_ONCE) {
    const some = found.slice(at, at + INSERTED_AT_ONCE)
    await sql`
      insert into saved_search_stones (search_uuid, stones, last_id, due_on)
      select search.uuid, stones, last_id, case when alert = 'daily'
        then date_trunc('day', market_clock(), 'UTC') + interval '1 day'
        else date_trunc('minute', market_clock()) + interval '1 minute' end
      from unnest(${some.map(({ uuid }) => uuid)}::uuid[],
        ${some.map(({ stones }) => stones)}::bytea[],
        ${some.map(({ last_id }) => last_id)}::bigint[]) as found (uuid, stones, last_id)
      join saved_search as search using (uuid)`.execute(tx)
  }
  return true
}
