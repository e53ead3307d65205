import {
  type CodeView,
  type IntegerArray,
  NONE,
  type NumberView,
  type Segment,
  type TableSpec,
  type WordArray,
} from './columns.ts'
import { sortRows } from './radix.ts'
import type { Rows } from './rows.ts'
import { type TextBytes, writeTexts } from './texts.ts'

/** What a segment is packed from, column by column, its rows in the order of the segment. */
export interface SegmentInput {
  readonly spec: TableSpec
  readonly size: number
  /** The values of every code column, by code. */
  readonly dictionaries: Record<string, readonly (string | null)[]>
  /** Bounds of the values of a number column; they may be wider than the values. */
  bounds(column: string): Extent
  /** The values of a number column, NONE for none. The next call of it overwrites them. */
  numbers(column: string): Float64Array
  ids(): Float64Array
  /** Writes the codes of all columns to their words, which have zeros before. */
  fillCodes(columns: ReadonlyMap<string, CodeView>): void
  texts(column: string): TextBytes
  sparse(column: string): [id: number, value: number][]
  /** The rows by id. */
  idOrder(ids: IntegerArray, greatest: number): Uint32Array
  /** The rows by the values of a column, which are from 0 to `greatest`, then by id. */
  order(column: string, values: IntegerArray, greatest: number, by: RowsById): Uint32Array
  /** The rows by the hash of a text, then by row. */
  hashOrder(column: string, hashes: Uint32Array): Uint32Array
}

/** The rows of the segment and their ids. */
export type RowsById = Pick<Segment, 'ids' | 'idOrder'>

export interface Extent {
  least: number
  greatest: number
}

/** Packs a table of rows in any order. */
export function inputFromRows(rows: Rows): SegmentInput {
  const { spec, size } = rows
  const unsorted = rowNumbers(size)
  const byId = sortRows(unsorted, rows.ids.values, greatestOf(rows.ids, size))
  const primary = rows.numbers[spec.primary]
  // Row r of the segment is row source[r] of the table.
  const source = sortRows(byId, primary.values, greatestOf(primary, size))
  const numbers = new Float64Array(size)
  return {
    spec,
    size,
    dictionaries: valuesOf(rows),
    bounds: (column) => extentOf(rows.numbers[column].values, size),
    numbers(column) {
      const { values } = rows.numbers[column]
      for (let row = 0; row < size; row++) numbers[row] = values[source[row]]
      return numbers
    },
    ids() {
      const ids = new Float64Array(size)
      for (let row = 0; row < size; row++) ids[row] = rows.ids.values[source[row]]
      return ids
    },
    fillCodes: (columns) => fillCodes(rows, source, columns),
    texts: (column) => writeTexts(rows.texts[column], source),
    sparse: (column) => [...rows.sparse[column]],
    idOrder: (ids, greatest) => sortRows(unsorted, ids, greatest),
    order: (_, values, greatest, { idOrder }) => sortRows(idOrder, values, greatest),
    hashOrder: (_, hashes) => sortRows(unsorted, hashes, 0xffffffff),
  }
}

/** First in the order of the table, so that words are moved and not each code of them. */
function fillCodes(
  { codes, size }: Rows,
  source: Uint32Array,
  columns: ReadonlyMap<string, CodeView>,
): void {
  const unsorted = new Map<WordArray, Uint32Array>()
  for (const [column, { words, shift }] of columns) {
    const input = codes[column].words
    const packed = unsorted.get(words) ?? new Uint32Array(size)
    unsorted.set(words, packed)
    for (let row = 0; row < size; row++) packed[row] |= input[row] << shift
  }
  for (const [words, packed] of unsorted) {
    for (let row = 0; row < size; row++) words[row] = packed[source[row]]
  }
}

export function rowNumbers(size: number): Uint32Array {
  const rows = new Uint32Array(size)
  for (let row = 0; row < size; row++) rows[row] = row
  return rows
}

export function greatestOf({ values }: NumberView, size: number): number {
  let greatest = 0
  for (let row = 0; row < size; row++) if (values[row] > greatest) greatest = values[row]
  return greatest
}

/** The least and the greatest of the first `size` numbers that are values; 0 when none is. */
export function extentOf(values: IntegerArray, size: number): Extent & { present: number } {
  let least = Number.POSITIVE_INFINITY
  let greatest = Number.NEGATIVE_INFINITY
  let present = 0
  for (let row = 0; row < size; row++) {
    const value = values[row]
    if (value === NONE) continue
    present++
    if (value < least) least = value
    if (value > greatest) greatest = value
  }
  return present === 0 ? { least: 0, greatest: 0, present } : { least, greatest, present }
}

function valuesOf({ dictionaries }: Rows): SegmentInput['dictionaries'] {
  return Object.fromEntries(
    Object.entries(dictionaries).map(([column, { values }]) => [column, values]),
  )
}
