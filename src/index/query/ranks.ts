import { type CodeView, codeAt, NO_CODE, type NumberView, type View } from '../segment/columns.ts'
import type { Order } from './predicates.ts'

/**
 * Writes the ranks of rows: keys that sort ascending in both directions, because descending keys
 * are negated and a missing value is Infinity, hence last. Many rows are ranked at a time, because
 * a call per row would cost more than the key itself.
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
    if (order.descending) negate(ranks, count)
    return
  }
  const number: NumberView | undefined = view.numbers[order.column]
  if (number) fillFromNumbers(number, sign, rows, count, ranks)
  else fillFromCodes(view.codes[order.column], sign, rows, count, ranks)
}

function negate(ranks: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const key = ranks[i]
    ranks[i] = key === Number.POSITIVE_INFINITY ? key : -key
  }
}

function fillFromCodes(
  codes: CodeView,
  sign: number,
  rows: Uint32Array,
  count: number,
  ranks: Float64Array,
): void {
  for (let i = 0; i < count; i++) {
    const code = codeAt(codes, rows[i])
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
