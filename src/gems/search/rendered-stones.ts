import { setImmediate } from 'node:timers/promises'
import { createKnownReads, LAST_COMMIT_MS } from '../../database/known-reads.ts'
import type { Db } from '../../database/open.ts'
import { type ByteCache, createByteCache } from '../../lib/byte-cache.ts'
import type { Gem } from '../gem.ts'
import { extensionJson, stoneJson } from '../gem-rendering.ts'
import { readGems } from '../gem-store.ts'
import { createStoneReads, type StoneReads, type StoreStone } from './stone-reads.ts'
import { createStoredStones, type StoredStones } from './stored-stones.ts'

/**
 * The rendered bytes of stones, without what depends on the caller: a page of search results is
 * mostly copied from here. The size is bounded; the stones that were not used for longest go first.
 * All of them are in a file, too, from which they are read sooner than from the database.
 */
export interface RenderedStones {
  /** The bytes of each stone, in order, when all of them are in memory. */
  peek(ids: readonly number[], part?: StonePart): Buffer[] | undefined
  /**
   * The same, reading what is missing; undefined for a stone that the database does not have. While
   * the database is away, a stone that changed is returned as it was.
   */
  get(ids: readonly number[], part?: StonePart): Promise<(Buffer | undefined)[]>
  /** Forgets stones that changed. */
  forget(ids: ReadonlySet<number>): void
  /** Forgets all stones, once those that were used recently have been read again. */
  renew(): Promise<void>
  /** Renders stones before they are needed. Returns whether there is space for more. */
  warm(ids: readonly number[]): Promise<boolean>
  /** Whether `warm` has anything to do. */
  lacks(ids: readonly number[]): boolean
  /** Drops stones that are no longer in the market. */
  remove(ids: readonly number[]): void
  /** Up to so many stones that changed; each is returned once. */
  takeForgotten(max: number): number[]
  /** Whether more have changed since the last call than could be remembered. */
  hasForgottenMore(): boolean
  /** How often everything was forgotten. */
  renewals(): number
  size(): { entries: number; bytes: number }
  /** The size of what is on disk. */
  storedSize(): { entries: number; bytes: number }
  /** What is on disk. */
  readonly stored: StoredStones
  close(): Promise<void>
}

const DEFAULT_BYTES_MAX = 128 * 1024 * 1024
/** The last uses, of about a hundred pages, show what is in demand at present. */
const RECENT_USES = 4_000
/** Small, because reading a stone takes as long as several searches. */
const BATCH = 50
/** So many are rendered in one turn of the event loop, so that requests are answered in between. */
const TURN_STONES = 50
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
  const render = (gem: Gem) => packStone(stoneJson(gem, publicUrl), extensionOf(gem))
  const reader = createReads(async (ids) => renderAll(await readGems(db, ids), render))
  const { stored, reads } = reader
  const hasSpace = () => cache.size().bytes < bytesMax * WARM_SHARE
  // What an earlier process has stored is not in memory yet.
  const isCold = (id: number) => !stored.has(id) || (hasSpace() && !cache.has(id))
  return {
    peek: (ids, part = 'whole') => useAll(cache, ids, part),
    async get(ids, part = 'whole') {
      const stones = ids.map((id) => cache.use(id))
      const missing = ids.filter((_, i) => stones[i] === undefined)
      const read = (await reader.readMissing(missing, store)).values()
      return stones.map((stone) => cutFound(stone ?? read.next().value, part))
    },
    forget(ids) {
      reads.forget(ids)
      stored.outdate(ids)
      for (const id of ids) {
        forgotten.add(id)
        cache.drop(id)
        renewed?.drop(id)
      }
    },
    async renew() {
      const next = createByteCache(bytesMax)
      renewed = next
      stored.outdate('all')
      try {
        await readEach(reads, cache.recent(RECENT_USES), (id, bytes) => next.keep(id, bytes))
      } finally {
        reads.forget('all')
        stored.outdate('all')
        cache = next
        renewed = undefined
        renewals++
      }
    },
    async warm(ids) {
      await reader.readAhead(ids.filter(isCold), hasSpace() ? store : () => {})
      return hasSpace() || !stored.isFull()
    },
    lacks: (ids) => ids.some(isCold),
    remove(ids) {
      for (const id of ids) {
        cache.drop(id)
        stored.remove(id)
      }
    },
    takeForgotten: (max) => forgotten.take(max),
    hasForgottenMore: () => forgotten.hadMore(),
    renewals: () => renewals,
    size: () => cache.size(),
    storedSize: () => stored.size(),
    stored,
    close: () => stored.close(),
  }
}

function useAll(cache: ByteCache, ids: readonly number[], part: StonePart): Buffer[] | undefined {
  const stones: Buffer[] = []
  for (const id of ids) {
    const stone = cache.use(id)
    if (!stone) return undefined
    stones.push(cutStone(stone, part))
  }
  return stones
}

async function readEach(reads: StoneReads, ids: readonly number[], store: StoreStone) {
  for (let from = 0; from < ids.length; from += BATCH) {
    await reads.read(ids.slice(from, from + BATCH), store)
    await setImmediate()
  }
}

async function renderAll(gems: readonly Gem[], render: (gem: Gem) => Buffer) {
  const rendered: [number, Buffer][] = []
  for (const gem of gems) {
    if (rendered.length > 0 && rendered.length % TURN_STONES === 0) await setImmediate()
    rendered.push([gem.id, render(gem)])
  }
  return rendered
}

/** Stones from the file or, where it does not have them as they are now, from the database. */
function createReads(render: (ids: readonly number[]) => Promise<[number, Buffer][]>) {
  const stored = createStoredStones()
  const known = createKnownReads()
  const reads = createStoneReads(async (ids) => {
    const found = await stored.read(ids)
    const missing = ids.filter((id) => !found.has(id))
    const rendered = missing.length > 0 ? await render(missing) : []
    return new Map([...found, ...rendered])
  })
  return {
    stored,
    reads,
    /** While the database is away, stones that changed are returned as they were. */
    async readMissing(ids: readonly number[], store: StoreStone): Promise<(Buffer | undefined)[]> {
      const again = () => reads.readShared(ids, store)
      if (ids.every((id) => stored.has(id))) return again()
      const earlier = await stored.readKnown(ids)
      return earlier ? known.read(again, earlier, LAST_COMMIT_MS) : again()
    },
    /** Writes to the file what it does not have. */
    async readAhead(ids: readonly number[], store: StoreStone): Promise<void> {
      const rendered = new Map<number, Buffer>()
      await reads.read(ids, (id, bytes) => {
        store(id, bytes)
        if (!stored.has(id)) rendered.set(id, bytes)
      })
      await stored.write(rendered)
    },
  }
}

function createForgotten() {
  const forgotten = new Set<number>()
  let hasMore = false
  return {
    add(id: number) {
      if (forgotten.size < FORGOTTEN_MAX) forgotten.add(id)
      else hasMore = true
    },
    hadMore(): boolean {
      const had = hasMore
      hasMore = false
      return had
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

function cutFound(stone: Buffer | undefined, part: StonePart): Buffer | undefined {
  return stone && cutStone(stone, part)
}

/** The bytes of a part, which are not copied. */
function cutStone(stone: Buffer, part: StonePart): Buffer {
  if (part === 'whole') return stone.subarray(LENGTH_BYTES)
  return stone.subarray(LENGTH_BYTES, LENGTH_BYTES + stone.readUInt32LE(0))
}
