import { countIntersection } from '../kernel/bitmaps.ts'
import { countCodes } from '../kernel/rows.ts'
import { NO_CODE } from '../segment/columns.ts'
import { eachView, listBaseRows, type Match } from './match.ts'
import type { FillKeys } from './predicates.ts'

export interface ValueCount {
  value: string | null
  count: number
}

/** Counting a match costs as much as intersecting this many rows of two bitmaps. */
const BITMAP_ROWS_PER_MATCH = 300

/** How often each value of each column occurs among the matches. Values that do not are omitted. */
export function countValues(found: Match, columns: readonly string[]): Map<string, ValueCount[]> {
  return new Map(columns.map((column) => [column, countColumn(found, column)]))
}

function countColumn(found: Match, column: string): ValueCount[] {
  const { delta, dictionaries } = found.searched
  const { values } = dictionaries[column]
  const counts = new Float64Array(values.length)
  countBase(found, column, counts)
  const { codes } = delta.codes[column]
  for (const row of found.deltaRows) counts[codes[row]]++
  // In the order of the list, with the missing value last.
  const counted = values.map((value, code) => ({ value, count: counts[code] }))
  return [...counted.slice(1), counted[NO_CODE]].filter(({ count }) => count > 0)
}

function countBase(found: Match, column: string, counts: Float64Array): void {
  const { base, workspace } = found.searched
  const { kernel, target, codeCounts } = workspace
  const rows = listBaseRows(found)
  const { codes, bitmaps, counts: totals } = base.codes[column]
  const hasAllBitmaps = bitmaps.length === base.dictionaries[column].length
  if (hasAllBitmaps && bitmaps.length * base.size < rows.length * BITMAP_ROWS_PER_MATCH) {
    for (const [code, bits] of bitmaps.entries()) {
      if (totals[code] > 0) counts[code] = countIntersection(kernel, target, bits)
    }
  } else if (codes instanceof Uint8Array) {
    codeCounts.fill(0)
    countCodes(kernel, rows, codes, codeCounts)
    // An open list may have grown since the base was built, even beyond one byte.
    const known = Math.min(counts.length, codeCounts.length)
    for (let code = 0; code < known; code++) counts[code] = codeCounts[code]
  } else {
    for (const row of rows) counts[codes[row]]++
  }
}

export interface Histogram {
  min: number | null
  max: number | null
  bins: number[]
}

/** The keys of the matches in equal bins from the least to the greatest. */
export function histogram(found: Match, fillKeys: FillKeys, binCount: number): Histogram {
  const keys = keysOf(found, fillKeys)
  const bins = Array.from({ length: binCount }, () => 0)
  if (keys.length === 0) return { min: null, max: null, bins }
  let [min, max] = [keys[0], keys[0]]
  for (let i = 0; i < keys.length; i++) {
    if (keys[i] < min) min = keys[i]
    if (keys[i] > max) max = keys[i]
  }
  const binsPerUnit = binCount / (max - min)
  const counts = new Uint32Array(binCount + 1)
  for (let i = 0; i < keys.length; i++) counts[((keys[i] - min) * binsPerUnit) | 0]++
  // The greatest key falls one behind the last bin; if there is a single value, all keys do.
  for (let bin = 0; bin < binCount; bin++) bins[bin] = counts[bin]
  if (min === max) bins[0] = keys.length
  else bins[binCount - 1] += counts[binCount]
  return { min, max, bins }
}

function keysOf(found: Match, fillKeys: FillKeys): Float64Array {
  const { workspace } = found.searched
  // The array is reused, because new memory costs more than what is counted in it.
  if (workspace.keys.length < found.total) workspace.keys = new Float64Array(2 * found.total)
  const keys = workspace.keys.subarray(0, found.total)
  let end = 0
  eachView(found, (view, rows) => {
    fillKeys(view, rows, rows.length, keys.subarray(end))
    end += rows.length
  })
  return keys
}
