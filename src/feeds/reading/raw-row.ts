/** One row of a feed before anything is understood: its place, its text and its cells. */
export interface RawRow {
  /** The line as an editor numbers it; in JSON the position of the stone, from 1. */
  row: number
  /** The row's own text, over which the digest is made that finds unchanged rows. */
  raw: string
  cells: string[]
  /** Why the row has no cells, when it could not be read. */
  unreadable?: string
}

/** Rows travel in lots, because a promise per row would cost more than the row. */
export type RowLots = AsyncGenerator<RawRow[], void, undefined>

/** No row, quoted cell or JSON object of a feed may be longer; a longer one is damage. */
export const ROW_CHARS_MAX = 1_048_576

/** A row of more cells is no row of a feed, but a file of another kind. */
export const ROW_CELLS_MAX = 2_000
