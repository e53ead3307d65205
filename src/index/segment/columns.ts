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

/** A value out of a short list, kept as a small code with a bitmap per value. */
export interface CodeSpec {
  readonly kind: 'code'
  readonly name: string
  /** In the order in which they sort. 'open': the values that occur, in the order they are met. */
  readonly values: readonly string[] | 'open'
  readonly sorted?: boolean
}

/** A whole number (decimals are scaled away before), or NONE. */
export interface NumberSpec {
  readonly kind: 'number'
  readonly name: string
  readonly ranged?: boolean
  readonly sorted?: boolean
  /**
   * Every row has a value, and it keeps to a narrow ratio to the primary column, which stands
   * before it: rows can then be read in their own order for this column too.
   */
  readonly follows?: boolean
}

/** Found by its exact value only. */
export interface TextSpec {
  readonly kind: 'text'
  readonly name: string
}

/** A number that few rows have; it takes no room in the others, and nothing searches by it. */
export interface SparseSpec {
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

export interface CodeView {
  codes: Uint8Array | Uint16Array
}

/** What a row test may read, the same for the packed base and for the delta. */
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
 * below[k] holds the rows whose value is less than cuts[k]. A range is the difference of two of
 * them, and only rows of the two slices at its ends are looked at one by one.
 */
export interface Slices {
  cuts: number[]
  below: Bits[]
  present: Bits
}

export interface CodeColumn extends CodeView {
  /** By code. Open lists may hold more values than bitmaps: then the codes are scanned. */
  sets: Bits[]
  /** How many rows of the segment have each code. */
  counts: Uint32Array
  order: Uint32Array | null
  present: number
}

export interface TextColumn {
  bytes: Uint8Array
  /** Row r has the bytes starts[r]..starts[r + 1]; empty means no value. */
  starts: Uint32Array
  /** Rows by the hash of their bytes. */
  order: Uint32Array
}

/** The big immutable part of an index. All arrays lie in shared memory. */
export interface Segment extends View {
  /** Where its bitmaps and codes lie. */
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
