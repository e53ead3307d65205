import { type CodeView, NO_CODE, type NumberView, type View } from '../segment/columns.ts'
import type { ColumnOrder, Order } from './predicates.ts'

/**
 * Ranks are keys that sort ascending in both directions: descending keys are negated, and a
 * missing value is Infinity, hence last. Many rows at a time, because one call per row would cost
 * more than the key itself.
 */
export function fillRanks(
  view: View,
  order: Order,
  rows: Uint32Array,
  count: number,
  ranks: Float64Array,
): void {
  const sign = order.descending ? -1 : 1
  if (order.kind === 'key') {
    order.keys(view, rows, count, ranks)
    if (order.descending) for (let i = 0; i < count; i++) ranks[i] = -ranks[i]
    return
  }
  const number: NumberView | undefined = view.numbers[order.column]
  if (number) fillFromNumbers(number, sign, rows, count, ranks)
  else fillFromCodes(view.codes[order.column], sign, rows, count, ranks)
}

function fillFromCodes(
  { codes }: CodeView,
  sign: number,
  rows: Uint32Array,
  count: number,
  ranks: Float64Array,
): void {
  for (let i = 0; i < count; i++) {
    const code = codes[rows[i]]
    ranks[i] = code === NO_CODE ? Number.POSITIVE_INFINITY : sign * code
  }
}

function fillFromNumbers(
  { values, base, none }: NumberView,
  sign: number,
  rows: Uint32Array,
  count: number,
  ranks: Float64Array,
): void {
  for (let i = 0; i < count; i++) {
    const stored = values[rows[i]]
    ranks[i] = stored === none ? Number.POSITIVE_INFINITY : sign * (stored + base)
  }
}

/** What distinguishes the groups of equal rows along the order of a column. */
export function groupOf(view: View, { column }: ColumnOrder): (row: number) => number {
  const number: NumberView | undefined = view.numbers[column]
  if (number) return (row) => number.values[row]
  const { codes } = view.codes[column]
  return (row) => codes[row]
}
