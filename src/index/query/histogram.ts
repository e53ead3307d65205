import type { Band } from '../kernel/bitmaps.ts'
import { countBins, type EachRows, eachRowOfBand } from '../kernel/rows.ts'
import { canDivide, rowsOfBands } from './bands.ts'
import { type Extent, extentOfBand, extentOfMatches } from './extent.ts'
import { assertCurrent, eachBaseRows, eachView, type Match } from './match.ts'
import type { BandKeys, ColumnKeys, FillKeys, KeyFunctions } from './predicates.ts'
import { isKernelColumn, type KernelColumn } from './range.ts'

export interface Histogram {
  min: number | null
  max: number | null
  bins: number[]
}

/** The keys of the matches, all whole numbers, in equal bins from the least to the greatest. */
export function histogram(
  found: Match,
  keys: ColumnKeys | BandKeys | FillKeys,
  binCount: number,
): Histogram {
  assertCurrent(found)
  if (found.total === 0) return { min: null, max: null, bins: emptyBins(binCount) }
  if (typeof keys === 'function') return histogramOf(keysOf(found, keys), binCount)
  const { base } = found.searched
  const fill = 'fill' in keys ? keys.fill : fillFrom(keys)
  const column = base.numbers[keys.column]
  const isDivided = !('bands' in keys) || isWorthDividing(found, keys)
  return isKernelColumn(column) && isDivided
    ? histogramByParts(found, column, partsOf(found, keys), fill, binCount)
    : histogramOf(keysOf(found, fill), binCount)
}

/** Computing the key of a match takes as long as reading the bitmaps of a band for so many rows. */
const ROWS_PER_KEY = 300

function isWorthDividing({ searched, baseCount }: Match, { bands, byBand }: BandKeys): boolean {
  const { base } = searched
  const parts = byBand.filter((functions) => functions !== null).length
  return baseCount * ROWS_PER_KEY > parts * base.size && canDivide(base, bands)
}

function histogramOf(keys: Float64Array, binCount: number): Histogram {
  const { min, max } = extentOf(keys)
  const bins = emptyBins(binCount)
  addToBins(bins, keys, min, max)
  return { min, max, bins }
}

/** Matches of the base whose keys follow a column, and the ends of its values. */
interface Part extends KeyFunctions, Extent {
  /** Null for all of them. */
  readonly rows: Band | null
}

/** Those parts that have rows. */
function partsOf(found: Match, keys: ColumnKeys | BandKeys): Part[] {
  const { target, none } = found.searched.workspace
  if (found.baseCount === 0) return []
  if (!('bands' in keys)) {
    const rows = { source: target, below: target, from: none, half: target, inHalf: true }
    const extent = extentOfMatches(found, rows, keys.column)
    return extent ? [{ ...keys, ...extent, rows: null }] : []
  }
  return rowsOfBands(found.searched, keys.bands).flatMap((rows, position) => {
    const functions = keys.byBand[position]
    const extent = functions && extentOfBand(found, rows, keys.column)
    return extent ? [{ ...functions, ...extent, rows }] : []
  })
}

/**
 * The same without the key of every row of the base: keys grow with the values of the column, so
 * that a bin of keys is a range of values.
 */
function histogramByParts(
  found: Match,
  { values, base }: KernelColumn,
  parts: readonly Part[],
  fill: FillKeys,
  binCount: number,
): Histogram {
  const { searched, deltaRows } = found
  const { kernel } = searched.workspace
  const deltaKeys = new Float64Array(deltaRows.length)
  fill(searched.delta, deltaRows, deltaRows.length, deltaKeys)
  const ofDelta = extentOf(deltaKeys)
  const min = Math.min(ofDelta.min, ...parts.map(({ keyOf, least }) => keyOf(least + base)))
  const max = Math.max(ofDelta.max, ...parts.map(({ keyOf, greatest }) => keyOf(greatest + base)))
  const starts = binStarts(min, max, binCount)
  const bins = emptyBins(binCount)
  for (const { rows, valueFrom, least, greatest } of parts) {
    const edges = starts.map((key) =>
      Math.min(Math.max(valueFrom(key) - base, least), greatest + 1),
    )
    const eachRowsOf: EachRows = (visit) =>
      rows ? eachRowOfBand(kernel, rows, visit) : eachBaseRows(found, visit)
    const counts = countBins(kernel, eachRowsOf, values, edges)
    for (let bin = 0; bin < binCount; bin++) bins[bin] += counts[bin]
  }
  addToBins(bins, deltaKeys, min, max)
  return { min, max, bins }
}

const STEPS_MAX = 2

/** The least key of each bin, and one behind all keys. */
function binStarts(min: number, max: number, binCount: number): number[] {
  const binOf = binFinder(min, max, binCount)
  const starts = emptyBins(binCount).map((_, bin) => {
    let key = min + Math.floor((bin * (max - min)) / binCount)
    // The bins of keys are rounded, so the estimate may be off by one. Keys above 2 ** 53 cannot be
    // counted up, so that the number of steps is bounded.
    for (let step = 0; step < STEPS_MAX && key > min && binOf(key - 1) >= bin; step++) key--
    for (let step = 0; step < STEPS_MAX && key <= max && binOf(key) < bin; step++) key++
    return key
  })
  return [...starts, Number.POSITIVE_INFINITY]
}

function addToBins(bins: number[], keys: Float64Array, min: number, max: number): void {
  const binOf = binFinder(min, max, bins.length)
  for (let i = 0; i < keys.length; i++) bins[binOf(keys[i])]++
}

function binFinder(min: number, max: number, binCount: number): (key: number) => number {
  if (min === max) return () => 0
  const span = max - min
  // Keys are whole numbers: one division, of exact numbers, puts the first key of a bin into it.
  // The greatest key would fall one behind the last bin.
  return (key) => Math.min((((key - min) * binCount) / span) | 0, binCount - 1)
}

function emptyBins(binCount: number): number[] {
  const bins: number[] = []
  while (bins.length < binCount) bins.push(0)
  return bins
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
