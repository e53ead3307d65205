/** A repeatable source of chance: the same seed gives the same stones and the same files. */
export interface Chance {
  /** From 0 to 1. */
  next(): number
  /** With so many decimals. */
  between(min: number, max: number, decimals?: number): number
  whole(min: number, max: number): number
  pick<Value>(values: readonly Value[]): Value
  happens(probability: number): boolean
  shuffled<Value>(values: readonly Value[]): Value[]
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    whole,
    between: (min, max, decimals = 2) => Number((min + next() * (max - min)).toFixed(decimals)),
    pick: (values) => values[Math.floor(next() * values.length)],
    happens: (probability) => next() < probability,
    shuffled(values) {
      const copy = [...values]
      for (let at = copy.length - 1; at > 0; at--) {
        const other = whole(0, at)
        ;[copy[at], copy[other]] = [copy[other], copy[at]]
      }
      return copy
    },
  }
}

/** The seed of a run: always the same, or another that `FEED_SEED` names to look further. */
export function seedOfRun(): number {
  return Number(process.env.FEED_SEED ?? 9)
}
