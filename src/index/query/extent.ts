import type { Band } from '../kernel/bitmaps.ts'
import { eachRowOfBand, findExtent } from '../kernel/rows.ts'
import { hasBit } from '../segment/bits.ts'
import type { Segment } from '../segment/columns.ts'
import type { Match } from './match.ts'
import { type KernelColumn, positionFrom } from './range.ts'

/** What a column stores for those rows that have its least and its greatest value. */
export interface Extent {
  least: number
  greatest: number
}

/** The extent of all matches of the base, which has some. */
export function extentOfMatches(found: Match, rows: Band, name: string): Extent | undefined {
  const column = found.searched.base.numbers[name] as KernelColumn
  return extentByOrder(found, name, column) ?? extentOfBand(found, rows, name)
}

/** The extent of the matches in a band, if there are any. */
export function extentOfBand({ searched }: Match, rows: Band, name: string): Extent | undefined {
  const { base, workspace } = searched
  const column = base.numbers[name] as KernelColumn
  const ratio = name === base.primary ? { least: 1, greatest: 1 } : column.ratio
  if (ratio) return extentAlongRows(base, rows, column, ratio)
  let extent: Extent | undefined
  eachRowOfBand(workspace.kernel, rows, (some) => {
    const { least, greatest } = findExtent(workspace.kernel, some, column.values)
    extent = {
      least: Math.min(least, extent?.least ?? least),
      greatest: Math.max(greatest, extent?.greatest ?? greatest),
    }
  })
  return extent
}

/** Rows are nearly in the order of the column: its ends are near the first and the last row. */
function extentAlongRows(
  segment: Segment,
  rows: Band,
  { values, base }: KernelColumn,
  ratio: Extent,
): Extent | undefined {
  const { values: primary, base: offset } = segment.numbers[segment.primary]
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  // One cent further than computed, because the product may have been rounded.
  eachRow(rows, 1, (row) => {
    least = Math.min(least, values[row])
    return (primary[row] + offset) * ratio.least - 1 <= least + base
  })
  eachRow(rows, -1, (row) => {
    greatest = Math.max(greatest, values[row])
    return (primary[row] + offset) * ratio.greatest + 1 >= greatest + base
  })
  return least <= greatest ? { least, greatest } : undefined
}

/** Visits rows of a band, upwards or downwards, until a visit returns false. */
function eachRow(
  { source, below, from, half, inHalf }: Band,
  step: 1 | -1,
  visit: (row: number) => boolean,
): void {
  const end = step === 1 ? source.length : -1
  for (let i = step === 1 ? 0 : source.length - 1; i !== end; i += step) {
    if (source[i] === 0) continue
    let word = source[i] & below[i] & ~from[i] & (inHalf ? half[i] : ~half[i])
    while (word !== 0) {
      const bit = step === 1 ? 31 - Math.clz32(word & -word) : 31 - Math.clz32(word)
      word &= ~(1 << bit)
      if (!visit((i << 5) + bit)) return
    }
  }
}

/**
 * Finds the first and the last match in the column's order, beginning where a range allows one.
 * Undefined when that takes more steps than looking at every match.
 */
function extentByOrder(found: Match, name: string, column: KernelColumn): Extent | undefined {
  const { order, values, ratio } = column
  const { target } = found.searched.workspace
  if (!order || ratio) return undefined
  const bounds = boundsOf(found, name, column)
  const stepsMax = found.baseCount / 2
  let first = positionFrom(column, order, bounds.least)
  for (let steps = 0; !hasBit(target, order[first]); first++) {
    if (++steps > stepsMax || first + 1 >= order.length) return undefined
  }
  let last = positionFrom(column, order, bounds.greatest + 1) - 1
  for (let steps = 0; !hasBit(target, order[last]); last--) {
    if (++steps > stepsMax || last === 0) return undefined
  }
  return { least: values[order[first]], greatest: values[order[last]] }
}

/** Bounds on the values of the matches: those of a range, or of all rows. */
function boundsOf(found: Match, name: string, column: KernelColumn): Extent {
  const bounds: Extent = { least: column.least, greatest: column.greatest }
  for (const predicate of found.predicates) {
    if (predicate.kind !== 'range' || predicate.column !== name) continue
    bounds.least = Math.max(bounds.least, predicate.min)
    bounds.greatest = Math.min(bounds.greatest, predicate.max)
  }
  return bounds
}
