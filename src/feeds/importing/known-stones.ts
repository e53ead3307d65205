import { randomInt } from 'node:crypto'

/**
 * What the importer must know of every stone of the supplier and of every row of the file: a hash
 * table in typed arrays, because a Map of a million stock numbers would take the memory that the
 * whole import may use. A stock number is 64 bits of a seeded hash here: that two of a million
 * meet has a chance of 3 in 100 million.
 */
export interface KnownStones {
  /** Takes in a stone of the database. */
  add(vendorSku: string, gemId: number, digest: string | null, state: KnownState): void
  /**
   * Meets a row of the file. `duplicateOf` is the earlier row with the same number; `isUnchanged`
   * means that the stored stone was made of the same row.
   */
  meet(vendorSku: string, row: number, digest: string): Meeting
  /** The stones that could be taken out and that no row of the file named. */
  missing(): number[]
  /** How many stones are on sale before the import. */
  live(): number
}

export interface Meeting {
  duplicateOf: number | undefined
  gemId: number | undefined
  isUnchanged: boolean
}

/** Live stones are on sale; offered ones are disabled but still in the feed; the rest is away. */
export type KnownState = 'live' | 'offered' | 'gone' | 'away'

const STATES: readonly KnownState[] = ['live', 'offered', 'gone', 'away']
const FREE = -1
const FIRST_SLOTS = 4096

export function createKnownStones(expected: number): KnownStones {
  const seed = randomInt(2 ** 32)
  let slots = slotsFor(expected)
  let keys = new Uint32Array(slots * 2)
  let places = new Int32Array(slots).fill(FREE)
  let used = 0

  const size = Math.max(expected, 16)
  let ids = new Float64Array(size)
  let digests = new Uint32Array(size * 2)
  let states = new Uint8Array(size)
  let known = 0
  let live = 0

  // Rows of the file: where place < 0 encodes a row of an unknown stone, -2 - row.
  let seenRows = new Uint32Array(size)

  /** The slot of a stock number, found or free. */
  function slotOf(high: number, low: number): number {
    let slot = (low ^ Math.imul(high, 0x9e3779b1)) & (slots - 1)
    while (places[slot] !== FREE && (keys[slot * 2] !== high || keys[slot * 2 + 1] !== low)) {
      slot = (slot + 1) & (slots - 1)
    }
    return slot
  }

  function put(high: number, low: number, slot: number, place: number): void {
    keys[slot * 2] = high
    keys[slot * 2 + 1] = low
    places[slot] = place
    used++
    if (used * 3 > slots * 2) grow()
  }

  function grow(): void {
    const [oldKeys, oldPlaces] = [keys, places]
    slots *= 2
    keys = new Uint32Array(slots * 2)
    places = new Int32Array(slots).fill(FREE)
    for (const [slot, place] of oldPlaces.entries()) {
      if (place === FREE) continue
      const to = slotOf(oldKeys[slot * 2], oldKeys[slot * 2 + 1])
      keys[to * 2] = oldKeys[slot * 2]
      keys[to * 2 + 1] = oldKeys[slot * 2 + 1]
      places[to] = place
    }
  }

  function roomForOne(): void {
    if (known < ids.length) return
    ids = widened(ids, new Float64Array(ids.length * 2))
    digests = widened(digests, new Uint32Array(digests.length * 2))
    states = widened(states, new Uint8Array(states.length * 2))
    seenRows = widened(seenRows, new Uint32Array(seenRows.length * 2))
  }

  return {
    add(vendorSku, gemId, digest, state) {
      roomForOne()
      const [high, low] = hash64(vendorSku, seed)
      put(high, low, slotOf(high, low), known)
      ids[known] = gemId
      digests[known * 2] = digest === null ? 0 : Number.parseInt(digest.slice(0, 8), 16)
      digests[known * 2 + 1] = digest === null ? 0 : Number.parseInt(digest.slice(8, 16), 16)
      states[known] = STATES.indexOf(state)
      known++
      if (state === 'live') live++
    },
    meet(vendorSku, row, digest) {
      const [high, low] = hash64(vendorSku, seed)
      const slot = slotOf(high, low)
      const place = places[slot]
      if (place === FREE) {
        put(high, low, slot, -2 - row)
        return { duplicateOf: undefined, gemId: undefined, isUnchanged: false }
      }
      if (place < FREE) return { duplicateOf: -2 - place, gemId: undefined, isUnchanged: false }
      const before = seenRows[place]
      if (before !== 0) return { duplicateOf: before, gemId: ids[place], isUnchanged: false }
      seenRows[place] = row
      // A stone that was gone comes back even when its row is the old one.
      const isUnchanged =
        STATES[states[place]] !== 'gone' &&
        digests[place * 2] === Number.parseInt(digest.slice(0, 8), 16) &&
        digests[place * 2 + 1] === Number.parseInt(digest.slice(8, 16), 16)
      return { duplicateOf: undefined, gemId: ids[place], isUnchanged }
    },
    missing() {
      const gone: number[] = []
      for (let place = 0; place < known; place++) {
        const state = STATES[states[place]]
        if (seenRows[place] === 0 && (state === 'live' || state === 'offered')) {
          gone.push(ids[place])
        }
      }
      return gone
    },
    live: () => live,
  }
}

function slotsFor(expected: number): number {
  let slots = FIRST_SLOTS
  while (slots < expected * 2) slots *= 2
  return slots
}

function widened<T extends { set(from: T): void }>(from: T, into: T): T {
  into.set(from)
  return into
}

const halves: [number, number] = [0, 0]

/** Two 32-bit halves, each fed by every character, mixed into each other at the end. */
function hash64(text: string, seed: number): [number, number] {
  let a = 0xdeadbeef ^ seed
  let b = 0x41c6ce57 ^ seed
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    a = Math.imul(a ^ char, 2654435761)
    b = Math.imul(b ^ char, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  halves[0] = b >>> 0
  halves[1] = a >>> 0
  return halves
}
