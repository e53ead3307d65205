import { type Bits, hasBit } from '../segment/bits.ts'
import type { CodeColumn, NumberColumn, Segment } from '../segment/columns.ts'
import type { ColumnOrder } from './predicates.ts'
import { fillRanks, groupOf } from './ranks.ts'
import type { Ranked } from './top-k.ts'

/**
 * Walks the rows in the order of a column and keeps the matching ones from place `from` on.
 * Undefined when that would take more than `stepsMax` steps.
 */
export function walkColumn(
  segment: Segment,
  matches: Bits,
  order: ColumnOrder,
  from: number,
  end: number,
  stepsMax: number,
): Ranked | undefined {
  const column = segment.numbers[order.column] ?? segment.codes[order.column]
  const rows = orderFor(column, order.column)
  const found: number[] = []
  let place = 0
  let steps = 0
  const walk = (first: number, last: number) => {
    steps += last - first
    const stop = Math.min(last, last - (steps - stepsMax))
    for (let at = first; at < stop && place < end; at++) {
      if (hasBit(matches, rows[at]) && place++ >= from) found.push(rows[at])
    }
  }
  if (!order.descending) walk(0, column.present)
  // Downwards by groups of equal values, because within one the ids ascend in both directions.
  const group = groupOf(segment, order)
  for (let last = column.present; order.descending && last > 0 && place < end; ) {
    if (steps > stepsMax) break
    const first = groupStart(rows, group, last - 1)
    walk(first, last)
    last = first
  }
  walk(column.present, segment.size)
  if (place < end) return undefined
  const ranked = {
    rows: Uint32Array.from(found),
    keys: new Float64Array(found.length),
    count: found.length,
  }
  fillRanks(segment, order, ranked.rows, ranked.count, ranked.keys)
  return ranked
}

export function orderFor(column: NumberColumn | CodeColumn, name: string): Uint32Array {
  if (!column.order) throw new Error(`${name} is not a sorted column`)
  return column.order
}

/** Where the run of equal values that ends at `at` begins. */
function groupStart(rows: Uint32Array, group: (row: number) => number, at: number): number {
  const value = group(rows[at])
  let step = 1
  while (at - step >= 0 && group(rows[at - step]) === value) step *= 2
  let low = Math.max(0, at - step)
  let high = at
  while (low < high) {
    const middle = (low + high) >>> 1
    if (group(rows[middle]) === value) high = middle
    else low = middle + 1
  }
  return low
}
