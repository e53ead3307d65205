/**
 * Reads JSON whose stones are not objects: rows of cells below a list of names, as in
 * `{"columns": ["Stock #", …], "rows": [["A-1", …], …]}`, or a list of values for each name, as in
 * `{"Stock #": ["A-1", …], "Shape": ["Round", …]}`.
 */
import type { ListNames } from '../mapping/list-names.ts'
import { isList } from './join-lists.ts'
import { parseStart } from './json-text.ts'
import { CELL_SEPARATOR, type RawRow, ROW_CELLS_MAX, type RowBatches } from './raw-row.ts'
import { noHeader, refused } from './refusals.ts'
import { addMemberTitle, type StoneList, type TableOptions } from './stone-list.ts'
import { openTable } from './table.ts'

/** Such a document is parsed as a whole: its names may follow its rows. */
const CHARS_MAX = 64 * 1_048_576

export async function openJsonTable(
  texts: AsyncIterable<string>,
  options: TableOptions,
): Promise<StoneList> {
  const titles: string[] = []
  const rows = findRows(await parseTexts(texts), { names: options.names, titles, isWhole: true })
  const opened = await openTable(batchesOf(rows ?? []), options)
  if (!isList(opened)) throw noHeader('JSON with a table', opened.firstRow, options.names)
  opened.titles.push(...titles)
  return opened
}

async function parseTexts(texts: AsyncIterable<string>): Promise<unknown> {
  let text = ''
  for await (const chunk of texts) {
    text += chunk
    if (text.length > CHARS_MAX) {
      throw refused(`This is JSON with a table of more than ${CHARS_MAX} characters; send CSV.`)
    }
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refused(`The file is not valid JSON: ${(error as Error).message}.`)
  }
}

const BATCH_ROWS = 1_000

async function* batchesOf(rows: readonly Row[]): RowBatches {
  for (let at = 0; at < rows.length; at += BATCH_ROWS) {
    yield rows.slice(at, at + BATCH_ROWS).map((row, index): RawRow => {
      const cells = row.slice(0, ROW_CELLS_MAX).map(textOf)
      // The names are row 0, so that stones are counted from 1.
      return { row: at + index, raw: cells.join(CELL_SEPARATOR), cells }
    })
  }
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter(isScalar).map(textOf).join(' ')
  return isScalar(value) && value !== null ? String(value) : ''
}

/** Returns whether a document that begins so has its stones in rows or in lists of values. */
export function isJsonTable(start: string, { names }: Pick<TableOptions, 'names'>): boolean {
  const value = parseStart(start)
  if (value === undefined || hasStoneObject(value, names)) return false
  return (
    hasManyRows(value, names) ||
    findRows(value, { names, titles: [], isWhole: false }) !== undefined
  )
}

/** So many rows without names, or values below one name, have the other names after them. */
const ROWS_MIN = 20
const VALUES_MIN = 200

function hasManyRows(value: unknown, names: ListNames, depth = 0): boolean {
  if (isRows(value)) return value.length >= ROWS_MIN
  if (!isObject(value) || depth > DEPTH_MAX) return false
  return Object.entries(value).some(([name, member]) => {
    const values = valuesOf(member) ?? []
    const isColumn = values.length >= VALUES_MIN && names.count([name]) === 1
    return isColumn || hasManyRows(member, names, depth + 1)
  })
}

type Row = readonly unknown[]
type Members = Record<string, unknown>
type Scalar = string | number | boolean | null

const DEPTH_MAX = 6
const NAMES_MIN = 3
const CELLS_MIN = 3

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value !== 'object'
}

function isRows(value: unknown): value is Row[] {
  if (!Array.isArray(value) || !value.every((row) => Array.isArray(row))) return false
  const first: Row = value[0] ?? []
  return first.length >= CELLS_MIN && first.some(isScalar)
}

interface TableSearch {
  names: ListNames
  /** Texts beside the table are added to it. */
  titles: string[]
  /** Whether it is the whole document, and not its beginning. */
  isWhole: boolean
}

/** Returns the table in a document, its names first. */
function findRows(value: unknown, search: TableSearch, depth = 0): readonly Row[] | undefined {
  const { names, titles } = search
  if (isRows(value)) return names.count(textsOf(value[0])) >= NAMES_MIN ? value : undefined
  if (!isObject(value) || depth > DEPTH_MAX) return undefined
  for (const [name, text] of Object.entries(value)) {
    if (typeof text === 'string') addMemberTitle(titles, name, text)
  }
  const members = Object.values(value)
  const header = members.map((member) => namesIn(member, names)).find((list) => list !== undefined)
  const rows = members.find(isRows)
  if (rows && header) return [header, ...rows]
  const found = columnsIn(value, search)
  if (found) return found
  for (const member of members) {
    const inner = findRows(member, search, depth + 1)
    if (inner) return inner
  }
  return undefined
}

/** The names of columns: texts, or objects of which one member is the name. */
function namesIn(value: unknown, names: ListNames): string[] | undefined {
  if (!Array.isArray(value) || isRows(value)) return undefined
  const lists = value.every(isScalar) ? [textsOf(value)] : listsOfMembers(value)
  const best = lists.toSorted((a, b) => names.count(b) - names.count(a))[0]
  return best && names.count(best) >= NAMES_MIN ? best : undefined
}

/** The values that each member has in a list of objects. */
function listsOfMembers(objects: readonly unknown[]): string[][] {
  const columns = objects.map((each) => new Map(isObject(each) ? Object.entries(each) : []))
  return [...(columns[0]?.keys() ?? [])].map((name) =>
    columns.map((members) => textOf(members.get(name))),
  )
}

function textsOf(row: Row): string[] {
  return row.map(textOf)
}

/** The values of a column: a list of them, or an object such as `{"0": "A-1", "1": "A-2"}`. */
function valuesOf(member: unknown): readonly unknown[] | undefined {
  const values = isObject(member) && Object.hasOwn(member, '0') ? Object.values(member) : member
  return Array.isArray(values) && !values.some(isObject) ? values : undefined
}

/** Turns columns into rows; lists that are none of them may have any length. */
function columnsIn(members: Members, { names, isWhole }: TableSearch): Row[] | undefined {
  const lists = Object.entries(members).flatMap(([name, member]) => {
    const values = valuesOf(member)
    return values === undefined || values.length === 0 ? [] : [{ name, values }]
  })
  const isNamed = ({ name }: { name: string }) => names.count([name]) === 1
  const named = lists.filter(isNamed)
  const header = named.map(({ name }) => name)
  if (names.count(header) < NAMES_MIN || !namesWeight(header, names)) return undefined
  const length = Math.max(...named.map(({ values }) => values.length))
  const short = named.find(({ values }) => values.length < length)
  if (short && isWhole) {
    throw refused(
      `This is JSON with a list of values for each name, of which ${JSON.stringify(short.name)} ` +
        `has ${short.values.length} and others have ${length}: they are not of the same stones.`,
    )
  }
  const columns = lists.filter((list) => isNamed(list) || list.values.length === length)
  const rows = Array.from({ length }, (_, at) => columns.map(({ values }) => values[at]))
  return [columns.map(({ name }) => name), ...rows]
}

function namesWeight(header: readonly string[], { fieldsOf }: ListNames): boolean {
  return header.some((name) => fieldsOf(name).includes('weight'))
}

/** Returns whether a document has an object that is a stone, at any depth. */
function hasStoneObject(value: unknown, names: ListNames, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > 2 * DEPTH_MAX) return false
  if (isObject(value)) {
    const members = Object.entries(value)
    const plain = members.flatMap(([name, member]) => (isScalar(member) ? [name] : []))
    if (names.count(plain) >= NAMES_MIN && namesWeight(plain, names)) return true
  }
  return Object.values(value).some((member) => hasStoneObject(member, names, depth + 1))
}
