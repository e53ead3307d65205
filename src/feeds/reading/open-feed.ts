import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../../lib/refusal.ts'
import { decodeText } from './decode-text.ts'
import { createDelimitedReader } from './delimited.ts'
import { columnNames, findHeader, HEADER_WITHIN_ROWS, isBlank } from './find-header.ts'
import { createJsonReader } from './json.ts'
import { own } from './own-text.ts'
import type { RawRow, RowLots } from './raw-row.ts'
import { sniffDialect } from './sniff-dialect.ts'
import { readWorkbook } from './workbook.ts'

/** A feed that was opened: its columns, its first rows to look at, and all its rows. */
export interface Feed {
  format: 'delimited' | 'json' | 'xlsx'
  /** In JSON it grows while rows are read: a key may first occur in the last stone. */
  columns: string[]
  sample: RawRow[]
  /** Every row from the first, blank ones left out, once. */
  rows(): RowLots
  /** Why the file's end is not to be trusted, once all rows are read. */
  damage(): string | undefined
}

const SAMPLE_ROWS = 2_000
/** Rows that are kept to look at; a sample of huge rows would fill the memory. */
const SAMPLE_CHARS_MAX = 8 * 1_048_576
const SNIFF_CHARS = 65_536

/** Opens a feed of any supported format from its bytes; gzip around it is taken off. */
export async function openFeed(bytes: AsyncIterable<Uint8Array>): Promise<Feed> {
  const plain = await unpack(bytes)
  if (plain.isArchive) return openRows('xlsx', spooled(plain.bytes))
  const [start, texts] = await takeStart(decodeText(plain.bytes))
  const firstChar = /\S/.exec(start)?.[0]
  if (firstChar === undefined) throw new Refusal('invalid_request', 'The file is empty.')
  if (firstChar === '[' || firstChar === '{') return openJson(texts)
  const dialect = sniffDialect(start)
  return openRows('delimited', readTexts(texts, createDelimitedReader(dialect)))
}

async function openJson(texts: AsyncIterable<string>): Promise<Feed> {
  const columns: string[] = []
  const reader = createJsonReader(columns)
  const [sample, rows] = await takeSample(readTexts(texts, reader), SAMPLE_ROWS)
  if (sample.length === 0) {
    const detail = 'The JSON has no list of stones: objects with a weight, a shape and a price.'
    throw new Refusal('invalid_request', detail)
  }
  return { format: 'json', columns, sample, rows: () => rows, damage: reader.damage }
}

async function openRows(format: 'delimited' | 'xlsx', all: RowLots): Promise<Feed> {
  const [start, rows] = await takeSample(all, SAMPLE_ROWS + HEADER_WITHIN_ROWS)
  const at = findHeader(start)
  if (at === -1) {
    await rows.return()
    const detail =
      'The file has no header row: no row names a weight, a shape, a price or the like.'
    throw new Refusal('invalid_request', detail)
  }
  const header = start[at]
  const columns = columnNames(header.cells)
  const isStone = (row: RawRow) => row.row > header.row && row.raw !== header.raw
  return {
    format,
    columns,
    sample: start.filter(isStone),
    rows: () => keepRows(rows, isStone),
    damage: () => undefined,
  }
}

async function* keepRows(lots: RowLots, isKept: (row: RawRow) => boolean): RowLots {
  for await (const lot of lots) yield lot.filter(isKept)
}

interface Reader {
  push(chunk: string): RawRow[]
  end(): RawRow[]
}

async function* readTexts(texts: AsyncIterable<string>, reader: Reader): RowLots {
  for await (const text of texts) {
    const lot = reader.push(text)
    if (lot.length > 0) yield lot
  }
  const last = reader.end()
  if (last.length > 0) yield last
}

/** Reads rows ahead and answers them, and all rows again from the first. Blank rows drop out. */
async function takeSample(lots: RowLots, count: number): Promise<[RawRow[], RowLots]> {
  const ahead: RawRow[] = []
  let isDone = false
  let chars = 0
  while (ahead.length < count && chars < SAMPLE_CHARS_MAX && !isDone) {
    const next = await lots.next()
    if (next.done) isDone = true
    else {
      for (const row of next.value) {
        if (isBlank(row)) continue
        ahead.push(row)
        chars += row.raw.length
      }
    }
  }
  async function* all(): RowLots {
    try {
      yield ahead
      for await (const lot of lots) yield lot.filter((row) => !isBlank(row))
    } finally {
      await lots.return()
    }
  }
  return [ahead.slice(0, count), all()]
}

async function takeStart(texts: AsyncGenerator<string>): Promise<[string, AsyncGenerator<string>]> {
  let start = ''
  while (start.length < SNIFF_CHARS) {
    const next = await texts.next()
    if (next.done) break
    start += next.value
  }
  async function* all() {
    if (start !== '') yield start
    yield* texts
  }
  return [own(start.slice(0, SNIFF_CHARS)), all()]
}

/** Takes gzip off, as often as it was put on (twice at most), and tells an archive from text. */
async function unpack(bytes: AsyncIterable<Uint8Array>) {
  let stream = bytes
  for (let layer = 0; layer < 3; layer++) {
    const [start, all] = await peek(stream)
    stream = all
    if (start[0] === 0x50 && start[1] === 0x4b && start[2] === 3 && start[3] === 4) {
      return { bytes: stream, isArchive: true }
    }
    if (start[0] !== 0x1f || start[1] !== 0x8b || layer === 2) break
    stream = gunzip(stream)
  }
  return { bytes: stream, isArchive: false }
}

async function* gunzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const packed = Readable.from(bytes, { objectMode: false })
  const plain = createGunzip()
  packed.on('error', (error) => plain.destroy(error))
  try {
    yield* packed.pipe(plain)
  } catch (error) {
    if (packed.errored) throw packed.errored
    const detail = `The gzip file is damaged or breaks off: ${(error as Error).message}.`
    throw new Refusal('invalid_request', detail)
  }
}

async function peek(
  bytes: AsyncIterable<Uint8Array>,
): Promise<[Uint8Array, AsyncIterable<Uint8Array>]> {
  const iterator = bytes[Symbol.asyncIterator]()
  let start: Uint8Array = new Uint8Array(0)
  while (start.length < 4) {
    const next = await iterator.next()
    if (next.done) break
    start = start.length === 0 ? next.value : Buffer.concat([start, next.value])
  }
  async function* all() {
    try {
      if (start.length > 0) yield start
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        yield next.value
      }
    } finally {
      await iterator.return?.()
    }
  }
  return [start, all()]
}

/** A workbook's directory stands at its end, so it is laid down in a file of its own first. */
async function* spooled(bytes: AsyncIterable<Uint8Array>): RowLots {
  const folder = await mkdtemp(join(tmpdir(), 'pavilion-feed-'))
  try {
    const path = join(folder, 'workbook')
    await pipeline(Readable.from(bytes, { objectMode: false }), createWriteStream(path))
    yield* readWorkbook(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The bytes of a file on disk, opened when they are asked for: its failure meets its reader. */
export async function* readFileBytes(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: 256 * 1024 })
}
