/** Bytes by number, bounded in size; what was used longest ago goes first. */
export interface ByteCache {
  /** Finds the bytes and makes them the youngest. */
  use(key: number): Buffer | undefined
  has(key: number): boolean
  keep(key: number, bytes: Buffer): void
  drop(key: number): void
  clear(): void
  size(): { entries: number; bytes: number }
}

/** What a Map entry and a Buffer take beside the bytes, measured on Node 20. */
const OVERHEAD_BYTES = 250

export function createByteCache(bytesMax: number): ByteCache {
  // Insertion order makes the first key the one used longest ago.
  const entries = new Map<number, Buffer>()
  let total = 0

  function drop(key: number): void {
    const bytes = entries.get(key)
    if (!bytes) return
    total -= bytes.length + OVERHEAD_BYTES
    entries.delete(key)
  }

  return {
    use(key) {
      const bytes = entries.get(key)
      if (bytes) {
        entries.delete(key)
        entries.set(key, bytes)
      }
      return bytes
    },
    has: (key) => entries.has(key),
    keep(key, bytes) {
      drop(key)
      entries.set(key, bytes)
      total += bytes.length + OVERHEAD_BYTES
      for (const [oldest] of entries) {
        if (total <= bytesMax) break
        drop(oldest)
      }
    },
    drop,
    clear() {
      entries.clear()
      total = 0
    },
    size: () => ({ entries: entries.size, bytes: total }),
  }
}
