import {
  type CodeView,
  type ColumnSpec,
  NO_CODE,
  NONE,
  type NumberView,
  type TableSpec,
} from './columns.ts'

/** A growing table of rows, column by column: the input of a segment, and the delta of a store. */
export interface Rows {
  readonly spec: TableSpec
  size: number
  capacity: number
  ids: NumberView
  numbers: Record<string, NumberView>
  /** A word of its own for every code. */
  codes: Record<string, CodeView>
  texts: Record<string, (string | null)[]>
  sparse: Record<string, Map<number, number>>
  dictionaries: Record<string, Dictionary>
}

export interface Dictionary {
  /** By code; the first one is the missing value. */
  readonly values: (string | null)[]
  readonly codes: Map<string, number>
  readonly open: boolean
}

/** One value per column of the table: a number, a code, a text, or null for no value. */
export type RowValues = (number | string | null)[]

export function newRows(spec: TableSpec, dictionaries?: Record<string, Dictionary>): Rows {
  const rows: Rows = {
    spec,
    size: 0,
    capacity: 0,
    ids: numberView(0),
    numbers: {},
    codes: {},
    texts: {},
    sparse: {},
    dictionaries: dictionaries ?? newDictionaries(spec),
  }
  for (const column of spec.columns) addColumn(rows, column)
  return rows
}

function newDictionaries(spec: TableSpec): Record<string, Dictionary> {
  const dictionaries: Record<string, Dictionary> = {}
  for (const column of spec.columns) {
    if (column.kind !== 'code') continue
    const open = column.values === 'open'
    dictionaries[column.name] = dictionaryOf([null, ...(open ? [] : column.values)], open)
  }
  return dictionaries
}

export function dictionaryOf(values: (string | null)[], open: boolean): Dictionary {
  const codes = new Map<string, number>()
  for (const [code, value] of values.entries()) if (value !== null) codes.set(value, code)
  return { values: [...values], codes, open }
}

/** The code of a value. A new value of an open list gets the next free code. */
export function encode(dictionary: Dictionary, value: string | null): number {
  if (value === null) return NO_CODE
  const code = dictionary.codes.get(value)
  if (code !== undefined) return code
  if (!dictionary.open) throw new RangeError(`${value} is not in the column's list of values`)
  if (dictionary.values.length > OPEN_VALUES_MAX) return NO_CODE
  dictionary.codes.set(value, dictionary.values.length)
  return dictionary.values.push(value) - 1
}

/** An open list is meant for words of the trade; a column with more values than this is not one. */
const OPEN_VALUES_MAX = 60_000

function addColumn(rows: Rows, column: ColumnSpec): void {
  if (column.kind === 'number') rows.numbers[column.name] = numberView(0)
  else if (column.kind === 'code') rows.codes[column.name] = wholeWords(new Uint16Array(0))
  else if (column.kind === 'text') rows.texts[column.name] = []
  else rows.sparse[column.name] = new Map()
}

function wholeWords(words: Uint16Array): CodeView {
  return { words, shift: 0, mask: 0xffff }
}

function numberView(size: number): NumberView {
  return { values: new Float64Array(size), base: 0, none: NONE }
}

/** Writes an existing row or the first free one. */
export function putRow(rows: Rows, row: number, id: number, values: RowValues): void {
  const { columns } = rows.spec
  if (values.length !== columns.length) throw new RangeError('a row has one value per column')
  if (row > rows.size) throw new RangeError('rows are added one after the other')
  if (row >= rows.capacity) grow(rows)
  if (row === rows.size) rows.size++
  rows.ids.values[row] = id
  for (let i = 0; i < columns.length; i++) {
    const { kind, name } = columns[i]
    const value = values[i]
    if (kind === 'number') rows.numbers[name].values[row] = value === null ? NONE : Number(value)
    else if (kind === 'code') rows.codes[name].words[row] = value === null ? NO_CODE : Number(value)
    else if (kind === 'text') rows.texts[name][row] = value === null ? null : String(value)
    else if (value === null) rows.sparse[name].delete(id)
    else rows.sparse[name].set(id, Number(value))
  }
}

/** Removes a row; the last one takes its number. */
export function dropRow(rows: Rows, row: number): void {
  const last = rows.size - 1
  for (const values of Object.values(rows.sparse)) values.delete(rows.ids.values[row])
  rows.ids.values[row] = rows.ids.values[last]
  for (const { values } of Object.values(rows.numbers)) values[row] = values[last]
  for (const { words } of Object.values(rows.codes)) words[row] = words[last]
  for (const texts of Object.values(rows.texts)) {
    texts[row] = texts[last]
    texts.pop()
  }
  rows.size = last
}

/** Makes space for so many rows in all. */
export function reserve(rows: Rows, size: number): void {
  if (size > rows.capacity) grow(rows, size)
}

function grow(rows: Rows, size = 0): void {
  const capacity = Math.max(1024, rows.capacity * 2, size)
  const larger = (old: ArrayLike<number>) => {
    const values = new Float64Array(capacity)
    values.set(old)
    return values
  }
  rows.ids.values = larger(rows.ids.values)
  for (const view of Object.values(rows.numbers)) view.values = larger(view.values)
  for (const view of Object.values(rows.codes)) {
    const words = new Uint16Array(capacity)
    words.set(view.words)
    view.words = words
  }
  rows.capacity = capacity
}

/** The codes of those values that are in the list; a value that no row has may have none. */
export function codesOf(dictionary: Dictionary, values: readonly (string | null)[]): number[] {
  const codes = values.map((value) => (value === null ? NO_CODE : dictionary.codes.get(value)))
  return [...new Set(codes.filter((code) => code !== undefined))]
}
