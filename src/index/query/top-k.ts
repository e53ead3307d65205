import type { NumberView } from '../segment/columns.ts'

/** Rows with their sort keys; the first `count` entries of both arrays are in use. */
export interface Ranked {
  keys: Float64Array
  rows: Uint32Array
  count: number
}

export function newRanked(capacity: number): Ranked {
  return { keys: new Float64Array(capacity), rows: new Uint32Array(capacity), count: 0 }
}

/** Empties a list: new memory would cost more than what is ranked in it. */
export function cleared(ranked: Ranked): Ranked {
  ranked.count = 0
  return ranked
}

export function pushRanked(ranked: Ranked, row: number, key: number): void {
  const end = ranked.count
  if (end === ranked.rows.length) reserve(ranked, 2 * end)
  ranked.rows[end] = row
  ranked.keys[end] = key
  ranked.count = end + 1
}

/** Grows the list to hold at least `capacity` rows. */
export function reserve(ranked: Ranked, capacity: number): void {
  if (ranked.rows.length >= capacity) return
  const rows = new Uint32Array(capacity)
  const keys = new Float64Array(capacity)
  rows.set(ranked.rows)
  keys.set(ranked.keys)
  ranked.rows = rows
  ranked.keys = keys
}

/** Removes the rows behind the best `wanted`, and returns the worst key of those. */
export function retainBest(ranked: Ranked, wanted: number): number {
  const worst = keyAt(ranked.keys.slice(0, ranked.count), wanted - 1)
  let count = 0
  for (let i = 0; i < ranked.count; i++) {
    if (ranked.keys[i] > worst) continue
    ranked.keys[count] = ranked.keys[i]
    ranked.rows[count++] = ranked.rows[i]
  }
  ranked.count = count
  return worst
}

const NONE_RANKED: Ranked = newRanked(0)

/** A copy of the rows at positions from..to-1 in the order of their keys, then ids. */
export function selectWindow(ranked: Ranked, ids: NumberView, from: number, to: number): Ranked {
  const end = Math.min(to, ranked.count)
  if (from >= end) return NONE_RANKED
  const keys = ranked.keys.slice(0, ranked.count)
  const low = ranked.count <= SORT_ALL_MAX ? Number.NEGATIVE_INFINITY : keyAt(keys, from)
  const high = ranked.count <= SORT_ALL_MAX ? Number.POSITIVE_INFINITY : keyAt(keys, end - 1)
  const rows = new Uint32Array(ranked.count)
  let before = 0
  let count = 0
  for (let i = 0; i < ranked.count; i++) {
    const key = ranked.keys[i]
    if (key < low) before++
    else if (key <= high) {
      keys[count] = key
      rows[count++] = ranked.rows[i]
    }
  }
  sortByKey(keys, rows, ids, count)
  return {
    keys: keys.subarray(from - before, end - before),
    rows: rows.subarray(from - before, end - before),
    count: end - from,
  }
}

/**
 * Sorts the first `count` entries of both arrays by key, then id: a quicksort, because Array.sort
 * needs a list of positions and a call for each comparison, which was half of the time of a page
 * of the most expensive stones.
 */
function sortByKey(keys: Float64Array, rows: Uint32Array, ids: NumberView, count: number): void {
  const isBefore = (i: number, key: number, id: number) =>
    keys[i] < key || (keys[i] === key && ids.values[rows[i]] < id)
  const isAfter = (i: number, key: number, id: number) =>
    keys[i] > key || (keys[i] === key && ids.values[rows[i]] > id)
  const put = (i: number, key: number, row: number) => {
    keys[i] = key
    rows[i] = row
  }
  const insert = (low: number, high: number) => {
    for (let i = low + 1; i <= high; i++) {
      const [key, row] = [keys[i], rows[i]]
      const id = ids.values[row]
      let j = i - 1
      for (; j >= low && isAfter(j, key, id); j--) put(j + 1, keys[j], rows[j])
      put(j + 1, key, row)
    }
  }
  /** Moves what is before the middle entry to the left, and returns where the left part ends. */
  const divide = (low: number, high: number): number => {
    const middle = (low + high) >>> 1
    const [key, id] = [keys[middle], ids.values[rows[middle]]]
    let i = low - 1
    let j = high + 1
    for (;;) {
      do i++
      while (isBefore(i, key, id))
      do j--
      while (isAfter(j, key, id))
      if (i >= j) return j
      const [left, row] = [keys[i], rows[i]]
      put(i, keys[j], rows[j])
      put(j, left, row)
    }
  }
  const sort = (from: number, to: number): void => {
    let [low, high] = [from, to]
    while (high - low >= INSERTION_SORT_MAX) {
      const end = divide(low, high)
      // The shorter part in a call, the longer in the next pass: calls never nest deeply.
      if (end - low < high - end) {
        sort(low, end)
        low = end + 1
      } else {
        sort(end + 1, high)
        high = end
      }
    }
    insert(low, high)
  }
  sort(0, count - 1)
}

/** Up to this many entries, inserting them one by one is faster. */
const INSERTION_SORT_MAX = 24

/** Up to this many entries, finding the bounds of the window first takes longer than sorting. */
const SORT_ALL_MAX = 128

/** The key that would be at a position if the keys were sorted: a quickselect. Reorders them. */
function keyAt(keys: Float64Array, position: number): number {
  let low = 0
  let high = keys.length - 1
  while (low < high) {
    const pivot = medianOfThree(keys[low], keys[(low + high) >>> 1], keys[high])
    let i = low
    let j = high
    while (i <= j) {
      while (keys[i] < pivot) i++
      while (keys[j] > pivot) j--
      if (i <= j) {
        const key = keys[i]
        keys[i++] = keys[j]
        keys[j--] = key
      }
    }
    if (position <= j) high = j
    else if (position >= i) low = i
    else return keys[position]
  }
  return keys[position]
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
