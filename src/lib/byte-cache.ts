/** Bytes by number, bounded in size; the least recently used entries are removed first. */
export interface ByteCache {
  use(key: number): Buffer | undefined
  has(key: number): boolean
  keep(key: number, bytes: Buffer): void
  /** The keys that were used among the last `uses` uses. */
  recent(uses: number): number[]
  drop(key: number): void
  clear(): void
  size(): { entries: number; bytes: number }
}

interface Entry {
  bytes: Buffer
  /** The number of its last use; 0: none since it was inserted or moved to the end. */
  usedAt: number
}

/** The memory of a Map entry and a Buffer beside the bytes, measured on Node 20. */
const OVERHEAD_BYTES = 300

export function createByteCache(bytesMax: number): ByteCache {
  // A Map keeps insertion order, so the first key is the oldest. Using an entry only marks it,
  // because moving it costs more than copying its bytes; a marked entry that has become the oldest
  // is moved to the end instead of removed.
  const entries = new Map<number, Entry>()
  let total = 0
  let uses = 0

  function drop(key: number): void {
    const entry = entries.get(key)
    if (!entry) return
    total -= entry.bytes.length + OVERHEAD_BYTES
    entries.delete(key)
  }

  return {
    use(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entry.usedAt = ++uses
      return entry.bytes
    },
    has: (key) => entries.has(key),
    keep(key, bytes) {
      drop(key)
      entries.set(key, { bytes, usedAt: 0 })
      total += bytes.length + OVERHEAD_BYTES
      for (const [oldest, entry] of entries) {
        if (total <= bytesMax) break
        if (entry.usedAt > 0) {
          entry.usedAt = 0
          entries.delete(oldest)
          entries.set(oldest, entry)
        } else {
          drop(oldest)
        }
      }
    },
    recent(count) {
      const since = Math.max(0, uses - count)
      return [...entries].filter(([, { usedAt }]) => usedAt > since).map(([key]) => key)
    },
    drop,
    clear() {
      entries.clear()
      total = 0
    },
    size: () => ({ entries: entries.size, bytes: total }),
  }
}
