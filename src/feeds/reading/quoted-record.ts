import type { Dialect } from './delimited.ts'
import { ROW_CHARS_MAX } from './raw-row.ts'

/** A quoted cell that runs on for longer than this was no quote but a stray mark. */
const QUOTED_CHARS_MAX = 65_536

export interface QuotedRecord {
  cells: string[]
  /** Where its line end stands. */
  end: number
}

/**
 * One record with quoted cells, from `start` to its line end. `unfinished` needs more text; in a
 * `stray` record a quote never closes, and the line is to be read as if it had none.
 */
export function readQuotedRecord(
  text: string,
  start: number,
  { delimiter, lineEnd }: Dialect,
  isLast: boolean,
): QuotedRecord | 'unfinished' | 'stray' {
  const cells: string[] = []
  let at = start
  let lineStop = -1
  for (;;) {
    let value = ''
    if (text.charCodeAt(at) === 34) {
      const cell = readQuotedCell(text, at, isLast)
      if (typeof cell === 'string') return cell
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
      return stop - start > ROW_CHARS_MAX ? 'stray' : 'unfinished'
    }
    const tail = text.slice(at, stop)
    cells.push(unguarded(value + (tail.endsWith('\r') ? tail.slice(0, -1) : tail)))
    if (text[stop] !== delimiter) return { cells, end: stop }
    at = stop + 1
  }
}

/** Excel's way to keep digits as text is a formula, `="2141438172"`: the text is meant. */
function unguarded(cell: string): string {
  if (cell.charCodeAt(0) !== 61) return cell
  return /^="([^"]*)"\s*$/.exec(cell)?.[1] ?? cell
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

/** How often a mark stands in the text from one place up to another. */
export function countOf(text: string, mark: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf(mark, from); at !== -1 && at < to; at = text.indexOf(mark, at + 1)) {
    count++
  }
  return count
}
