import { codeAt, type View } from '../segment/columns.ts'
import { codesOf, type Dictionary } from '../segment/rows.ts'
import type { OneOf, Pairs, Range } from './predicates.ts'

/**
 * Filters single rows: moves those of the first `count` of `rows` that satisfy the predicate to
 * the front, and returns how many they are. One predicate is applied to all rows before the next
 * one, so that each loop reads one column.
 */
export function filterRows(
  view: View,
  dictionaries: Record<string, Dictionary>,
  predicate: OneOf | Pairs | Range,
  rows: Uint32Array,
  count: number,
): number {
  if (predicate.kind === 'oneOf') return filterOneOf(view, dictionaries, predicate, rows, count)
  if (predicate.kind === 'pairs') return filterPairs(view, dictionaries, predicate, rows, count)
  return filterRange(view, predicate, rows, count)
}

/** More than the greatest code. */
const CODES = 65_536

function filterOneOf(
  view: View,
  dictionaries: Record<string, Dictionary>,
  { column, values }: OneOf,
  rows: Uint32Array,
  count: number,
): number {
  const wanted = new Uint8Array(dictionaries[column].values.length)
  for (const code of codesOf(dictionaries[column], values)) wanted[code] = 1
  const codes = view.codes[column]
  let found = 0
  for (let i = 0; i < count; i++) if (wanted[codeAt(codes, rows[i])] === 1) rows[found++] = rows[i]
  return found
}

function filterPairs(
  view: View,
  dictionaries: Record<string, Dictionary>,
  { columns, pairs }: Pairs,
  rows: Uint32Array,
  count: number,
): number {
  const [first, second] = columns.map((column) => view.codes[column])
  const wanted = new Set(
    pairs.map(([a, b]) => {
      const [left] = codesOf(dictionaries[columns[0]], [a])
      const [right] = codesOf(dictionaries[columns[1]], [b])
      return left * CODES + right
    }),
  )
  let found = 0
  for (let i = 0; i < count; i++) {
    const row = rows[i]
    if (wanted.has(codeAt(first, row) * CODES + codeAt(second, row))) rows[found++] = row
  }
  return found
}

export function filterRange(view: View, range: Range, rows: Uint32Array, count: number): number {
  const { values, base, none } = view.numbers[range.column]
  const [min, max] = [range.min - base, range.max - base]
  let found = 0
  for (let i = 0; i < count; i++) {
    const row = rows[i]
    const value = values[row]
    if (value >= min && value <= max && value !== none) rows[found++] = row
  }
  return range.derived ? range.derived.filter(view, rows, found) : found
}
