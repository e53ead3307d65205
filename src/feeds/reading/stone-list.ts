import { type ListNames, type MappedNames, STONE_NAMES } from '../mapping/list-names.ts'
import { isBlank } from './header/find-header.ts'
import { type RawRow, type RowBatches, shortenCells } from './raw-row.ts'

/** A list of stones in a file: a sheet, a table, a file of a ZIP, or several of them joined. */
export interface StoneList {
  /** It grows while rows are read: a key or a hyperlink may first occur in the last stone. */
  columns: string[]
  /** Stones only, without titles and headers. */
  rows: RowBatches
  /** What was left out, in sentences for the report. */
  notes: string[]
  /**
   * Texts above the header, the name of the sheet, and members outside of the stones: they may say
   * what the stones are. It grows while rows are read, as the last member may follow the stones.
   */
  titles: string[]
  /** Returns why the file seems incomplete; known only after all rows are read. */
  damage: () => string | undefined
  /** Releases files and threads. Reading to the end does it as well. */
  close: () => Promise<void>
}

/** Makes a list that also closes what it is read from. Its columns still grow with the reader's. */
export function closingList(list: StoneList, close: () => Promise<void>): StoneList {
  const closeBoth = async () => {
    await list.close()
    await close()
  }
  return { ...list, rows: closingAfter(list.rows, close), close: closeBoth }
}

/** Passes rows on, and closes what they are read from when nobody reads on. */
export async function* closingAfter(batches: RowBatches, close: () => Promise<void>): RowBatches {
  try {
    yield* batches
  } finally {
    await close()
  }
}

const TITLES_MAX = 20
/** Of a longer title above a list the beginning is kept; a longer member beside it is not one. */
export const TITLE_CHARS_MAX = 200
/** What is said of all stones at once. */
const ABOUT_ALL = /currency|type|kind|category|title|species|gem/i

/** Adds a member of JSON or XML that is outside of the stones as a title: `currency: EUR`. */
export function addMemberTitle(titles: string[], name: string, value: string): void {
  const text = value.trim()
  if (text === '' || text.length > TITLE_CHARS_MAX || !ABOUT_ALL.test(name)) return
  if (titles.length < TITLES_MAX) titles.push(`${name.slice(0, TITLE_CHARS_MAX)}: ${text}`)
}

/** A table in which no header was found, with its first row for the message; none if empty. */
export interface NoHeader {
  firstRow: RawRow | undefined
}

/** What is known of the columns before a file is opened. */
export interface TableOptions {
  mapped: MappedNames
  names: ListNames
  /** Without a header, columns are named by their positions: a mapping is to be written. */
  isExplained: boolean
  /** Only this sheet of a workbook, or table of a page, is read; all with stones unless set. */
  sheet?: string | undefined
}

/** How a file of stones is opened without a mapping. */
export const PLAIN_OPTIONS: TableOptions = {
  mapped: new Map(),
  names: STONE_NAMES,
  isExplained: false,
}

/** An open feed: a list of stones with a sample of its first rows. */
export interface Feed extends Omit<StoneList, 'rows'> {
  format: FeedFormat
  sample: RawRow[]
  /** Returns all rows except blank ones. It can be called once. */
  rows: () => RowBatches
}

export type FeedFormat = 'delimited' | 'json' | 'file' | 'zip'

const SAMPLE_ROWS = 2_000
/** The sample ends earlier when its rows are huge, because it is held in memory. */
const SAMPLE_CHARS_MAX = 8 * 1_048_576

export async function feedOf(
  format: FeedFormat,
  list: StoneList,
  { names }: Pick<TableOptions, 'names'>,
): Promise<Feed> {
  const { columns, notes, titles, damage, close } = list
  const [sample, rows] = await readAhead(withoutBlanks(list.rows, names.cellCharsMax), SAMPLE_ROWS)
  const isNeeded = names.needed.some(([, fields]) => fields.includes('shape'))
  const hasColumn = columns.some((name) => names.fieldsOf(name).includes('shape'))
  if (isNeeded && !hasColumn && sample.some(({ namedShape }) => namedShape !== undefined)) {
    notes.push('The shape of a stone is what the heading above it or the name of its sheet says.')
  }
  return { format, columns, sample, notes, titles, rows: () => rows, damage, close }
}

async function* withoutBlanks(batches: RowBatches, cellCharsMax: number): RowBatches {
  for await (const batch of batches) {
    const rows = batch.filter((row) => !isBlank(row))
    for (const row of rows) shortenCells(row, cellCharsMax)
    yield rows
  }
}

/** Reads some rows ahead; returns them, and a generator of all rows including them. */
export async function readAhead(
  batches: RowBatches,
  count: number,
): Promise<[RawRow[], RowBatches]> {
  const ahead: RawRow[] = []
  let chars = 0
  while (ahead.length < count && chars < SAMPLE_CHARS_MAX) {
    const next = await batches.next()
    if (next.done) break
    for (const row of next.value) {
      ahead.push(row)
      chars += row.raw.length
    }
  }
  async function* all(): RowBatches {
    try {
      yield ahead
      yield* batches
    } finally {
      await batches.return()
    }
  }
  return [ahead.slice(0, count), all()]
}
