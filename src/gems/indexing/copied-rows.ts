import { copyValuesOf } from '../../database/copy.ts'
import {
  type CodeView,
  type ColumnSpec,
  type Dictionary,
  encode,
  NONE,
  type Rows,
  reserve,
} from '../../index/index.ts'
import type { GemColumns, PrintedColumn } from './columns.ts'

const TAB = 0x09
const NEWLINE = 0x0a
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const CAPITAL_N = 0x4e
const BACKSLASH = 0x5c
const ASCII_MAX = 0x7f

/**
 * Reads what `copy … to stdout` prints of the select list into rows, from its bytes: a million
 * stones have sixty million values, and making a string of each takes most of the time of a load.
 * Returns a function that is called with one part of the output after the other.
 */
export function readCopied({ printed, derived }: GemColumns, rows: Rows): (part: Buffer) => void {
  const cells = printed.map((column) => cellOf(column, rows))
  const cellOfColumn = new Map(cells.map((cell) => [cell.name, cell]))
  const computed = derived.map(({ name, of, compute }) => ({
    cell: cellOf({ spec: { kind: 'number', name }, decimals: 0 }, rows),
    value: cellOfColumn.get(of[0]) as Cell,
    other: cellOfColumn.get(of[1]) as Cell,
    compute,
  }))
  const from: Cursor = { bytes: Buffer.alloc(0), at: 0 }
  let capacity = -1

  function readLine(): void {
    const row = rows.size
    if (row === rows.capacity) reserve(rows, row + 1)
    if (rows.capacity !== capacity) followGrowth()
    const id = readNumber(from, 0)
    for (let i = 0; i < cells.length; i++) readCell(from, cells[i], row, id)
    for (let i = 0; i < computed.length; i++) {
      const { cell, value, other, compute } = computed[i]
      const second = other.values[row]
      cell.values[row] = compute(value.values[row], second === NONE ? null : second) ?? NONE
    }
    rows.ids.values[row] = id
    rows.size++
  }

  /** Rows that have grown, for this reader or for another, have other arrays. */
  function followGrowth(): void {
    for (const cell of [...cells, ...computed.map(({ cell }) => cell)]) findArrays(cell, rows)
    capacity = rows.capacity
  }

  return (part) => {
    const { bytes, at } = from
    from.bytes = at < bytes.length ? Buffer.concat([bytes.subarray(at), part]) : part
    from.at = 0
    const end = from.bytes.lastIndexOf(NEWLINE)
    while (from.at <= end) readLine()
  }
}

/** What is being read, and where the next value begins. */
interface Cursor {
  bytes: Buffer
  at: number
}

function readCell(from: Cursor, cell: Cell, row: number, id: number): void {
  if (cell.kind === 'code') cell.codes[row] = readCode(from, cell)
  else if (cell.kind === 'number') cell.values[row] = readNumber(from, cell.decimals)
  else if (cell.kind === 'text') cell.texts[row] = readText(from)
  else {
    const value = readNumber(from, cell.decimals)
    if (value !== NONE) cell.sparse.set(id, value)
  }
}

/** Reads a number such as -12.50 in units of its last decimal. */
function readNumber(from: Cursor, decimals: number): number {
  const { bytes } = from
  let position = from.at
  let value = 0
  let sign = 1
  let shift = decimals
  let isFraction = false
  for (; ; position++) {
    const byte = bytes[position]
    if (byte >= ZERO && byte <= NINE) {
      value = value * 10 + byte - ZERO
      if (isFraction) shift--
    } else if (byte === TAB || byte === NEWLINE) break
    else if (byte === POINT) isFraction = true
    else if (byte === MINUS) sign = -1
    else if (byte === BACKSLASH && bytes[position + 1] === CAPITAL_N) {
      from.at = position + 3
      return NONE
    } else throw new RangeError('PostgreSQL printed something else than a number')
  }
  from.at = position + 1
  // What is beyond the decimals is rounded, as it is where rows are read from strings.
  return shift >= 0 ? sign * value * POWERS[shift] : Math.round((sign * value) / 10 ** -shift)
}

/** Looks the bytes up among those that were seen before; only new ones become a string. */
function readCode(from: Cursor, { known, dictionary }: Cell): number {
  const { bytes, at: start } = from
  let end = start
  let hash = 0
  let tail = 0
  for (let byte = bytes[end]; byte !== TAB && byte !== NEWLINE; byte = bytes[++end]) {
    hash = Math.imul(hash ^ byte, 0x01000193)
    tail = (tail << 8) | byte
  }
  from.at = end + 1
  const slot = (hash ^ (hash >>> 15)) & (KNOWN_SLOTS - 1)
  const isSeen = known.tails[slot] === tail && known.lengths[slot] === end - start
  // Most values are so short that the tail is all of it.
  if (isSeen && (end - start <= TAIL_BYTES || isEqual(known.bytes[slot], bytes, start))) {
    return known.codes[slot]
  }
  const code = encode(dictionary, textBetween(bytes, start, end))
  known.tails[slot] = tail
  known.lengths[slot] = Math.min(end - start, NO_LENGTH)
  known.bytes[slot] = Buffer.from(bytes.subarray(start, end))
  known.codes[slot] = code
  return code
}

function isEqual(other: Uint8Array, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < other.length; i++) if (other[i] !== bytes[start + i]) return false
  return true
}

function readText(from: Cursor): string | null {
  const { bytes, at: start } = from
  let end = start
  let isPlain = true
  for (let byte = bytes[end]; byte !== TAB && byte !== NEWLINE; byte = bytes[++end]) {
    if (byte > ASCII_MAX || byte === BACKSLASH) isPlain = false
  }
  from.at = end + 1
  // Nearly all of them are plain, which takes less work to read.
  return isPlain ? bytes.toString('latin1', start, end) : textBetween(bytes, start, end)
}

function textBetween(bytes: Buffer, start: number, end: number): string | null {
  const text = bytes.toString('utf8', start, end)
  return text.includes('\\') ? copyValuesOf(text)[0] : text
}

/** Multiplying by these is exact; there are no more decimals than that. */
const POWERS = [1, 10, 100, 1_000, 10_000]
/** A value that shares its slot with another is looked up by its string, which is slower. */
const KNOWN_SLOTS = 1024

/** So many bytes at the end of a value are in one number. */
const TAIL_BYTES = 4
const NO_LENGTH = 0xffff
const NO_BYTES = new Uint8Array(0)

/** How one value of a row is read, and where it goes: what is not of its kind is empty. */
interface Cell {
  readonly kind: ColumnSpec['kind']
  readonly name: string
  readonly decimals: number
  values: Rows['ids']['values']
  codes: CodeView['words']
  readonly texts: (string | null)[]
  readonly sparse: Map<number, number>
  readonly dictionary: Dictionary
  readonly known: KnownValues
}

/** Values of a code column that were seen before, by a hash of their bytes. */
interface KnownValues {
  readonly tails: Int32Array
  /** NO_LENGTH where there is none. */
  readonly lengths: Uint16Array
  readonly bytes: Uint8Array[]
  readonly codes: Uint16Array
}

const NO_KNOWN_VALUES = newKnownValues(0)
const NO_VALUES: Dictionary = { values: [], codes: new Map(), open: false }

function cellOf({ spec, decimals }: Omit<PrintedColumn, 'sql'>, rows: Rows): Cell {
  const { kind, name } = spec
  const cell: Cell = {
    kind,
    name,
    decimals,
    values: rows.ids.values,
    codes: new Uint16Array(0),
    texts: rows.texts[name] ?? [],
    sparse: rows.sparse[name] ?? new Map(),
    dictionary: rows.dictionaries[name] ?? NO_VALUES,
    known: kind === 'code' ? newKnownValues(KNOWN_SLOTS) : NO_KNOWN_VALUES,
  }
  findArrays(cell, rows)
  return cell
}

function newKnownValues(slots: number): KnownValues {
  return {
    tails: new Int32Array(slots),
    lengths: new Uint16Array(slots).fill(NO_LENGTH),
    bytes: Array.from({ length: slots }, () => NO_BYTES),
    codes: new Uint16Array(slots),
  }
}

function findArrays(cell: Cell, rows: Rows): void {
  if (cell.kind === 'number') cell.values = rows.numbers[cell.name].values
  if (cell.kind === 'code') cell.codes = rows.codes[cell.name].words
}
