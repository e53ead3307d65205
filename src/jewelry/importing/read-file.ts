/** Reads a jewelry file, CSV or JSON, into rows of texts by column. */
import { gunzipSync } from 'node:zlib'
import { decodeText } from '../../feeds/reading/decode-text.ts'
import { createDelimitedReader } from '../../feeds/reading/delimited.ts'
import { columnNames, isBlank } from '../../feeds/reading/find-header.ts'
import type { RawRow } from '../../feeds/reading/raw-row.ts'
import { storableText } from '../../feeds/values/spelling.ts'
import { Refusal } from '../../lib/refusal.ts'
import { countKnown } from './columns.ts'

export interface JewelryFile {
  columns: string[]
  rows: FileRow[]
}

/** One row of a jewelry file: texts by column, empty ones left out. */
export interface FileRow {
  /** The line as an editor numbers it; in JSON the position of the variant, from 1. */
  row: number
  cells: Map<string, string>
  /** Why the row has no cells, when it could not be read. */
  unreadable?: string
}

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
  const bytes = await joined(file)
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

async function joined(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
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

function cellText(cell: string): string {
  return storableText(cell).trim()
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
    const detail = 'The file has no header row with columns such as stock number, type and price.'
    throw new Refusal('invalid_request', detail)
  }
  const reader = createDelimitedReader({ delimiter: best.delimiter, lineEnd })
  const all = [...reader.push(text), ...reader.end()]
  const header = all[best.at]
  const columns = columnNames(header.cells)
  const rows = all.slice(best.at + 1).filter((row) => !isBlank(row) && row.raw !== header.raw)
  return { columns, rows: rows.map((row) => fileRowOf(row, columns)) }
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
  const texts = columns.map((column, index) => [column, cellText(cells[index] ?? '')] as const)
  return {
    row,
    cells: new Map(texts.filter(([, text]) => text !== '')),
    ...(unreadable !== undefined && { unreadable }),
  }
}

type Members = Record<string, unknown>

/**
 * Reads a list of variants, or of products with their `variants`, at any place of an envelope, or
 * one object per line. The members of a product apply to each of its variants.
 */
function readJson(text: string): JewelryFile {
  const objects = findList(parse(text))
  if (objects.length === 0) {
    const detail =
      'The JSON contains no list of products, which are objects with a stock number and a price.'
    throw new Refusal('invalid_request', detail)
  }
  const columns = new Set<string>()
  const rows = objects.flatMap(variantsOf).map((members, index): FileRow => {
    const row = index + 1
    const cells = new Map<string, string>()
    if (!isObject(members)) return { row, cells, unreadable: 'The entry is not a JSON object' }
    addCells(cells, '', members)
    for (const column of cells.keys()) columns.add(column)
    return { row, cells }
  })
  return { columns: [...columns], rows }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    try {
      if (lines.length > 1) return lines.map((line) => JSON.parse(line) as unknown)
    } catch {
      // Neither one document nor one per line: the first error says what is wrong.
    }
    throw new Refusal('invalid_request', `The file is not valid JSON: ${(error as Error).message}.`)
  }
}

const DEPTH_MAX = 4

/** Returns the first list of objects, outermost first. */
function findList(value: unknown, depth = 0): unknown[] {
  if (Array.isArray(value)) return value.some(isObject) ? value : []
  if (!isObject(value) || depth >= DEPTH_MAX) return []
  if (depth === 0 && Array.isArray(value.variants)) return [value]
  for (const member of Object.values(value)) {
    const list = findList(member, depth + 1)
    if (list.length > 0) return list
  }
  return []
}

function variantsOf(product: unknown): unknown[] {
  if (!isObject(product)) return [product]
  const { variants, vendor_sku, ...shared } = product
  if (!Array.isArray(variants)) return [product]
  // The product's own stock number groups its variants.
  const parent = vendor_sku === undefined ? {} : { parent_vendor_sku: vendor_sku }
  return variants.map((variant: unknown) =>
    isObject(variant) ? { ...parent, ...shared, ...variant } : variant,
  )
}

const LEVELS_MAX = 3

function addCells(cells: Map<string, string>, path: string, value: unknown, level = 0): void {
  if (value === null || value === undefined) return
  if (Array.isArray(value)) {
    const texts = value.map(elementText).filter((text) => text !== '')
    if (texts.length > 0) cells.set(path, texts.join(' | '))
  } else if (isObject(value)) {
    if (level >= LEVELS_MAX) return
    for (const [key, member] of Object.entries(value)) {
      addCells(cells, path === '' ? key : `${path}.${key}`, member, level + 1)
    }
  } else {
    const text = scalarText(value)
    if (text !== '') cells.set(path, text)
  }
}

/** The element of a list of media is an object; its text is the address. */
function elementText(element: unknown): string {
  if (isObject(element)) return typeof element.url === 'string' ? cellText(element.url) : ''
  return scalarText(element)
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return cellText(value)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
