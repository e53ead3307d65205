import { createReadStream } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Refusal } from '../../lib/refusal.ts'
import { openTemporaryFile, pathOfOpenFile } from '../../lib/temporary-file.ts'
import { decodeText } from './decode-text.ts'
import { createDelimitedReader } from './delimited.ts'
import { columnNames, findHeader, HEADER_WITHIN_ROWS, isBlank } from './find-header.ts'
import { createJsonReader } from './json.ts'
import { copyText, cutLongCells, type RawRow, type RowBatches } from './raw-row.ts'
import { sniffDialect } from './sniff-dialect.ts'
import { unpack } from './unpack.ts'
import { readWorkbookInThread } from './workbook-thread.ts'

/** An open feed: its columns, a sample of its first rows, and all its rows. */
export interface Feed {
  format: 'delimited' | 'json' | 'xlsx'
  /** In JSON the list grows while rows are read: a key may first occur in the last stone. */
  columns: string[]
  sample: RawRow[]
  /** Returns all rows except blank ones. It can be called once. */
  rows(): RowBatches
  /** Returns why the file seems incomplete; known only after all rows are read. */
  damage(): string | undefined
}

const SAMPLE_ROWS = 2_000
/** The sample ends earlier when its rows are huge, because it is held in memory. */
const SAMPLE_CHARS_MAX = 8 * 1_048_576
const SNIFF_CHARS = 65_536

/** Reads the rows of the workbook at a path; the fuzzer gives the reader without its thread. */
type WorkbookReader = (path: string) => RowBatches

/** Opens a feed of any supported format, gzipped or not, from its bytes. */
export async function openFeed(
  bytes: AsyncIterable<Uint8Array>,
  readWorkbook: WorkbookReader = readWorkbookInThread,
): Promise<Feed> {
  const plain = await unpack(bytes)
  if (plain.isArchive) return openRows('xlsx', readSpooled(plain.bytes, readWorkbook))
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
    const detail =
      'The JSON contains no list of stones, which are objects with a weight, a shape and a price.'
    throw new Refusal('invalid_request', detail)
  }
  return { format: 'json', columns, sample, rows: () => rows, damage: reader.damage }
}

async function openRows(format: 'delimited' | 'xlsx', all: RowBatches): Promise<Feed> {
  const [start, rows] = await takeSample(all, SAMPLE_ROWS + HEADER_WITHIN_ROWS)
  const at = findHeader(start)
  if (at === -1) {
    await rows.return()
    const detail = 'The file has no header row with columns such as weight, shape and price.'
    throw new Refusal('invalid_request', detail)
  }
  const header = start[at]
  const columns = columnNames(header.cells)
  const isStone = (row: RawRow) => row.row > header.row && row.raw !== header.raw
  return {
    format,
    columns,
    sample: start.filter(isStone),
    rows: () => filterRows(rows, isStone),
    damage: () => undefined,
  }
}

async function* filterRows(batches: RowBatches, keep: (row: RawRow) => boolean): RowBatches {
  for await (const batch of batches) yield batch.filter(keep)
}

interface Reader {
  push(chunk: string): RawRow[]
  end(): RawRow[]
}

/** What is read at a time. Between two pieces the server answers its requests. */
const PIECE_CHARS = 65_536

async function* readTexts(texts: AsyncIterable<string>, reader: Reader): RowBatches {
  for await (const text of texts) {
    for (let at = 0; at < text.length; at += PIECE_CHARS) {
      const batch = reader.push(text.slice(at, at + PIECE_CHARS))
      if (batch.length > 0) yield batch
      await nextTurn()
    }
  }
  const last = reader.end()
  if (last.length > 0) yield last
}

/** Reads ahead; returns the sample, and all rows including the sample. Blank rows are dropped. */
async function takeSample(batches: RowBatches, count: number): Promise<[RawRow[], RowBatches]> {
  const ahead: RawRow[] = []
  let isDone = false
  let chars = 0
  while (ahead.length < count && chars < SAMPLE_CHARS_MAX && !isDone) {
    const next = await batches.next()
    if (next.done) isDone = true
    else {
      for (const row of next.value) {
        if (isBlank(row)) continue
        cutLongCells(row)
        ahead.push(row)
        chars += row.raw.length
      }
    }
  }
  async function* all(): RowBatches {
    try {
      yield ahead
      for await (const batch of batches) {
        const rows = batch.filter((row) => !isBlank(row))
        for (const row of rows) cutLongCells(row)
        yield rows
      }
    } finally {
      await batches.return()
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
  return [copyText(start.slice(0, SNIFF_CHARS)), all()]
}

/** The directory of a workbook is at its end, so the workbook is written to a temporary file. */
async function* readSpooled(
  bytes: AsyncIterable<Uint8Array>,
  readWorkbook: WorkbookReader,
): RowBatches {
  const file = await openTemporaryFile()
  try {
    for await (const chunk of limitWorkbook(bytes)) await file.writeFile(chunk)
    yield* readWorkbook(pathOfOpenFile(file))
  } finally {
    await file.close()
  }
}

/** Twenty times the largest stock list seen; the temporary folder must have room for it. */
const WORKBOOK_BYTES_MAX = 1024 ** 3

async function* limitWorkbook(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > WORKBOOK_BYTES_MAX) {
      const detail = `The workbook is larger than ${WORKBOOK_BYTES_MAX} bytes; save it as CSV.`
      throw new Refusal('invalid_request', detail)
    }
    yield chunk
  }
}

/** Streams a file; it is opened by the first read, so a failure reaches the reader. */
export async function* readFileBytes(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: 256 * 1024 })
}
