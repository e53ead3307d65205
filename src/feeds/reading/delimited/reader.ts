/**
 * An incremental reader of delimited text. We have our own because it must return each row's text
 * and editor line, tolerate stray quotes, and find the end of a line with one native call:
 * bench/import-reading compares it with csv-parse.
 */

import { copyText, type RawRow, ROW_CELLS_MAX, ROW_CHARS_MAX } from '../raw-row.ts'
import {
  type Dialect,
  findRecordEnd,
  readQuotedRecord,
  SHORT_CHARS_MAX,
  ShortRow,
} from './record.ts'

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
        const short = findRecordEnd(text, at, end, dialect)
        if (short !== undefined) {
          rows.push(new ShortRow(line, text.slice(at, short), dialect, quote - at))
          line += short === end ? 1 : 1 + countOf(text, lineEnd, at, short)
          at = short + 1
          continue
        }
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
    const isShort = raw.length <= SHORT_CHARS_MAX
    const row = isShort
      ? new ShortRow(line, raw, dialect)
      : rowOf(raw, raw.split(delimiter, ROW_CELLS_MAX + 1))
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
