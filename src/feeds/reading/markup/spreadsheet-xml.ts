import { webLink } from '../cell-link.ts'
import { ROW_CHARS_MAX } from '../raw-row.ts'
import { createRowCells } from '../row-cells.ts'
import type { TableListener } from './table-reader.ts'
import { type Attributes, attributeOf, createXmlParser, refusal } from './xml.ts'
import { localName } from './xml-profile.ts'

const ROWS_MAX = 1_048_576
const COLUMNS_MAX = 16_384
const SHEETS_MAX = 1_000

/** Whether the start of a text is a workbook in the XML of Excel 2003. */
export function isSpreadsheetXml(start: string): boolean {
  return start.includes('urn:schemas-microsoft-com:office:spreadsheet')
}

/** Reads the sheets of a workbook in the XML of Excel 2003, which export programs still write. */
export function createSpreadsheetParser({ onTable, onRow }: TableListener): (text: string) => void {
  const cells = createRowCells()
  let sheets = 0
  let row = 0
  let column = 0
  let merged = 0
  let text = ''
  let link: string | undefined
  let isInData = false

  function startCell(attributes: Attributes): void {
    column = numberOf(attributes, 'Index', COLUMNS_MAX, column + 1 + merged)
    merged = numberOf(attributes, 'MergeAcross', COLUMNS_MAX, 0)
    link = webLink(attribute(attributes, 'HRef'))
    text = ''
  }

  return createXmlParser({
    onOpen(tag, attributes) {
      const name = localName(tag)
      if (name === 'Worksheet') {
        if (++sheets > SHEETS_MAX) throw refusal(`It names more than ${SHEETS_MAX} sheets`)
        onTable(attribute(attributes, 'Name').slice(0, 100) || `sheet ${sheets}`)
        row = 0
      } else if (name === 'Row') {
        row = numberOf(attributes, 'Index', ROWS_MAX, row + 1)
        column = 0
        merged = 0
      } else if (name === 'Cell') startCell(attributes)
      else if (name === 'Data') isInData = true
    },
    onText(piece) {
      if (isInData && text.length <= ROW_CHARS_MAX) text += piece
    },
    onClose(tag) {
      const name = localName(tag)
      if (name === 'Data') isInData = false
      else if (name === 'Cell') cells.put(column - 1, text.trim(), link)
      else if (name === 'Row' && sheets > 0) cells.end(row, (ended) => onRow(sheets - 1, ended))
    },
  })
}

function attribute(attributes: Attributes, name: string): string {
  return attributeOf(attributes, `ss:${name}`) || attributeOf(attributes, name)
}

function numberOf(attributes: Attributes, name: string, max: number, otherwise: number): number {
  const text = attribute(attributes, name)
  const value = text === '' ? otherwise : Number(text)
  if (Number.isInteger(value) && value >= 0 && value <= max) return value
  throw refusal(`It has a cell or row at ${text.slice(0, 20) || value}, but sheets end at ${max}`)
}
