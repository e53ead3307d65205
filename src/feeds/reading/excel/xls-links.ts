import { webLink } from '../cell-link.ts'
import { type CellLinks, createCellLinks } from './cell-links.ts'
import { RECORD, readRecords } from './xls-records.ts'

const URL_MONIKER = 'e0c9ea79f9bace118c8200aa004ba90b'
const HAS_MONIKER = 1
const HAS_TEXT = 0x10
const HAS_FRAME = 0x80
const IS_PLAIN_TEXT = 0x100
const COLUMNS_MAX = 256

/** Reads the hyperlinks of a sheet, which are written after its cells. */
export function readXlsLinks(stream: Buffer, from: number): CellLinks {
  const links = createCellLinks()
  for (const { type, segments } of readRecords(stream, from)) {
    if (type === RECORD.end) break
    if (type !== RECORD.hyperlink) continue
    const data = Buffer.concat(segments)
    if (data.length < 32) continue
    const [firstRow, lastRow] = [data.readUInt16LE(0), data.readUInt16LE(2)]
    const [firstColumn, lastColumn] = [data.readUInt16LE(4), data.readUInt16LE(6)]
    const address = addressOf(data)
    if (address === undefined || lastColumn >= COLUMNS_MAX) continue
    links.add({ firstRow, lastRow, firstColumn, lastColumn }, address)
  }
  return links
}

/** Returns the address of a hyperlink record; undefined for files and places in the workbook. */
function addressOf(data: Buffer): string | undefined {
  const flags = data.readUInt32LE(28)
  let at = 32
  const readString = (): string => {
    const length = at + 4 <= data.length ? data.readUInt32LE(at) * 2 : 0
    const text = data.toString('utf16le', at + 4, Math.min(data.length, at + 4 + length))
    at += 4 + length
    return text
  }
  if (flags & HAS_TEXT) readString()
  if (flags & HAS_FRAME) readString()
  if (!(flags & HAS_MONIKER)) return undefined
  if (flags & IS_PLAIN_TEXT) return untilZero(readString())
  if (at + 20 > data.length || data.toString('hex', at, at + 16) !== URL_MONIKER) return undefined
  const bytes = data.readUInt32LE(at + 16)
  return untilZero(data.toString('utf16le', at + 20, Math.min(data.length, at + 20 + bytes)))
}

const untilZero = (text: string) => text.split('\0', 1)[0]

const TEXT_TOKEN = 0x17
/** Classes of the token that calls a function with a variable number of arguments. */
const CALL_TOKENS = [0x22, 0x42, 0x62]
const HYPERLINK_FUNCTION = 359

/** Reads the address from the formula `HYPERLINK("https://…","View")`; data begin at its cell. */
export function readFormulaLink(data: Buffer): string | undefined {
  const tokens = data.subarray(22)
  if (data.length < 30 || tokens[0] !== TEXT_TOKEN) return undefined
  const length = Math.min(data.readUInt16LE(20), tokens.length)
  if (length < 7 || !CALL_TOKENS.includes(tokens[length - 4])) return undefined
  if (tokens.readUInt16LE(length - 2) !== HYPERLINK_FUNCTION) return undefined
  const isWide = (tokens[2] & 1) === 1
  const end = 3 + tokens[1] * (isWide ? 2 : 1)
  return webLink(tokens.toString(isWide ? 'utf16le' : 'latin1', 3, end))
}
