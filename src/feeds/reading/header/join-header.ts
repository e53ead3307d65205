/**
 * Joins a header of two rows: below `Measurements`, which spans three columns, stand `Length`,
 * `Width` and `Height`, and below `Weight` may stand `(ct)`.
 */

import type { RawRow } from '../raw-row.ts'
import { countHeaderNames, type HeaderOptions } from './find-header.ts'

interface Header {
  /** The names of the columns. */
  cells: string[]
  /** The rows that they come from. */
  rows: RawRow[]
}

const NAMES_MIN = 2
/** A stone has its weight, and a header no number. */
const NUMBER = /^[^\p{L}\d]*\d\P{L}*$/u
const UNIT = /^[([].{1,12}[)\]]$|^%$/

/** Returns the header at this position, with the row below or above it that belongs to it. */
export function joinHeader(start: readonly RawRow[], at: number, options: HeaderOptions): Header {
  const header = start[at]
  const pairs = [
    [header, start[at + 1]],
    [start[at - 1], header],
  ]
  for (const [upper, lower] of pairs) {
    const cells = upper && lower && joinTwo(upper.cells, lower.cells, options)
    if (cells !== undefined) return { cells, rows: [upper, lower] }
  }
  return { cells: header.cells, rows: [header] }
}

/** Returns the names of both rows together; undefined where they are not one header. */
function joinTwo(
  upper: readonly string[],
  lower: readonly string[],
  options: HeaderOptions,
): string[] | undefined {
  const below = lower.map((cell) => cell.trim()).filter((cell) => cell !== '')
  if (below.length < NAMES_MIN || [...upper, ...lower].some((cell) => NUMBER.test(cell))) {
    return undefined
  }
  const alone = upper.filter((_, at) => textAt(lower, at) === '')
  const isOfGroups = alone.every((cell) => cell.trim() === '')
  if (!isOfGroups && countHeaderNames(alone, options) < NAMES_MIN) return undefined
  if (isOfGroups && upper.length - alone.length < NAMES_MIN) return undefined
  const joined = joinCells(upper, lower, { ...options, isOfGroups })
  const counts = [joined, upper, lower].map((cells) => countHeaderNames(cells, options))
  const isMore = counts[0] > Math.max(counts[1], counts[2])
  if (!isMore && !below.every((cell) => UNIT.test(cell))) return undefined
  // The operator's mapping may name the columns as the upper row does.
  const isMapped = joined.some((name, at) => {
    const above = textAt(upper, at)
    return above !== name && options.mapped.has(above)
  })
  return isMapped ? undefined : joined
}

interface JoinOptions extends HeaderOptions {
  /** The upper row has nothing but groups, so that the lower one may have the whole names. */
  isOfGroups: boolean
}

function joinCells(upper: readonly string[], lower: readonly string[], options: JoinOptions) {
  // The name above a group is in the first of its columns only.
  let group = ''
  const length = Math.max(upper.length, lower.length)
  return Array.from({ length }, (_, at) => {
    const [above, below] = [textAt(upper, at), textAt(lower, at)]
    if (above !== '' || below === '') group = below === '' ? '' : above
    return joinNames(above || group, below, options)
  })
}

/** `Measurements` and `Length` are one name; others are a path, of which the last part counts. */
function joinNames(above: string, below: string, { names, isOfGroups }: JoinOptions): string {
  if (above === '' || below === '') return above || below
  const joined = `${above} ${below}`
  if (UNIT.test(below) || names.fieldsOf(joined).length > 0) return joined
  return isOfGroups && names.fieldsOf(below).length > 0 ? below : `${above}.${below}`
}

function textAt(cells: readonly string[], at: number): string {
  return (cells[at] ?? '').trim()
}
