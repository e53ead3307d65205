import { readHeading } from '../values/availability.ts'
import { shapeOfHeading } from '../values/shape.ts'
import { isLinkText } from './cell-link.ts'
import {
  columnNames,
  findHeader,
  HEADER_WITHIN_ROWS,
  isBlank,
  isNumber,
  isPosition,
} from './header/find-header.ts'
import { joinHeader } from './header/join-header.ts'
import { CELL_SEPARATOR, cellTextOf, putCell, type RawRow, type RowBatches } from './raw-row.ts'
import {
  type NoHeader,
  readAhead,
  type StoneList,
  type TableOptions,
  TITLE_CHARS_MAX,
} from './stone-list.ts'

/** Rows with fewer filled cells are titles; a mapping by position does not mean them. */
const STONE_CELLS_MIN = 3

/** Opens rows as a list of stones: finds the header, and drops titles and repeated headers. */
export async function openTable(
  batches: RowBatches,
  options: TableOptions,
): Promise<StoneList | NoHeader> {
  const [start, rows] = await readAhead(skipBlankRows(batches), HEADER_WITHIN_ROWS)
  const at = findHeader(start, options)
  if (at !== -1) {
    const header = joinHeader(start, at, options)
    const last = header.rows[header.rows.length - 1]
    const isHeader = ({ raw }: RawRow) => header.rows.some((row) => row.raw === raw)
    const isStone = (row: RawRow) => row.row > last.row && !isHeader(row)
    const titles = start.slice(0, start.indexOf(header.rows[0]))
    return listOf(rows, columnNames(header.cells), isStone, titlesOf(titles))
  }
  const first = start.find((row) => filledCells(row) >= STONE_CELLS_MIN)
  if (first && (options.isExplained || [...options.mapped.keys()].some(isPosition))) {
    return byPosition(start, rows, first)
  }
  await rows.return()
  return { firstRow: first ?? start[0] }
}

function filledCells({ cells }: RawRow): number {
  return cells.filter((cell) => cell.trim() !== '').length
}

/** Opens rows without a known header; a first row without any number names the columns. */
function byPosition(start: readonly RawRow[], rows: RowBatches, first: RawRow): StoneList {
  const isHeader = first.cells.every((cell) => !isNumber(cell.trim().replace(',', '.')))
  if (isHeader) return listOf(rows, columnNames(first.cells), (row) => row.row > first.row)
  const width = Math.max(...start.map((row) => row.cells.length))
  const columns = Array.from({ length: width }, (_, index) => String(index + 1))
  return listOf(rows, columns, (row) => row.row >= first.row)
}

function titlesOf(rows: readonly RawRow[]): string[] {
  const texts = rows.flatMap(({ cells }) => cells.map((cell) => cell.trim()))
  return texts.filter((text) => text !== '').map((text) => text.slice(0, TITLE_CHARS_MAX))
}

async function* skipBlankRows(batches: RowBatches): RowBatches {
  let isStart = true
  for await (const batch of batches) {
    // Blank rows are dropped later anyway; here they must not hide the header below them.
    const rows: RawRow[] = isStart ? batch.filter((row) => !isBlank(row)) : batch
    if (rows.length > HEADER_WITHIN_ROWS) isStart = false
    yield rows
  }
}

function listOf(
  batches: RowBatches,
  columns: string[],
  isStone: (row: RawRow) => boolean,
  titles: string[] = [],
): StoneList {
  const applyLinks = createLinkColumns(columns)
  const applyHeading = createHeadings()
  async function* stones(): RowBatches {
    for await (const batch of batches) {
      const rows = batch.filter((row) => isStone(row) && !applyHeading(row))
      for (const row of rows) {
        if (row.continued) fillContinued(row, row.continued)
        if (row.links) applyLinks(row, row.links)
      }
      yield rows
    }
  }
  const rows = stones()
  const close = async () => {
    await batches.return()
  }
  return { columns, rows, notes: [], titles, damage: () => undefined, close }
}

/**
 * Marks the rows below a heading such as `SOLD STONES`, until another heading says that stones are
 * on offer, and those below the name of a shape, until any other heading. A heading is the only
 * text of its row. Returns whether the row is the name of a shape, and no stone.
 */
function createHeadings() {
  let takenBy: string | undefined
  let namedShape: string | undefined
  return (row: RawRow): boolean => {
    const text = onlyText(row)
    const isOffered = text === undefined ? undefined : readHeading(text)
    if (isOffered !== undefined) {
      takenBy = isOffered ? undefined : text
      return false
    }
    if (text !== undefined) namedShape = shapeOfHeading(text)
    if (text !== undefined && namedShape !== undefined) return true
    if (takenBy !== undefined) row.takenBy = takenBy
    if (namedShape !== undefined) row.namedShape = namedShape
    return false
  }
}

/** Fills the empty cells of a stone with what is merged over several rows. */
function fillContinued(row: RawRow, continued: readonly string[]): void {
  for (const [column, text] of continued.entries()) {
    if (text !== undefined && cellTextOf(row, column) === '') putCell(row.cells, column, text)
  }
  row.raw = row.cells.join(CELL_SEPARATOR)
  row.continued = undefined
}

/** Returns the text of a row that has one only. */
function onlyText(row: RawRow): string | undefined {
  // Nearly all rows have two texts at their start.
  if (cellTextOf(row, 0) !== '' && cellTextOf(row, 1) !== '') return undefined
  let only: string | undefined
  for (const cell of row.cells) {
    const text = cell.trim()
    if (text === '') continue
    if (only !== undefined) return undefined
    only = text
  }
  return only
}

/**
 * Turns hyperlinks into values. Where the cell shows a word such as `View`, the link is its value;
 * a cell with a value of its own keeps it, and the link goes to a column `<name> link`.
 */
function createLinkColumns(columns: string[]) {
  const named = columns.length
  const linkColumnAt = new Map<number, number>()
  return (row: RawRow, links: string[]): void => {
    const { cells } = row
    for (const [column, link] of links.entries()) {
      if (link === undefined || column >= named) continue
      let target = column
      if (!isLinkText(cells[column] ?? '')) {
        target = linkColumnAt.get(column) ?? columns.push(`${columns[column]} link`) - 1
        linkColumnAt.set(column, target)
      }
      putCell(cells, target, link)
    }
    row.raw = cells.join(CELL_SEPARATOR)
    row.links = undefined
  }
}
