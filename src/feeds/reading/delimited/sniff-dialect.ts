import { countHeaderNames } from '../header/find-header.ts'
import type { TableOptions } from '../stone-list.ts'
import { createDelimitedReader } from './reader.ts'
import type { Dialect } from './record.ts'

const DELIMITERS = [',', '\t', ';', '|'] as const
const LINES_CHECKED = 60

/**
 * Finds the delimiter and the line end from the start of the text. Known column names decide; ties
 * go to the delimiter that gives the most rows the same number of cells, because characters such as
 * the bars of `5.1|5.2|3.1` also occur inside cells.
 */
export function sniffDialect(start: string, options: TableOptions): Dialect {
  const lineEnd = sniffLineEnd(start)
  let best: Dialect = { delimiter: ',', lineEnd }
  let bestScore = -1
  for (const delimiter of DELIMITERS) {
    const reader = createDelimitedReader({ delimiter, lineEnd })
    const rows = [...reader.push(start), ...reader.end()].slice(0, LINES_CHECKED)
    const known = Math.max(0, ...rows.map((row) => countHeaderNames(row.cells, options)))
    const score = known * 10 + regularity(rows.map((row) => row.cells.length))
    if (score > bestScore) {
      bestScore = score
      best = { delimiter, lineEnd }
    }
  }
  return best
}

/** Lines end with carriage returns only when there is no line feed outside quotes. */
function sniffLineEnd(start: string): '\n' | '\r' {
  const outsideQuotes = start.replaceAll(/"[^"]*"/g, '')
  return !outsideQuotes.includes('\n') && outsideQuotes.includes('\r') ? '\r' : '\n'
}

/** Returns the share of rows, 0 to 1, that have the commonest number of cells above one. */
function regularity(widths: number[]): number {
  const counts = new Map<number, number>()
  for (const width of widths) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1)
  return widths.length === 0 ? 0 : Math.max(0, ...counts.values()) / widths.length
}
