import type { TextDecoder } from 'node:util'
import type { RawRow, RowBatches } from '../raw-row.ts'
import { createRowCells } from '../row-cells.ts'
import type { CellLinks } from './cell-links.ts'
import { type CellFormats, dateText, numberText } from './xls-formats.ts'
import { readFormulaLink } from './xls-links.ts'
import { RECORD, readRecords, shortNumber, type XlsRecord } from './xls-records.ts'
import { readText } from './xls-strings.ts'

/** What holds for all sheets of a workbook. */
export interface XlsWorkbook {
  stream: Buffer
  /** Excel 97 and later; before it, texts have one byte per character. */
  isUnicode: boolean
  decoder: TextDecoder
  strings: string[]
  formats: CellFormats
  is1904: boolean
}

/** The rows of one batch; a batch is all in memory. */
const BATCH_ROWS = 500
const BATCH_CHARS = 1_048_576

/** Reads the rows of a sheet that begins at an offset of the workbook's stream. */
export async function* readXlsSheet(
  workbook: XlsWorkbook,
  offset: number,
  links: CellLinks | undefined,
): RowBatches {
  let rows: RawRow[] = []
  let chars = 0
  const reader = createCellReader(workbook, links, (row) => {
    rows.push(row)
    chars += row.raw.length
  })
  for (const record of readRecords(workbook.stream, offset)) {
    if (record.type === RECORD.end) break
    reader.read(record)
    if (rows.length < BATCH_ROWS && chars < BATCH_CHARS) continue
    yield rows
    rows = []
    chars = 0
  }
  reader.endRow()
  if (rows.length > 0) yield rows
}

function createCellReader(
  workbook: XlsWorkbook,
  links: CellLinks | undefined,
  onRow: (row: RawRow) => void,
) {
  const { strings, formats, is1904, isUnicode, decoder } = workbook
  const cells = createRowCells()
  let row = -1
  /** The cell of a formula whose text is in the next record. */
  let awaited: { column: number; link: string | undefined } | undefined

  function endRow(): void {
    cells.end(row + 1, onRow)
  }

  /** Moves to the row of a cell; all records of cells begin with row and column. */
  function moveTo(data: Buffer): number {
    const next = data.readUInt16LE(0)
    if (next !== row) endRow()
    row = next
    return data.readUInt16LE(2)
  }

  const put = (column: number, text: string, link?: string) =>
    cells.put(column, text, link ?? links?.at(row, column))

  const number = (value: number, format: number) =>
    formats.isDate(format)
      ? dateText(value, is1904)
      : `${formats.currency(format)}${numberText(value)}`

  function readFormula(data: Buffer, column: number): void {
    const link = isUnicode ? readFormulaLink(data) : undefined
    const isSpecial = data.readUInt16LE(12) === 0xffff
    if (!isSpecial) put(column, number(data.readDoubleLE(6), data.readUInt16LE(4)), link)
    else if (data[6] === 0) awaited = { column, link }
    else if (data[6] <= 2) put(column, booleanOrError(data[8], data[6] === 2), link)
  }

  function readMany(data: Buffer, first: number): void {
    for (let at = 4, column = first; at + 8 <= data.length; at += 6, column++) {
      put(column, number(shortNumber(data, at + 2), data.readUInt16LE(at)))
    }
  }

  function readFormulaText({ data, segments }: XlsRecord): void {
    const text = isUnicode ? readText(segments, 0) : decoder.decode(data.subarray(2))
    if (awaited) put(awaited.column, text, awaited.link)
    awaited = undefined
  }

  function read(record: XlsRecord): void {
    const { type, data } = record
    if (type === RECORD.formulaText) readFormulaText(record)
    const bytes = CELL_BYTES.get(type)
    if (bytes === undefined || data.length < bytes) return
    const column = moveTo(data)
    const format = data.readUInt16LE(4)
    if (type === RECORD.sharedLabel) put(column, strings[data.readUInt32LE(6)] ?? '')
    else if (type === RECORD.number) put(column, number(data.readDoubleLE(6), format))
    else if (type === RECORD.shortNumber) put(column, number(shortNumber(data, 6), format))
    else if (type === RECORD.multipleNumbers) readMany(data, column)
    else if (type === RECORD.formula) readFormula(data, column)
    else if (type === RECORD.boolean) put(column, booleanOrError(data[6], data[7] !== 0))
    else put(column, labelText(record, workbook))
  }

  return { read, endRow }
}

function labelText({ data, segments }: XlsRecord, { isUnicode, decoder }: XlsWorkbook): string {
  if (isUnicode) return readText(segments, 6)
  return decoder.decode(data.subarray(8, 8 + data.readUInt16LE(6)))
}

function booleanOrError(value: number, isError: boolean): string {
  if (isError) return ERRORS.get(value) ?? OTHER_ERROR
  return value === 1 ? 'TRUE' : 'FALSE'
}

/** What a cell shows whose formula has no result. */
const ERRORS = new Map([
  [0x07, '#DIV/0!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x2a, '#N/A'],
])
const OTHER_ERROR = '#VALUE!'

/** The records of cells, with the bytes that each has at least. */
const CELL_BYTES = new Map<number, number>([
  [RECORD.sharedLabel, 10],
  [RECORD.number, 14],
  [RECORD.shortNumber, 10],
  [RECORD.multipleNumbers, 12],
  [RECORD.formula, 14],
  [RECORD.boolean, 8],
  [RECORD.label, 9],
  [RECORD.richLabel, 9],
])
