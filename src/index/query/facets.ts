import { removeRows } from '../kernel/bitmaps.ts'
import { countFields, eachRows, FIELDS_AT_ONCE } from '../kernel/rows.ts'
import type { Bits } from '../segment/bits.ts'
import { type CodeView, codeAt, NO_CODE } from '../segment/columns.ts'
import { codesOf } from '../segment/rows.ts'
import { assertCurrent, eachBaseRows, listBaseRows, type Match } from './match.ts'
import { FIELD_COUNTS, type Workspace } from './workspace.ts'

export interface ValueCount {
  value: string | null
  count: number
}

/** How often each value of each column occurs among the matches. Values that do not are omitted. */
export function countValues(found: Match, columns: readonly string[]): Map<string, ValueCount[]> {
  assertCurrent(found)
  const { base, delta, dictionaries } = found.searched
  const counted = columns.map((column): ColumnCounts => {
    const counts = new Float64Array(dictionaries[column].values.length)
    return { column, codes: base.codes[column], counts }
  })
  countBase(found, counted)
  for (const { column, counts } of counted) {
    const codes = delta.codes[column]
    for (const row of found.deltaRows) counts[codeAt(codes, row)]++
  }
  return new Map(
    counted.map(({ column, counts }) => [column, valuesOf(dictionaries[column].values, counts)]),
  )
}

/** A column, and how often each of its codes occurs. */
interface ColumnCounts {
  readonly column: string
  /** Its codes in the base. */
  readonly codes: CodeView
  readonly counts: Float64Array
}

/** In the order of the list, with the missing value last. */
function valuesOf(values: readonly (string | null)[], counts: Float64Array): ValueCount[] {
  const counted = values.map((value, code) => ({ value, count: counts[code] }))
  return [...counted.slice(1), counted[NO_CODE]].filter(({ count }) => count > 0)
}

/**
 * From this share of all rows on, the bitmaps of the most frequent values are counted first; below
 * it, reading the codes of every match is faster.
 */
const DENSE = 0.2

function countBase(found: Match, columns: readonly ColumnCounts[]): void {
  const { base, workspace } = found.searched
  if (found.baseCount === 0) return
  const isWide = ({ codes }: ColumnCounts) => codes.mask >= FIELD_COUNTS
  for (const { codes, counts } of columns.filter(isWide)) {
    for (const row of listBaseRows(found)) counts[codeAt(codes, row)]++
  }
  const narrow = columns.filter((column) => !isWide(column))
  if (found.baseCount < DENSE * base.size) {
    countTogether(workspace, (visit) => eachBaseRows(found, visit), narrow)
  } else for (const column of narrow) countByBitmaps(found, column)
}

/** Columns with neighbouring bits, which are counted as one field of all of these bits. */
interface Field {
  readonly shift: number
  mask: number
  readonly columns: ColumnCounts[]
}

/**
 * Adds the codes of rows to the counts. Columns that share a word are counted together, by the
 * combinations of their values, so that a row costs one addition for several columns; how often a
 * single value occurs is the sum of its combinations.
 */
function countTogether(
  { kernel, fieldCounts }: Workspace,
  eachRowsOf: (visit: (rows: Uint32Array) => void) => void,
  columns: readonly ColumnCounts[],
): void {
  // Arrays of the same words may be different objects, but begin at the same address.
  const wordsAt = new Map(columns.map(({ codes }) => [codes.words.byteOffset, codes.words]))
  for (const [address, words] of wordsAt) {
    const fields = fieldsOf(columns.filter(({ codes }) => codes.words.byteOffset === address))
    for (let first = 0; first < fields.length; first += FIELDS_AT_ONCE) {
      const some = fields.slice(first, first + FIELDS_AT_ONCE)
      const counted = some.map(({ shift, mask }, i) => ({ shift, mask, counts: fieldCounts[i] }))
      for (const { mask, counts } of counted) counts.fill(0, 0, mask + 1)
      eachRowsOf((rows) => countFields(kernel, rows, words, counted))
      for (const [i, field] of some.entries()) addCombinations(field, fieldCounts[i])
    }
  }
}

/** Joins columns of one word to few fields, none of which has more values than there are counts. */
function fieldsOf(columns: readonly ColumnCounts[]): Field[] {
  const fields: Field[] = []
  for (const column of columns.toSorted((a, b) => a.codes.shift - b.codes.shift)) {
    const { shift, mask } = column.codes
    const field = fields.at(-1)
    const joinedMask = field ? (mask + 1) * 2 ** (shift - field.shift) - 1 : 0
    if (field && joinedMask < FIELD_COUNTS) {
      field.mask = joinedMask
      field.columns.push(column)
    } else fields.push({ shift, mask, columns: [column] })
  }
  return fields
}

function addCombinations({ shift, mask, columns }: Field, combinations: Uint32Array): void {
  const parts = columns.map(({ codes, counts }) => {
    return { shift: codes.shift - shift, mask: codes.mask, counts }
  })
  for (let value = 0; value <= mask; value++) {
    const count = combinations[value]
    if (count === 0) continue
    for (const part of parts) part.counts[(value >>> part.shift) & part.mask] += count
  }
}

/** Reading the code of a match costs as much as intersecting this many rows of two bitmaps. */
const BITMAP_ROWS_PER_MATCH = 300

/**
 * Counts the matches of the base. The most frequent values are counted first and by their bitmaps,
 * and their rows are removed from those that are left, until few are left or a single value is.
 */
function countByBitmaps(found: Match, counted: ColumnCounts): void {
  const { base, workspace } = found.searched
  const { kernel, target, unchecked: rest } = workspace
  const { column, counts } = counted
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
  countTogether(workspace, (visit) => eachRows(kernel, rows, visit), [counted])
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
