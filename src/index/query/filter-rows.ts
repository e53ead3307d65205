import type { View } from '../segment/columns.ts'
import { codesOf, type Dictionary } from '../segment/rows.ts'
import type { OneOf, Pairs, Predicate, Range } from './predicates.ts'

/**
 * Keeps, of the first `count` of `rows`, those that meet the predicate, and answers how many.
 * One predicate over all rows at a time: each loop then reads one column and has one shape.
 */
export function filterRows(
  view: View,
  dictionaries: Record<string, Dictionary>,
  predicate: Exclude<Predicate, { kind: 'texts' }>,
  rows: Uint32Array,
  count: number,
): number {
  if (predicate.kind === 'oneOf') return filterOneOf(view, dictionaries, predicate, rows, count)
  if (predicate.kind === 'pairs') return filterPairs(view, dictionaries, predicate, rows, count)
  return filterRange(view, predicate, rows, count)
}

function filterOneOf(
  view: View,
  dictionaries: Record<string, Dictionary>,
  { column, values }: OneOf,
  rows: Uint32Array,
  count: number,
): number {
  const wanted = new Uint8Array(65_536)
  for (const code of codesOf(dictionaries[column], values)) wanted[code] = 1
  const { codes } = view.codes[column]
  let kept = 0
  for (let i = 0; i < count; i++) if (wanted[codes[rows[i]]] === 1) rows[kept++] = rows[i]
  return kept
}

function filterPairs(
  view: View,
  dictionaries: Record<string, Dictionary>,
  { columns, pairs }: Pairs,
  rows: Uint32Array,
  count: number,
): number {
  const [first, second] = columns.map((column) => view.codes[column].codes)
  const wanted = new Set(
    pairs.map(([a, b]) => {
      const [left] = codesOf(dictionaries[columns[0]], [a])
      const [right] = codesOf(dictionaries[columns[1]], [b])
      return left * 65_536 + right
    }),
  )
  let kept = 0
  for (let i = 0; i < count; i++) {
    const row = rows[i]
    if (wanted.has(first[row] * 65_536 + second[row])) rows[kept++] = row
  }
  return kept
}

export function filterRange(view: View, range: Range, rows: Uint32Array, count: number): number {
  const { values, base, none } = view.numbers[range.column]
  const [min, max] = [range.min - base, range.max - base]
  let kept = 0
  for (let i = 0; i < count; i++) {
    const row = rows[i]
    const value = values[row]
    if (value >= min && value <= max && value !== none) rows[kept++] = row
  }
  return range.derived ? range.derived.filter(view, rows, kept) : kept
}
