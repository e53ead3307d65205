import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../database/open.ts'
import { encodeStones } from '../known-stones.ts'
import type { Stones } from './batch.ts'
import type { KnownCache } from './known-cache.ts'
import type { AlertSearch, FoundStones } from './matcher-store.ts'
import { matchingIds } from './plan-alert.ts'
import type { SearchGroup } from './search-groups.ts'

/** What was found for a search. */
interface Found extends FoundStones {
  search: AlertSearch
}

/** Other work of the node waits no longer than this. */
const TURN_MS = 5
/** How many stones may be remembered before those that are known are taken out. */
const STONES_MAX = 200_000

/** Compares the stones with all searches, and returns what none of them was told of before. */
export async function findMatches(
  db: Db,
  groups: readonly SearchGroup[],
  stones: Stones,
  known: KnownCache,
): Promise<Found[]> {
  const found: Found[] = []
  let matches: Match[] = []
  let count = 0
  let turnMs = performance.now()
  for (const { kind, plan, members } of groups) {
    const ids = matchingIds(stones[kind](), plan)
    if (ids.length > 0) matches.push({ members, ids })
    count += ids.length
    if (count >= STONES_MAX) {
      found.push(...(await takeFresh(db, matches, known)))
      matches = []
      count = 0
    }
    if (performance.now() - turnMs < TURN_MS) continue
    await nextTurn()
    turnMs = performance.now()
  }
  found.push(...(await takeFresh(db, matches, known)))
  return found
}

/** Stones that match the searches of a group. */
interface Match {
  members: readonly AlertSearch[]
  ids: readonly number[]
}

/** What is known of this many searches is read at once. */
const SEARCHES_AT_ONCE = 500

async function takeFresh(db: Db, matches: readonly Match[], known: KnownCache): Promise<Found[]> {
  const found: Found[] = []
  const all = matches.flatMap(({ members, ids }) => members.map((search) => ({ search, ids })))
  for (let at = 0; at < all.length; at += SEARCHES_AT_ONCE) {
    const some = all.slice(at, at + SEARCHES_AT_ONCE)
    const least = some.reduce((id, { ids }) => Math.min(id, ids[0]), Number.POSITIVE_INFINITY)
    await known.load(
      db,
      some.map(({ search }) => search),
      least,
    )
    for (const { search, ids } of some) {
      const fresh = known.fresh(search, ids)
      if (fresh.length === 0) continue
      const set = { stones: encodeStones(fresh), last_id: fresh[fresh.length - 1] }
      found.push({ search, uuid: search.uuid, ...set })
    }
    await nextTurn()
  }
  return found
}
