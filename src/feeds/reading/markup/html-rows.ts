import { type RawRow, ROW_CELLS_MAX, ROW_CHARS_MAX } from '../raw-row.ts'
import { createRowCells } from '../row-cells.ts'
import { decodeEntities } from './entities.ts'
import { refusal } from './xml.ts'

/** The rows of one table of a page, built from its tags. */
export interface HtmlRows {
  startRow: () => void
  endRow: () => void
  /** Begins a cell over some columns and rows. */
  startCell: (columns: number, rows: number) => void
  endCell: () => void
  /** Adds to the cell that is open, if one is. */
  addText: (text: string) => void
  addLink: (link: string | undefined) => void
}

const clamp = (count: number, max: number) => Math.min(Math.max(count, 1), max)

/** A cell that continues in the rows below it. */
interface Spanning {
  rowsLeft: number
  text: string
  link: string | undefined
}

const ROWSPAN_MAX = 65_534
/** A few columns of a stock list may span rows; each costs time in every row below. */
const SPANNING_MAX = 50
/** A text that is repeated in the rows below is cut to this length. */
const REPEATED_CHARS_MAX = 500
/** All repeated texts of a table; more means a page that is made to take time. */
const ALL_REPEATED_CHARS_MAX = 64 * 1_048_576

/**
 * Builds rows as browsers show them: a cell over several columns has its text in the first one, and
 * a cell over several rows has it in each of them. Rows are numbered in their table, from 1.
 */
export function createHtmlRows(onRow: (row: RawRow) => void): HtmlRows {
  const cells = createRowCells()
  const spanning = new Map<number, Spanning>()
  let row = 0
  let column = 0
  let isInRow = false
  let repeatedChars = 0
  let cell: { text: string; link?: string; columns: number; rows: number } | undefined

  /** Moves right over the columns that cells of the rows above cover. */
  function skipSpanning(): void {
    for (let above = spanning.get(column); above; above = spanning.get(column)) {
      repeatedChars += above.text.length
      if (repeatedChars > ALL_REPEATED_CHARS_MAX) throw refusal('Its rows repeat long texts')
      cells.put(column, above.text, above.link)
      if (--above.rowsLeft === 0) spanning.delete(column)
      column++
    }
  }

  function endCell(): void {
    if (!cell) return
    const { columns, rows, link } = cell
    const text = decodeEntities(cell.text).replaceAll(/\s+/g, ' ').trim()
    cell = undefined
    cells.put(column, text, link)
    for (let index = 0; index < columns && rows > 1 && spanning.size < SPANNING_MAX; index++) {
      const below = { rowsLeft: rows - 1, text: text.slice(0, REPEATED_CHARS_MAX), link }
      spanning.set(column + index, index === 0 ? below : { ...below, text: '', link: undefined })
    }
    column += columns
  }

  function endRow(): void {
    endCell()
    if (!isInRow) return
    isInRow = false
    // The cells above that cover columns after the last one of this row.
    for (const covered of [...spanning.keys()].sort((a, b) => a - b)) {
      column = Math.max(column, covered)
      skipSpanning()
    }
    cells.end(row, onRow)
  }

  function startRow(): void {
    endRow()
    isInRow = true
    row++
    column = 0
  }

  return {
    startRow,
    endRow,
    startCell(columns, rows) {
      endCell()
      if (!isInRow) startRow()
      skipSpanning()
      cell = { text: '', columns: clamp(columns, ROW_CELLS_MAX), rows: clamp(rows, ROWSPAN_MAX) }
    },
    endCell,
    addText: (text) => {
      if (cell && cell.text.length <= ROW_CHARS_MAX) cell.text += text
    },
    addLink: (link) => {
      if (cell) cell.link ??= link
    },
  }
}
