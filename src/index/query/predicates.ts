import type { View } from '../segment/columns.ts'

/** A condition on rows; a search is the conjunction of several. */
export type Predicate = OneOf | Range | Texts | Pairs

/** null selects rows without a value. */
export interface OneOf {
  readonly kind: 'oneOf'
  readonly column: string
  readonly values: readonly (string | null)[]
}

/** Both ends are in the range. A row without a value is in no range. */
export interface Range {
  readonly kind: 'range'
  readonly column: string
  readonly min: number
  readonly max: number
  /**
   * When the value searched for is not the column's own but derived from it (a price in another
   * currency): rows outside min..max cannot match, rows in certainMin..certainMax do, and only
   * the rows between are filtered.
   */
  readonly derived?: {
    readonly certainMin: number
    readonly certainMax: number
    readonly filter: RowFilter
    /** The same condition as bounds by band, where that is possible: it is much faster. */
    readonly bands?: Bands
  }
}

/**
 * Bounds that depend on the band that contains another column's value, and on one code. Band b
 * begins at starts[b] and ends before starts[b + 1]; the first has no beginning, the last no end.
 * The bounds at 2b are for rows with the value of `split`, those at 2b + 1 for all other rows.
 */
export interface Bands {
  readonly column: string
  readonly starts: readonly number[]
  readonly split: { readonly column: string; readonly value: string }
  readonly lows: Float64Array
  readonly highs: Float64Array
}

/** Moves those of the first `count` rows that match to the front, and returns how many they are. */
export type RowFilter = (view: View, rows: Uint32Array, count: number) => number

/** Writes the keys of the first `count` rows. */
export type FillKeys = (view: View, rows: Uint32Array, count: number, keys: Float64Array) => void

/** A key that follows one column, which has a value in every row: it never falls as that grows. */
export interface ColumnKeys extends KeyFunctions {
  readonly column: string
}

/** A key of a value, and back. */
export interface KeyFunctions {
  readonly keyOf: (value: number) => number
  /** The least value whose key is this one or a greater one. */
  readonly valueFrom: (key: number) => number
}

/** A key that follows a column within each band, but differently in each. */
export interface BandKeys {
  readonly column: string
  readonly bands: Pick<Bands, 'column' | 'starts' | 'split'>
  /** By position, as the bounds of bands have it; null where no row can be. */
  readonly byBand: readonly (KeyFunctions | null)[]
  /** Computes the keys of single rows. */
  readonly fill: FillKeys
}

export interface Texts {
  readonly kind: 'texts'
  readonly column: string
  readonly values: readonly (string | null)[]
}

/** One of several combinations of the values of two code columns, which have bitmaps. */
export interface Pairs {
  readonly kind: 'pairs'
  readonly columns: readonly [string, string]
  readonly pairs: readonly (readonly [string, string])[]
}

/** The order of a page. Equal keys are ordered by id, and rows without a value come last. */
export type Order = ColumnOrder | KeyOrder

export interface ColumnOrder {
  readonly kind: 'column'
  readonly column: string
  readonly descending: boolean
}

/**
 * The order of a key that is computed per caller and roughly follows a stored column, so that a
 * page can be read along that column and the reading can stop early.
 */
export interface KeyOrder {
  readonly kind: 'key'
  /** The column that the key follows. */
  readonly follows: string
  readonly descending: boolean
  /** A row without a value has the key Infinity. */
  readonly keys: FillKeys
  /**
   * Ascending: the greatest value of the followed column that a row with a key up to `key` can
   * have. Descending: the least value that a row with a key from `key` on can have.
   */
  readonly bound: (key: number) => number
  /** Parts of the rows, each of which is nearer to the column than all rows together. */
  readonly parts: () => readonly KeyBounds[]
}

/** Bounds on the followed column for the rows of a part. Keys are whole numbers. */
export interface KeyBounds {
  /** The least value that a row with this key or a greater one can have. */
  readonly low: (key: number) => number
  /** The greatest value that a row with this key or a lesser one can have. */
  readonly high: (key: number) => number
}
