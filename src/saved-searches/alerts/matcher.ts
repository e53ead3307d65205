import type { Db, Tx } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { createPoller } from '../../events/poller.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { newUuid } from '../../lib/uuid.ts'
import type { GemIndexes } from '../save-search.ts'
import { SEARCH_KINDS } from '../saved-search.ts'
import { allStones, indexStones } from './batch.ts'
import { findMatches } from './find-matches.ts'
import { createKnownCache } from './known-cache.ts'
import {
  type AlertSearch,
  claimLease,
  endLease,
  type Lease,
  listAlertSearches,
  lockMatcher,
  type MatcherState,
  readLogged,
  recordKnown,
  saveFound,
  waitForMatcher,
} from './matcher-store.ts'
import { matchingIds } from './plan-alert.ts'
import { raiseAlerts } from './raise-alerts.ts'
import { createSearchPlanner, type SearchGroup } from './search-groups.ts'

/**
 * Compares the stones that change with all saved searches that have alerts. Every node has one, and
 * a lease lets one of them work; what it found and how far it is are recorded together, so that a
 * node that is killed leaves nothing out and nothing twice.
 */
export interface AlertMatcher {
  /** Resolves when all that this node's indexes know is compared, or another node does it. */
  catchUp(): Promise<void>
  stop(): Promise<void>
}

interface MatcherOptions {
  db: Db
  indexes: GemIndexes
  onError: (error: unknown) => void
  /** How long to wait between two looks at the change log. */
  pollMs?: number
}

/** Alerts are raised once a minute at most, so that a look every other second is soon enough. */
const POLL_MS = 2_000
/** While it is behind, comparing takes about this share of the node's time. */
const SHARE_MAX = 0.25

export function startAlertMatcher(options: MatcherOptions): AlertMatcher {
  const { db, indexes, onError, pollMs = POLL_MS } = options
  const matcher = newMatcher(db, indexes)
  let isBehind = false
  const step = oneAtATime(async () => {
    isBehind = (await matcher.step()) === 'behind'
  })
  const poller = createPoller(poll, { afterErrorMs: pollMs, onError })

  async function poll(): Promise<number> {
    const startMs = performance.now()
    await step()
    await raiseAlerts(db, indexes)
    const restMs = (performance.now() - startMs) * (1 / SHARE_MAX - 1)
    return isBehind ? Math.min(pollMs, restMs) : pollMs
  }
  poller.wake()
  return {
    async catchUp() {
      do await step()
      while (isBehind)
    },
    async stop() {
      await poller.stop()
      await matcher.release().catch(onError)
    },
  }
}

/** How many changes of the log are compared at once: making their index delays other work. */
const CHANGES_MAX = 40_000
/** After so many attempts in which a search was changed meanwhile, changes of searches wait. */
const FREE_ATTEMPTS = 2

interface Matcher {
  /** Compares the next changes, if this node has the lease or can get it. */
  step(): Promise<'up to date' | 'behind'>
  release(): Promise<void>
}

function newMatcher(db: Db, indexes: GemIndexes): Matcher {
  const holder = newUuid()
  const known = createKnownCache()
  const planner = createSearchPlanner()
  let attempts = 0
  /** The searches as of a version. */
  let loaded: { version: number; searches: AlertSearch[] } | undefined
  /** These searches with their price rules. */
  let groups: SearchGroup[] | undefined
  let lease: Lease | undefined
  let place = -1

  /** How far both indexes are. */
  function indexed(): number {
    return Math.min(...SEARCH_KINDS.map((kind) => indexes[kind].sequence() ?? -1))
  }

  async function step(): Promise<'up to date' | 'behind'> {
    if (indexed() <= place) return 'up to date'
    const earlier = lease?.term
    lease = await claimLease(db, holder)
    if (!lease || lease.term !== earlier) known.clear()
    if (!lease) return 'up to date'
    place = lease.place
    if (indexed() <= place) return 'up to date'
    const isSaved =
      attempts < FREE_ATTEMPTS
        ? await compare(db, lease)
        : await inTransaction(db, async (tx) => compare(tx, await waitForMatcher(tx)))
    attempts = isSaved ? 0 : attempts + 1
    return indexed() > place ? 'behind' : 'up to date'
  }

  /** Returns false when something changed meanwhile, with which nothing was recorded. */
  async function compare(on: Db | Tx, { place: from, version }: MatcherState): Promise<boolean> {
    if (loaded?.version !== version) {
      loaded = { version, searches: await listAlertSearches(on) }
      groups = undefined
    }
    const { searches } = loaded
    const latest = indexed()
    const to = searches.length === 0 ? latest : Math.min(latest, from + CHANGES_MAX)
    const logged = searches.length === 0 ? NOTHING : await readLogged(on, from, to)
    const repriced = logged ? logged.merchants : ALL_MERCHANTS
    planner.forget(repriced)
    if (repriced.length > 0) groups = undefined
    groups ??= await planner.group(on, searches)
    if (await noteFirst(on, indexes, groups)) return false
    const stones = logged ? await indexStones(indexes, logged.ids, hasTexts(groups)) : undefined
    const found = await findMatches(on, groups, stones ?? allStones(indexes), known)
    const step = { holder, from, to: logged ? to : latest, version }
    if (!(await inOwnTransaction(on, (tx) => saveFound(tx, step, found)))) return false
    for (const { search, stones: set, last_id } of found)
      known.add(search, { stones: set, last_id })
    place = step.to
    return true
  }

  return { step, release: () => endLease(db, holder) }
}

/**
 * Of searches that were saved where there is no index, as those of the demo market, what matches
 * now is known. Returns whether there were any.
 */
async function noteFirst(
  on: Db | Tx,
  indexes: GemIndexes,
  groups: readonly SearchGroup[],
): Promise<boolean> {
  const isNew = (search: AlertSearch) => !search.known
  const unknown = groups.filter(({ members }) => members.some(isNew))
  for (const { kind, plan, members } of unknown) {
    await inOwnTransaction(on, async (tx) => {
      const { version } = await lockMatcher(tx)
      const ids = matchingIds({ store: indexes[kind].store() }, plan)
      for (const { uuid } of members.filter(isNew)) await recordKnown(tx, { uuid, version, ids })
    })
  }
  return unknown.length > 0
}

const NOTHING = { ids: [], merchants: [] }
const ALL_MERCHANTS = [null]

/** Whether some search is for certain SKUs or certificates. */
function hasTexts(groups: readonly SearchGroup[]): boolean {
  return groups.some(({ plan }) => plan.predicates.some(({ kind }) => kind === 'texts'))
}

function inOwnTransaction<T>(on: Db | Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  return on.isTransaction ? work(on as Tx) : inTransaction(on, work)
}
