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
  /** Up to so many stones that were in memory until they changed; each is returned once. */
  takeForgotten(max: number): number[]
  /** How often everything was forgotten. */
  renewals(): number
  size(): { entries: number; bytes: number }
}

const DEFAULT_BYTES_MAX = 128 * 1024 * 1024
/** The last uses, of about a hundred pages, show what is in demand at present. */
const RECENT_USES = 4_000
/** Small, because reading a stone takes as long as several searches. */
const BATCH = 50
/** More stones than these change at once only in an import, after which nobody waits for all. */
const FORGOTTEN_MAX = 10_000
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
  let renewals = 0
  const forgotten = createForgotten()
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
        if (cache.has(id)) forgotten.add(id)
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
        renewals++
      }
    },
    async warm(ids) {
      const missing = ids.filter((id) => !cache.has(id))
      if (missing.length > 0) await reads.read(missing, store)
      return cache.size().bytes < bytesMax * WARM_SHARE
    },
    takeForgotten: (max) => forgotten.take(max),
    renewals: () => renewals,
    size: () => cache.size(),
  }
}

function createForgotten() {
  const forgotten = new Set<number>()
  return {
    add(id: number) {
      if (forgotten.size < FORGOTTEN_MAX) forgotten.add(id)
    },
    take(max: number): number[] {
      const ids = [...forgotten].slice(0, max)
      for (const id of ids) forgotten.delete(id)
      return ids
    },
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
/** How soon stones that changed are rendered again: 500 a second at most. */
const CHANGED_PAUSE_MS = 100
/** How soon it is tried again when the database is away. */
const RETRY_MS = 1_000

/**
 * Renders stones before anybody asks for them, so that they can be shown while the database is
 * away: first all of them, cheapest first, which is the order that most searches read, until the
 * cache is nearly full; then those that change. It begins again when everything was forgotten.
 */
export function warmStones(index: GemIndex, stones: RenderedStones): { stop(): void } {
  let stopped = false
  void warm()
  return {
    stop() {
      stopped = true
    },
  }

  async function warm(): Promise<void> {
    while (!stopped && index.sequence() === undefined) await pause(WAIT_FOR_INDEX_MS)
    while (!stopped) {
      const renewals = stones.renewals()
      const isCurrent = () => !stopped && stones.renewals() === renewals
      await warmAll(isCurrent)
      while (isCurrent()) {
        await warmSome(stones.takeForgotten(BATCH))
        await pause(CHANGED_PAUSE_MS)
      }
    }
  }

  async function warmAll(isCurrent: () => boolean): Promise<void> {
    for (let from = 0; isCurrent(); from += BATCH) {
      const { base } = index.store()
      const ids: number[] = []
      for (let row = from; row < Math.min(from + BATCH, base.size); row++) ids.push(idAt(base, row))
      if (ids.length === 0 || !(await warmSome(ids))) return
      await pause(WARM_PAUSE_MS)
    }
  }

  /** While the database is away it waits. */
  async function warmSome(ids: readonly number[]): Promise<boolean> {
    while (!stopped) {
      const hasSpace = await stones.warm(ids).catch(() => undefined)
      if (hasSpace !== undefined) return hasSpace
      await pause(RETRY_MS)
    }
    return false
  }

  function pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { ref: false })
  }
}
