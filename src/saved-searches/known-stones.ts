/**
 * Sets of stones as bytes: their ids ascending, each as its difference from the one before, seven
 * bits to a byte and the lowest first. Stones of one import have neighbouring ids, so that most of
 * them take one or two bytes.
 */

const BITS = 128

/** The ids ascending, each once. */
export function encodeStones(ids: ArrayLike<number>): Buffer {
  const bytes = Buffer.allocUnsafe(ids.length * BYTES_MAX)
  let end = 0
  let before = 0
  for (let i = 0; i < ids.length; i++) {
    let rest = ids[i] - before
    before = ids[i]
    while (rest >= BITS) {
      bytes[end++] = (rest % BITS) + BITS
      rest = Math.floor(rest / BITS)
    }
    bytes[end++] = rest
  }
  return Buffer.from(bytes.subarray(0, end))
}

/** An id is below 2^53. */
const BYTES_MAX = 8

export function decodeStones(bytes: Uint8Array): number[] {
  const ids: number[] = []
  let id = 0
  for (let at = 0; at < bytes.length; at++) {
    let scale = 1
    for (; bytes[at] >= BITS; at++) {
      id += (bytes[at] - BITS) * scale
      scale *= BITS
    }
    id += bytes[at] * scale
    ids.push(id)
  }
  return ids
}

/** Those of the ids, which are ascending, that the set does not have. */
export function withoutKnown(ids: readonly number[], known: Uint8Array): number[] {
  const fresh: number[] = []
  let position = 0
  let id = 0
  for (let at = 0; at < known.length && position < ids.length; at++) {
    let scale = 1
    for (; known[at] >= BITS; at++) {
      id += (known[at] - BITS) * scale
      scale *= BITS
    }
    id += known[at] * scale
    while (position < ids.length && ids[position] < id) fresh.push(ids[position++])
    if (ids[position] === id) position++
  }
  while (position < ids.length) fresh.push(ids[position++])
  return fresh
}

/** One set with the ids of all. */
export function mergeStones(sets: readonly Uint8Array[]): Buffer {
  const ids = Float64Array.from(sets.flatMap(decodeStones)).sort()
  return encodeStones(ids.filter((id, i) => i === 0 || id !== ids[i - 1]))
}
