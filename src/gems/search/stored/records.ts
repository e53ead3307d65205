import type { FileHandle } from 'node:fs/promises'
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { openTemporaryFile } from '../../../lib/temporary-file.ts'
import { BLOCK_BYTES, blocksOf, firstBlockOf, isSaved, type Place } from './blocks.ts'

export interface PlacedStone {
  id: number
  place: Place
  packed: Buffer
}

/** The blocks of a file of an earlier process. */
export interface SavedBlocks {
  /** The names of the fields and the usual values, with which its stones were compressed. */
  dictionary: Buffer
  bytes: number
  read(firstBlock: number, blocks: number): Promise<Buffer>
  close(): Promise<void>
}

/** In front of the compressed bytes: their length, and a checksum of the stone's id and of them. */
const HEAD_BYTES = 8
/** They have the names of the fields and the usual values, which others then need not have. */
const DICTIONARY_STONES = 2
/**
 * Little memory to set up, because each stone is compressed by itself. Level 3 saves 4 % of the
 * bytes and takes 1.7 times as long.
 */
const COMPRESSION = { level: 1, memLevel: 4, windowBits: 12 }

/**
 * The compressed bytes of stones, in a temporary file of this process and in the file of an earlier
 * one. They are compressed in the event loop: a stone takes about 50 µs, and in a thread of Node's
 * pool several times as much processor time.
 */
export function createRecords() {
  let file: Promise<FileHandle> | undefined
  let saved: SavedBlocks | undefined
  let dictionary: Buffer | undefined

  function open(): Promise<FileHandle> {
    file ??= openTemporaryFile('stones')
    return file
  }

  /** Blocks of either file; both numbers as a place has them. */
  async function readBlocks(ofSaved: boolean, first: number, blocks: number): Promise<Buffer> {
    if (ofSaved && saved) return saved.read(first, blocks)
    return readAt(await open(), first * BLOCK_BYTES, blocks * BLOCK_BYTES)
  }

  return {
    readBlocks,
    dictionary: () => dictionary,
    savedBytes: () => saved?.bytes ?? 0,
    /** Reads from a file of an earlier process, too. Nothing has been written yet. */
    adopt(earlier: SavedBlocks): void {
      if (dictionary) throw new Error('Stones that are written already have another dictionary.')
      saved = earlier
      dictionary = earlier.dictionary
    },
    pack(id: number, bytes: Buffer, others: ReadonlyMap<number, Buffer>): Buffer {
      dictionary ??= Buffer.concat([...others.values()].slice(0, DICTIONARY_STONES))
      const packed = deflateRawSync(bytes, { ...COMPRESSION, dictionary })
      const head = Buffer.alloc(HEAD_BYTES)
      head.writeUInt32LE(packed.length)
      head.writeUInt32LE(checksumOf(id, packed), 4)
      return Buffer.concat([head, packed])
    },
    async write(placed: readonly PlacedStone[]): Promise<void> {
      const handle = await open()
      const runs = adjacent(placed)
      await Promise.all(runs.map(({ offset, bytes }) => handle.write(bytes, 0, null, offset)))
    },
    /** Undefined unless the bytes there are those of this stone, and whole. */
    async read(id: number, place: Place): Promise<Buffer | undefined> {
      const read = await readBlocks(isSaved(place), firstBlockOf(place), blocksOf(place))
      const packed = read.subarray(HEAD_BYTES, HEAD_BYTES + read.readUInt32LE(0))
      if (read.readUInt32LE(4) !== checksumOf(id, packed)) return undefined
      return inflateRawSync(packed, { dictionary })
    },
    async close(): Promise<void> {
      const opened = await file?.catch(() => undefined)
      await Promise.all([opened?.close(), saved?.close()])
    },
  }
}

export type Records = ReturnType<typeof createRecords>

function checksumOf(id: number, packed: Buffer): number {
  return crc32(packed, id % 2 ** 32)
}

/** What is behind the end of the file is read as zeros. */
export async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  await file.read(bytes, 0, length, offset)
  return bytes
}

/** Stones that follow each other in the file, as new ones do, are written together. */
function adjacent(placed: readonly PlacedStone[]): { offset: number; bytes: Buffer }[] {
  const runs: { offset: number; end: number; stones: Buffer[] }[] = []
  for (const { place, packed } of placed) {
    const offset = firstBlockOf(place) * BLOCK_BYTES
    const last = runs.at(-1)
    const run = last?.end === offset ? last : { offset, end: offset, stones: [] }
    if (run !== last) runs.push(run)
    const space = Buffer.alloc(blocksOf(place) * BLOCK_BYTES)
    packed.copy(space)
    run.stones.push(space)
    run.end += space.length
  }
  return runs.map(({ offset, stones }) => ({ offset, bytes: Buffer.concat(stones) }))
}
