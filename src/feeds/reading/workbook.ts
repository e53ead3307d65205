import { type SaxesAttributePlain, SaxesParser } from 'saxes'
import { Refusal } from '../../lib/refusal.ts'
import { findHeader, HEADER_WITHIN_ROWS, isBlank } from './find-header.ts'
import { copyText, type RawRow, type RowBatches } from './raw-row.ts'
import { type Archive, openArchive } from './zip.ts'

type Attributes = Record<string, string> | Record<string, SaxesAttributePlain>

/** Shared strings are kept in memory; a workbook with more text must be sent as CSV. */
const SHARED_CHARS_MAX = 96 * 1_048_576
/** Longer text without a tag means a damaged file, and would fill the memory. */
const TEXT_CHARS_MAX = 4 * 1_048_576
const COLUMNS_MAX = 16_384

/** Reads the rows of the first sheet that has a header; rows are numbered as in the sheet. */
export async function* readWorkbook(path: string): RowBatches {
  const archive = await openArchive(path)
  try {
    const strings = await readSharedStrings(archive)
    for (const sheet of await sheetsInOrder(archive)) {
      const start: RawRow[] = []
      for await (const batch of readSheet(archive, sheet, strings)) {
        start.push(...batch.filter((row) => !isBlank(row)))
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
async function sheetsInOrder(archive: Archive): Promise<string[]> {
  const found = archive.names.filter((name) => /^xl\/worksheets\/[^/]+\.xml$/i.test(name))
  const targets = new Map<string, string>()
  const ids: string[] = []
  await parseXml(archive, 'xl/_rels/workbook.xml.rels', (name, attributes) => {
    if (name !== 'Relationship') return
    const target = textOf(attributes, 'Target').replace(/^\/?(xl\/)?/, 'xl/')
    targets.set(textOf(attributes, 'Id'), target)
  })
  await parseXml(archive, 'xl/workbook.xml', (name, attributes) => {
    if (name === 'sheet') ids.push(textOf(attributes, 'r:id'))
  })
  const ordered = ids.flatMap((id) => targets.get(id) ?? []).filter((name) => found.includes(name))
  return [...ordered, ...found.filter((name) => !ordered.includes(name))]
}

async function readSharedStrings(archive: Archive): Promise<string[]> {
  const strings: string[] = []
  let current: string | undefined
  let chars = 0
  let isPhonetic = false
  await parseXml(
    archive,
    'xl/sharedStrings.xml',
    (name) => {
      if (name === 'si') current = ''
      if (name === 'rPh') isPhonetic = true
    },
    (text, inside) => {
      if (current === undefined || inside !== 't' || isPhonetic) return
      current += text
      chars += text.length
      if (chars > SHARED_CHARS_MAX) {
        throw new Refusal('invalid_request', 'The workbook is too large; save it as CSV instead.')
      }
    },
    (name) => {
      if (name === 'rPh') isPhonetic = false
      if (name !== 'si') return
      strings.push(copyText(current ?? ''))
      current = undefined
    },
  )
  return strings
}

async function* readSheet(archive: Archive, sheet: string, strings: string[]): RowBatches {
  let rows: RawRow[] = []
  let row = 0
  let column = 0
  let cells: string[] = []
  let type = ''
  let value = ''
  const parser = createParser(
    (name, attributes) => {
      if (name === 'row') {
        row = Number(textOf(attributes, 'r')) || row + 1
        cells = []
        column = 0
      } else if (name === 'c') {
        column = columnOf(textOf(attributes, 'r')) ?? column
        type = textOf(attributes, 't')
        value = ''
      }
    },
    (text, inside) => {
      if (inside === 'v' || inside === 't') value += text
    },
    (name) => {
      if (name === 'c') {
        while (cells.length < column) cells.push('')
        if (column < COLUMNS_MAX) cells[column] = cellText(type, value, strings)
        column++
      } else if (name === 'row') {
        rows.push({ row, raw: cells.join('\u001f'), cells })
      }
    },
  )
  for await (const text of textsOf(archive.open(sheet))) {
    parser(text)
    if (rows.length > 0) {
      yield rows
      rows = []
    }
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
  }
  return column === 0 ? undefined : column - 1
}

type OnOpen = (name: string, attributes: Attributes) => void
type OnText = (text: string, inside: string) => void
type OnClose = (name: string) => void

function createParser(onOpen: OnOpen, onText: OnText = () => {}, onClose: OnClose = () => {}) {
  const parser = new SaxesParser()
  const open: string[] = []
  let sinceTag = 0
  parser.on('opentag', (tag) => {
    sinceTag = 0
    open.push(tag.name)
    onOpen(tag.name, tag.attributes)
  })
  parser.on('text', (text) => onText(text, open[open.length - 1] ?? ''))
  parser.on('closetag', (tag) => {
    sinceTag = 0
    open.pop()
    onClose(tag.name)
  })
  parser.on('error', () => {
    throw new Refusal('invalid_request', 'The workbook is damaged and cannot be read.')
  })
  return (text: string) => {
    sinceTag += text.length
    if (sinceTag > TEXT_CHARS_MAX) {
      throw new Refusal('invalid_request', 'The workbook is damaged and cannot be read.')
    }
    parser.write(text)
  }
}

async function parseXml(
  archive: Archive,
  name: string,
  onOpen: OnOpen,
  onText?: OnText,
  onClose?: OnClose,
): Promise<void> {
  if (!archive.names.includes(name)) return
  const parse = createParser(onOpen, onText, onClose)
  for await (const text of textsOf(archive.open(name))) parse(text)
}

async function* textsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
}

function textOf(attributes: Attributes, name: string): string {
  const value = attributes[name]
  return typeof value === 'string' ? value : (value?.value ?? '')
}
