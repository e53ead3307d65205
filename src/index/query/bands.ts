import { addBand, subtract } from '../kernel/bitmaps.ts'
import { type Bits, setRange } from '../segment/bits.ts'
import type { NumberColumn, Segment } from '../segment/columns.ts'
import { sliceOf } from '../segment/slices.ts'
import { addBitmap, findBitmap } from './bitmap-cache.ts'
import type { Bands, Range } from './predicates.ts'
import {
  addUnchecked,
  beforeSlice,
  byteRangeOf,
  firstRowFrom,
  isKernelColumn,
  rangeEnds,
  slicesOf,
  upToSlice,
} from './range.ts'
import { BANDS_MAX, bitmapOf, type Searchable } from './workspace.ts'

/**
 * Intersects the target with the rows whose value is within the bounds of their band. Every
 * band is a few bitmaps and a range of its own, so that only rows at the ends of those ranges are
 * checked; a filter of single rows would check all between the least and the greatest bound.
 */
export function intersectBands(searchable: Searchable, range: Range, bands: Bands): void {
  const { target, banded, none } = searchable.workspace
  const byItself = bands.column === range.column
  const limits = bands.starts.map((start, band) =>
    byItself || band === 0 ? none : rowsBelow(searchable, bands.column, start),
  )
  const halves = halvesOf(searchable, bands)
  banded.fill(0)
  for (const [band, start] of bands.starts.entries()) {
    const isLast = band === bands.starts.length - 1
    for (const [half, bits] of halves.entries()) {
      const position = 2 * band + half
      let [min, max] = [bands.lows[position], bands.highs[position]]
      // Bands of the very column that is searched only narrow their ranges.
      if (byItself && band > 0) min = Math.max(min, start)
      if (byItself && !isLast) max = Math.min(max, bands.starts[band + 1] - 1)
      if (min > max) continue
      const below = byItself || isLast ? target : limits[band + 1]
      addBandRange(searchable, { ...range, min, max }, below, limits[band], bits)
    }
  }
  target.set(banded)
}

/** The rows with the value that divides the bands, and the other rows of the target. */
function halvesOf(searchable: Searchable, { split }: Bands): [Bits, Bits] {
  const { kernel, target, otherHalf } = searchable.workspace
  const bits = bitmapOf(searchable, split.column, split.value)
  otherHalf.set(target)
  subtract(kernel, otherHalf, bits)
  return [bits, otherHalf]
}

function addBandRange(
  { base, workspace }: Searchable,
  { column: name, min, max }: Range,
  below: Bits,
  from: Bits,
  half: Bits,
): void {
  const { kernel, target, banded, unchecked, none } = workspace
  const part = byteRangeOf(base, name, min, max)
  if (part.bytes === 0) return
  const band = { source: target, below, from, half }
  if (name === base.primary) {
    const primary = base.numbers[name]
    const rows = unchecked
    rows.fill(0)
    setRange(rows, firstRowFrom(primary, min), firstRowFrom(primary, max + 1))
    // The rows are in the order of this column, so none of them must be checked.
    const ends = { included: rows, excluded: none, checkBelow: none, checkFrom: target }
    addBand(kernel, banded, band, ends, unchecked, part)
    return
  }
  const column = kernelColumn(base, name)
  addBand(kernel, banded, band, rangeEnds(column, none, min, max, min, max), unchecked, part)
  addUnchecked(workspace, column, banded, min, max, part)
}

function kernelColumn(segment: Segment, name: string) {
  const column: NumberColumn = segment.numbers[name]
  if (!isKernelColumn(column)) throw new Error(`the kernel cannot read the values of ${name}`)
  return column
}

/** Whether bands can be bitmaps. Otherwise, or if there are too many, rows are filtered singly. */
export function canUseBands(segment: Segment, range: Range, { column, starts }: Bands): boolean {
  const isSliced = (name: string) =>
    segment.numbers[name].slices !== null && isKernelColumn(segment.numbers[name])
  return (
    starts.length <= BANDS_MAX &&
    (range.column === segment.primary || isSliced(range.column)) &&
    (column === range.column || isSliced(column))
  )
}

/** The key in the cache of the rows below a value. */
export function keyBelow(name: string, value: number): string {
  return `${name} < ${value}`
}

/** Exactly the rows with a value below this one. */
export function rowsBelow({ base, workspace }: Searchable, name: string, value: number): Bits {
  const { bitmapCache, kernel, unchecked, none } = workspace
  const key = keyBelow(name, value)
  const known = findBitmap(bitmapCache, key)
  if (known) return known
  const column = kernelColumn(base, name)
  const slices = slicesOf(column)
  const slice = sliceOf(slices, value)
  const certain = beforeSlice(slices, slice, none)
  return addBitmap(bitmapCache, key, [name], (bits) => {
    bits.set(certain)
    unchecked.set(upToSlice(slices, slice))
    subtract(kernel, unchecked, certain)
    addUnchecked(workspace, column, bits, Number.NEGATIVE_INFINITY, value - 1)
  })
}
