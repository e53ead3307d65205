import { type RawRow, ROW_CHARS_MAX } from './raw-row.ts'

export interface Dialect {
  delimiter: ',' | '\t' | ';' | '|'
  /** `\n` also stands for `\r\n`: the carriage return is dropped from the end of the line. */
  lineEnd: '\n' | '\r'
}

/** A quoted cell that runs on for longer than this was no quote but a stray mark. */
const QUOTED_CHARS_MAX = 65_536

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
      if (quote === -1 || quote > stop) {
        rows.push(plainRow(text.slice(at, stop)))
        at = stop + 1
        continue
      }
      const record = readQuoted(text, at, isLast)
      if (record === 'unfinished') break
      if (record === 'stray') {
        rows.push(plainRow(text.slice(at, stop)))
        at = stop + 1
        continue
      }
      rows.push({ row: line, raw: text.slice(at, record.end), cells: record.cells })
      line += record.lines
      at = record.end + 1
    }
    rest = at < text.length ? text.slice(at) : ''
    return rows
  }

  function plainRow(text: string): RawRow {
    const raw = text.charCodeAt(text.length - 1) === 13 ? text.slice(0, -1) : text
    if (raw.length > ROW_CHARS_MAX) {
      const unreadable = `is longer than ${ROW_CHARS_MAX} characters`
      return { row: line++, raw: raw.slice(0, 80), cells: [], unreadable }
    }
    return { row: line++, raw, cells: raw.split(delimiter) }
  }

  /** One record with quoted cells, from `start` to its line end. */
  function readQuoted(text: string, start: number, isLast: boolean) {
    const cells: string[] = []
    let lines = 1
    let at = start
    let lineStop = -1
    for (;;) {
      let value = ''
      if (text.charCodeAt(at) === 34) {
        const cell = readQuotedCell(text, at, isLast)
        if (typeof cell === 'string') return cell
        value = cell.value
        lines += countOf(text, lineEnd, at, cell.end)
        at = cell.end
      }
      if (lineStop < at) {
        const end = text.indexOf(lineEnd, at)
        lineStop = end === -1 ? text.length : end
      }
      const next = text.indexOf(delimiter, at)
      const stop = next === -1 || next > lineStop ? lineStop : next
      if (stop === text.length && !isLast) {
        return stop - start > ROW_CHARS_MAX ? 'stray' : 'unfinished'
      }
      const tail = text.slice(at, stop)
      cells.push(value + (tail.endsWith('\r') ? tail.slice(0, -1) : tail))
      if (text[stop] !== delimiter) return { cells, end: stop, lines }
      at = stop + 1
    }
  }

  function readQuotedCell(text: string, start: number, isLast: boolean) {
    let value = ''
    let at = start + 1
    for (;;) {
      const close = text.indexOf('"', at)
      const isTooLong = (close === -1 ? text.length : close) - start > QUOTED_CHARS_MAX
      if (isTooLong || (close === -1 && isLast)) return 'stray'
      if (close === -1 || (close === text.length - 1 && !isLast)) return 'unfinished'
      value += text.slice(at, close)
      if (text.charCodeAt(close + 1) !== 34) return { value, end: close + 1 }
      value += '"'
      at = close + 2
    }
  }

  return {
    push: (chunk: string) => read(chunk, false),
    end: () => read('', true),
  }
}

function countOf(text: string, mark: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf(mark, from); at !== -1 && at < to; at = text.indexOf(mark, at + 1)) {
    count++
  }
  return count
}
