import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../database/open.ts'
import { idAt } from '../../index/index.ts'
import { type ByteCache, createByteCache } from '../../lib/byte-cache.ts'
import type { Gem } from '../gem.ts'
import { extensionJson, stoneJson } from '../gem-rendering.ts'
import { readGems } from '../gem-store.ts'
import type { GemIndex } from '../indexing/follower.ts'
import { createStoneReads, type StoreStone } from './stone-reads.ts'

/**
 * The rendered bytes of stones, without what depends on the caller: a page of search results is
 * mostly copied from here. The size is bounded; the stones that were not used for longest go first.
 */
export interface RenderedStones {
  /** The bytes of each stone, in order, when all of them are in memory. */
  peek(ids: readonly number[], part?: StonePart): Buffer[] | undefined
  /** The same, reading what is missing; undefined for a stone that the database does not have. */
  get(ids: readonly number[], part?: StonePart): Promise<(Buffer | undefined)[]>
  /** Forgets stones that changed. */
  forget(ids: ReadonlySet<number>): void
  /** Forgets all stones, once those that were used recently have been read again. */
  renew(): Promise<void>
  /** Renders stones before they are needed. Returns whether the cache has space for more. */
  warm(ids: readonly number[]): Promise<boolean>
  size(): { entries: number; bytes: number }
}

const DEFAULT_BYTES_MAX = 128 * 1024 * 1024
/** The last uses, of about a hundred pages, show what is in demand at present. */
const RECENT_USES = 4_000
/** Small, because reading a stone takes as long as several searches. */
const BATCH = 50
/** Warming leaves the rest of the cache to what callers ask for. */
const WARM_SHARE = 0.8

export function createRenderedStones(
  db: Db,
  publicUrl: string,
  bytesMax: number = DEFAULT_BYTES_MAX,
  extensionOf: (gem: Gem) => string = extensionJson,
): RenderedStones {
  let cache = createByteCache(bytesMax)
  let renewed: ByteCache | undefined
  const store: StoreStone = (id, bytes) => cache.keep(id, bytes)
  const reads = createStoneReads(async (ids) => {
    const gems = await readGems(db, ids)
    return new Map(
      gems.map((gem) => [gem.id, packStone(stoneJson(gem, publicUrl), extensionOf(gem))]),
    )
  })

  return {
    peek(ids, part = 'whole') {
      const stones: Buffer[] = []
      for (const id of ids) {
        const stone = cache.use(id)
        if (!stone) return undefined
        stones.push(cutStone(stone, part))
      }
      return stones
    },
    async get(ids, part = 'whole') {
      const stones = ids.map((id) => cache.use(id))
      const missing = ids.filter((_, i) => stones[i] === undefined)
      const read = (await reads.readShared(missing, store)).values()
      const found = stones.map((stone) => stone ?? read.next().value)
      return found.map((stone) => stone && cutStone(stone, part))
    },
    forget(ids) {
      reads.forget(ids)
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
        for (let from = 0; from < recent.length; from += BATCH) {
          const ids = recent.slice(from, from + BATCH)
          await reads.read(ids, (id, bytes) => next.keep(id, bytes))
          await setImmediate()
        }
      } finally {
        reads.forget('all')
        cache = next
        renewed = undefined
      }
    },
    async warm(ids) {
      const missing = ids.filter((id) => !cache.has(id))
      if (missing.length > 0) await reads.read(missing, store)
      return cache.size().bytes < bytesMax * WARM_SHARE
    },
    size: () => cache.size(),
  }
}

/**
 * A rendered stone is the JSON that v3 shows, of which v2 shows the first part. Both are cut from
 * the same bytes, in front of which stands the length of that part.
 */
export type StonePart = 'specified' | 'whole'

const LENGTH_BYTES = 4

function packStone(specified: string, extension: string): Buffer {
  const length = Buffer.byteLength(specified)
  const stone = Buffer.allocUnsafeSlow(LENGTH_BYTES + length + Buffer.byteLength(extension))
  stone.writeUInt32LE(length)
  stone.write(specified, LENGTH_BYTES)
  stone.write(extension, LENGTH_BYTES + length)
  return stone
}

/** The bytes of a part, which are not copied. */
function cutStone(stone: Buffer, part: StonePart): Buffer {
  if (part === 'whole') return stone.subarray(LENGTH_BYTES)
  return stone.subarray(LENGTH_BYTES, LENGTH_BYTES + stone.readUInt32LE(0))
}

/** A pause between batches leaves the machine to requests. */
const WARM_PAUSE_MS = 10
const WAIT_FOR_INDEX_MS = 250

/**
 * Renders stones before anybody asks for them, cheapest first, which is the order that most
 * searches read. Ends when the cache is nearly full or all stones are in it.
 */
export function warmStones(index: GemIndex, stones: RenderedStones): { stop(): void } {
  let stopped = false
  void warm().catch(() => {
    // The database is away: the stones are then rendered when they are asked for.
  })
  return {
    stop() {
      stopped = true
    },
  }

  async function warm(): Promise<void> {
    while (!stopped && index.sequence() === undefined) await pause(WAIT_FOR_INDEX_MS)
    for (let from = 0; !stopped; from += BATCH) {
      const { base } = index.store()
      const ids: number[] = []
      for (let row = from; row < Math.min(from + BATCH, base.size); row++) ids.push(idAt(base, row))
      if (ids.length === 0 || !(await stones.warm(ids))) return
      await pause(WARM_PAUSE_MS)
    }
  }

  function pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { ref: false })
  }
}
