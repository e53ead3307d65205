import { createReadStream } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { spool } from './archive/spool.ts'
import { unpack } from './archive/unpack.ts'
import { openZip } from './archive/zip-list.ts'
import { decodeText } from './decode-text.ts'
import { createDelimitedReader } from './delimited/reader.ts'
import { sniffDialect } from './delimited/sniff-dialect.ts'
import { detectFormat } from './detect-format.ts'
import { isList } from './join-lists.ts'
import { createJsonReader } from './json.ts'
import { isJsonTable } from './json-table.ts'
import { copyText, type RawRow, type RowBatches } from './raw-row.ts'
import { noHeader, noSheets, refused } from './refusals.ts'
import {
  closingList,
  type Feed,
  type FeedFormat,
  feedOf,
  type NoHeader,
  PLAIN_OPTIONS,
  type StoneList,
  type TableOptions,
} from './stone-list.ts'
import { openTable } from './table.ts'
import { readInThread } from './thread/read-in-thread.ts'

export type { Feed } from './stone-list.ts'

/** Opens a workbook or a page at a path; the fuzzer gives the reader without its thread. */
type FileReader = (path: string, options: TableOptions) => Promise<StoneList>

interface OpenOptions extends Partial<TableOptions> {
  readFile?: FileReader
}

const SNIFF_CHARS = 65_536

/** Opens a feed of any supported format, packed or not, from its bytes. */
export async function openFeed(
  bytes: AsyncIterable<Uint8Array>,
  { readFile = readInThread, ...given }: OpenOptions = {},
): Promise<Feed> {
  const options = { ...PLAIN_OPTIONS, ...given }
  const { format, list } = await openList(bytes, { ...options, readFile, isInZip: false })
  if (!isList(list)) throw noHeader('a text file', list.firstRow, options.names)
  const feed = await feedOf(format, list, options)
  if (feed.sample.length > 0 || feed.columns.length > 0) return feed
  await feed.close()
  throw noStones(format)
}

interface ListOptions extends TableOptions {
  readFile: FileReader
  isInZip: boolean
}

interface OpenedList {
  format: FeedFormat
  list: StoneList | NoHeader
}

/** Opens a file, or one of a ZIP, by what its first bytes say. */
async function openList(
  bytes: AsyncIterable<Uint8Array>,
  options: ListOptions,
): Promise<OpenedList> {
  const { start, bytes: all } = await unpack(bytes)
  const kind = detectFormat(start)
  if (kind === 'zip' || kind === 'compound' || kind === 'markup') return openSpooled(all, options)
  const [text, texts] = await takeStart(decodeText(all))
  if (text.trim() === '') throw refused('The file is empty.')
  if (options.sheet !== undefined) throw noSheets(options.sheet)
  if (kind === 'json' && isJsonTable(text, options)) return openSpooled(encoded(texts), options)
  if (kind === 'json') return { format: 'json', list: openJson(texts, options) }
  const dialect = sniffDialect(text, options)
  const rows = readTexts(texts, createDelimitedReader(dialect))
  return { format: 'delimited', list: await openTable(rows, options) }
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text)
}

/**
 * The directory of an archive is at its end, as the names of a JSON table may be, so such files are
 * written to a temporary one.
 */
async function openSpooled(
  bytes: AsyncIterable<Uint8Array>,
  options: ListOptions,
): Promise<OpenedList> {
  const { path, close } = await spool(bytes)
  try {
    const openFile = async (file: AsyncIterable<Uint8Array>) =>
      (await openList(file, { ...options, isInZip: true })).list
    const zip = await openZip(path, { ...options, openFile, close })
    if (zip) return { format: 'zip', list: zip }
    const list = await options.readFile(path, options)
    return { format: 'file', list: closingList(list, close) }
  } catch (error) {
    await close()
    throw error
  }
}

function openJson(texts: AsyncGenerator<string>, options: TableOptions): StoneList {
  const columns: string[] = []
  const titles: string[] = []
  const reader = createJsonReader(columns, titles, options)
  const rows = readTexts(texts, reader)
  const close = async () => {
    await texts.return(undefined)
  }
  return { columns, rows, notes: [], titles, damage: reader.damage, close }
}

function noStones(format: FeedFormat): Error {
  const what = format === 'json' ? 'This is JSON that' : 'The file'
  return refused(
    `${what} contains no list of stones, which are objects with a weight, a shape and a price. ` +
      'If its names are in another language, write a mapping with --explain, and import with ' +
      '--mapping.',
  )
}

interface Reader {
  push(chunk: string): RawRow[]
  end(): RawRow[]
}

/** What is read at a time. Between two pieces the server answers its requests. */
const PIECE_CHARS = 65_536

async function* readTexts(texts: AsyncGenerator<string>, reader: Reader): RowBatches {
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

/** Streams a file; it is opened by the first read, so a failure reaches the reader. */
export async function* readFileBytes(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: 256 * 1024 })
}
