import { BLOCK_BYTES, createSpace, type Space } from './stored/blocks.ts'
import { createPlaces, type KnownPlaces, type Places } from './stored/places.ts'
import {
  createRecords,
  type PlacedStone,
  type Records,
  type SavedBlocks,
} from './stored/records.ts'
import { listCurrent, readChunks, type VersionsNow } from './stored/saving.ts'
import { type AboutStones, writeStonesFile } from './stored/stones-file.ts'

/**
 * The rendered bytes of all stones, compressed, in a temporary file without a name: memory has
 * space for some of them only, and a search must be answered while the database is away. A stone
 * that changed stays readable as it was until it is written again. Stones of an earlier process are
 * read from the file that it left (docs/decisions/0029-stones-on-disk.md).
 */
export interface StoredStones {
  /** Whether the stone is stored as it is now. */
  has(id: number): boolean
  /** Those that are stored as they are now. */
  read(ids: readonly number[]): Promise<Map<number, Buffer>>
  /** The stones as they are or were, in order; undefined unless all of them are stored. */
  readKnown(ids: readonly number[]): Promise<Buffer[] | undefined>
  /** Stores stones, unless they change meanwhile. */
  write(stones: ReadonlyMap<number, Buffer>): Promise<void>
  /** Stones changed; with 'all', any of them may have. */
  outdate(ids: ReadonlySet<number> | 'all'): void
  /** Forgets a stone that is no longer there. */
  remove(id: number): void
  /** Uses the stones of a file, before any is written. */
  adopt(file: SavedBlocks, known: KnownPlaces): void
  /** Writes those that are stored as they are now into a file, as `writeStonesFile` does. */
  save(path: string, about: AboutStones, versionsNow: VersionsNow): Promise<boolean>
  /** How many were written since they were saved last, or adopted. */
  unsaved(): number
  isFull(): boolean
  size(): { entries: number; bytes: number }
  close(): Promise<void>
}

const BYTES_MAX = 2 * 1024 ** 3
/** So many are compressed in one turn of the event loop. */
const TURN_STONES = 50

export function createStoredStones(bytesMax = BYTES_MAX): StoredStones {
  const space = createSpace(Math.floor(bytesMax / BLOCK_BYTES))
  const places = createPlaces(space)
  const records = createRecords()
  const parts = { space, places, records }
  const saves = createSaves(parts)
  let isBroken = false
  /** Stones that are being written, each by the last call that has it. */
  const writing = new Map<number, ReadonlyMap<number, Buffer>>()

  /** Stones for which there is no space are left out. */
  function placeSome(some: readonly [number, Buffer][], stones: ReadonlyMap<number, Buffer>) {
    return some.flatMap(([id, bytes]): PlacedStone[] => {
      const packed = records.pack(id, bytes, stones)
      const place = space.take(packed.length)
      return place === undefined ? [] : [{ id, place, packed }]
    })
  }

  return {
    has: (id) => places.isCurrent(id),
    ...createReads(parts),
    async write(stones) {
      if (isBroken) return
      for (const id of stones.keys()) writing.set(id, stones)
      try {
        const all = [...stones]
        for (let from = 0; from < all.length; from += TURN_STONES) {
          const placed = placeSome(all.slice(from, from + TURN_STONES), stones)
          await records.write(placed)
          for (const { id, place } of placed) {
            if (writing.get(id) === stones) places.put(id, place)
            else space.free(place)
          }
          saves.count(placed.length)
        }
      } catch {
        // Without space on the disk, memory alone has to do.
        isBroken = true
      } finally {
        for (const id of stones.keys()) if (writing.get(id) === stones) writing.delete(id)
      }
    },
    outdate(ids) {
      if (ids === 'all') writing.clear()
      else for (const id of ids) writing.delete(id)
      places.outdate(ids)
    },
    remove: (id) => places.remove(id),
    adopt(file, known) {
      records.adopt(file)
      places.adopt(known)
    },
    save: saves.save,
    unsaved: saves.unsaved,
    isFull: () => isBroken || space.isFull(),
    size: () => ({ entries: places.size(), bytes: space.bytes() + records.savedBytes() }),
    async close() {
      isBroken = true
      places.clear()
      await records.close()
    },
  }
}

interface Parts {
  space: Space
  places: Places
  records: Records
}

function createReads({ space, places, records }: Parts): Pick<StoredStones, 'read' | 'readKnown'> {
  async function readOne(id: number): Promise<[id: number, bytes: Buffer][]> {
    const place = places.find(id)
    if (place === undefined) return []
    const bytes = await records.read(id, place)
    if (bytes) return [[id, bytes]]
    // Its bytes were damaged on the disk.
    if (places.find(id) === place) places.remove(id)
    return []
  }

  return {
    read: (ids) =>
      space.whileReading(async () => {
        const current = ids.filter((id) => places.isCurrent(id))
        return new Map((await Promise.all(current.map(readOne))).flat())
      }),
    readKnown: (ids) =>
      space.whileReading(async () => {
        const found = (await Promise.all(ids.map(readOne))).flat()
        return found.length === ids.length ? found.map(([, bytes]) => bytes) : undefined
      }),
  }
}

/** Writes all stones into a file, and knows how many were written since. */
function createSaves({ space, places, records }: Parts) {
  let written = 0
  let saved = 0

  function save(path: string, about: AboutStones, versionsNow: VersionsNow): Promise<boolean> {
    return space.whileReading(async () => {
      const [before, generation] = [written, places.generation()]
      const { listed, places: listedPlaces } = await listCurrent(places, versionsNow)
      const isWritten = await writeStonesFile(path, {
        about,
        listed,
        dictionary: records.dictionary() ?? Buffer.alloc(0),
        chunks: readChunks(records, listedPlaces),
        isValid: () => places.generation() === generation,
      })
      if (isWritten) saved = before
      return isWritten
    })
  }

  return {
    save,
    unsaved: () => written - saved,
    count(stones: number): void {
      written += stones
    },
  }
}
