import { gunzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { fieldsOf } from './columns.ts'

/**
 * The second reader of the tests. It is written from the rules of the trade and shares no code with
 * Pavilion's, so that a mistake must be made twice, in two ways, to remain unseen.
 */
export interface Table {
  headers: string[]
  rows: string[][]
}

/** Reads a file into a header and rows of text. */
export function readTable(bytes: Uint8Array): Table {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return fromArchive(unzipSync(bytes))
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes
  const text = new TextDecoder().decode(plain).replace(/^\ufeff/, '')
  if (text.startsWith('<?xml')) return fromXml(text)
  return /^\s*[[{]/.test(text) ? fromJson(text) : fromRows((delimiter) => split(text, delimiter))
}

/** A workbook, or a ZIP with one file. */
function fromArchive(files: Record<string, Uint8Array>): Table {
  const names = Object.keys(files)
  const sheet = names.find((name) => name.startsWith('xl/worksheets/sheet'))
  if (sheet === undefined) return readTable(files[names[0]])
  const text = (name: string) => new TextDecoder().decode(files[name])
  const shared = [...text('xl/sharedStrings.xml').matchAll(/<si>(.*?)<\/si>/gs)].map(([, item]) =>
    [...item.matchAll(/<t[^>]*>(.*?)<\/t>/gs)].map(([, part]) => unescaped(part)).join(''),
  )
  const rows = [...text(sheet).matchAll(/<row[^>]*>(.*?)<\/row>/gs)].map(([, row]) => {
    const cells: string[] = []
    for (const [, letters, type, value] of row.matchAll(CELL))
      cells[columnAt(letters)] = type === 's' ? shared[Number(value)] : unescaped(value)
    return Array.from(cells, (cell) => cell ?? '')
  })
  return fromRows(() => rows)
}

const CELL = /<c r="([A-Z]+)\d+"(?: t="(\w+)")?[^>]*>.*?<v>(.*?)<\/v><\/c>/gs

const columnAt = (letters: string) =>
  [...letters.matchAll(/./g)].reduce((sum, [letter]) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

/** A list of elements, each with one element for a value. */
function fromXml(text: string): Table {
  const items = [...text.matchAll(/<diamond>(.*?)<\/diamond>/gs)].map(([, item]) =>
    [...item.matchAll(/<(\w+)>(.*?)<\/\1>/gs)].map(([, name, value]) => [name, unescaped(value)]),
  )
  const headers = items[0].map(([name]) => name)
  return { headers, rows: items.map((item) => item.map(([, value]) => value.trim())) }
}

function fromJson(text: string): Table {
  const list = listIn(JSON.parse(text)) ?? []
  const headers = [...new Set(list.flatMap((item) => Object.keys(item)))]
  const rows = list.map((item) =>
    headers.map((header) => {
      const value = new Map(Object.entries(item)).get(header)
      return value === null || value === undefined ? '' : String(value)
    }),
  )
  return { headers, rows }
}

/** The first list of objects, at any depth. */
function listIn(value: unknown): object[] | undefined {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'object')
  if (typeof value !== 'object' || value === null) return undefined
  for (const part of Object.values(value)) {
    const list = listIn(part)
    if (list) return list
  }
  return undefined
}

const DELIMITERS = [',', ';', '\t', '|']
/** A header has at least so many names that the trade knows. */
const KNOWN_NAMES_MIN = 5

function fromRows(linesOf: (delimiter: string) => string[][]): Table {
  for (const delimiter of DELIMITERS) {
    const lines = linesOf(delimiter)
    const at = lines.slice(0, 20).findIndex((cells) => knownNames(cells) >= KNOWN_NAMES_MIN)
    if (at === -1) continue
    const headers = lines[at].map((name) => name.trim())
    const rows = lines
      .slice(at + 1)
      .filter((cells) => cells.some((cell) => cell.trim() !== ''))
      .filter((cells) => cells.join('\n') !== headers.join('\n'))
    return { headers, rows }
  }
  throw new Error('no header')
}

const knownNames = (cells: string[]) => cells.filter((name) => fieldsOf(name).length > 0).length

function split(text: string, delimiter: string): string[][] {
  const pattern = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"\\r\\n${delimiter === '|' ? '\\|' : delimiter}]*))(\\r\\n|\\r|\\n|$|.)`,
    'gy',
  )
  const lines: string[][] = [[]]
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text)
    if (found === null) throw new Error('the text cannot be split')
    lines[lines.length - 1].push((found[1]?.replaceAll('""', '"') ?? found[2]).trim())
    if (found[3] !== delimiter) lines.push([])
  }
  return lines
}
