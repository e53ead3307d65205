/** Reads the sheets of an OpenDocument workbook (ODS), which LibreOffice and others write. */
import { type Archive, openArchive } from '../archive/zip.ts'
import { readHyperlinkFormula, webLink } from '../cell-link.ts'
import { currencyOfFormat } from '../excel/format-currency.ts'
import { numberText } from '../excel/xls-formats.ts'
import { ROWS_MAX } from '../excel/xlsx-sheet.ts'
import { ROW_CELLS_MAX, ROW_CHARS_MAX } from '../raw-row.ts'
import { refused } from '../refusals.ts'
import { createRowCells } from '../row-cells.ts'
import { closingList, type StoneList, type TableOptions } from '../stone-list.ts'
import { openTables, type TableListener } from './table-reader.ts'
import {
  type Attributes,
  attributeOf,
  createXmlParser,
  parsePart,
  refusal,
  textsOf,
} from './xml.ts'

const CONTENT = 'content.xml'
const SPREADSHEET = 'application/vnd.oasis.opendocument.spreadsheet'
const MIME_CHARS_MAX = 200

/** Whether an archive is an OpenDocument workbook; texts and drawings have other media types. */
export async function isOpenDocument(archive: Archive): Promise<boolean> {
  if (!archive.names.includes(CONTENT) || !archive.names.includes('mimetype')) return false
  let type = ''
  for await (const chunk of archive.open('mimetype')) {
    type += Buffer.from(chunk).toString('latin1')
    if (type.length > MIME_CHARS_MAX) break
  }
  return type.startsWith(SPREADSHEET)
}

/** Opens all sheets of a workbook that have stones. */
export async function openOpenDocument(path: string, options: TableOptions): Promise<StoneList> {
  const archive = await openArchive(path)
  try {
    await refuseLocked(archive)
    const list = await openTables(() => textsOf(archive.open(CONTENT)), createSheetParser, {
      ...options,
      noun: 'sheet',
      container: 'an OpenDocument workbook (ODS)',
    })
    return closingList(list, () => archive.close())
  } catch (error) {
    await archive.close()
    throw error
  }
}

async function refuseLocked(archive: Archive): Promise<void> {
  await parsePart(archive, 'META-INF/manifest.xml', {
    onOpen(name) {
      if (name !== 'manifest:encryption-data') return
      throw refused(
        'This is a workbook protected with a password; save it without one and send it again.',
      )
    },
  })
}

/** The cell that is read, and how many columns have it. */
interface OpenCell {
  attributes: Attributes
  text: string
  link: string | undefined
  columns: number
}

const SHEETS_MAX = 1_000

function createSheetParser({ onTable, onRow }: TableListener): (text: string) => void {
  const cells = createRowCells()
  const { seeStyle, isHidden } = createHiddenStyles()
  let sheets = 0
  let row = 0
  let rows = 1
  let column = 0
  let cell: OpenCell | undefined
  /** Inside a remark, a drawing or the record of earlier changes, whose texts are not cells. */
  let asides = 0

  function startSheet(attributes: Attributes): void {
    if (++sheets > SHEETS_MAX) throw refusal(`It names more than ${SHEETS_MAX} sheets`)
    const title = attributeOf(attributes, 'table:name').slice(0, 100)
    onTable(title || `sheet ${sheets}`, isHidden(attributes))
    row = 0
    rows = 1
  }

  function startRow(attributes: Attributes): void {
    row += rows
    rows = countOf(attributes, 'table:number-rows-repeated')
    column = 0
  }

  function endCell(): void {
    if (!cell) return
    const { attributes, columns, link } = cell
    const text = cellText(attributes, cell.text)
    // The cells up to the last column of a sheet are one empty cell that is repeated.
    const times = text === '' && !link ? 0 : Math.min(columns, ROW_CELLS_MAX)
    for (let at = column; at < column + times; at++) cells.put(at, text, link)
    column += columns
    cell = undefined
  }

  /** Rows that are alike are written once, with their number. */
  function endRow(): void {
    cells.end(row, (ended) => {
      if (row + rows > ROWS_MAX + 1) throw refusal(`It has more than ${ROWS_MAX} rows`)
      onRow(sheets - 1, ended)
      for (let at = 1; at < rows; at++) {
        onRow(sheets - 1, { ...ended, row: row + at, cells: [...ended.cells] })
      }
    })
  }

  return createXmlParser({
    onOpen(name, attributes) {
      if (ASIDES.has(name)) asides++
      if (asides > 0) return
      seeStyle(name, attributes)
      if (name === 'table:table') startSheet(attributes)
      else if (name === 'table:table-row') startRow(attributes)
      else if (CELLS.has(name)) cell = cellOf(attributes)
      else if (name === 'text:a' && cell) {
        cell.link ??= webLink(attributeOf(attributes, 'xlink:href'))
      } else if (BREAKS.has(name) && cell && cell.text !== '') cell.text += ' '
    },
    onText(text) {
      if (asides === 0 && cell && cell.text.length <= ROW_CHARS_MAX) cell.text += text
    },
    onClose(name) {
      if (ASIDES.has(name)) asides--
      else if (asides > 0) return
      else if (CELLS.has(name)) endCell()
      else if (name === 'table:table-row' && sheets > 0) endRow()
    },
  })
}

/** Remembers the styles of hidden sheets, which come before the sheets. */
function createHiddenStyles() {
  const hidden = new Set<string>()
  let style = ''
  return {
    seeStyle: (name: string, attributes: Attributes): void => {
      if (name === 'style:style') style = attributeOf(attributes, 'style:name')
      else if (name !== 'style:table-properties') return
      else if (attributeOf(attributes, 'table:display') === 'false') hidden.add(style)
    },
    isHidden: (attributes: Attributes) => hidden.has(attributeOf(attributes, 'table:style-name')),
  }
}

const ASIDES: ReadonlySet<string> = new Set([
  'office:annotation',
  'draw:frame',
  'table:shapes',
  'table:tracked-changes',
])
const BREAKS: ReadonlySet<string> = new Set(['text:p', 'text:s', 'text:tab', 'text:line-break'])

const CELLS: ReadonlySet<string> = new Set(['table:table-cell', 'table:covered-table-cell'])

function cellOf(attributes: Attributes): OpenCell {
  const formula = attributeOf(attributes, 'table:formula').replace(/^\w{1,20}:/, '')
  const link = formula === '' ? undefined : readHyperlinkFormula(formula)?.link
  const columns = countOf(attributes, 'table:number-columns-repeated')
  return { attributes, text: '', link, columns }
}

function countOf(attributes: Attributes, name: string): number {
  const count = Number(attributeOf(attributes, name) || 1)
  if (Number.isInteger(count) && count >= 1 && count <= ROWS_MAX) return count
  throw refusal(`It repeats a cell or a row ${count} times`)
}

/** What the cell holds: its text shows fewer decimals, in the language of who wrote it. */
function cellText(attributes: Attributes, shown: string): string {
  const type = attributeOf(attributes, 'office:value-type')
  if (attributeOf(attributes, 'calcext:value-type') === 'error') return shown.trim()
  if (type === 'date') return attributeOf(attributes, 'office:date-value').slice(0, DATE_CHARS)
  if (type === 'boolean') return attributeOf(attributes, 'office:boolean-value').toUpperCase()
  const value = attributeOf(attributes, 'office:value')
  if (value === '') return shown.trim()
  const number = numberText(Number(value))
  if (type !== 'currency') return number
  const currency = attributeOf(attributes, 'office:currency').slice(0, CURRENCY_CHARS_MAX)
  return `${currencyOfFormat(`[$${currency}]`) ?? ''}${number}`
}

/** `2026-05-31`, without the time. */
const DATE_CHARS = 10
const CURRENCY_CHARS_MAX = 8
