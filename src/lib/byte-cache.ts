/** Bytes by number, bounded in size; what was not used for longest goes first. */
export interface ByteCache {
  use(key: number): Buffer | undefined
  has(key: number): boolean
  keep(key: number, bytes: Buffer): void
  /** What was used among the last so many uses. */
  recent(uses: number): number[]
  drop(key: number): void
  clear(): void
  size(): { entries: number; bytes: number }
}

interface Entry {
  bytes: Buffer
  /** The number of its last use; 0: none since it last stood at the old end. */
  usedAt: number
}

/** What a Map entry and a Buffer take beside the bytes, measured on Node 20. */
const OVERHEAD_BYTES = 300

export function createByteCache(bytesMax: number): ByteCache {
  // Insertion order makes the first key the oldest. A use only marks the entry, because moving it
  // in the Map costs more than copying its bytes; at the old end a marked one gets a second life.
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
    recent(wanted) {
      const since = Math.max(0, uses - wanted)
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
