import { countFieldNames } from '../mapping/header-names.ts'
import { copyText, type RawRow } from './raw-row.ts'

/** Titles, addresses and dates may come before the header, but not more rows than this. */
export const HEADER_WITHIN_ROWS = 40
const NAMES_NEEDED = 3

/** Returns the index of the header, the row that names the most fields, or -1. */
export function findHeader(rows: readonly RawRow[]): number {
  let best = -1
  let bestCount = NAMES_NEEDED - 1
  for (const [index, row] of rows.slice(0, HEADER_WITHIN_ROWS).entries()) {
    const count = countFieldNames(row.cells)
    if (count > bestCount) {
      best = index
      bestCount = count
    }
  }
  return best
}

/** Returns unique column names for a header row; an unnamed one is `column 7`. */
export function columnNames(cells: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return cells.map((cell, index) => {
    const name =
      copyText(cell.replaceAll(/\s+/g, ' ').trim()).slice(0, 200) || `column ${index + 1}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

export function isBlank(row: RawRow): boolean {
  return !row.unreadable && row.cells.every((cell) => cell.trim() === '')
}
