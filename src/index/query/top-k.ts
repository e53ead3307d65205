import type { NumberView } from '../segment/columns.ts'

/** Rows with their sort keys; the first `count` places of both arrays are in use. */
export interface Ranked {
  keys: Float64Array
  rows: Uint32Array
  count: number
}

const spare: Ranked = { keys: new Float64Array(4096), rows: new Uint32Array(4096), count: 0 }

/** An empty list. Searching is synchronous, so one serves all searches of a thread. */
export function scratchRanked(): Ranked {
  spare.count = 0
  return spare
}

export function pushRanked(ranked: Ranked, row: number, key: number): void {
  const place = ranked.count
  if (place === ranked.rows.length) reserve(ranked, 2 * place)
  ranked.rows[place] = row
  ranked.keys[place] = key
  ranked.count = place + 1
}

/** Makes room for so many rows. */
export function reserve(ranked: Ranked, capacity: number): void {
  if (ranked.rows.length >= capacity) return
  const rows = new Uint32Array(capacity)
  const keys = new Float64Array(capacity)
  rows.set(ranked.rows)
  keys.set(ranked.keys)
  ranked.rows = rows
  ranked.keys = keys
}

/** Drops what stands behind the best `wanted` and answers the worst key that was kept. */
export function keepBest(ranked: Ranked, wanted: number): number {
  const worst = nthOf(ranked.keys.slice(0, ranked.count), wanted - 1)
  let kept = 0
  for (let i = 0; i < ranked.count; i++) {
    if (ranked.keys[i] > worst) continue
    ranked.keys[kept] = ranked.keys[i]
    ranked.rows[kept++] = ranked.rows[i]
  }
  ranked.count = kept
  return worst
}

/** Places from..to-1 of the rows in the order of key, then id. Reorders nothing. */
export function selectWindow(ranked: Ranked, ids: NumberView, from: number, to: number): Ranked {
  const end = Math.min(to, ranked.count)
  if (from >= end) return { keys: new Float64Array(0), rows: new Uint32Array(0), count: 0 }
  const keys = ranked.keys.slice(0, ranked.count)
  const low = ranked.count <= SORT_ALL ? Number.NEGATIVE_INFINITY : nthOf(keys, from)
  const high = ranked.count <= SORT_ALL ? Number.POSITIVE_INFINITY : nthOf(keys, end - 1)
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
 * Sorts the first `count` places of both arrays by key, then id. Array.sort needs a list of places
 * and a call for each comparison: that was half of making a page of the dearest stones.
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
  /** Puts what is before the middle one to its left; answers where the left part ends. */
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
    while (high - low >= INSERT) {
      const end = divide(low, high)
      // The shorter part by a call, the longer in the next turn: calls never pile up.
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

/** So few are put in order one by one. */
const INSERT = 24

/** So few that finding the bounds of the window first is not worth its passes. */
const SORT_ALL = 128

/** The key that would stand at `place` if the keys were sorted; reorders the keys. */
function nthOf(keys: Float64Array, place: number): number {
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
    if (place <= j) high = j
    else if (place >= i) low = i
    else return keys[place]
  }
  return keys[place]
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
