import { countBins, findExtent } from '../kernel/rows.ts'
import { hasBit } from '../segment/bits.ts'
import { assertCurrent, eachBaseRows, eachView, listBaseRows, type Match } from './match.ts'
import type { ColumnKeys, FillKeys } from './predicates.ts'
import { isKernelColumn, type KernelColumn, positionFrom } from './range.ts'

export interface Histogram {
  min: number | null
  max: number | null
  bins: number[]
}

/** The keys of the matches, all whole numbers, in equal bins from the least to the greatest. */
export function histogram(found: Match, keys: ColumnKeys | FillKeys, binCount: number): Histogram {
  assertCurrent(found)
  if (found.total === 0) return { min: null, max: null, bins: emptyBins(binCount) }
  if (typeof keys === 'function') return histogramOf(keysOf(found, keys), binCount)
  const column = found.searched.base.numbers[keys.column]
  return isKernelColumn(column)
    ? histogramByColumn(found, keys, column, binCount)
    : histogramOf(keysOf(found, fillFrom(keys)), binCount)
}

function histogramOf(keys: Float64Array, binCount: number): Histogram {
  const { min, max } = extentOf(keys)
  const bins = emptyBins(binCount)
  addToBins(bins, keys, min, max)
  return { min, max, bins }
}

/**
 * The same without the key of every row of the base: keys grow with the values of the column, so
 * that a bin of keys is a range of values.
 */
function histogramByColumn(
  found: Match,
  keys: ColumnKeys,
  column: KernelColumn,
  binCount: number,
): Histogram {
  const { searched, baseCount, deltaRows } = found
  const { delta, workspace } = searched
  const { values, base } = column
  const deltaKeys = new Float64Array(deltaRows.length)
  fillFrom(keys)(delta, deltaRows, deltaRows.length, deltaKeys)
  if (baseCount === 0) return histogramOf(deltaKeys, binCount)
  const { least, greatest } =
    extentByOrder(found, keys.column, column) ?? extentOfRows(found, column)
  const ofDelta = extentOf(deltaKeys)
  const min = Math.min(keys.keyOf(least + base), ofDelta.min)
  const max = Math.max(keys.keyOf(greatest + base), ofDelta.max)
  const edges = binStarts(min, max, binCount).map((key) =>
    Math.min(Math.max(keys.valueFrom(key) - base, least), greatest + 1),
  )
  const bins = emptyBins(binCount)
  eachBaseRows(found, (rows) => {
    for (const [bin, count] of countBins(workspace.kernel, rows, values, edges).entries()) {
      bins[bin] += count
    }
  })
  addToBins(bins, deltaKeys, min, max)
  return { min, max, bins }
}

/** What the column stores for those of the matches that have its least and its greatest value. */
interface Extent {
  least: number
  greatest: number
}

/**
 * Finds the first and the last match in the column's order, beginning where bounds allow one.
 * Undefined when that takes more steps than looking at every match.
 */
function extentByOrder(found: Match, name: string, column: KernelColumn): Extent | undefined {
  const { order, values } = column
  const { target } = found.searched.workspace
  if (!order) return undefined
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

/** Bounds on the values of the matches: those of a range, or of a column that follows the rows. */
function boundsOf(found: Match, name: string, column: KernelColumn): Extent {
  const { base, workspace } = found.searched
  const bounds: Extent = { least: column.least, greatest: column.greatest }
  for (const predicate of found.predicates) {
    if (predicate.kind !== 'range' || predicate.column !== name) continue
    bounds.least = Math.max(bounds.least, predicate.min)
    bounds.greatest = Math.min(bounds.greatest, predicate.max)
  }
  const { ratio } = column
  if (ratio && found.baseCount <= workspace.rowList.length) {
    const rows = listBaseRows(found)
    const { values, base: offset } = base.numbers[base.primary]
    // One cent further than computed, because the division may have been rounded.
    const least = Math.floor((values[rows[0]] + offset) * ratio.least) - 1
    const greatest = Math.ceil((values[rows[rows.length - 1]] + offset) * ratio.greatest) + 1
    bounds.least = Math.max(bounds.least, least)
    bounds.greatest = Math.min(bounds.greatest, greatest)
  }
  return bounds
}

function extentOfRows(found: Match, { values }: KernelColumn): Extent {
  const { kernel } = found.searched.workspace
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  eachBaseRows(found, (rows) => {
    const part = findExtent(kernel, rows, values)
    least = Math.min(least, part.least)
    greatest = Math.max(greatest, part.greatest)
  })
  return { least, greatest }
}

/** The least key of each bin, and the first one behind all bins. */
function binStarts(min: number, max: number, binCount: number): number[] {
  const binOf = binFinder(min, max, binCount)
  const starts = emptyBins(binCount).map((_, bin) => {
    let key = min + Math.floor((bin * (max - min)) / binCount)
    // The bins of keys are rounded, so the estimate may be off by one.
    while (key > min && binOf(key - 1) >= bin) key--
    while (key <= max && binOf(key) < bin) key++
    return key
  })
  return [...starts, max + 1]
}

function addToBins(bins: number[], keys: Float64Array, min: number, max: number): void {
  const binOf = binFinder(min, max, bins.length)
  for (let i = 0; i < keys.length; i++) bins[binOf(keys[i])]++
}

function binFinder(min: number, max: number, binCount: number): (key: number) => number {
  if (min === max) return () => 0
  const binsPerUnit = binCount / (max - min)
  // The greatest key would fall one behind the last bin.
  return (key) => Math.min(((key - min) * binsPerUnit) | 0, binCount - 1)
}

function emptyBins(binCount: number): number[] {
  return Array.from({ length: binCount }, () => 0)
}

function extentOf(keys: Float64Array): { min: number; max: number } {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < keys.length; i++) {
    if (keys[i] < min) min = keys[i]
    if (keys[i] > max) max = keys[i]
  }
  return { min, max }
}

/** Computes the keys of single rows. */
function fillFrom({ column, keyOf }: ColumnKeys): FillKeys {
  return (view, rows, count, keys) => {
    const { values, base } = view.numbers[column]
    for (let i = 0; i < count; i++) keys[i] = keyOf(values[rows[i]] + base)
  }
}

function keysOf(found: Match, fillKeys: FillKeys): Float64Array {
  const { workspace } = found.searched
  // The array is reused, because new memory costs more than what is counted in it.
  if (workspace.keys.length < found.total) workspace.keys = new Float64Array(2 * found.total)
  const keys = workspace.keys.subarray(0, found.total)
  let end = 0
  eachView(found, (view, rows) => {
    fillKeys(view, rows, rows.length, keys.subarray(end))
    end += rows.length
  })
  return keys
}
