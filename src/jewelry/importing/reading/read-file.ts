/** Reads a jewelry file into rows of texts by column: tables of every kind, XML and JSON. */
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import type { MappedNames } from '../../../feeds/mapping/list-names.ts'
import { decodeText } from '../../../feeds/reading/decode-text.ts'
import { openFeed } from '../../../feeds/reading/open-feed.ts'
import type { RawRow } from '../../../feeds/reading/raw-row.ts'
import { openFile } from '../../../feeds/reading/thread/open-file.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { JEWELRY_NAMES } from '../columns.ts'
import { cellText, createKeptRows, type FileRow, type JewelryFile } from './kept-rows.ts'
import { readJson } from './read-json.ts'

/** Enough for a hundred thousand pieces; a vendor with more sends several files. */
export const FILE_BYTES_MAX = 128 * 1024 ** 2

/** What is known of the columns before a file is read. */
export interface JewelryReading {
  mapped: MappedNames
  /** Without a header, columns are named by their positions: a mapping is to be written. */
  isExplained: boolean
}

const PLAIN: JewelryReading = { mapped: new Map(), isExplained: false }

/** Reads the whole file into memory, because such files are small. It may be packed. */
export async function readJewelryFile(
  file: AsyncIterable<Uint8Array>,
  reading = PLAIN,
): Promise<JewelryFile> {
  const bytes = unpacked(await joinFile(file))
  const start = /^[\0\s\ufeff\u00ff\u00fe\u00ef\u00bb\u00bf]*(\S?)/.exec(
    bytes.subarray(0, 200).toString('latin1'),
  )?.[1]
  if (start !== '[' && start !== '{') return readTable(bytes, reading)
  let text = ''
  for await (const chunk of decodeText(Readable.from([bytes]))) text += chunk
  return readJson(text)
}

function unpacked(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: FILE_BYTES_MAX })
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

async function readTable(bytes: Buffer, reading: JewelryReading): Promise<JewelryFile> {
  const feed = await openFeed(pieces(bytes), {
    ...reading,
    names: JEWELRY_NAMES,
    readFile: openFile,
  })
  try {
    const kept = createKeptRows()
    for await (const batch of feed.rows()) {
      for (const row of batch) kept.add(fileRowOf(row, feed.columns))
    }
    const damage = feed.damage()
    const { columns, notes, titles } = feed
    return { columns, rows: kept.rows, notes, titles, ...(damage !== undefined && { damage }) }
  } finally {
    await feed.close()
  }
}

const PIECE_BYTES = 65_536

async function* pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

function fileRowOf({ row, cells, unreadable, part }: RawRow, columns: readonly string[]): FileRow {
  const texts = new Map<string, string>()
  for (const [index, cell] of cells.slice(0, columns.length).entries()) {
    const text = cellText(cell)
    if (text !== '') texts.set(columns[index], text)
  }
  return {
    row,
    cells: texts,
    ...(unreadable !== undefined && { unreadable }),
    ...(part !== undefined && { part }),
  }
}
