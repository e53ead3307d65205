/** One row of a feed before it is interpreted: its position, its text and its cells. */
export interface RawRow {
  /** The line as an editor numbers it; in JSON the position of the stone, from 1. */
  row: number
  /** The row's own text. Its digest tells whether the row has changed since the last import. */
  raw: string
  cells: string[]
  /** Reads one cell, where that is less work than reading all of them. */
  cellAt?(at: number): string | undefined
  /** The cells as the file has them, where a mapping translated some or added constants. */
  ownCells?: string[]
  /** Why the row has no cells, when it could not be read. */
  unreadable?: string
  /** The hyperlinks of its cells, by column; they become values once the header is known. */
  links?: string[]
  /** What cells above that are merged with those of the row have for it, by column. */
  continued?: string[]
  /** The heading above it that takes its stones off the market: `SOLD STONES`. */
  takenBy?: string
  /** The shape that the heading above it or the name of its sheet names. */
  namedShape?: string
  /** The sheet, table or file that the row is from, when several are read as one. */
  part?: string
}

/** The rows of a workbook or a page have no text of their own: their cells are joined by this. */
export const CELL_SEPARATOR = '\u001f'

/** Rows are passed in batches, because a promise per row would cost more than the row itself. */
export type RowBatches = AsyncGenerator<RawRow[], void, undefined>

/** A longer row, quoted cell or JSON object is treated as damage. */
export const ROW_CHARS_MAX = 1_048_576

/** A row with more cells means that the file is not a feed. */
export const ROW_CELLS_MAX = 2_000

/** The text of a cell without the spaces around it; empty where the row has no such cell. */
export function textAt(cells: readonly string[], at: number | undefined): string {
  return at === undefined ? '' : (cells[at] ?? '').trim()
}

/** `textAt` of a row, of whose other cells none may ever be needed. */
export function cellTextOf(row: RawRow, at: number): string {
  const cell = row.cellAt === undefined ? row.cells[at] : row.cellAt(at)
  return (cell ?? '').trim()
}

/** Sets a cell, and adds the empty ones before it that the row does not have yet. */
export function putCell(cells: string[], at: number, text: string): void {
  while (cells.length < at) cells.push('')
  cells[at] = text
}

/** Ordinary rows are shorter, and pay nothing for what follows. */
const ORDINARY_ROW_CHARS = 1_024
const SPACES = /\s{32}/
const RUN_OF_SPACES = /\s{32,}/g

/**
 * Cuts the cells of a long row, and makes one space of very many, because reading a value takes up
 * to the square of its length, and most of all where it has to look for the end of the spaces.
 */
export function shortenCells(row: RawRow, charsMax: number): void {
  if (row.raw.length <= ORDINARY_ROW_CHARS) return
  const isShort = row.raw.length <= 2 * charsMax
  // The cells of such a row are not split yet, and for an unchanged one they never are.
  if (isShort && row.cellAt !== undefined && !SPACES.test(row.raw)) return
  row.cells = row.cells.map((cell) =>
    cell.length < 32 ? cell : cell.replaceAll(RUN_OF_SPACES, ' ').slice(0, charsMax),
  )
}

/**
 * Copies a text so that it shares no memory with the chunk it was cut from: V8 keeps the whole
 * chunk alive as long as a slice of it is. Every text that outlives its chunk is copied.
 */
export function copyText(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, 'utf16le').toString('utf16le')
}
