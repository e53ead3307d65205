import { removeRows } from '../kernel/bitmaps.ts'
import { countCodes } from '../kernel/rows.ts'
import type { Bits } from '../segment/bits.ts'
import { NO_CODE } from '../segment/columns.ts'
import { codesOf } from '../segment/rows.ts'
import { assertCurrent, listBaseRows, type Match } from './match.ts'
import type { Workspace } from './workspace.ts'

export interface ValueCount {
  value: string | null
  count: number
}

/** How often each value of each column occurs among the matches. Values that do not are omitted. */
export function countValues(found: Match, columns: readonly string[]): Map<string, ValueCount[]> {
  assertCurrent(found)
  return new Map(columns.map((column) => [column, countColumn(found, column)]))
}

function countColumn(found: Match, column: string): ValueCount[] {
  const { base, delta, dictionaries } = found.searched
  const { values } = dictionaries[column]
  const counts = new Float64Array(values.length)
  const { codes } = base.codes[column]
  if (codes instanceof Uint8Array) countBase(found, column, codes, counts)
  else for (const row of listBaseRows(found)) counts[codes[row]]++
  const { codes: deltaCodes } = delta.codes[column]
  for (const row of found.deltaRows) counts[deltaCodes[row]]++
  // In the order of the list, with the missing value last.
  const counted = values.map((value, code) => ({ value, count: counts[code] }))
  return [...counted.slice(1), counted[NO_CODE]].filter(({ count }) => count > 0)
}

/** Counting a match by itself costs as much as intersecting this many rows of two bitmaps. */
const BITMAP_ROWS_PER_MATCH = 300

/**
 * Counts the matches of the base. The most frequent values are counted first and by their bitmaps,
 * and their rows are removed from those that are left, until few are left or a single value is.
 */
function countBase(found: Match, column: string, codes: Uint8Array, counts: Float64Array): void {
  const { base, workspace } = found.searched
  const { kernel, target, unchecked: rest } = workspace
  const { bitmaps, counts: totals } = base.codes[column]
  const candidates = codesByFrequency(found, column)
  let totalLeft = candidates.reduce((sum, code) => sum + totals[code], 0)
  let left = found.baseCount
  let rows = target
  for (const [i, code] of candidates.entries()) {
    if (left === 0) return
    if (i === candidates.length - 1) {
      counts[code] = left
      return
    }
    const expected = (left * totals[code]) / totalLeft
    const isWorthwhile = expected * BITMAP_ROWS_PER_MATCH > base.size
    const bits: Bits | null | undefined = bitmaps[code]
    if (!isWorthwhile || !bits) break
    counts[code] = removeRows(kernel, rows, bits, rest)
    rows = rest
    left -= counts[code]
    totalLeft -= totals[code]
  }
  countSingly(workspace, rows, codes, counts)
}

/** The codes that matches of the base can have. */
function codesByFrequency({ searched, predicates }: Match, column: string): number[] {
  const { base, dictionaries } = searched
  const { counts: totals } = base.codes[column]
  let codes = Array.from(totals.keys()).filter((code) => totals[code] > 0)
  for (const predicate of predicates) {
    if (predicate.kind !== 'oneOf' || predicate.column !== column) continue
    const wanted = new Set(codesOf(dictionaries[column], predicate.values))
    codes = codes.filter((code) => wanted.has(code))
  }
  return codes.sort((a, b) => totals[b] - totals[a])
}

/** Adds the codes of the rows to the counts. */
function countSingly(
  { kernel, codeCounts }: Workspace,
  rows: Bits,
  codes: Uint8Array,
  counts: Float64Array,
): void {
  codeCounts.fill(0)
  countCodes(kernel, rows, codes, codeCounts)
  // An open list may have grown since the base was built, even beyond one byte.
  const known = Math.min(counts.length, codeCounts.length)
  for (let code = 0; code < known; code++) counts[code] += codeCounts[code]
}
