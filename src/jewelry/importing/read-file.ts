import { gunzipSync } from 'node:zlib'
import { decodeText } from '../../feeds/reading/decode-text.ts'
import { createDelimitedReader } from '../../feeds/reading/delimited.ts'
import { columnNames, isBlank } from '../../feeds/reading/find-header.ts'
import type { RawRow } from '../../feeds/reading/raw-row.ts'
import { Refusal } from '../../lib/refusal.ts'
import { countKnown } from './columns.ts'
import { cellText, type FileRow, type JewelryFile } from './file-row.ts'
import { readJson } from './read-json.ts'

/** A hundred thousand pieces; a vendor with more sends several files. */
export const FILE_BYTES_MAX = 128 * 1024 ** 2

/** Reads CSV (comma, semicolon, tab or bar) or JSON, gzipped or not, whole: such files are small. */
export async function readJewelryFile(bytes: AsyncIterable<Uint8Array>): Promise<JewelryFile> {
  let text = ''
  for await (const chunk of decodeText(unpacked(bytes))) text += chunk
  const first = /\S/.exec(text)?.[0]
  if (first === undefined) throw new Refusal('invalid_request', 'The file is empty.')
  return first === '[' || first === '{' ? readJson(text) : readDelimited(text)
}

async function gather(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > FILE_BYTES_MAX) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function* unpacked(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bytes = await gather(file)
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    yield bytes
    return
  }
  try {
    yield gunzipSync(bytes, { maxOutputLength: FILE_BYTES_MAX })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new Refusal('invalid_request', 'The gzip file is damaged or breaks off.')
  }
}

function tooLarge(): Refusal {
  const limit = FILE_BYTES_MAX / 1024 ** 2
  return new Refusal('invalid_request', `The file is over ${limit} MiB; send it in parts.`)
}

const DELIMITERS = [',', ';', '\t', '|'] as const
const HEADER_WITHIN_ROWS = 40
const NAMES_NEEDED = 3

function readDelimited(text: string): JewelryFile {
  const lineEnd = !text.includes('\n') && text.includes('\r') ? '\r' : '\n'
  const readings = DELIMITERS.map((delimiter) => {
    const reader = createDelimitedReader({ delimiter, lineEnd })
    const rows = [...reader.push(text.slice(0, 65_536)), ...reader.end()]
    return { delimiter, ...findHeader(rows) }
  })
  const best = readings.reduce((a, b) => (b.known > a.known ? b : a))
  if (best.known < NAMES_NEEDED) {
    const detail = 'The file has no header row: no row names a stock number, a type and a price.'
    throw new Refusal('invalid_request', detail)
  }
  const reader = createDelimitedReader({ delimiter: best.delimiter, lineEnd })
  const all = [...reader.push(text), ...reader.end()]
  const header = all[best.at]
  const columns = columnNames(header.cells)
  const rows = all.slice(best.at + 1).filter((row) => !isBlank(row) && row.raw !== header.raw)
  return { columns, rows: rows.map((row) => fileRowOf(row, columns)) }
}

/** The row among the first that names most columns. */
function findHeader(rows: readonly RawRow[]): { at: number; known: number } {
  let best = { at: 0, known: 0 }
  for (const [at, row] of rows.slice(0, HEADER_WITHIN_ROWS).entries()) {
    const known = countKnown(row.cells)
    if (known > best.known) best = { at, known }
  }
  return best
}

function fileRowOf({ row, cells, unreadable }: RawRow, columns: readonly string[]): FileRow {
  const texts = columns.map((column, place) => [column, cellText(cells[place] ?? '')] as const)
  return {
    row,
    cells: new Map(texts.filter(([, text]) => text !== '')),
    ...(unreadable !== undefined && { unreadable }),
  }
}
