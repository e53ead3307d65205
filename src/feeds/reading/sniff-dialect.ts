import { countFieldNames } from '../mapping/header-names.ts'
import { createDelimitedReader, type Dialect } from './delimited.ts'

const DELIMITERS = [',', '\t', ';', '|'] as const
const LINES_LOOKED_AT = 60

/**
 * Finds delimiter and line end from the beginning of the text. Known column names decide; an even
 * number of cells breaks ties, because `5.1|5.2|3.1` inside a cell is no row of cells.
 */
export function sniffDialect(start: string): Dialect {
  const lineEnd = sniffLineEnd(start)
  let best: Dialect = { delimiter: ',', lineEnd }
  let bestScore = -1
  for (const delimiter of DELIMITERS) {
    const reader = createDelimitedReader({ delimiter, lineEnd })
    const rows = [...reader.push(start), ...reader.end()].slice(0, LINES_LOOKED_AT)
    const known = Math.max(0, ...rows.map((row) => countFieldNames(row.cells)))
    const score = known * 10 + evenness(rows.map((row) => row.cells.length))
    if (score > bestScore) {
      bestScore = score
      best = { delimiter, lineEnd }
    }
  }
  return best
}

/** Only a file without any line feed outside quotes ends its lines with carriage returns. */
function sniffLineEnd(start: string): '\n' | '\r' {
  const outsideQuotes = start.replaceAll(/"[^"]*"/g, '')
  return !outsideQuotes.includes('\n') && outsideQuotes.includes('\r') ? '\r' : '\n'
}

/** The share of rows with the commonest number of cells, when that is more than one: 0 to 1. */
function evenness(widths: number[]): number {
  const counts = new Map<number, number>()
  for (const width of widths) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1)
  return widths.length === 0 ? 0 : Math.max(0, ...counts.values()) / widths.length
}
