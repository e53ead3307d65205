import { gunzipSync } from 'node:zlib'
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
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes
  const text = new TextDecoder().decode(plain).replace(/^\ufeff/, '')
  return /^\s*[[{]/.test(text) ? fromJson(text) : fromText(text)
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

function fromText(text: string): Table {
  for (const delimiter of DELIMITERS) {
    const lines = split(text, delimiter)
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
