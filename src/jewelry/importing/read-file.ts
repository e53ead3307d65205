/** Reads a jewelry file, CSV or JSON, into rows of texts by column. */
import { gunzipSync } from 'node:zlib'
import { decodeText } from '../../feeds/reading/decode-text.ts'
import { createDelimitedReader } from '../../feeds/reading/delimited.ts'
import { columnNames, isBlank } from '../../feeds/reading/find-header.ts'
import type { RawRow } from '../../feeds/reading/raw-row.ts'
import { Refusal } from '../../lib/refusal.ts'
import { countKnown } from './columns.ts'
import { cellText, createKeptRows, type FileRow, type JewelryFile } from './kept-rows.ts'
import { readJson } from './read-json.ts'

/** Enough for a hundred thousand pieces; a vendor with more sends several files. */
export const FILE_BYTES_MAX = 128 * 1024 ** 2

/** Reads the whole file into memory, because such files are small. It may be gzipped. */
export async function readJewelryFile(bytes: AsyncIterable<Uint8Array>): Promise<JewelryFile> {
  let text = ''
  for await (const chunk of decodeText(unpacked(bytes))) text += chunk
  const first = /\S/.exec(text)?.[0]
  if (first === undefined) throw new Refusal('invalid_request', 'The file is empty.')
  return first === '[' || first === '{' ? readJson(text) : readDelimited(text)
}

async function* unpacked(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bytes = await joinFile(file)
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    yield bytes
    return
  }
  try {
    yield gunzipSync(bytes, { maxOutputLength: FILE_BYTES_MAX })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new Refusal('invalid_request', 'The gzip file is damaged or incomplete.')
  }
}

/** Joins the bytes of a file, up to the largest size that is accepted. */
export async function joinFile(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > FILE_BYTES_MAX) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(): Refusal {
  const limit = FILE_BYTES_MAX / 1024 ** 2
  return new Refusal('invalid_request', `The file is larger than ${limit} MiB; send it in parts.`)
}

const DELIMITERS = [',', ';', '\t', '|'] as const
const HEADER_WITHIN_ROWS = 40
const NAMES_NEEDED = 3
/** The text is read in pieces, because the rows of one piece are all in memory. */
const PIECE_CHARS = 65_536

function readDelimited(text: string): JewelryFile {
  const lineEnd = !text.includes('\n') && text.includes('\r') ? '\r' : '\n'
  const readings = DELIMITERS.map((delimiter) => {
    const reader = createDelimitedReader({ delimiter, lineEnd })
    const rows = [...reader.push(text.slice(0, PIECE_CHARS)), ...reader.end()]
    return { delimiter, ...findHeader(rows) }
  })
  const best = readings.reduce((a, b) => (b.known > a.known ? b : a))
  if (best.known < NAMES_NEEDED) {
    const detail = 'The file has no header row with columns such as stock number, type and price.'
    throw new Refusal('invalid_request', detail)
  }
  const reader = createDelimitedReader({ delimiter: best.delimiter, lineEnd })
  let header: RawRow | undefined
  let columns: string[] = []
  let at = 0
  const kept = createKeptRows()
  const keep = (row: RawRow) => {
    if (at++ === best.at) {
      header = row
      columns = columnNames(row.cells)
    } else if (header && row.raw !== header.raw && !isBlank(row)) {
      kept.add(fileRowOf(row, columns))
    }
  }
  for (let start = 0; start < text.length; start += PIECE_CHARS) {
    reader.push(text.slice(start, start + PIECE_CHARS)).forEach(keep)
  }
  reader.end().forEach(keep)
  return { columns, rows: kept.rows }
}

/** Returns the row among the first ones that names the most columns. */
function findHeader(rows: readonly RawRow[]): { at: number; known: number } {
  let best = { at: 0, known: 0 }
  for (const [at, row] of rows.slice(0, HEADER_WITHIN_ROWS).entries()) {
    const known = countKnown(row.cells)
    if (known > best.known) best = { at, known }
  }
  return best
}

function fileRowOf({ row, cells, unreadable }: RawRow, columns: readonly string[]): FileRow {
  const texts = new Map<string, string>()
  for (const [index, cell] of cells.slice(0, columns.length).entries()) {
    const text = cellText(cell)
    if (text !== '') texts.set(columns[index], text)
  }
  return { row, cells: texts, ...(unreadable !== undefined && { unreadable }) }
}
