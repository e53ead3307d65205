import { addBand, addRowsOfBand, removeRows } from '../kernel/bitmaps.ts'
import type { ByteRange } from '../kernel/kernel.ts'
import { type Bits, clearBit, retainRange, setBit, setRange } from '../segment/bits.ts'
import type { NumberColumn, Segment, Slices } from '../segment/columns.ts'
import { sliceOf } from '../segment/slices.ts'
import { addBitmap, findBitmap } from './bitmap-cache.ts'
import type { Bands, Range } from './predicates.ts'
import {
  addUnchecked,
  beforeSlice,
  byteRangeOf,
  certainByteRangeOf,
  firstRowFrom,
  isKernelColumn,
  type KernelColumn,
  positionFrom,
  rangeEnds,
  slicePositions,
  slicesOf,
  upToSlice,
} from './range.ts'
import { BANDS_MAX, bitmapOf, type Searchable, type Workspace } from './workspace.ts'

/**
 * Intersects the target with the rows whose value is within the bounds of their band. Rows are in
 * the order of the primary column, so those that may be outside the bounds of their band, but not
 * of all bands, are in two parts of the bitmaps; between these all rows are in the range.
 */
export function intersectBands(searchable: Searchable, range: Range, bands: Bands): void {
  const { base, workspace } = searchable
  const { target, banded } = workspace
  const groups = groupsOf(searchable, range, bands)
  const { outer, uncertain } = partsOf(base, range)
  retainRange(target, rowAt(outer.start), rowAt(outer.start + outer.bytes))
  for (const part of uncertain) {
    const [start, end] = [part.start / 4, (part.start + part.bytes) / 4]
    banded.fill(0, start, end)
    for (const group of groups) addGroup(searchable, range.column, group, part)
    target.set(banded.subarray(start, end), start)
  }
}

/** Rows that have the same bounds: those in `below`, not in `from`, and in `half`. */
interface Group {
  readonly min: number
  readonly max: number
  readonly below: Bits
  readonly from: Bits
  readonly half: Bits
}

function groupsOf(searchable: Searchable, range: Range, bands: Bands): Group[] {
  const { target, none } = searchable.workspace
  const { column, starts, lows, highs } = bands
  // Bands of the very column that is searched only narrow their ranges.
  const byItself = column === range.column
  const limits = byItself
    ? []
    : starts.slice(1).map((start) => rowsBelow(searchable, column, start))
  const halves = halvesOf(searchable, bands)
  return starts.flatMap((start, band) =>
    halves.map((half, i) => {
      const [min, max] = [lows[2 * band + i], highs[2 * band + i]]
      const end = starts[band + 1] ?? Number.POSITIVE_INFINITY
      return {
        min: byItself && band > 0 ? Math.max(min, start) : min,
        max: byItself ? Math.min(max, end - 1) : max,
        below: limits[band] ?? target,
        from: limits[band - 1] ?? none,
        half,
      }
    }),
  )
}

/** The rows with the value that divides the bands, and the other rows of the target. */
function halvesOf(searchable: Searchable, { split }: Bands): [Bits, Bits] {
  const { kernel, target, otherHalf } = searchable.workspace
  const bits = bitmapOf(searchable, split.column, split.value)
  removeRows(kernel, target, bits, otherHalf)
  return [bits, otherHalf]
}

/** The part that rows of any band can be in, and what of it is not in the range for all bands. */
function partsOf(
  segment: Segment,
  { column, min, max, derived }: Range,
): { outer: ByteRange; uncertain: ByteRange[] } {
  const outer = byteRangeOf(segment, column, min, max)
  const { certainMin, certainMax } = derived ?? { certainMin: min, certainMax: max }
  const inner = certainByteRangeOf(segment, column, certainMin, certainMax)
  if (inner.bytes === 0) return { outer, uncertain: [outer] }
  const [innerEnd, end] = [inner.start + inner.bytes, outer.start + outer.bytes]
  const before = { start: outer.start, bytes: inner.start - outer.start }
  return { outer, uncertain: [before, { start: innerEnd, bytes: end - innerEnd }] }
}

/** The first row of a byte of a bitmap. */
function rowAt(byte: number): number {
  return 8 * byte
}

/** Adds the rows of the group that are in its range, within a part of the bitmaps. */
function addGroup(searchable: Searchable, name: string, group: Group, within: ByteRange): void {
  const { base, workspace } = searchable
  const { min, max, below, from, half } = group
  if (min > max) return
  const outer = intersectionOf(byteRangeOf(base, name, min, max), within)
  const inner = intersectionOf(certainByteRangeOf(base, name, min, max), outer)
  if (inner.bytes === 0) {
    checkGroup(searchable, name, group, outer)
    return
  }
  const { kernel, target, banded } = workspace
  const [innerEnd, end] = [inner.start + inner.bytes, outer.start + outer.bytes]
  const before = { start: outer.start, bytes: inner.start - outer.start }
  checkGroup(searchable, name, group, before)
  addRowsOfBand(kernel, banded, { source: target, below, from, half }, inner)
  checkGroup(searchable, name, group, { start: innerEnd, bytes: end - innerEnd })
}

/** The same for a part in which some of the rows may be outside the range. */
function checkGroup(
  { base, workspace }: Searchable,
  name: string,
  { min, max, below, from, half }: Group,
  part: ByteRange,
): void {
  if (part.bytes === 0) return
  const { kernel, target, banded, unchecked, none } = workspace
  const band = { source: target, below, from, half }
  if (name === base.primary) {
    const primary = base.numbers[name]
    const [start, end] = [rowAt(part.start), rowAt(part.start + part.bytes)]
    unchecked.fill(0, start / 32, end / 32)
    const first = Math.max(start, firstRowFrom(primary, min))
    setRange(unchecked, first, Math.min(end, firstRowFrom(primary, max + 1)))
    // The rows are in the order of this column, so none of them must be checked.
    const ends = { included: unchecked, excluded: none, checkBelow: none, checkFrom: target }
    addBand(kernel, banded, band, ends, unchecked, part)
    return
  }
  const column = kernelColumn(base, name)
  addBand(kernel, banded, band, rangeEnds(column, none, min, max, min, max), unchecked, part)
  addUnchecked(workspace, column, banded, min, max, part)
}

function intersectionOf(a: ByteRange, b: ByteRange): ByteRange {
  const start = Math.max(a.start, b.start)
  const end = Math.min(a.start + a.bytes, b.start + b.bytes)
  return { start, bytes: Math.max(0, end - start) }
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
export function rowsBelow(searchable: Searchable, name: string, value: number): Bits {
  const { base, workspace } = searchable
  const known = knownBelow(searchable, name, value)
  if (known) return known
  const column = kernelColumn(base, name)
  return addBitmap(workspace.bitmapCache, keyBelow(name, value), [name], (bits) =>
    fillBelow(workspace, column, value, bits),
  )
}

/** The same, if there is a bitmap of them already. */
export function knownBelow(
  { base, workspace }: Searchable,
  name: string,
  value: number,
): Bits | undefined {
  const column = base.numbers[name]
  if (value <= column.least) return workspace.none
  const slices = slicesOf(column)
  if (value > column.greatest) return slices.present
  return findCut(column, slices, value) ?? findBitmap(workspace.bitmapCache, keyBelow(name, value))
}

/** The rows below a value, if a slice begins there, or at a value with no rows in between. */
function findCut(column: NumberColumn, slices: Slices, value: number): Bits | undefined {
  const slice = sliceOf(slices, value)
  if (value === slices.cuts[slice - 1]) return slices.below[slice - 1]
  const { order } = column
  if (!order) return undefined
  const { start, end } = slicePositions(column, slice)
  const position = positionFrom(column, order, value)
  if (position === end) return upToSlice(slices, slice)
  return position === start && slice > 0 ? slices.below[slice - 1] : undefined
}

/** Begins with the rows of whole slices, up to the nearest cut, and corrects the others. */
function fillBelow(workspace: Workspace, column: KernelColumn, value: number, bits: Bits): void {
  const { kernel, unchecked, none } = workspace
  const slices = slicesOf(column)
  const slice = sliceOf(slices, value)
  const [before, upTo] = [beforeSlice(slices, slice, none), upToSlice(slices, slice)]
  const { order } = column
  if (!order) {
    bits.set(before)
    removeRows(kernel, upTo, before, unchecked)
    addUnchecked(workspace, column, bits, Number.NEGATIVE_INFINITY, value - 1)
    return
  }
  const { start, end } = slicePositions(column, slice)
  const position = positionFrom(column, order, value)
  if (position - start < end - position) {
    bits.set(before)
    for (let i = start; i < position; i++) setBit(bits, order[i])
  } else {
    bits.set(upTo)
    for (let i = position; i < end; i++) clearBit(bits, order[i])
  }
}
