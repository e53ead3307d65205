import {
  CELL_SEPARATOR,
  copyText,
  putCell,
  type RawRow,
  ROW_CELLS_MAX,
  ROW_CHARS_MAX,
} from './raw-row.ts'

/**
 * Puts values into the columns of their names. A new name becomes a new column, up to the most
 * columns that a feed may have; the values of further names are ignored.
 */
export function createNamedCells(columns: string[]) {
  const columnAt = new Map<string, number>()

  function columnOf(name: string): number | undefined {
    const known = columnAt.get(name)
    if (known !== undefined || columns.length >= ROW_CELLS_MAX) return known
    const at = columns.push(name) - 1
    columnAt.set(name, at)
    return at
  }

  return (values: ReadonlyMap<string, string>): string[] => {
    const cells: string[] = []
    for (const [name, value] of values) {
      const at = columnOf(name)
      if (at !== undefined) putCell(cells, at, value)
    }
    return cells
  }
}

/** Collects the cells of one row within the limits of a row. Empty cells are not kept. */
interface RowCells {
  put: (column: number, text: string, link?: string) => void
  /** Passes the row on with its number, if it has cells, and begins the next one. */
  end: (row: number, onRow: (row: RawRow) => void) => void
}

export function createRowCells(): RowCells {
  let cells: string[] = []
  let links: string[] | undefined
  let chars = 0
  let isTooLong = false

  return {
    put(column, text, link) {
      if (text === '' && link === undefined) return
      chars += text.length + (link?.length ?? 0)
      isTooLong ||= column >= ROW_CELLS_MAX || chars > ROW_CHARS_MAX
      if (isTooLong) return
      putCell(cells, column, text)
      if (link === undefined) return
      links ??= []
      links[column] = link
    },
    end(row, onRow) {
      const ended = { cells, links, isTooLong }
      cells = []
      links = undefined
      chars = 0
      isTooLong = false
      if (ended.isTooLong) {
        const limits = `${ROW_CELLS_MAX} cells or ${ROW_CHARS_MAX} characters`
        const raw = copyText(ended.cells.join(CELL_SEPARATOR).slice(0, 200))
        onRow({ row, raw, cells: [], unreadable: `The row has more than ${limits}` })
      }
      if (ended.isTooLong || ended.cells.length === 0) return
      const whole: RawRow = { row, raw: ended.cells.join(CELL_SEPARATOR), cells: ended.cells }
      if (ended.links) whole.links = ended.links
      onRow(whole)
    },
  }
}
