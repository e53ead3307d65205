import { Refusal } from '../../lib/refusal.ts'
import { findHeader, HEADER_WITHIN_ROWS } from './find-header.ts'
import { copyText, type RawRow, ROW_CELLS_MAX, ROW_CHARS_MAX, type RowBatches } from './raw-row.ts'
import { attributeOf, createXmlParser, parsePart, refusal, textsOf } from './xml.ts'
import { type Archive, openArchive } from './zip.ts'

/** Shared strings are kept in memory; a workbook with more text must be sent as CSV. */
const SHARED_CHARS_MAX = 96 * 1_048_576
/** An empty shared string takes memory too, and counts as so many characters. */
const SHARED_STRING_CHARS = 16
const SHEETS_MAX = 1_000
/** Excel's last column is XFD, and its last row is this one. */
const COLUMNS_MAX = 16_384
const ROWS_MAX = 1_048_576

/** Reads the rows of the first sheet that has a header; rows are numbered as in the sheet. */
export async function* readWorkbook(path: string): RowBatches {
  const archive = await openArchive(path)
  try {
    const strings = await readSharedStrings(archive)
    for (const sheet of await sheetsInOrder(archive)) {
      const start: RawRow[] = []
      for await (const batch of readSheet(archive, sheet, strings)) {
        start.push(...batch)
        if (start.length >= HEADER_WITHIN_ROWS) break
      }
      if (findHeader(start) === -1) continue
      yield* readSheet(archive, sheet, strings)
      return
    }
    throw new Refusal('invalid_request', 'No sheet of the workbook has a header row.')
  } finally {
    await archive.close()
  }
}

/** Returns the sheets in the order of the tabs, which file names in the archive do not follow. */
async function sheetsInOrder(archive: Archive): Promise<Set<string>> {
  const found = archive.names.filter((name) => /^xl\/worksheets\/[^/]+\.xml$/i.test(name))
  const targets = new Map<string, string>()
  const ids: string[] = []
  const checkCount = (count: number) => {
    if (count > SHEETS_MAX) throw refusal(`It names more than ${SHEETS_MAX} sheets`)
  }
  await parsePart(archive, 'xl/_rels/workbook.xml.rels', {
    onOpen(name, attributes) {
      if (name !== 'Relationship') return
      const target = attributeOf(attributes, 'Target').replace(/^\/?(xl\/)?/, 'xl/')
      checkCount(targets.set(attributeOf(attributes, 'Id'), target).size)
    },
  })
  await parsePart(archive, 'xl/workbook.xml', {
    onOpen(name, attributes) {
      if (name === 'sheet') checkCount(ids.push(attributeOf(attributes, 'r:id')))
    },
  })
  checkCount(found.length)
  const ordered = ids.flatMap((id) => targets.get(id) ?? []).filter((name) => found.includes(name))
  return new Set([...ordered, ...found])
}

async function readSharedStrings(archive: Archive): Promise<string[]> {
  const strings: string[] = []
  let current: string | undefined
  let chars = 0
  let isPhonetic = false
  const count = (length: number) => {
    chars += length
    if (chars > SHARED_CHARS_MAX) throw refusal('It has more text than fits into memory')
  }
  await parsePart(archive, 'xl/sharedStrings.xml', {
    onOpen(name) {
      if (name === 'si') current = ''
      if (name === 'rPh') isPhonetic = true
    },
    onText(text, inside) {
      if (current === undefined || inside !== 't' || isPhonetic) return
      count(text.length)
      current += text
    },
    onClose(name) {
      if (name === 'rPh') isPhonetic = false
      if (name !== 'si') return
      count(SHARED_STRING_CHARS)
      strings.push(copyText(current ?? ''))
      current = undefined
    },
  })
  return strings
}

/** The text of the rows of one piece of XML; more means that long shared strings are repeated. */
const BATCH_CHARS_MAX = 32 * 1_048_576

async function* readSheet(archive: Archive, sheet: string, strings: string[]): RowBatches {
  let rows: RawRow[] = []
  let chars = 0
  const parse = createXmlParser(
    createSheetListener(strings, (row) => {
      rows.push(row)
      chars += row.raw.length
      if (chars > BATCH_CHARS_MAX) throw refusal('Its rows repeat long texts')
    }),
  )
  for await (const text of textsOf(archive.open(sheet))) {
    parse(text)
    if (rows.length === 0) continue
    yield rows
    rows = []
    chars = 0
  }
}

/** Collects the cells of each row. Empty cells are not kept, nor rows that have no others. */
function createSheetListener(strings: string[], onRow: (row: RawRow) => void) {
  let row = 0
  let column = 0
  let cells: string[] = []
  let chars = 0
  let isTooLong = false
  let type = ''
  let value = ''

  function startRow(number: string): void {
    row = number === '' ? row + 1 : Number(number)
    if (!Number.isInteger(row) || row < 1 || row > ROWS_MAX) {
      const named = number.slice(0, 20) || String(row)
      throw refusal(`It has a row ${named}, but sheets end at row ${ROWS_MAX}`)
    }
    cells = []
    column = 0
    chars = 0
    isTooLong = false
  }

  function endCell(): void {
    const text = cellText(type, value, strings)
    if (text !== '') {
      chars += text.length
      isTooLong ||= column >= ROW_CELLS_MAX || chars > ROW_CHARS_MAX
      if (!isTooLong) {
        while (cells.length < column) cells.push('')
        cells[column] = text
      }
    }
    column++
  }

  function endRow(): void {
    if (isTooLong) {
      const limits = `${ROW_CELLS_MAX} cells or ${ROW_CHARS_MAX} characters`
      const raw = copyText(cells.join('\u001f').slice(0, 200))
      onRow({ row, raw, cells: [], unreadable: `The row has more than ${limits}` })
    } else if (cells.length > 0) onRow({ row, raw: cells.join('\u001f'), cells })
  }

  return {
    onOpen(name: string, attributes: Parameters<typeof attributeOf>[0]) {
      if (name === 'row') startRow(attributeOf(attributes, 'r'))
      else if (name === 'c') {
        column = columnOf(attributeOf(attributes, 'r')) ?? column
        type = attributeOf(attributes, 't')
        value = ''
      }
    },
    onText(text: string, inside: string) {
      if (inside !== 'v' && inside !== 't') return
      if (value.length + text.length > ROW_CHARS_MAX) isTooLong = true
      else value += text
    },
    onClose(name: string) {
      if (name === 'c') endCell()
      else if (name === 'row') endRow()
    },
  }
}

function cellText(type: string, value: string, strings: string[]): string {
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'e') return ''
  if (type !== '' && type !== 'n') return value
  // Excel writes 5.13 as 5.1299999999999999; no column needs more than twelve digits.
  return /\.\d{8,}/.test(value) ? String(Number(Number(value).toPrecision(12))) : value
}

/** `C7` is column 2. */
function columnOf(reference: string): number | undefined {
  let column = 0
  for (const char of reference) {
    if (char < 'A' || char > 'Z') break
    column = column * 26 + char.charCodeAt(0) - 64
    if (column > COLUMNS_MAX) {
      throw refusal(`It has a cell ${reference.slice(0, 20)}, but sheets end at column XFD`)
    }
  }
  return column === 0 ? undefined : column - 1
}
