import type { ListNames, MappedNames } from '../../mapping/list-names.ts'
import { cellTextOf, copyText, type RawRow } from '../raw-row.ts'

/** Titles, addresses and dates may come before the header, but not more rows than this. */
export const HEADER_WITHIN_ROWS = 40
const NAMES_NEEDED = 3
/** An operator's mapping may name two columns of a header in another language. */
const MAPPED_NAMES_NEEDED = 2

/**
 * Returns the index of the header, the row that names the most fields, or -1. Columns that the
 * operator's mapping names count as well: their names may be in any language.
 */
export function findHeader(rows: readonly RawRow[], options: HeaderOptions): number {
  let best = -1
  let bestCount = options.mapped.size === 0 ? NAMES_NEEDED - 1 : MAPPED_NAMES_NEEDED - 1
  for (const [index, row] of rows.slice(0, HEADER_WITHIN_ROWS).entries()) {
    const count = countHeaderNames(row.cells, options)
    if (count > bestCount) {
      best = index
      bestCount = count
    }
  }
  return best
}

export interface HeaderOptions {
  mapped: MappedNames
  names: ListNames
}

/** Counts the known names in a row; a row of mostly numbers is a stone, and counts as none. */
export function countHeaderNames(
  cells: readonly string[],
  { mapped, names }: HeaderOptions,
): number {
  const isMapped = (cell: string) => mapped.has(cell) && !isPosition(cell)
  const mappedCount =
    mapped.size === 0 ? 0 : cells.filter((cell) => isMapped(cleanName(cell))).length
  const count = Math.max(names.count(cells), mappedCount)
  return count > 0 && count < cells.filter(isNumber).length ? 0 : count
}

export function isNumber(cell: string): boolean {
  return cell !== '' && cell.length < 20 && Number.isFinite(Number(cell))
}

/** Whether a key of a mapping is the position of a column, counted from 1. */
export function isPosition(name: string): boolean {
  return /^[1-9]\d{0,3}$/.test(name)
}

function cleanName(cell: string): string {
  return cell.replaceAll(/\s+/g, ' ').trim()
}

/** Returns unique column names for a header row; an unnamed one is `column 7`. */
export function columnNames(cells: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return cells.map((cell, index) => {
    const name = copyText(cleanName(cell)).slice(0, 200) || `column ${index + 1}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

export function isBlank(row: RawRow): boolean {
  if (row.unreadable || cellTextOf(row, 0) !== '') return false
  return row.cells.every((cell) => cell.trim() === '')
}
