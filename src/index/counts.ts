import { anyAnd, countAnd } from './bits.ts'
import type { View } from './columns.ts'
import { NO_CODE } from './columns.ts'
import { eachView, type Match } from './store.ts'

export interface ValueCount {
  value: string | null
  count: number
}

/** Below this share of matches it is cheaper to count rows than to intersect every bitmap. */
const DENSE = 1 / 4

/** How often each value of each column occurs among the matches; values that do not are left out. */
export function countValues(found: Match, columns: readonly string[]): Map<string, ValueCount[]> {
  const { base, delta, dictionaries } = found.store
  const dense = found.baseCount > base.size * DENSE
  const counts = new Map<string, Float64Array>()
  for (const name of columns) {
    const column = base.codes[name]
    const count = new Float64Array(dictionaries[name].values.length)
    counts.set(name, count)
    if (dense && column.sets.length === base.dictionaries[name].length) {
      for (const [code, set] of column.sets.entries()) count[code] = countAnd(found.bits, set)
      countRows(delta, name, found.deltaRows, found.deltaRows.length, count)
    }
  }
  const rest = columns.filter(
    (name) => !dense || base.codes[name].sets.length !== base.dictionaries[name].length,
  )
  if (rest.length > 0) {
    eachView(found, (view, rows, size) => {
      for (const name of rest) countRows(view, name, rows, size, counts.get(name) ?? NOTHING)
    })
  }
  return new Map(columns.map((name) => [name, listed(found, name, counts.get(name) ?? NOTHING)]))
}

const NOTHING = new Float64Array(0)

function countRows(
  view: View,
  column: string,
  rows: Uint32Array,
  size: number,
  counts: Float64Array,
): void {
  const { codes } = view.codes[column]
  for (let i = 0; i < size; i++) counts[codes[rows[i]]]++
}

/** In the order of the list, the missing value last. */
function listed(found: Match, column: string, counts: Float64Array): ValueCount[] {
  const { values } = found.store.dictionaries[column]
  const all = values.map((value, code) => ({ value, count: counts[code] }))
  return [...all.slice(1), all[NO_CODE]].filter(({ count }) => count > 0)
}

/** The values of a column that occur among the matches, in the order of the list. */
export function occurringValues(found: Match, column: string): string[] {
  const { base, delta, dictionaries } = found.store
  const occurs = new Uint8Array(dictionaries[column].values.length)
  const { codes } = delta.codes[column]
  for (const row of found.deltaRows) occurs[codes[row]] = 1
  for (const [code, set] of base.codes[column].sets.entries()) {
    if (occurs[code] === 0 && anyAnd(found.bits, set)) occurs[code] = 1
  }
  return dictionaries[column].values.filter(
    (value, code): value is string => value !== null && occurs[code] === 1,
  )
}

export interface Histogram {
  min: number | null
  max: number | null
  bins: number[]
}

/** The matches' keys in equal bins from the least to the greatest. */
export function histogram(
  found: Match,
  key: (view: View) => (row: number) => number,
  binCount: number,
): Histogram {
  const keys = new Float64Array(found.total)
  let filled = 0
  eachView(found, (view, rows, size) => {
    const keyOf = key(view)
    for (let i = 0; i < size; i++) keys[filled++] = keyOf(rows[i])
  })
  const bins = Array.from({ length: binCount }, () => 0)
  if (filled === 0) return { min: null, max: null, bins }
  let [min, max] = [keys[0], keys[0]]
  for (const value of keys) {
    if (value < min) min = value
    if (value > max) max = value
  }
  const width = (max - min) / binCount
  for (const value of keys) {
    bins[width === 0 ? 0 : Math.min(binCount - 1, Math.floor((value - min) / width))]++
  }
  return { min, max, bins }
}
