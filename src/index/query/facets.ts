import { NO_CODE } from '../segment/columns.ts'
import { eachView } from '../store.ts'
import type { Match } from './match.ts'
import type { FillKeys } from './predicates.ts'
import { countBoth, listRows, type Workspace } from './workspace.ts'

export interface ValueCount {
  value: string | null
  count: number
}

/** Counting a match costs as much as intersecting this many rows of two bitmaps. */
const ROWS_A_MATCH = 300

/** How often each value of each column occurs among the matches; values that do not are left out. */
export function countValues(found: Match, columns: readonly string[]): Map<string, ValueCount[]> {
  const { base, delta, dictionaries, workspace } = found.store
  // In the kernel's memory, unlike the rows of a few matches that are kept elsewhere.
  const rows = listRows(workspace, workspace.target)
  const counted = columns.map((name): [string, ValueCount[]] => {
    const counts = new Float64Array(dictionaries[name].values.length)
    const { codes, sets, counts: all } = base.codes[name]
    if (
      sets.length === base.dictionaries[name].length &&
      sets.length * base.size < rows.length * ROWS_A_MATCH
    ) {
      for (const [code, set] of sets.entries()) {
        if (all[code] > 0) counts[code] = countBoth(workspace, workspace.target, set)
      }
    } else if (codes instanceof Uint8Array) tallyRows(workspace, rows, codes, counts)
    else for (const row of rows) counts[codes[row]]++
    const { codes: late } = delta.codes[name]
    for (const row of found.deltaRows) counts[late[row]]++
    return [name, listed(found, name, counts)]
  })
  return new Map(counted)
}

function tallyRows(
  { kernel, counts }: Workspace,
  rows: Uint32Array,
  codes: Uint8Array,
  into: Float64Array,
): void {
  if (rows.length === 0) return
  counts.fill(0)
  const { byteOffset: start, byteLength: bytes } = rows
  kernel.tally(start, start + bytes, codes.byteOffset, counts.byteOffset)
  // The list of an open column may have grown since the base was built.
  const known = Math.min(into.length, counts.length)
  for (let code = 0; code < known; code++) into[code] = counts[code]
}

/** In the order of the list, the missing value last. */
function listed(found: Match, column: string, counts: Float64Array): ValueCount[] {
  const { values } = found.store.dictionaries[column]
  const all = values.map((value, code) => ({ value, count: counts[code] }))
  return [...all.slice(1), all[NO_CODE]].filter(({ count }) => count > 0)
}

export interface Histogram {
  min: number | null
  max: number | null
  bins: number[]
}

/** Kept, because new memory costs more than what is counted in it. */
let scratch = new Float64Array(4096)

/** The matches' keys in equal bins from the least to the greatest. */
export function histogram(found: Match, keys: FillKeys, binCount: number): Histogram {
  if (scratch.length < found.total) scratch = new Float64Array(2 * found.total)
  const filled = scratch.subarray(0, found.total)
  let at = 0
  eachView(found, (view, rows) => {
    keys(view, rows, rows.length, filled.subarray(at))
    at += rows.length
  })
  const bins = Array.from({ length: binCount }, () => 0)
  if (filled.length === 0) return { min: null, max: null, bins }
  let [min, max] = [filled[0], filled[0]]
  for (let i = 0; i < filled.length; i++) {
    if (filled[i] < min) min = filled[i]
    if (filled[i] > max) max = filled[i]
  }
  const binsPerUnit = binCount / (max - min)
  const counts = new Uint32Array(binCount + 1)
  for (let i = 0; i < filled.length; i++) counts[((filled[i] - min) * binsPerUnit) | 0]++
  // The greatest itself falls one behind the last bin; with a single value all do.
  for (let bin = 0; bin < binCount; bin++) bins[bin] = counts[bin]
  if (min === max) bins[0] = filled.length
  else bins[binCount - 1] += counts[binCount]
  return { min, max, bins }
}
