import { type CodeColumn, codeAt, type NumberColumn } from '../segment/columns.ts'
import { codesOf } from '../segment/rows.ts'
import { findTexts } from '../segment/texts.ts'
import { filterRows } from './filter-rows.ts'
import type { OneOf, Predicate, Range, Texts } from './predicates.ts'
import type { Searchable } from './workspace.ts'

/**
 * Matches for thousands of searches over few rows. A search over millions of rows intersects
 * bitmaps; here each search begins with the rows of its rarest value or its shortest range, and
 * filters these one by one. The store has a base only, whose rows are all valid.
 */
export interface RowMatcher {
  /** The rows that satisfy all predicates. They are only lent until the next call. */
  match(predicates: readonly Predicate[]): Uint32Array
}

export function newRowMatcher(searched: Searchable): RowMatcher {
  const { base, dictionaries, delta } = searched
  if (delta.size > 0) throw new Error('a store with changes has no row matcher')
  const found = new Uint32Array(base.size)
  const rowsByCode = new Map<string, Uint32Array[]>()

  return {
    match(predicates) {
      const start = startOf(predicates)
      let count = start.size === 0 ? 0 : start.list(found)
      for (const predicate of predicates) {
        if (count === 0) break
        if (predicate.kind === 'texts') count = filterTexts(predicate, count)
        else count = filterRows(base, dictionaries, predicate, found, count)
      }
      return found.subarray(0, count)
    },
  }

  /** The predicate with the fewest rows; all rows when none has a list of them. */
  function startOf(predicates: readonly Predicate[]): Start {
    let best: Start = { size: base.size, list: (rows) => listAll(rows, base.size) }
    for (const predicate of predicates) {
      const start = listOf(predicate)
      if (start && start.size < best.size) best = start
    }
    return best
  }

  function listOf(predicate: Predicate): Start | undefined {
    if (predicate.kind === 'oneOf') return listOneOf(predicate)
    return predicate.kind === 'range'
      ? rangeOf(base.numbers[predicate.column], predicate)
      : undefined
  }

  function listOneOf({ column, values }: OneOf): Start {
    const { counts } = base.codes[column]
    const codes = codesOf(dictionaries[column], values).filter((code) => counts[code] > 0)
    const size = codes.reduce((sum, code) => sum + counts[code], 0)
    return {
      size,
      list(rows) {
        const lists = listsOf(column)
        let end = 0
        for (const code of codes) {
          rows.set(lists[code], end)
          end += lists[code].length
        }
        return end
      },
    }
  }

  /** The rows of each code of a column, listed when a search first begins with it. */
  function listsOf(column: string): Uint32Array[] {
    const lists = rowsByCode.get(column) ?? listCodes(base.codes[column])
    rowsByCode.set(column, lists)
    return lists
  }

  function filterTexts({ column, values }: Texts, count: number): number {
    const wanted = findTexts(base.texts[column], values)
    let kept = 0
    for (let i = 0; i < count; i++) if (wanted.has(found[i])) found[kept++] = found[i]
    return kept
  }
}

/** Rows that a search can begin with. */
interface Start {
  size: number
  /** Writes them, and returns how many they are. */
  list: (rows: Uint32Array) => number
}

function listAll(rows: Uint32Array, size: number): number {
  for (let row = 0; row < size; row++) rows[row] = row
  return size
}

function listCodes(column: CodeColumn): Uint32Array[] {
  const { words, counts } = column
  const lists = Array.from(counts, (count) => new Uint32Array(count))
  const ends = new Uint32Array(counts.length)
  for (let row = 0; row < words.length; row++) {
    const code = codeAt(column, row)
    lists[code][ends[code]++] = row
  }
  return lists
}

/** A column by which rows can be sorted has their order; rows without a value come last. */
function rangeOf(column: NumberColumn, { min, max }: Range): Start | undefined {
  const { order, values, base: least, present } = column
  if (!order) return undefined
  const from = firstFrom(order, values, present, min - least)
  const to = firstFrom(order, values, present, max - least + 1)
  return {
    size: to - from,
    list(rows) {
      rows.set(order.subarray(from, to))
      return to - from
    },
  }
}

/** The first position in the order whose value is not below `value`. */
function firstFrom(
  order: Uint32Array,
  values: ArrayLike<number>,
  present: number,
  value: number,
): number {
  let low = 0
  let high = present
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[order[middle]] < value) low = middle + 1
    else high = middle
  }
  return low
}
