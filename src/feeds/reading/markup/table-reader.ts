import { HEADER_WITHIN_ROWS } from '../header/find-header.ts'
import { joinLists, type ListSource } from '../join-lists.ts'
import type { RawRow, RowBatches } from '../raw-row.ts'
import { noHeader } from '../refusals.ts'
import type { StoneList, TableOptions } from '../stone-list.ts'
import { openTable } from '../table.ts'
import { pieces, refusal } from './xml.ts'

/** Called for every row of every table in the text, and where a table begins. */
export interface TableListener {
  onTable: (name: string, isHidden?: boolean) => void
  /** `table` counts from 0 in the order in which the tables begin. */
  onRow: (table: number, row: RawRow) => void
}

/** Reads a text with tables piece by piece. */
type TableParser = (on: TableListener) => (text: string) => void

/** More tables are layout; each one that is read takes a pass over the file. */
const TABLES_MAX = 20
const STONE_CELLS_MIN = 3

interface TableSize {
  name: string
  isHidden: boolean
  rows: number
}

/** Opens the tables of a text as one list; `open` gives the text, and is called several times. */
export async function openTables(
  open: () => AsyncIterable<string>,
  parser: TableParser,
  options: TableOptions & { noun: 'sheet' | 'table'; container: string },
): Promise<StoneList> {
  const sizes = await listTables(open, parser)
  const tables = [...sizes.keys()].filter((table) => sizes[table].rows > 0)
  if (tables.length === 0) throw noHeader(options.container, undefined, options.names)
  const kept = tables.slice(0, TABLES_MAX)
  const sources = kept.map((table): ListSource => {
    return {
      name: sizes[table].name,
      isHidden: sizes[table].isHidden,
      open: () => openTable(readTable(open, parser, table), options),
    }
  })
  const { noun } = options
  const list = await joinLists(sources, {
    ...options,
    whenDifferent: 'leave out',
    close: async () => {},
  })
  if (tables.length > kept.length) {
    list.notes.push(`Only the first ${TABLES_MAX} of ${tables.length} ${noun}s were read.`)
  }
  return list
}

/** Counts the rows of each table that are wide enough for a stone. */
async function listTables(open: () => AsyncIterable<string>, parser: TableParser) {
  const tables: TableSize[] = []
  const parse = parser({
    onTable: (name, isHidden = false) => tables.push({ name, isHidden, rows: 0 }),
    onRow: (table, row) => {
      if (row.cells.length >= STONE_CELLS_MIN) tables[table].rows++
    },
  })
  for await (const text of open()) for (const piece of pieces(text)) parse(piece)
  return tables
}

/** The text of the rows of one piece; more means that long texts are repeated. */
const BATCH_CHARS_MAX = 32 * 1_048_576

async function* readTable(
  open: () => AsyncIterable<string>,
  parser: TableParser,
  wanted: number,
): RowBatches {
  let rows: RawRow[] = []
  let chars = 0
  const parse = parser({
    onTable() {},
    onRow(table, row) {
      if (table !== wanted) return
      rows.push(row)
      chars += row.raw.length
      if (chars > BATCH_CHARS_MAX) throw refusal('Its rows repeat long texts')
    },
  })
  for await (const text of open()) {
    for (const piece of pieces(text)) {
      parse(piece)
      if (rows.length < HEADER_WITHIN_ROWS && chars < BATCH_CHARS_MAX / 32) continue
      yield rows
      rows = []
      chars = 0
    }
  }
  if (rows.length > 0) yield rows
}
