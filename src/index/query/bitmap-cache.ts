import type { Bits } from '../segment/bits.ts'

/**
 * Bitmaps that took some work and may be needed again: the pages of one search, the searches of
 * one buyer and the round numbers of the trade repeat themselves. The number of bitmaps is fixed,
 * and the least recently used one is overwritten. A cached bitmap depends on the base alone, never
 * on which of its rows have been replaced since.
 */
export interface BitmapCache {
  /** In the order of their last use. */
  readonly entries: Map<string, Entry>
  /** Bitmaps that are not in use. */
  readonly free: Bits[]
  /** Keys that were asked for once, recently. */
  readonly seenOnce: Set<string>
  /** The number of the current search, whose bitmaps must not be overwritten. */
  search: number
}

interface Entry {
  readonly bits: Bits
  /** The columns on which it depends. */
  readonly columns: readonly string[]
  /** The last search that used it. */
  search: number
}

const SEEN_ONCE_MAX = 256

export function newBitmapCache(bitmaps: readonly Bits[]): BitmapCache {
  return { entries: new Map(), free: [...bitmaps], seenOnce: new Set(), search: 0 }
}

export function findBitmap({ entries, search }: BitmapCache, key: string): Bits | undefined {
  const entry = entries.get(key)
  if (!entry) return undefined
  entry.search = search
  entries.delete(key)
  entries.set(key, entry)
  return entry.bits
}

/** Caches what `fill` writes to the bitmap that it is given, which may hold any rows before. */
export function addBitmap(
  cache: BitmapCache,
  key: string,
  columns: readonly string[],
  fill: (bits: Bits) => void,
): Bits {
  const bits = cache.free.pop() ?? evictOldest(cache)
  try {
    fill(bits)
  } catch (error) {
    cache.free.push(bits)
    throw error
  }
  cache.entries.set(key, { bits, columns, search: cache.search })
  return bits
}

function evictOldest({ entries, search }: BitmapCache): Bits {
  for (const [key, entry] of entries) {
    if (entry.search === search) break
    entries.delete(key)
    return entry.bits
  }
  throw new Error('A search needs more bitmaps at once than the cache has.')
}

/**
 * Whether the key was asked for before; it is remembered when it was not. Something that is asked
 * for only once must not evict what is asked for again and again.
 */
export function isRepeated({ seenOnce }: BitmapCache, key: string): boolean {
  if (seenOnce.delete(key)) return true
  for (const oldest of seenOnce) {
    if (seenOnce.size < SEEN_ONCE_MAX) break
    seenOnce.delete(oldest)
  }
  seenOnce.add(key)
  return false
}

/** Removes what depends on a column, after a code of the base was changed in place. */
export function forgetColumn({ entries, free }: BitmapCache, column: string): void {
  for (const [key, { bits, columns }] of entries) {
    if (!columns.includes(column)) continue
    entries.delete(key)
    free.push(bits)
  }
}

export function clearBitmapCache({ entries, free, seenOnce }: BitmapCache): void {
  for (const { bits } of entries.values()) free.push(bits)
  entries.clear()
  seenOnce.clear()
}
