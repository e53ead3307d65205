import { type ColumnSpec, NO_CODE, NONE, type NumberView, type TableSpec } from './columns.ts'

/** Rows as they arrive, column by column, growing: the raw material of a segment, and the delta. */
export interface Rows {
  readonly spec: TableSpec
  size: number
  capacity: number
  ids: NumberView
  numbers: Record<string, NumberView>
  codes: Record<string, { codes: Uint16Array }>
  texts: Record<string, (string | null)[]>
  sparse: Record<string, Map<number, number>>
  dictionaries: Record<string, Dictionary>
}

export interface Dictionary {
  /** By code; the first is the missing value. */
  readonly values: (string | null)[]
  readonly codes: Map<string, number>
  readonly open: boolean
}

/** One value per column of the table: a number, a code, a text, or null. */
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

export function newDictionaries(spec: TableSpec): Record<string, Dictionary> {
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

/** The code of a value; a new value of an open list gets the next one. */
export function encode(dictionary: Dictionary, value: string | null): number {
  if (value === null) return NO_CODE
  const code = dictionary.codes.get(value)
  if (code !== undefined) return code
  if (!dictionary.open) throw new RangeError(`${value} is not in the column's list of values`)
  if (dictionary.values.length > MOST_VALUES) return NO_CODE
  dictionary.codes.set(value, dictionary.values.length)
  return dictionary.values.push(value) - 1
}

/** An open list is for words of the trade; beyond this the column is not one. */
const MOST_VALUES = 60_000

function addColumn(rows: Rows, column: ColumnSpec): void {
  if (column.kind === 'number') rows.numbers[column.name] = numberView(0)
  else if (column.kind === 'code') rows.codes[column.name] = { codes: new Uint16Array(0) }
  else if (column.kind === 'text') rows.texts[column.name] = []
  else rows.sparse[column.name] = new Map()
}

function numberView(size: number): NumberView {
  return { values: new Float64Array(size), base: 0, none: NONE }
}

/** Writes a row at `at`, which may be the first free place. */
export function putRow(rows: Rows, at: number, id: number, values: RowValues): void {
  if (at >= rows.capacity) grow(rows)
  if (at === rows.size) rows.size++
  rows.ids.values[at] = id
  const { columns } = rows.spec
  for (let i = 0; i < columns.length; i++) {
    const { kind, name } = columns[i]
    const value = values[i]
    if (kind === 'number') rows.numbers[name].values[at] = value === null ? NONE : Number(value)
    else if (kind === 'code') rows.codes[name].codes[at] = value === null ? NO_CODE : Number(value)
    else if (kind === 'text') rows.texts[name][at] = value === null ? null : String(value)
    else if (value === null) rows.sparse[name].delete(id)
    else rows.sparse[name].set(id, Number(value))
  }
}

/** Takes a row out by moving the last one into its place. */
export function dropRow(rows: Rows, at: number): void {
  const last = rows.size - 1
  for (const values of Object.values(rows.sparse)) values.delete(rows.ids.values[at])
  rows.ids.values[at] = rows.ids.values[last]
  for (const { values } of Object.values(rows.numbers)) values[at] = values[last]
  for (const { codes } of Object.values(rows.codes)) codes[at] = codes[last]
  for (const texts of Object.values(rows.texts)) {
    texts[at] = texts[last]
    texts.pop()
  }
  rows.size = last
}

function grow(rows: Rows): void {
  const capacity = Math.max(1024, rows.capacity * 2)
  const larger = (old: ArrayLike<number>) => {
    const values = new Float64Array(capacity)
    values.set(old)
    return values
  }
  rows.ids.values = larger(rows.ids.values)
  for (const view of Object.values(rows.numbers)) view.values = larger(view.values)
  for (const view of Object.values(rows.codes)) {
    const codes = new Uint16Array(capacity)
    codes.set(view.codes)
    view.codes = codes
  }
  rows.capacity = capacity
}

/** The codes of the values that the list knows; a value that no row has has none. */
export function codesOf(dictionary: Dictionary, values: readonly (string | null)[]): number[] {
  const codes = values.map((value) => (value === null ? NO_CODE : dictionary.codes.get(value)))
  return [...new Set(codes.filter((code) => code !== undefined))]
}
