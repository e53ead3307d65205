import type { Arena } from './arena.ts'
import type { Bits } from './bits.ts'

/**
 * A table of the index is declared by its columns. Rows are ordered by `primary`, the number that
 * most searches sort by: those then read the matching rows from the front, without a permutation.
 */
export interface TableSpec {
  readonly primary: string
  readonly columns: readonly ColumnSpec[]
}

export type ColumnSpec = CodeSpec | NumberSpec | TextSpec | SparseSpec

/** A value from a short list, stored as a small code with a bitmap per value. */
interface CodeSpec {
  readonly kind: 'code'
  readonly name: string
  /** In the order in which they sort. 'open': the values that occur, in order of first sight. */
  readonly values: readonly string[] | 'open'
}

/** A whole number (decimals are scaled up before), or NONE. */
interface NumberSpec {
  readonly kind: 'number'
  readonly name: string
  readonly ranged?: boolean
  /** Values of a ranged column at which many ranges begin or end, ascending; see slices.ts. */
  readonly cuts?: readonly number[]
  readonly sorted?: boolean
  /**
   * Every row has a value, and its ratio to the primary column varies little, so that rows can be
   * read in their own order for this column too. The primary column is declared before it.
   */
  readonly follows?: boolean
}

/** A text that is only found by its exact value. */
interface TextSpec {
  readonly kind: 'text'
  readonly name: string
}

/** A number that few rows have. The others take no memory for it, and no search uses it. */
interface SparseSpec {
  readonly kind: 'sparse'
  readonly name: string
}

/** The number that means "no value" in rows that are not packed. */
export const NONE = Number.MIN_SAFE_INTEGER
/** The code of "no value". Values have the codes from 1. */
export const NO_CODE = 0

export type IntegerArray = Uint8Array | Uint16Array | Uint32Array | Float64Array

/** value = values[row] + base, unless values[row] is `none`. */
export interface NumberView {
  values: IntegerArray
  base: number
  none: number
}

/** A code is some bits of a word of its row: several columns may share their words. */
export interface CodeView {
  words: WordArray
  /** The lowest bit of the code. */
  shift: number
  /** As many bits as a code has. */
  mask: number
}

export type WordArray = Uint8Array | Uint16Array | Uint32Array

/** The code of a row. */
export function codeAt({ words, shift, mask }: CodeView, row: number): number {
  return (words[row] >>> shift) & mask
}

export function putCode({ words, shift, mask }: CodeView, row: number, code: number): void {
  words[row] = (words[row] & ~(mask << shift)) | (code << shift)
}

/** The columns that a function of rows may read, the same for the packed base and for the delta. */
export interface View {
  size: number
  ids: NumberView
  numbers: Record<string, NumberView>
  codes: Record<string, CodeView>
}

export interface NumberColumn extends NumberView {
  least: number
  greatest: number
  /** Rows by value, then id; rows without a value at the end. Null when nothing sorts by it. */
  order: Uint32Array | null
  /** How many rows have a value. */
  present: number
  slices: Slices | null
  /** Bounds of value / primary value, of a column that follows the primary one. */
  ratio: { least: number; greatest: number } | null
}

/**
 * The values of a ranged column cut into slices of about equally many rows: below[k] holds the
 * rows whose value is less than cuts[k], and slice k has the values from cuts[k - 1] up to, but
 * not including, cuts[k]. A range is the difference of two of these bitmaps, and only the rows of
 * the two slices at its ends are checked one by one.
 */
export interface Slices {
  cuts: number[]
  /** How many rows have values below each cut: where its slice begins in the column's order. */
  positions: number[]
  below: Bits[]
  /** The rows that have a value. */
  present: Bits
}

export interface CodeColumn extends CodeView {
  /**
   * By code; null for a value that no row has. An open list may have more values than bitmaps: then
   * the codes are scanned.
   */
  bitmaps: (Bits | null)[]
  /** How many rows of the segment have each code. */
  counts: Uint32Array
}

export interface TextColumn {
  bytes: Uint8Array
  /** Row r has the bytes starts[r]..starts[r + 1]; empty means no value. */
  starts: Uint32Array
  /** Rows by the hash of their bytes. */
  order: Uint32Array
}

/** The big immutable part of an index. All arrays are in shared memory. */
export interface Segment extends View {
  /** The memory of its bitmaps, codes and numbers. */
  arena: Arena
  primary: string
  numbers: Record<string, NumberColumn>
  codes: Record<string, CodeColumn>
  texts: Record<string, TextColumn>
  sparse: Record<string, [id: number, value: number][]>
  /** The values of every code column; the code of a value is its position. */
  dictionaries: Record<string, (string | null)[]>
  idOrder: Uint32Array
}

/** The row that has an id, if one has. */
export function findRow(segment: Segment, id: number, expected?: number): number | undefined {
  const { idOrder, size } = segment
  if (expected !== undefined && expected < size && idAt(segment, expected) === id) return expected
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >>> 1
    if (idAt(segment, idOrder[middle]) < id) low = middle + 1
    else high = middle
  }
  return low < size && idAt(segment, idOrder[low]) === id ? idOrder[low] : undefined
}

/** The id of a row. */
export function idAt({ ids }: View, row: number): number {
  return ids.values[row] + ids.base
}
