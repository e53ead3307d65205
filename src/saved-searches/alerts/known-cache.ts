import type { Db } from '../../database/open.ts'
import { withoutKnown } from '../known-stones.ts'
import { type AlertSearch, type KnownStones, readKnown } from './matcher-store.ts'

/**
 * What is known of searches' stones, so that a long import does not read the same sets again and
 * again. Only the node with the lease may use it: it hears of every new set.
 */
export interface KnownCache {
  /** Reads what is known of the searches' stones from an id on, unless it is in memory. */
  load(db: Db, searches: readonly AlertSearch[], fromId: number): Promise<void>
  /** Those of the ids, which are ascending, that are not known. Call `load` before. */
  fresh(search: AlertSearch, ids: readonly number[]): number[]
  /** Adds what was recorded. */
  add(search: AlertSearch, set: KnownStones): void
  clear(): void
}

interface Entry {
  /** Sets whose greatest id is below are left out. */
  fromId: number
  sets: KnownStones[]
}

/** A hundred bytes or so for each of 10,000 searches, up to some kilobytes for broad ones. */
const BYTES_MAX = 64 * 1024 * 1024

export function createKnownCache(): KnownCache {
  const entries = new Map<string, Entry>()
  let bytes = 0

  function clear(): void {
    entries.clear()
    bytes = 0
  }

  return {
    clear,
    async load(db, searches, fromId) {
      // What one call needs may exceed the limit; then the next call reads it again.
      if (bytes > BYTES_MAX) clear()
      const missing = searches.filter((search) => {
        const entry = entries.get(keyOf(search))
        return entry === undefined || entry.fromId > fromId
      })
      if (missing.length === 0) return
      const known = await readKnown(db, [...new Set(missing.map(({ uuid }) => uuid))], fromId)
      for (const search of missing) {
        const sets = known.get(search.uuid) ?? []
        entries.set(keyOf(search), { fromId, sets })
        for (const { stones } of sets) bytes += stones.length
      }
    },
    fresh(search, ids) {
      const entry = entries.get(keyOf(search))
      if (!entry) throw new Error(`the stones of ${search.uuid} are not loaded`)
      let fresh = ids as number[]
      for (const { stones, last_id } of entry.sets) {
        if (fresh.length > 0 && last_id >= fresh[0]) fresh = withoutKnown(fresh, stones)
      }
      return fresh
    },
    add(search, set) {
      entries.get(keyOf(search))?.sets.push(set)
      bytes += set.stones.length
    },
  }
}

/** With other conditions a search begins again. */
function keyOf({ uuid, version }: AlertSearch): string {
  return `${uuid} ${version}`
}
