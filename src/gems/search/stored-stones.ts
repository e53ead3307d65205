import type { FileHandle } from 'node:fs/promises'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { openTemporaryFile } from '../../lib/temporary-file.ts'

/**
 * The rendered bytes of all stones, compressed, in a temporary file without a name: memory has
 * space for some of them only, and a search must be answered while the database is away. A stone
 * that changed stays readable as it was until it is written again
 * (docs/decisions/0029-stones-on-disk.md).
 */
interface StoredStones {
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
  isFull(): boolean
  size(): { entries: number; bytes: number }
  close(): Promise<void>
}

const BYTES_MAX = 2 * 1024 ** 3

export function createStoredStones(bytesMax = BYTES_MAX): StoredStones {
  const space = createSpace(Math.floor(bytesMax / BLOCK_BYTES))
  const places = createPlaces(space)
  const file = createPackedFile()
  let isBroken = false
  /** Stones that are being written, each by the last call that has it. */
  const writing = new Map<number, ReadonlyMap<number, Buffer>>()

  /** Stones for which there is no space are left out. */
  function placeAll(stones: ReadonlyMap<number, Buffer>): PlacedStone[] {
    return [...stones].flatMap(([id, bytes]) => {
      const packed = file.pack(bytes, stones)
      const place = space.take(packed.length)
      return place === undefined ? [] : [{ id, place, packed }]
    })
  }

  async function readOne(id: number): Promise<[id: number, bytes: Buffer][]> {
    const place = places.find(id)
    return place === undefined ? [] : [[id, await file.read(place)]]
  }

  return {
    has: (id) => places.isCurrent(id),
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
    async write(stones) {
      if (isBroken) return
      for (const id of stones.keys()) writing.set(id, stones)
      try {
        const placed = placeAll(stones)
        await file.write(placed)
        for (const { id, place } of placed) {
          if (writing.get(id) === stones) places.put(id, place)
          else space.free(place)
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
    isFull: () => isBroken || space.isFull(),
    size: () => ({ entries: places.size(), bytes: space.bytes() }),
    async close() {
      isBroken = true
      places.clear()
      await file.close()
    },
  }
}

/** The first block of a stone times 16, and how many blocks it has: a number takes less memory. */
type Place = number

const PLACE_BLOCKS = 16
/** A stone takes one or two blocks, and no more than so many. */
const BLOCKS_MAX = 8
const BLOCK_BYTES = 256

const bytesAt = (place: Place) => (place % PLACE_BLOCKS) * BLOCK_BYTES
const offsetOf = (place: Place) => Math.floor(place / PLACE_BLOCKS) * BLOCK_BYTES

/** Where each stone is. */
function createPlaces(space: Pick<ReturnType<typeof createSpace>, 'free'>) {
  let current = new Map<number, Place>()
  /** Those of stones that have changed since. */
  let former = new Map<number, Place>()

  function remove(id: number): void {
    for (const places of [current, former]) {
      const place = places.get(id)
      if (place !== undefined) space.free(place)
      places.delete(id)
    }
  }

  function outdateOne(id: number): void {
    const place = current.get(id)
    if (place === undefined) return
    current.delete(id)
    remove(id)
    former.set(id, place)
  }

  return {
    isCurrent: (id: number) => current.has(id),
    find: (id: number) => current.get(id) ?? former.get(id),
    put(id: number, place: Place): void {
      remove(id)
      current.set(id, place)
    },
    outdate(ids: ReadonlySet<number> | 'all'): void {
      if (ids !== 'all') for (const id of ids) outdateOne(id)
      else if (former.size > 0) for (const id of [...current.keys()]) outdateOne(id)
      else [current, former] = [former, current]
    },
    remove,
    size: () => current.size + former.size,
    clear(): void {
      current.clear()
      former.clear()
    },
  }
}

/**
 * The blocks of the file. What is freed while stones are being read is used again after that, so
 * that nobody reads half of another stone.
 */
function createSpace(blocksMax: number) {
  const freed: Place[][] = Array.from({ length: BLOCKS_MAX + 1 }, () => [])
  const waiting: Place[] = []
  let end = 0
  let used = 0
  let readers = 0
  let lacked = false

  function reuse(): void {
    for (const place of waiting.splice(0)) freed[place % PLACE_BLOCKS].push(place)
  }

  return {
    /** Undefined for a stone that is too long, or when the file is full. */
    take(bytes: number): Place | undefined {
      const blocks = Math.ceil(bytes / BLOCK_BYTES)
      if (blocks > BLOCKS_MAX) return undefined
      const again = freed[blocks].pop()
      lacked = again === undefined && end + blocks > blocksMax
      if (lacked) return undefined
      used += blocks
      if (again !== undefined) return again
      const place = end * PLACE_BLOCKS + blocks
      end += blocks
      return place
    },
    free(place: Place): void {
      used -= place % PLACE_BLOCKS
      lacked = false
      waiting.push(place)
      if (readers === 0) reuse()
    },
    async whileReading<T>(read: () => Promise<T>): Promise<T> {
      readers++
      try {
        return await read()
      } finally {
        readers--
        if (readers === 0) reuse()
      }
    },
    isFull: () => lacked,
    bytes: () => used * BLOCK_BYTES,
  }
}

interface PlacedStone {
  id: number
  place: Place
  packed: Buffer
}

/** In front of the compressed bytes. */
const LENGTH_BYTES = 4
/** They have the names of the fields and the usual values, which others then need not have. */
const DICTIONARY_STONES = 2
/**
 * Little memory to set up, because each stone is compressed by itself. Level 3 saves 4 % of the
 * bytes and takes 1.7 times as long.
 */
const COMPRESSION = { level: 1, memLevel: 4, windowBits: 12 }

/**
 * Compresses in the event loop: a stone takes about 50 µs, and in a thread of Node's pool several
 * times as much processor time.
 */
function createPackedFile() {
  let file: Promise<FileHandle> | undefined
  let dictionary: Buffer | undefined

  function open(): Promise<FileHandle> {
    file ??= openTemporaryFile('stones')
    return file
  }

  return {
    pack(bytes: Buffer, others: ReadonlyMap<number, Buffer>): Buffer {
      dictionary ??= Buffer.concat([...others.values()].slice(0, DICTIONARY_STONES))
      const packed = deflateRawSync(bytes, { ...COMPRESSION, dictionary })
      const length = Buffer.alloc(LENGTH_BYTES)
      length.writeUInt32LE(packed.length)
      return Buffer.concat([length, packed])
    },
    async write(placed: readonly PlacedStone[]): Promise<void> {
      const handle = await open()
      const runs = adjacent(placed)
      await Promise.all(runs.map(({ offset, bytes }) => handle.write(bytes, 0, null, offset)))
    },
    async read(place: Place): Promise<Buffer> {
      const read = Buffer.alloc(bytesAt(place))
      await (await open()).read(read, 0, read.length, offsetOf(place))
      const end = LENGTH_BYTES + read.readUInt32LE(0)
      return inflateRawSync(read.subarray(LENGTH_BYTES, end), { dictionary })
    },
    async close(): Promise<void> {
      const opened = await file?.catch(() => undefined)
      await opened?.close()
    },
  }
}

/** Stones that follow each other in the file, as new ones do, are written together. */
function adjacent(placed: readonly PlacedStone[]): { offset: number; bytes: Buffer }[] {
  const runs: { offset: number; end: number; stones: Buffer[] }[] = []
  for (const { place, packed } of placed) {
    const offset = offsetOf(place)
    const last = runs.at(-1)
    const run = last?.end === offset ? last : { offset, end: offset, stones: [] }
    if (run !== last) runs.push(run)
    const space = Buffer.alloc(bytesAt(place))
    packed.copy(space)
    run.stones.push(space)
    run.end += space.length
  }
  return runs.map(({ offset, stones }) => ({ offset, bytes: Buffer.concat(stones) }))
}
