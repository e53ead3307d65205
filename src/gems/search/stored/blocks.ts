/**
 * Where a stone is in a file of blocks: its first block times 16, and how many blocks it has. A
 * number takes less memory than an object. It is negative in the file of an earlier process, which
 * is only read.
 */
export type Place = number

const PLACE_BLOCKS = 16
/** A stone takes one or two blocks, and no more than so many. */
const BLOCKS_MAX = 8
export const BLOCK_BYTES = 256

export const firstBlockOf = (place: Place) => Math.floor(Math.abs(place) / PLACE_BLOCKS)
export const blocksOf = (place: Place) => Math.abs(place) % PLACE_BLOCKS
export const isSaved = (place: Place) => place < 0

function placeOf(firstBlock: number, blocks: number): Place {
  return firstBlock * PLACE_BLOCKS + blocks
}

/** The place of a stone in the file of an earlier process. */
export function savedPlaceOf(firstBlock: number, blocks: number): Place {
  return -placeOf(firstBlock, blocks)
}

/**
 * The blocks of the file of this process. What is freed while stones are being read is used again
 * after that, so that nobody reads half of another stone.
 */
export function createSpace(blocksMax: number) {
  const freed: Place[][] = Array.from({ length: BLOCKS_MAX + 1 }, () => [])
  const waiting: Place[] = []
  let end = 0
  let used = 0
  let readers = 0
  let lacked = false

  function reuse(): void {
    for (const place of waiting.splice(0)) freed[blocksOf(place)].push(place)
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
      const place = placeOf(end, blocks)
      end += blocks
      return place
    },
    free(place: Place): void {
      if (isSaved(place)) return
      used -= blocksOf(place)
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

export type Space = ReturnType<typeof createSpace>
