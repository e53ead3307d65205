import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../database/open.ts'
import { type ByteCache, createByteCache } from '../../lib/byte-cache.ts'
import type { Gem } from '../gem.ts'
import { stoneJson } from '../gem-rendering.ts'
import { readGems } from '../gem-store.ts'
import { createStoneReadings, type KeepStone } from './stone-readings.ts'

/**
 * The rendered bytes of stones, without what depends on the caller: a page of search results is
 * mostly copied from here. Bounded; the stones that were asked for longest ago go first.
 */
export interface RenderedStones {
  /** The bytes of each stone, in order; undefined for one that the database does not have. */
  bytesOf(ids: readonly number[]): Promise<(Buffer | undefined)[]> | Buffer[]
  /** Forgets stones that changed. */
  forget(ids: ReadonlySet<number>): void
  /** Forgets all, once those that were asked for lately have been read again. */
  renew(): Promise<void>
  /** Renders stones ahead of need. Answers whether there is room for more. */
  warm(ids: readonly number[]): Promise<boolean>
  size(): { entries: number; bytes: number }
}

const DEFAULT_BYTES_MAX = 128 * 1024 * 1024
/** So many uses, some hundred pages, tell what is asked for at present. */
const RECENT_USES = 4_000
/** Few at a time: reading a stone takes the time of some searches. */
const RENEW_BATCH = 50
/** Warming leaves a rest for what is really asked for. */
const WARM_SHARE = 0.8

export function createRenderedStones(
  db: Db,
  publicUrl: string,
  bytesMax: number = DEFAULT_BYTES_MAX,
  render: (gem: Gem, publicUrl: string) => string = stoneJson,
): RenderedStones {
  let cache = createByteCache(bytesMax)
  let renewed: ByteCache | undefined
  const keep: KeepStone = (id, bytes) => cache.keep(id, bytes)
  const readings = createStoneReadings(async (ids) => {
    const gems = await readGems(db, ids)
    return new Map(gems.map((gem) => [gem.id, Buffer.from(render(gem, publicUrl))]))
  })

  async function bytesOfMissing(ids: readonly number[], found: readonly (Buffer | undefined)[]) {
    const missing = ids.filter((_, i) => found[i] === undefined)
    const stones = (await readings.readOnce(missing, keep)).values()
    return found.map((stone) => stone ?? stones.next().value)
  }

  return {
    bytesOf(ids) {
      const found = ids.map((id) => cache.use(id))
      return found.includes(undefined) ? bytesOfMissing(ids, found) : (found as Buffer[])
    },
    forget(ids) {
      readings.forget(ids)
      for (const id of ids) {
        cache.drop(id)
        renewed?.drop(id)
      }
    },
    async renew() {
      const next = createByteCache(bytesMax)
      renewed = next
      try {
        const recent = cache.recent(RECENT_USES)
        for (let from = 0; from < recent.length; from += RENEW_BATCH) {
          const ids = recent.slice(from, from + RENEW_BATCH)
          await readings.read(ids, (id, bytes) => next.keep(id, bytes))
          await setImmediate()
        }
      } finally {
        readings.forget('all')
        cache = next
        renewed = undefined
      }
    },
    async warm(ids) {
      const missing = ids.filter((id) => !cache.has(id))
      if (missing.length > 0) await readings.read(missing, keep)
      return cache.size().bytes < bytesMax * WARM_SHARE
    },
    size: () => cache.size(),
  }
}
