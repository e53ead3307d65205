import { own } from './own-text.ts'
import { countOf, readQuotedRecord } from './quoted-record.ts'
import { type RawRow, ROW_CELLS_MAX, ROW_CHARS_MAX } from './raw-row.ts'

export interface Dialect {
  delimiter: ',' | '\t' | ';' | '|'
  /** `\n` also stands for `\r\n`: the carriage return is dropped from the end of the line. */
  lineEnd: '\n' | '\r'
}

/**
 * An incremental reader of delimited text, ours because it must hand out each row's own text and
 * editor line, survive stray quotes, and read a plain line with two native calls (indexOf, split):
 * bench/import-reading measures it beside csv-parse.
 */
export function createDelimitedReader(dialect: Dialect) {
  const { delimiter, lineEnd } = dialect
  let rest = ''
  let line = 1

  function read(chunk: string, isLast: boolean): RawRow[] {
    const text = rest === '' ? chunk : rest + chunk
    const rows: RawRow[] = []
    let at = 0
    let quote = text.indexOf('"')
    while (at < text.length) {
      if (quote !== -1 && quote < at) quote = text.indexOf('"', at)
      const end = text.indexOf(lineEnd, at)
      if (end === -1 && !isLast && text.length - at < ROW_CHARS_MAX) break
      const stop = end === -1 ? text.length : end
      if (quote !== -1 && quote < stop) {
        const record = readQuotedRecord(text, at, dialect, isLast)
        if (record === 'unfinished') break
        if (record !== 'stray') {
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
    const unreadable = `is longer than ${ROW_CHARS_MAX} characters or ${ROW_CELLS_MAX} cells`
    return { row: line, raw: own(raw.slice(0, 200)), cells: [], unreadable }
  }

  return {
    push: (chunk: string) => read(chunk, false),
    end: () => read('', true),
  }
}
