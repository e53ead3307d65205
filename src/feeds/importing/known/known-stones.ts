import type { RowDigest } from './row-digest.ts'
import { createSlotTable } from './slot-table.ts'

/** The stones of the supplier and the rows of the file seen so far, by stock number. */
export interface KnownStones {
  /** Adds a stone of the database. */
  add(vendorSku: string, gemId: number, digest: RowDigest, state: KnownState): void
  /** Matches a row of the file with the known stones and the earlier rows. */
  matchRow(vendorSku: string, row: number, digest: RowDigest): RowMatch
  /** Returns the ids of stones that were in the feed and that no row of the file named. */
  missing(): number[]
  /** Returns how many stones are on sale before the import. */
  live(): number
}

export interface RowMatch {
  /** The earlier row with the same stock number. */
  duplicateOf: number | undefined
  gemId: number | undefined
  /** Whether the stored stone was made from the same row. */
  isUnchanged: boolean
}

/**
 * `live` stones are on sale, `gone` ones have left the market, `offered` ones are disabled but
 * still in the feed, `taken` ones are sold or on memo and still in the feed, and `dropped` ones are
 * held, on memo or sold and no longer in the feed.
 */
export type KnownState = 'live' | 'offered' | 'gone' | 'taken' | 'dropped'

export const KNOWN_STATES: readonly KnownState[] = ['live', 'offered', 'gone', 'taken', 'dropped']

/** `expected` is the exact number of stones that will be added. */
export function createKnownStones(expected: number): KnownStones {
  // The table holds the position of a known stone, from 0; a row of an unknown stone is -2 - row.
  const table = createSlotTable(expected)
  const ids = new Float64Array(expected)
  const digests = new Int32Array(expected * 2)
  const states = new Uint8Array(expected)
  const seenRows = new Uint32Array(expected)
  let known = 0
  let live = 0

  const hasDigest = (position: number, { first, second }: RowDigest) =>
    digests[position * 2] === first && digests[position * 2 + 1] === second

  return {
    add(vendorSku, gemId, digest, state) {
      table.put(vendorSku, known)
      ids[known] = gemId
      digests[known * 2] = digest.first
      digests[known * 2 + 1] = digest.second
      states[known] = KNOWN_STATES.indexOf(state)
      known++
      if (state === 'live') live++
    },
    matchRow(vendorSku, row, digest) {
      const position = table.find(vendorSku)
      if (position === undefined) {
        table.put(vendorSku, -2 - row)
        return { duplicateOf: undefined, gemId: undefined, isUnchanged: false }
      }
      if (position < 0) return { duplicateOf: -2 - position, gemId: undefined, isUnchanged: false }
      const before = seenRows[position]
      if (before !== 0) return { duplicateOf: before, gemId: ids[position], isUnchanged: false }
      seenRows[position] = row
      // A stone that had left the feed comes back even when its row is the old one.
      const state = KNOWN_STATES[states[position]]
      const hadLeft = state === 'gone' || state === 'dropped'
      const isUnchanged = !hadLeft && hasDigest(position, digest)
      return { duplicateOf: undefined, gemId: ids[position], isUnchanged }
    },
    missing() {
      const gone: number[] = []
      for (let position = 0; position < known; position++) {
        const state = KNOWN_STATES[states[position]]
        const isInFeed = state === 'live' || state === 'offered' || state === 'taken'
        if (isInFeed && seenRows[position] === 0) gone.push(ids[position])
      }
      return gone
    },
    live: () => live,
  }
}
