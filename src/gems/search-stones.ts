import type { Db } from '../database/open.ts'
import { createByteCache } from '../lib/byte-cache.ts'
import { type Gem, renderStone } from './gem-rendering.ts'
import { readGems } from './search-rows.ts'

/**
 * The rendered bytes of stones, without what depends on the caller: a page of search results is
 * mostly copied from here. Bounded; the stones that were asked for longest ago go first.
 */
export interface RenderedStones {
  /** The bytes of each stone, in order; undefined for one that the database does not have. */
  bytesOf(ids: readonly number[]): Promise<(Buffer | undefined)[]> | Buffer[]
  /** Forgets stones that changed; null: all. */
  forget(ids: ReadonlySet<number> | null): void
  /** Renders stones ahead of need. Answers whether there is room for more. */
  warm(ids: readonly number[]): Promise<boolean>
  size(): { entries: number; bytes: number }
}

const DEFAULT_BYTES_MAX = 128 * 1024 * 1024
/** Warming leaves a rest for what is really asked for. */
const WARM_SHARE = 0.8

export function createRenderedStones(
  db: Db,
  publicUrl: string,
  bytesMax: number = DEFAULT_BYTES_MAX,
  render: (gem: Gem, publicUrl: string) => object = renderStone,
): RenderedStones {
  const cache = createByteCache(bytesMax)
  // What was forgotten while stones were being read must not be remembered as it was read.
  const readings = new Set<Forgotten>()

  async function read(ids: readonly number[]): Promise<Map<number, Buffer>> {
    const forgotten: Forgotten = { all: false, ids: new Set() }
    readings.add(forgotten)
    try {
      const fresh = new Map<number, Buffer>()
      for (const gem of await readGems(db, ids)) {
        const stone = renderStoneBytes(render(gem, publicUrl))
        fresh.set(gem.id, stone)
        if (!forgotten.all && !forgotten.ids.has(gem.id)) cache.keep(gem.id, stone)
      }
      return fresh
    } finally {
      readings.delete(forgotten)
    }
  }

  return {
    bytesOf(ids) {
      const found = ids.map((id) => cache.use(id))
      const missing = ids.filter((_, i) => found[i] === undefined)
      if (missing.length === 0) return found as Buffer[]
      return read(missing).then((fresh) => ids.map((id, i) => found[i] ?? fresh.get(id)))
    },
    forget(ids) {
      for (const reading of readings) {
        reading.all ||= ids === null
        for (const id of ids ?? []) reading.ids.add(id)
      }
      if (ids === null) cache.clear()
      else for (const id of ids) cache.drop(id)
    },
    async warm(ids) {
      const missing = ids.filter((id) => !cache.has(id))
      if (missing.length > 0) await read(missing)
      return cache.size().bytes < bytesMax * WARM_SHARE
    },
    size: () => cache.size(),
  }
}

interface Forgotten {
  all: boolean
  ids: Set<number>
}

/** The object without its closing brace: the caller's fields follow. */
function renderStoneBytes(stone: object): Buffer {
  return Buffer.from(JSON.stringify(stone).slice(0, -1))
}
