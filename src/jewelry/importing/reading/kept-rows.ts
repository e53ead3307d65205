import { storableText } from '../../../feeds/values/spelling.ts'
import { Refusal } from '../../../lib/refusal.ts'

/** A jewelry file that was read. */
export interface JewelryFile {
  columns: string[]
  rows: FileRow[]
  /** What was left out, in sentences for the report. */
  notes: string[]
  /** Texts above the header, which may name the currency of the prices. */
  titles: string[]
  /** Why the file seems incomplete. */
  damage?: string
}

/** One row of a jewelry file: texts by column, empty ones left out. */
export interface FileRow {
  /** The line as an editor numbers it; in JSON the position of the variant, from 1. */
  row: number
  cells: Map<string, string>
  /** Why the row cannot be sold, whatever is in its cells. */
  unreadable?: string
  /** The cells as the file has them, where the mapping or the rows around changed some. */
  ownCells?: Map<string, string>
  /** The sheet or file that the row is from, when several are read as one. */
  part?: string
}

/** The rows of a file are all in memory: a hundred thousand pieces with forty columns fit. */
const ROWS_MAX = 250_000
const CELLS_MAX = 4_000_000
/** A text that many variants share is counted for each of them. */
const CHARS_MAX = 256 * 1024 ** 2
/** Reading more values would take longer than ten seconds; see `visit`. */
const VISITS_MAX = 20_000_000

/** Collects the rows of a file, and refuses it before they take too much memory. */
export function createKeptRows() {
  const rows: FileRow[] = []
  let cells = 0
  let chars = 0
  let visits = 0
  return {
    rows,
    /** Counts a value that is read, empty or not: variants may repeat those of their product. */
    visit: () => {
      if (++visits > VISITS_MAX) throw tooMuch(`${VISITS_MAX} values`)
    },
    add(row: FileRow): void {
      cells += row.cells.size
      for (const text of row.cells.values()) chars += text.length
      if (rows.push(row) > ROWS_MAX) throw tooMuch(`${ROWS_MAX} rows`)
      if (cells > CELLS_MAX) throw tooMuch(`${CELLS_MAX} cells that are not empty`)
      if (chars > CHARS_MAX) throw tooMuch(`${CHARS_MAX} characters in its cells`)
    },
  }
}

/** Makes the refusal of a file that has more than so much of something. */
export function tooMuch(limit: string): Refusal {
  return new Refusal('invalid_request', `The file has more than ${limit}; send it in parts.`)
}

/** No value of a piece is longer; descriptions, the longest ones, are cut shorter than this. */
export const CELL_CHARS_MAX = 16_384

/** Returns the text of a cell as it is stored and compared. */
export function cellText(cell: string): string {
  return storableText(cell.slice(0, CELL_CHARS_MAX)).trim()
}
