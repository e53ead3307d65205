/**
 * An incremental reader of delimited text. We have our own because it must return each row's text
 * and editor line, tolerate stray quotes, and read a plain line with two native calls (indexOf and
 * split): bench/import-reading compares it with csv-parse.
 */
import { isLinkText, readHyperlinkFormula } from './cell-link.ts'
import { copyText, type RawRow, ROW_CELLS_MAX, ROW_CHARS_MAX } from './raw-row.ts'

export interface Dialect {
  delimiter: ',' | '\t' | ';' | '|'
  /** `\n` also covers `\r\n`: the carriage return is dropped from the end of the line. */
  lineEnd: '\n' | '\r'
}

export function createDelimitedReader(dialect: Dialect) {
  const { delimiter, lineEnd } = dialect
  let rest = ''
  let line = 1

  function read(chunk: string, isLast: boolean): RawRow[] {
    const text = rest === '' ? chunk : rest + chunk
    const rows: RawRow[] = []
    let at = 0
    let wastedChars = 0
    let quote = text.indexOf('"')
    while (at < text.length) {
      if (quote !== -1 && quote < at) quote = text.indexOf('"', at)
      const end = text.indexOf(lineEnd, at)
      if (end === -1 && !isLast && text.length - at < ROW_CHARS_MAX) break
      const stop = end === -1 ? text.length : end
      if (quote !== -1 && quote < stop && wastedChars < WASTED_CHARS_MAX) {
        const record = readQuotedRecord(text, at, dialect, isLast)
        if (record === 'unfinished') break
        if (typeof record === 'number') wastedChars += record - at
        else {
          rows.push(rowOf(text.slice(at, record.end), record.cells))
          line += 1 + countOf(text, lineEnd, at, record.end)
          at = record.end + 1
          continue
        }
      }
      rows.push(plainRow(text.slice(at, stop)))
      at = stop + 1
    }
    rest = at < text.length ? text.slice(at) : ''
    return rows
  }

  function plainRow(text: string): RawRow {
    const raw = text.charCodeAt(text.length - 1) === 13 ? text.slice(0, -1) : text
    const row = rowOf(raw, raw.split(delimiter, ROW_CELLS_MAX + 1))
    line++
    return row
  }

  function rowOf(raw: string, cells: string[]): RawRow {
    if (raw.length <= ROW_CHARS_MAX && cells.length <= ROW_CELLS_MAX) {
      return { row: line, raw, cells }
    }
    const unreadable = `The row has more than ${ROW_CHARS_MAX} characters or ${ROW_CELLS_MAX} cells`
    return { row: line, raw: copyText(raw.slice(0, 200)), cells: [], unreadable }
  }

  return {
    push: (chunk: string) => read(chunk, false),
    end: () => read('', true),
  }
}

/**
 * What a chunk may cost in quoted records that turn out to be none. Every line of `a","b` seems to
 * begin a record without an end: without this bound, two megabytes of them took minutes. After it,
 * the lines of the chunk are read as if they had no quotes.
 */
const WASTED_CHARS_MAX = 262_144

/** When a quoted cell gets longer than this, its opening quote was a stray mark. */
const QUOTED_CHARS_MAX = 65_536

interface QuotedRecord {
  cells: string[]
  /** The position of the line end after it. */
  end: number
}

/**
 * Reads one record with quoted cells, from `start` to its line end. `unfinished` needs more text.
 * A number means that a quote never closes or that the record has too many cells; its line is read
 * as if it had no quotes. The number is the position up to which the text was searched.
 */
function readQuotedRecord(
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

/** Counts how often a character occurs in a part of the text. */
function countOf(text: string, character: string, from: number, to: number): number {
  let count = 0
  let at = text.indexOf(character, from)
  while (at !== -1 && at < to) {
    count++
    at = text.indexOf(character, at + 1)
  }
  return count
}
