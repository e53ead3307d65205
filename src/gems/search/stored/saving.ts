import { setImmediate as nextTurn } from 'node:timers/promises'
import { BLOCK_BYTES, blocksOf, firstBlockOf, isSaved, type Place } from './blocks.ts'
import type { Places } from './places.ts'
import type { Records } from './records.ts'
import type { ListedStones } from './stones-file.ts'

/**
 * Returns what the version of a stone in the index is now, undefined for one that is not there. The
 * function that it returns is valid until the next `await`.
 */
export type VersionsNow = () => (id: number) => number | undefined

/** Stones that are looked up in one turn of the event loop. */
const TURN_STONES = 5_000

/** Which stones are stored as they are now, and where. */
interface CurrentStones {
  listed: ListedStones
  places: Float64Array
}

/**
 * Lists the stones over several turns. A stone that changes meanwhile may be listed as it was: the
 * change has a number above the one that the log had before.
 */
export async function listCurrent(
  places: Places,
  versionsNow: VersionsNow,
): Promise<CurrentStones> {
  const generation = places.generation()
  const current = places.current()
  const list = newList(current.size)
  let versionOf = versionsNow()
  let looked = 0
  for (const [id, place] of current) {
    const version = versionOf(id)
    if (version !== undefined) list.add(id, version, place)
    looked++
    if (looked % TURN_STONES > 0) continue
    await nextTurn()
    if (places.generation() !== generation) throw new Error('all stones have changed meanwhile')
    versionOf = versionsNow()
  }
  return list.end()
}

function newList(max: number) {
  const ids = new Float64Array(max)
  const versions = new Uint32Array(max)
  const blocks = new Uint8Array(max)
  const places = new Float64Array(max)
  let size = 0
  return {
    add(id: number, version: number, place: Place): void {
      // Those that were stored since it began may be saved later.
      if (size === max) return
      ids[size] = id
      versions[size] = version
      blocks[size] = blocksOf(place)
      places[size] = place
      size++
    },
    end(): CurrentStones {
      return {
        listed: {
          ids: ids.subarray(0, size),
          versions: versions.subarray(0, size),
          blocks: blocks.subarray(0, size),
        },
        places: places.subarray(0, size),
      }
    },
  }
}

/** So many blocks are read at once at most. */
const WINDOW_BLOCKS = 2 ** 20 / BLOCK_BYTES

/**
 * Reads the blocks of stones one after the other. Stones that were written one behind the other are
 * read together, with those between them that have changed since.
 */
export async function* readChunks(
  records: Pick<Records, 'readBlocks'>,
  places: Float64Array,
): AsyncGenerator<Buffer> {
  for (let from = 0; from < places.length; ) {
    const first = firstBlockOf(places[from])
    const file = isSaved(places[from])
    let to = from
    let end = first
    while (to < places.length) {
      const begin = firstBlockOf(places[to])
      const next = begin + blocksOf(places[to])
      if (isSaved(places[to]) !== file || begin < end || next > first + WINDOW_BLOCKS) break
      end = next
      to++
    }
    const read = await records.readBlocks(file, first, end - first)
    const stones = Array.from(places.subarray(from, to), (place) => {
      const begin = (firstBlockOf(place) - first) * BLOCK_BYTES
      return read.subarray(begin, begin + blocksOf(place) * BLOCK_BYTES)
    })
    yield Buffer.concat(stones)
    from = to
  }
}
