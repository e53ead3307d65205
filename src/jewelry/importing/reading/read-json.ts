/** Reads a jewelry file of JSON or NDJSON. */

import { columnsOfList } from '../../../feeds/reading/header/named-columns.ts'
import { stringEnd } from '../../../feeds/reading/json-text.ts'
import { ROW_CELLS_MAX } from '../../../feeds/reading/raw-row.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { findProducts, isObject, listIn, variantsIn } from './json-products.ts'
import {
  CELL_CHARS_MAX,
  cellText,
  createKeptRows,
  type FileRow,
  type JewelryFile,
  tooMuch,
} from './kept-rows.ts'

/**
 * Reads a list of variants, or of products with their `variants`, at any place of an envelope, or
 * one object per line. The members of a product apply to each of its variants.
 */
export function readJson(text: string): JewelryFile {
  checkValues(text)
  const list = findProducts(parse(text))
  if (list.products.length === 0) {
    const detail =
      'The JSON contains no list of products, which are objects with a stock number and a price.'
    throw new Refusal('invalid_request', detail)
  }
  const columns = new Set<string>()
  const kept = createKeptRows()
  for (const members of variantsIn(list)) {
    const row: FileRow = { row: kept.rows.length + 1, cells: new Map() }
    if (isObject(members)) addCells(row.cells, '', members, kept.visit)
    else row.unreadable = 'The entry is not a JSON object'
    for (const column of row.cells.keys()) columns.add(column)
    if (columns.size > ROW_CELLS_MAX) throw tooMuch(`${ROW_CELLS_MAX} different names of values`)
    kept.add(row)
  }
  return { columns: [...columns], rows: kept.rows, notes: [], titles: [] }
}

/** Parsed, a value takes up to 300 bytes of memory, even when it is written with three. */
const VALUES_MAX = 5_000_000
const NESTING_MAX = 64
const STRUCTURE = /["{}[\],\n]/g

/** Counts what parsing would create, before it does. */
function checkValues(text: string): void {
  let values = 0
  let depth = 0
  STRUCTURE.lastIndex = 0
  for (let found = STRUCTURE.exec(text); found; found = STRUCTURE.exec(text)) {
    const [char] = found
    if (char === '"') {
      const end = stringEnd(text, found.index)
      // Damaged JSON: parsing it stops here as well.
      if (end === -1) return
      STRUCTURE.lastIndex = end
      continue
    }
    if (char === '{' || char === '[') depth++
    if (char === '}' || char === ']') depth--
    if (depth > NESTING_MAX) {
      const detail = `The JSON is nested more than ${NESTING_MAX} levels deep; send a plain list.`
      throw new Refusal('invalid_request', detail)
    }
    if (++values > VALUES_MAX) throw tooMuch(`${VALUES_MAX} values`)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const values = parseLines(text)
    if (values !== undefined && values.length > 1) return values
    // Neither one document nor one per line: the first error says what is wrong.
    throw new Refusal('invalid_request', `The file is not valid JSON: ${(error as Error).message}.`)
  }
}

/** Parses one value per line; undefined when a line is not one. It stops at the first such line. */
function parseLines(text: string): unknown[] | undefined {
  const values: unknown[] = []
  try {
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf('\n', at)
      const line = text.slice(at, end === -1 ? text.length : end)
      if (line.trim() !== '') values.push(JSON.parse(line))
      at += line.length + 1
    }
    return values
  } catch {
    return undefined
  }
}

const LEVELS_MAX = 3
/** A longer path is not a column name. */
const PATH_CHARS_MAX = 200

function addCells(
  cells: FileRow['cells'],
  path: string,
  given: unknown,
  visit: () => void,
  level = 0,
): void {
  visit()
  const value = listIn(given)
  if (value === null || value === undefined) return
  if (path.length > PATH_CHARS_MAX || cells.size > ROW_CELLS_MAX) return
  const named = Array.isArray(value) ? columnsOfList(value) : undefined
  if (named) {
    for (const [name, member] of named) addCells(cells, name, member, visit, level + 1)
  } else if (Array.isArray(value)) {
    const text = listText(value, visit)
    if (text !== '') cells.set(path, text)
  } else if (isObject(value)) {
    if (level >= LEVELS_MAX) return
    for (const [key, member] of Object.entries(value)) {
      addCells(cells, path === '' ? key : `${path}.${key}`, member, visit, level + 1)
    }
  } else {
    const text = scalarText(value)
    if (text !== '') cells.set(path, text)
  }
}

function listText(list: readonly unknown[], visit: () => void): string {
  let joined = ''
  for (const element of list) {
    visit()
    const text = elementText(element)
    if (text === '') continue
    if (joined.length + text.length > CELL_CHARS_MAX) break
    joined += joined === '' ? text : ` | ${text}`
  }
  return joined
}

/** Of a picture the text is its address, and of a category or a stone its name. */
function elementText(element: unknown): string {
  if (!isObject(element)) return scalarText(element)
  return scalarText(element.url ?? element.src ?? element.name ?? element.type)
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return cellText(value)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
