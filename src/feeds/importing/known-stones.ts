import { createSlotTable } from './slot-table.ts'

/** What the importer must know of every stone of the supplier and of every row of the file. */
export interface KnownStones {
  /** Takes in a stone of the database. */
  add(vendorSku: string, gemId: number, digest: string | null, state: KnownState): void
  /**
   * Meets a row of the file. `duplicateOf` is the earlier row with the same number; `isUnchanged`
   * means that the stored stone was made of the same row.
   */
  meet(vendorSku: string, row: number, digest: string): Meeting
  /** The stones that the feed had and that no row of the file named. */
  missing(): number[]
  /** How many stones are on sale before the import. */
  live(): number
}

export interface Meeting {
  duplicateOf: number | undefined
  gemId: number | undefined
  isUnchanged: boolean
}

/**
 * Live stones are on sale; offered ones are disabled but still in the feed; dropped ones are held,
 * on memo or sold and are known to have left the feed; the rest is away.
 */
export type KnownState = 'live' | 'offered' | 'gone' | 'away' | 'dropped'

const STATES: readonly KnownState[] = ['live', 'offered', 'gone', 'away', 'dropped']

/** `expected` is how many stones will be added, exactly. */
export function createKnownStones(expected: number): KnownStones {
  // A stone of the database has its place, 0 and up; a row of an unknown stone is -2 - row.
  const table = createSlotTable(expected)
  const ids = new Float64Array(expected)
  const digests = new Uint32Array(expected * 2)
  const states = new Uint8Array(expected)
  const seenRows = new Uint32Array(expected)
  let known = 0
  let live = 0

  const hasDigest = (place: number, digest: string) =>
    digests[place * 2] === firstWord(digest) && digests[place * 2 + 1] === secondWord(digest)

  return {
    add(vendorSku, gemId, digest, state) {
      table.put(vendorSku, known)
      ids[known] = gemId
      digests[known * 2] = digest === null ? 0 : firstWord(digest)
      digests[known * 2 + 1] = digest === null ? 0 : secondWord(digest)
      states[known] = STATES.indexOf(state)
      known++
      if (state === 'live') live++
    },
    meet(vendorSku, row, digest) {
      const place = table.find(vendorSku)
      if (place === undefined) {
        table.put(vendorSku, -2 - row)
        return { duplicateOf: undefined, gemId: undefined, isUnchanged: false }
      }
      if (place < 0) return { duplicateOf: -2 - place, gemId: undefined, isUnchanged: false }
      const before = seenRows[place]
      if (before !== 0) return { duplicateOf: before, gemId: ids[place], isUnchanged: false }
      seenRows[place] = row
      // A stone that had left the feed comes back even when its row is the old one.
      const state = STATES[states[place]]
      const hadLeft = state === 'gone' || state === 'dropped'
      const isUnchanged = !hadLeft && hasDigest(place, digest)
      return { duplicateOf: undefined, gemId: ids[place], isUnchanged }
    },
    missing() {
      const gone: number[] = []
      for (let place = 0; place < known; place++) {
        const state = STATES[states[place]]
        const isInFeed = state === 'live' || state === 'offered' || state === 'away'
        if (isInFeed && seenRows[place] === 0) gone.push(ids[place])
      }
      return gone
    },
    live: () => live,
  }
}

/** Two words of a digest in hexadecimal digits: 64 bits of it are enough to see a change. */
const firstWord = (digest: string) => Number.parseInt(digest.slice(0, 8), 16)
const secondWord = (digest: string) => Number.parseInt(digest.slice(8, 16), 16)
