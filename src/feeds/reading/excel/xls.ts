/** Reads workbooks of Excel 97 to 2003 (BIFF8) and of Excel 5 and 95 (BIFF5). */
import { joinLists, type ListSource } from '../join-lists.ts'
import { refused } from '../refusals.ts'
import type { StoneList, TableOptions } from '../stone-list.ts'
import { openTable } from '../table.ts'
import { readCompoundFile } from './compound-file.ts'
import { createCellFormats } from './xls-formats.ts'
import { readXlsLinks } from './xls-links.ts'
import { RECORD, readRecords } from './xls-records.ts'
import { readXlsSheet, type XlsWorkbook } from './xls-sheet.ts'
import { decoderOfCodePage, readSharedStrings, readText } from './xls-strings.ts'

interface Sheet {
  name: string
  offset: number
  isHidden: boolean
}

/** Opens all sheets of the workbook that have stones; rows are numbered as in their sheet. */
export async function openXls(path: string, options: TableOptions): Promise<StoneList> {
  const file = await readCompoundFile(path)
  const stream = file.stream('WORKBOOK') ?? file.stream('BOOK')
  if (!stream) throw refused(otherProgram(file.names))
  const { workbook, sheets } = readWorkbook(stream)
  const sources = sheets.map(({ name, offset, isHidden }): ListSource => {
    return {
      name,
      isHidden,
      open(isProbe) {
        const links = isProbe ? undefined : readXlsLinks(stream, offset)
        return openTable(readXlsSheet(workbook, offset, links), options)
      },
    }
  })
  return joinLists(sources, {
    ...options,
    noun: 'sheet',
    container: 'an Excel 97 file (XLS)',
    whenDifferent: 'leave out',
    close: async () => {},
  })
}

function otherProgram(names: readonly string[]): string {
  if (names.includes('ENCRYPTEDPACKAGE')) return PROTECTED
  const seen = names.includes('WORDDOCUMENT')
    ? 'a Word document'
    : names.includes('POWERPOINT DOCUMENT')
      ? 'a PowerPoint presentation'
      : names.some((name) => name.startsWith('__SUBSTG'))
        ? 'an Outlook message'
        : 'a file of an Office program without a workbook'
  return `This is ${seen}; send the stock list as CSV, XLSX, XLS, XML or JSON.`
}

const PROTECTED =
  'This is an Excel workbook protected with a password; save it without one and send it again.'

const BIFF8 = 0x0600
const BIFF5 = 0x0500
const SHEETS_MAX = 1_000
const WORKSHEET = 0

function readWorkbook(stream: Buffer): { workbook: XlsWorkbook; sheets: Sheet[] } {
  const version = stream.length >= 6 ? stream.readUInt16LE(4) : 0
  if (version !== BIFF8 && version !== BIFF5) {
    throw refused('This is an Excel file of a version before Excel 5; save it as XLSX or CSV.')
  }
  const isUnicode = version === BIFF8
  const formats = createCellFormats()
  const decoder = decoderOfCodePage(1252)
  const book: XlsWorkbook = { stream, isUnicode, decoder, strings: [], formats, is1904: false }
  const sheets: Sheet[] = []
  for (const { type, data, segments } of readRecords(stream, 0)) {
    if (type === RECORD.end) break
    if (type === RECORD.password) throw refused(PROTECTED)
    if (type === RECORD.sharedStrings) book.strings = readSharedStrings(segments)
    else if (type === RECORD.sheet) addSheet(sheets, data, book)
    else if (data.length < 2) continue
    else if (type === RECORD.codePage) book.decoder = decoderOfCodePage(data.readUInt16LE(0))
    else if (type === RECORD.dateMode) book.is1904 = data.readUInt16LE(0) === 1
    else if (type === RECORD.numberFormat) addNumberFormat(book, data)
    else if (type === RECORD.cellFormat && data.length >= 4) {
      formats.addCellFormat(data.readUInt16LE(2))
    }
  }
  return { workbook: book, sheets }
}

function addNumberFormat({ formats, isUnicode, decoder }: XlsWorkbook, data: Buffer): void {
  const pattern = isUnicode ? readText([data], 2) : decoder.decode(data.subarray(3))
  formats.addNumberFormat(data.readUInt16LE(0), pattern)
}

function addSheet(sheets: Sheet[], data: Buffer, { isUnicode, decoder, stream }: XlsWorkbook) {
  if (data.length < 8 || data[5] !== WORKSHEET) return
  const offset = data.readUInt32LE(0)
  if (offset >= stream.length || sheets.length >= SHEETS_MAX) return
  const isWide = isUnicode && (data[7] & 1) === 1
  const bytes = data.subarray(isUnicode ? 8 : 7)
  const name = isWide ? bytes.toString('utf16le') : decoder.decode(bytes)
  sheets.push({ name: name.slice(0, data[6]), offset, isHidden: (data[4] & 3) !== 0 })
}
