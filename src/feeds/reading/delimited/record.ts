/** One record of delimited text: where it ends, and which cells it has. */
import assert from 'node:assert/strict'
import { isLinkText, readHyperlinkFormula } from '../cell-link.ts'
import { type RawRow, ROW_CELLS_MAX, ROW_CHARS_MAX } from '../raw-row.ts'

export interface Dialect {
  delimiter: ',' | '\t' | ';' | '|'
  /** `\n` also covers `\r\n`: the carriage return is dropped from the end of the line. */
  lineEnd: '\n' | '\r'
}

/**
 * A shorter record has no more cells than a row may have, so that they need not be counted before
 * somebody asks for them.
 */
export const SHORT_CHARS_MAX = ROW_CELLS_MAX - 1

/**
 * A short record. Its cells are read when they are asked for: most rows of a file that is imported
 * again are the ones of the last import, and nobody asks for more than their stock number.
 */
export class ShortRow implements RawRow {
  readonly row: number
  readonly raw: string
  private readonly dialect: Dialect
  /** Where its first quote is; -1 for a line in which quotes are ordinary characters. */
  private readonly quoteAt: number
  private read: string[] | undefined

  constructor(row: number, raw: string, dialect: Dialect, quoteAt = -1) {
    this.row = row
    this.raw = raw
    this.dialect = dialect
    this.quoteAt = quoteAt
    this.read = undefined
  }

  get cells(): string[] {
    this.read ??=
      this.quoteAt === -1
        ? this.raw.split(this.dialect.delimiter)
        : quotedCells(this.raw, this.dialect)
    return this.read
  }

  set cells(cells: string[]) {
    this.read = cells
  }

  cellAt(at: number): string | undefined {
    if (this.read !== undefined) return this.read[at]
    const { raw, dialect, quoteAt } = this
    let start = 0
    for (let index = 0; index < at; index++) {
      start = raw.indexOf(dialect.delimiter, start) + 1
      if (start === 0) return undefined
    }
    const next = raw.indexOf(dialect.delimiter, start)
    const stop = next === -1 ? raw.length : next
    // Before the first quote, only a carriage return changes how a cell is read.
    const isPlain = quoteAt === -1 || (stop < quoteAt && raw.charCodeAt(stop - 1) !== 13)
    return isPlain ? raw.slice(start, stop) : this.cells[at]
  }
}

function quotedCells(raw: string, dialect: Dialect): string[] {
  const record = readQuotedRecord(raw, 0, dialect, true)
  assert(typeof record === 'object', 'its end was found before')
  return record.cells
}

/**
 * Returns the end of a short record with quotes, without reading its cells, or undefined when the
 * record is not short or may have no end: `readQuotedRecord` then decides. `lineStop` is the end of
 * its first line.
 */
export function findRecordEnd(
  text: string,
  start: number,
  lineStop: number,
  { delimiter, lineEnd }: Dialect,
): number | undefined {
  let stop = lineStop
  let at = start
  while (stop !== -1 && stop - start <= SHORT_CHARS_MAX) {
    const quote = text.indexOf('"', at)
    if (quote === -1 || quote > stop) return stop
    at = quote + 1
    // A quote within a cell is an ordinary character.
    if (quote !== start && text[quote - 1] !== delimiter) continue
    let close = text.indexOf('"', at)
    while (close !== -1 && text.charCodeAt(close + 1) === 34) close = text.indexOf('"', close + 2)
    if (close === -1) return undefined
    at = close + 1
    if (stop < at) stop = text.indexOf(lineEnd, at)
  }
  return undefined
}

interface QuotedRecord {
  cells: string[]
  /** The position of the line end after it. */
  end: number
}

/** When a quoted cell gets longer than this, its opening quote was a stray mark. */
const QUOTED_CHARS_MAX = 65_536

/**
 * Reads one record with quoted cells, from `start` to its line end. `unfinished` needs more text.
 * A number means that a quote never closes or that the record has too many cells; its line is read
 * as if it had no quotes. The number is the position up to which the text was searched.
 */
export function readQuotedRecord(
  text: string,
  start: number,
  { delimiter, lineEnd }: Dialect,
  isLast: boolean,
): QuotedRecord | 'unfinished' | number {
  const cells: string[] = []
  let at = start
  let lineStop = -1
  for (;;) {
    let value = ''
    if (text.charCodeAt(at) === 34) {
      const cell = readQuotedCell(text, at, isLast)
      if (typeof cell !== 'object') return cell
      value = cell.value
      at = cell.end
    }
    if (lineStop < at) {
      const end = text.indexOf(lineEnd, at)
      lineStop = end === -1 ? text.length : end
    }
    const next = text.indexOf(delimiter, at)
    const stop = next === -1 || next > lineStop ? lineStop : next
    if (stop === text.length && !isLast) {
      return stop - start > ROW_CHARS_MAX ? stop : 'unfinished'
    }
    if (cells.length > ROW_CELLS_MAX) return stop
    const isBeforeReturn = stop > at && text.charCodeAt(stop - 1) === 13
    const tail = text.slice(at, isBeforeReturn ? stop - 1 : stop)
    cells.push(withoutFormula(value === '' ? tail : value + tail))
    if (text[stop] !== delimiter) return { cells, end: stop }
    at = stop + 1
  }
}

/**
 * Excel protects digits as text by a formula, `="2141438172"`; only the text is meant. A formula
 * `=HYPERLINK("https://…","View")` means its link, unless the text is a value of its own.
 */
function withoutFormula(cell: string): string {
  if (cell.charCodeAt(0) !== 61) return cell
  const plain = /^="([^"]*)"\s*$/.exec(cell)?.[1]
  if (plain !== undefined) return plain
  const hyperlink = readHyperlinkFormula(cell)
  if (!hyperlink) return cell
  return isLinkText(hyperlink.text) ? hyperlink.link : hyperlink.text
}

function readQuotedCell(text: string, start: number, isLast: boolean) {
  let value = ''
  let at = start + 1
  for (;;) {
    const close = text.indexOf('"', at)
    const isTooLong = (close === -1 ? text.length : close) - start > QUOTED_CHARS_MAX
    if (isTooLong || (close === -1 && isLast)) return close === -1 ? text.length : close
    if (close === -1 || (close === text.length - 1 && !isLast)) return 'unfinished'
    value += text.slice(at, close)
    if (text.charCodeAt(close + 1) !== 34) return { value, end: close + 1 }
    value += '"'
    at = close + 2
  }
}
