import { countEach, listBlocks } from '../kernel/bitmaps.ts'
import { countFields, FIELDS_AT_ONCE } from '../kernel/rows.ts'
import type { Bits } from '../segment/bits.ts'
import { type CodeView, codeAt, NO_CODE } from '../segment/columns.ts'
import { codesOf } from '../segment/rows.ts'
import { assertCurrent, eachBaseRows, listBaseRows, type Match } from './match.ts'
import { FIELD_COUNTS, type Searchable } from './workspace.ts'

export interface ValueCount {
  value: string | null
  count: number
}

/** How often each value of each column occurs among the matches. Values that do not are omitted. */
export function countValues(found: Match, columns: readonly string[]): Map<string, ValueCount[]> {
  assertCurrent(found)
  const { base, delta, dictionaries } = found.searched
  const counted = columns.map((column): ColumnCounts => {
    const counts = dictionaries[column].values.map(() => 0)
    return { column, codes: base.codes[column], counts }
  })
  if (found.baseCount > 0) countByWords(found, countByBitmaps(found, counted))
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
  readonly counts: number[]
}

/** In the order of the list, with the missing value last. */
function valuesOf(values: readonly (string | null)[], counts: readonly number[]): ValueCount[] {
  const counted: ValueCount[] = []
  for (let code = 1; code < counts.length; code++) {
    if (counts[code] > 0) counted.push({ value: values[code], count: counts[code] })
  }
  if (counts[NO_CODE] > 0) counted.push({ value: null, count: counts[NO_CODE] })
  return counted
}

/**
 * Reading the words of a match takes, for each column, as long as counting this part of a block of
 * a bitmap.
 */
const BLOCKS_PER_MATCH = 0.25

/**
 * Counts the matches of the base by the bitmaps of the values, column by column, as far as that is
 * faster than reading the words of every match, and returns the columns for which it is not. Only
 * blocks with matches are read, and the last value of a column is what the others leave.
 */
function countByBitmaps(found: Match, columns: readonly ColumnCounts[]): readonly ColumnCounts[] {
  const { searched, baseCount } = found
  const { kernel, target, blockList } = searched.workspace
  const blocks = listBlocks(kernel, target, blockList)
  const bitmapsMax = (baseCount * BLOCKS_PER_MATCH) / blocks.length
  if (bitmapsMax < 1) return columns
  const count = (columnsAndCodes: readonly (readonly [ColumnCounts, number[]])[]) => {
    const bitmaps = columnsAndCodes.flatMap(([{ column }, codes]) =>
      bitmapsOf(searched, column, codes),
    )
    const counted = countEach(kernel, target, blocks, bitmaps)
    let i = 0
    for (const [{ counts }, codes] of columnsAndCodes)
      for (const code of codes) counts[code] = counted[i++]
  }
  const divided = columns.map((column) => [column, possibleCodes(found, column.column)] as const)
  // In many columns all matches have the most frequent value: no hue, the usual cut of a shape.
  count(divided.map(([column, codes]) => [column, codes.slice(0, Math.min(1, codes.length - 1))]))
  const undecided = divided.filter(([{ counts }]) => sumOf(counts) < baseCount)
  const few = undecided.filter(([, codes]) => codes.length > 0 && codes.length - 2 <= bitmapsMax)
  count(few.map(([column, codes]) => [column, codes.slice(1, -1)]))
  for (const [{ counts }, codes] of few) counts[codes[codes.length - 1]] = baseCount - sumOf(counts)
  const rest = undecided.filter((each) => !few.includes(each)).map(([column]) => column)
  for (const { counts } of rest) counts.fill(0)
  return rest
}

function sumOf(counts: readonly number[]): number {
  let sum = 0
  for (const count of counts) sum += count
  return sum
}

/** The bitmaps of codes, all of which have one. */
function bitmapsOf(
  { base, workspace }: Searchable,
  column: string,
  codes: readonly number[],
): Bits[] {
  const { bitmaps } = base.codes[column]
  return codes.map((code) => bitmaps[code] ?? workspace.none)
}

/** Codes that matches can have, the most frequent first; none when some of them have no bitmaps. */
function possibleCodes({ searched, predicates }: Match, column: string): number[] {
  const { base, dictionaries } = searched
  const codes = codesByFrequency(searched, column)
  const { bitmaps } = base.codes[column]
  if (codes.some((code) => code >= bitmaps.length)) return []
  const filter = predicates.find((each) => each.kind === 'oneOf' && each.column === column)
  if (filter?.kind !== 'oneOf') return codes
  const wanted = codesOf(dictionaries[column], filter.values)
  return codes.filter((code) => wanted.includes(code))
}

/** The codes of a column that rows of the base have. */
function codesByFrequency({ base, workspace }: Searchable, column: string): number[] {
  const known = workspace.codesByFrequency.get(column)
  if (known) return known
  const { counts } = base.codes[column]
  const codes = Array.from(counts.keys()).filter((code) => counts[code] > 0)
  codes.sort((a, b) => counts[b] - counts[a])
  workspace.codesByFrequency.set(column, codes)
  return codes
}

/** Adds the codes of all matches of the base to the counts. */
function countByWords(found: Match, columns: readonly ColumnCounts[]): void {
  const narrow: ColumnCounts[] = []
  for (const column of columns) {
    const { codes, counts } = column
    if (codes.mask < FIELD_COUNTS) narrow.push(column)
    else for (const row of listBaseRows(found)) counts[codeAt(codes, row)]++
  }
  countTogether(found, narrow)
}

/** Columns with neighbouring bits, which are counted as one field of all of these bits. */
interface Field {
  readonly shift: number
  mask: number
  readonly columns: ColumnCounts[]
}

/**
 * Columns that share a word are counted together, by the combinations of their values, so that a
 * row costs one addition for several columns; how often a single value occurs is the sum of its
 * combinations.
 */
function countTogether(found: Match, columns: readonly ColumnCounts[]): void {
  const { kernel, fieldCounts } = found.searched.workspace
  // Arrays of the same words may be different objects, but begin at the same address.
  const wordsAt = new Map(columns.map(({ codes }) => [codes.words.byteOffset, codes.words]))
  for (const [address, words] of wordsAt) {
    const fields = fieldsOf(columns.filter(({ codes }) => codes.words.byteOffset === address))
    for (let first = 0; first < fields.length; first += FIELDS_AT_ONCE) {
      const some = fields.slice(first, first + FIELDS_AT_ONCE)
      const counted = some.map(({ shift, mask }, i) => ({ shift, mask, counts: fieldCounts[i] }))
      for (const { mask, counts } of counted) counts.fill(0, 0, mask + 1)
      eachBaseRows(found, (rows) => countFields(kernel, rows, words, counted))
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
