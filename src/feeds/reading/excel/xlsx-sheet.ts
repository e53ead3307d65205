import type { Archive } from '../archive/zip.ts'
import { readHyperlinkFormula } from '../cell-link.ts'
import { attributeOf, createXmlParser, refusal, textsOf } from '../markup/xml.ts'
import { type RawRow, ROW_CHARS_MAX, type RowBatches } from '../raw-row.ts'
import { createRowCells } from '../row-cells.ts'
import type { CellLinks } from './cell-links.ts'
import type { MergedCells } from './merged-cells.ts'
import { type CellFormats, dateText } from './xls-formats.ts'

/** Excel's last column is XFD, and its last row is this one. */
const COLUMNS_MAX = 16_384
export const ROWS_MAX = 1_048_576

/** The text of the rows of one piece of XML; more means that long shared strings are repeated. */
const BATCH_CHARS_MAX = 32 * 1_048_576
/** A formula `HYPERLINK("…","…")` is short; of others only the result is read. */
const FORMULA_CHARS_MAX = 4_096

interface SheetContent {
  strings: string[]
  formats: CellFormats
  is1904: boolean
  links: CellLinks | undefined
  merged: MergedCells | undefined
}

export async function* readSheet(
  archive: Archive,
  part: string,
  content: SheetContent,
): RowBatches {
  let rows: RawRow[] = []
  let chars = 0
  const parse = createXmlParser(
    createSheetListener(content, (row) => {
      rows.push(row)
      chars += row.raw.length
      if (chars > BATCH_CHARS_MAX) throw refusal('Its rows repeat long texts')
    }),
  )
  for await (const text of textsOf(archive.open(part))) {
    parse(text)
    if (rows.length === 0) continue
    yield rows
    rows = []
    chars = 0
  }
}

/** Collects the cells of each row. Empty cells are not kept, nor rows that have no others. */
function createSheetListener(content: SheetContent, onRow: (row: RawRow) => void) {
  const { strings, links, merged } = content
  const cells = createRowCells()
  let row = 0
  let column = 0
  let type = ''
  let format = ''
  let value = ''
  let formula = ''

  function startRow(number: string): void {
    row = number === '' ? row + 1 : Number(number)
    if (!Number.isInteger(row) || row < 1 || row > ROWS_MAX) {
      const named = number.slice(0, 20) || String(row)
      throw refusal(`It has a row ${named}, but sheets end at row ${ROWS_MAX}`)
    }
    column = 0
    merged?.startRow(row - 1)
  }

  function endCell(): void {
    const plain = cellText(type, value, strings)
    const isNumber = plain !== '' && (type === '' || type === 'n')
    const own = isNumber ? formatted(plain, Number(format), content) : plain
    const text = merged ? merged.textOf(row - 1, column, own) : own
    const link = formula === '' ? undefined : readHyperlinkFormula(formula)?.link
    cells.put(column, text, link ?? links?.at(row - 1, column))
    column++
  }

  function endRow(ended: RawRow): void {
    const continued = merged?.continued(row - 1)
    if (continued) ended.continued = continued
    onRow(ended)
  }

  return {
    onOpen(name: string, attributes: Parameters<typeof attributeOf>[0]) {
      if (name === 'row') startRow(attributeOf(attributes, 'r'))
      else if (name === 'c') {
        column = columnOf(attributeOf(attributes, 'r')) ?? column
        type = attributeOf(attributes, 't')
        format = attributeOf(attributes, 's')
        value = ''
        formula = ''
      }
    },
    onText(text: string, inside: string) {
      if (inside === 'v' || inside === 't') {
        // One character more than fits, so that the row is found to be too long.
        if (value.length <= ROW_CHARS_MAX) value += text
      } else if (inside === 'f' && formula.length < FORMULA_CHARS_MAX) formula += text
    },
    onClose(name: string) {
      if (name === 'c') endCell()
      else if (name === 'row') cells.end(row, endRow)
    },
  }
}

/** A day number is written as a date, and an amount with the currency that its format shows. */
function formatted(number: string, format: number, { formats, is1904 }: SheetContent): string {
  if (formats.isDate(format)) return dateText(Number(number), is1904)
  return `${formats.currency(format)}${number}`
}

function cellText(type: string, value: string, strings: string[]): string {
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'e') return value
  if ((type !== '' && type !== 'n') || !/[.E]/i.test(value)) return value
  // Libraries write 4502 as 4502.0, and 100200300 as 1.002003E8.
  const number = Number(value)
  if (Number.isSafeInteger(number)) return String(number)
  // Excel writes 5.13 as 5.1299999999999999; no column needs more than twelve digits.
  return /\.\d{8,}|E/i.test(value) ? String(Number(number.toPrecision(12))) : value
}

/** `C7` is column 2. */
export function columnOf(reference: string): number | undefined {
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
