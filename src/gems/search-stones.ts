import type { Db } from '../database/open.ts'
import { renderStone } from './gem-rendering.ts'
import { readGems } from './search-rows.ts'

/**
 * The rendered bytes of stones, without what depends on the caller: a page of search results is
 * mostly copied from here. Bounded; the stones that were asked for longest ago go first.
 */
export interface RenderedStones {
  /** The bytes of each stone, in order; undefined for one that the database does not have. */
  bytesOf(ids: readonly number[]): Promise<(Buffer | undefined)[]> | Buffer[]
  /** Forgets stones that changed; null: all. */
  forget(ids: Iterable<number> | null): void
  /** Renders stones ahead of need while there is room. Answers whether there is room left. */
  warm(ids: readonly number[]): Promise<boolean>
  size(): { stones: number; bytes: number }
}

const DEFAULT_BYTES_MAX = 128 * 1024 * 1024
/** What a Map entry and a Buffer take beside the bytes, measured on Node 20. */
const OVERHEAD_BYTES = 250
/** Warming leaves a rest for what is really asked for. */
const WARM_SHARE = 0.8

export function createRenderedStones(
  db: Db,
  publicUrl: string,
  bytesMax: number = DEFAULT_BYTES_MAX,
): RenderedStones {
  const rendered = new Map<number, Buffer>()
  // What was forgotten while stones were being read must not be remembered as it was read.
  const readings = new Set<Set<number>>()
  let bytes = 0

  function drop(id: number): void {
    const stone = rendered.get(id)
    if (!stone) return
    bytes -= stone.length + OVERHEAD_BYTES
    rendered.delete(id)
  }

  function keep(id: number, stone: Buffer): void {
    drop(id)
    rendered.set(id, stone)
    bytes += stone.length + OVERHEAD_BYTES
    // Insertion order makes the first key the one used longest ago.
    for (const [oldest] of rendered) {
      if (bytes <= bytesMax) break
      drop(oldest)
    }
  }

  /** Moves a stone to the young end. */
  function use(id: number): Buffer | undefined {
    const stone = rendered.get(id)
    if (stone) {
      rendered.delete(id)
      rendered.set(id, stone)
    }
    return stone
  }

  async function read(ids: readonly number[]): Promise<Map<number, Buffer>> {
    const forgotten = new Set<number>()
    readings.add(forgotten)
    try {
      const gems = await readGems(db, ids)
      const fresh = new Map<number, Buffer>()
      for (const gem of gems) {
        const stone = renderStoneBytes(renderStone(gem, publicUrl))
        fresh.set(gem.id, stone)
        if (!forgotten.has(gem.id) && !forgotten.has(ALL)) keep(gem.id, stone)
      }
      return fresh
    } finally {
      readings.delete(forgotten)
    }
  }

  return {
    bytesOf(ids) {
      const found = ids.map(use)
      const missing = ids.filter((_, i) => found[i] === undefined)
      if (missing.length === 0) return found as Buffer[]
      return read(missing).then((fresh) => ids.map((id, i) => found[i] ?? fresh.get(id)))
    },
    forget(ids) {
      for (const reading of readings) {
        for (const id of ids ?? [ALL]) reading.add(id)
      }
      if (ids === null) {
        rendered.clear()
        bytes = 0
      } else {
        for (const id of ids) drop(id)
      }
    },
    async warm(ids) {
      const missing = ids.filter((id) => !rendered.has(id))
      if (missing.length > 0) await read(missing)
      return bytes < bytesMax * WARM_SHARE
    },
    size: () => ({ stones: rendered.size, bytes }),
  }
}

/** No stone has this id: it stands for all of them. */
const ALL = -1

/** The object without its closing brace: the caller's fields follow. */
function renderStoneBytes(stone: object): Buffer {
  return Buffer.from(JSON.stringify(stone).slice(0, -1))
}
