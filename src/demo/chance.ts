import { hash } from 'node:crypto'

/** A repeatable random generator: the same seed gives the same market on every machine. */
export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number
  /** Returns true in `share` of all draws. */
  hits(share: number): boolean
  between(min: number, max: number): number
  /** A whole number from min to max, both included. */
  whole(min: number, max: number): number
  /** Returns a value of a bell curve around `middle`, at most three spreads away. */
  around(middle: number, spread: number): number
  /** Returns many small values and few large ones, with the given mean. */
  decaying(mean: number): number
  pick<T>(choices: Choices<T>): T
  oneOf<T>(values: readonly T[]): T
}

/** Values with their cumulative shares; see `choices`. */
export interface Choices<T> {
  values: readonly T[]
  limits: Float64Array
}

/** Prepares a table of values and how common they are; the shares may have any sum. */
export function choices<T>(table: readonly (readonly [T, number])[]): Choices<T> {
  // Common values come first, so that a draw compares few of them.
  const sorted = [...table].sort((a, b) => b[1] - a[1])
  const total = sorted.reduce((sum, [, share]) => sum + share, 0)
  let cumulative = 0
  const limits = Float64Array.from(sorted, ([, share]) => {
    cumulative += share / total
    return cumulative
  })
  limits[limits.length - 1] = 1
  return { values: sorted.map(([value]) => value), limits }
}

/** Prepares a record of names and shares: `{ round: 48, oval: 11 }`. */
export function sharesOf<T extends string>(table: Partial<Record<T, number>>): Choices<T> {
  return choices(Object.entries(table) as [T, number][])
}

export function startChance(seed: string): Chance {
  const next = smallFastCounter(seed)
  const chance: Chance = {
    next,
    hits: (share) => next() < share,
    between: (min, max) => min + next() * (max - min),
    whole: (min, max) => min + Math.floor(next() * (max - min + 1)),
    around(middle, spread) {
      // The sum of four draws is close enough to a bell curve, and needs no logarithm.
      const bell = (next() + next() + next() + next() - 2) * Math.sqrt(3)
      return middle + spread * Math.max(-3, Math.min(3, bell))
    },
    decaying: (mean) => -mean * Math.log(1 - next()),
    pick({ values, limits }) {
      const drawn = next()
      let at = 0
      while (drawn >= limits[at]) at++
      return values[at]
    },
    oneOf: (values) => values[Math.floor(next() * values.length)],
  }
  return chance
}

/** The public-domain generator sfc32: 128 bits of state, a few integer operations per draw. */
function smallFastCounter(seed: string): () => number {
  const digest = hash('sha256', seed, 'buffer')
  let a = digest.readInt32LE(0)
  let b = digest.readInt32LE(4)
  let c = digest.readInt32LE(8)
  let counter = digest.readInt32LE(12)
  return () => {
    const drawn = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + drawn
    return (drawn >>> 0) / 4_294_967_296
  }
}

/** Derives a UUID from the seed and a name, so that SKUs depend on the seed as well. */
export function uuidFromSeed(seed: string, name: string): string {
  const digest = hash('sha256', `${seed}\n${name}`, 'buffer').subarray(0, 16)
  digest[6] = 0x80 | (digest[6] & 0x0f)
  digest[8] = 0x80 | (digest[8] & 0x3f)
  const hex = digest.toString('hex')
  return [8, 12, 16, 20, 32].map((end, part) => hex.slice([0, 8, 12, 16, 20][part], end)).join('-')
}

/** Rounds to a number of decimals. */
export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale
}
