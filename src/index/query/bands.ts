import { addRowsOfBand, type Band, intersectAll } from '../kernel/bitmaps.ts'
import type { ByteRange } from '../kernel/kernel.ts'
import { addBandInRange } from '../kernel/rows.ts'
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
  const { target, banded } = searchable.workspace
  const { column, min, max, derived } = range
  const { certainMin, certainMax } = derived ?? { certainMin: min, certainMax: max }
  const outer = byteRangeOf(searchable, column, min, max)
  const parts = partsAround(certainByteRangeOf(searchable, column, certainMin, certainMax), outer)
  retainRange(target, rowAt(outer.start), rowAt(endOf(outer)))
  for (const part of parts) banded.fill(0, part.start / 4, endOf(part) / 4)
  for (const group of groupsOf(searchable, range, bands)) {
    addGroup(searchable, column, group, parts)
  }
  for (const part of parts) {
    target.set(banded.subarray(part.start / 4, endOf(part) / 4), part.start / 4)
  }
}

/** Rows that have the same bounds. */
interface Group {
  readonly min: number
  readonly max: number
  readonly rows: Band
}

function groupsOf(searchable: Searchable, range: Range, bands: Bands): Group[] {
  const { starts, lows, highs } = bands
  // Bands of the very column that is searched only narrow their ranges.
  const byItself = bands.column === range.column
  return rowsOfBands(searchable, bands, byItself).map((rows, position) => {
    const band = position >>> 1
    const [min, max] = [lows[position], highs[position]]
    const end = starts[band + 1] ?? Number.POSITIVE_INFINITY
    return {
      min: byItself && band > 0 ? Math.max(min, starts[band]) : min,
      max: byItself ? Math.min(max, end - 1) : max,
      rows,
    }
  })
}

/**
 * The rows of the target in each band, by position: first those with the value of `split`, then the
 * others. They are not divided by the column of the bands when `undivided` is true.
 */
export function rowsOfBands(
  searchable: Searchable,
  { column, starts, split }: Pick<Bands, 'column' | 'starts' | 'split'>,
  undivided = false,
): Band[] {
  const { target: source, none } = searchable.workspace
  const limits = undivided
    ? []
    : starts.slice(1).map((start) => rowsBelow(searchable, column, start))
  const half = bitmapOf(searchable, split.column, split.value)
  return starts.flatMap((_, band) => {
    const rows = { source, below: limits[band] ?? source, from: limits[band - 1] ?? none, half }
    return [
      { ...rows, inHalf: true },
      { ...rows, inHalf: false },
    ]
  })
}

/** Adds the rows of the group that are in its range, within some parts of the bitmaps. */
function addGroup(
  searchable: Searchable,
  name: string,
  group: Group,
  parts: readonly ByteRange[],
): void {
  const { kernel, banded } = searchable.workspace
  const { min, max, rows } = group
  if (min > max) return
  const outer = byteRangeOf(searchable, name, min, max)
  const inner = certainByteRangeOf(searchable, name, min, max)
  const edges = partsAround(inner, outer)
  for (const part of parts) {
    const certain = intersectionOf(inner, part)
    if (certain.bytes > 0) addRowsOfBand(kernel, banded, rows, certain)
    for (const edge of edges) addEdge(searchable, name, group, intersectionOf(edge, part))
  }
}

/** Adds the rows of a part in which some of the group may be outside the range. */
function addEdge(
  { base, workspace }: Searchable,
  name: string,
  { min, max, rows }: Group,
  part: ByteRange,
): void {
  if (part.bytes === 0) return
  const { kernel, banded, unchecked } = workspace
  if (name !== base.primary) {
    const { values, base: offset, least, greatest } = kernelColumn(base, name)
    const [first, last] = [Math.max(min, least) - offset, Math.min(max, greatest) - offset]
    addBandInRange(kernel, banded, rows, values, first, last, part)
    return
  }
  // The rows are in the order of this column, so that none of their values must be compared.
  const primary = base.numbers[name]
  const [start, end] = [rowAt(part.start), rowAt(endOf(part))]
  unchecked.fill(0, start / 32, end / 32)
  const first = Math.max(start, firstRowFrom(primary, min))
  setRange(unchecked, first, Math.min(end, firstRowFrom(primary, max + 1)))
  for (let i = start / 32; i < end / 32; i++) unchecked[i] &= rows.source[i]
  addRowsOfBand(kernel, banded, { ...rows, source: unchecked }, part)
}

/** What of a part of the bitmaps is outside another part, which is within it or empty. */
function partsAround(inner: ByteRange, outer: ByteRange): ByteRange[] {
  if (inner.bytes === 0) return [outer]
  const before = { start: outer.start, bytes: inner.start - outer.start }
  return [before, { start: endOf(inner), bytes: endOf(outer) - endOf(inner) }]
}

function intersectionOf(a: ByteRange, b: ByteRange): ByteRange {
  const start = Math.max(a.start, b.start)
  return { start, bytes: Math.max(0, Math.min(endOf(a), endOf(b)) - start) }
}

function endOf({ start, bytes }: ByteRange): number {
  return start + bytes
}

/** The first row of a byte of a bitmap. */
function rowAt(byte: number): number {
  return 8 * byte
}

function kernelColumn(segment: Segment, name: string) {
  const column: NumberColumn = segment.numbers[name]
  if (!isKernelColumn(column)) throw new Error(`the kernel cannot read the values of ${name}`)
  return column
}

/** Whether bands can be bitmaps. Otherwise, or if there are too many, rows are filtered singly. */
export function canUseBands(segment: Segment, range: Range, bands: Bands): boolean {
  const { primary, numbers } = segment
  const searched = numbers[range.column]
  const isNearPrimary = searched.ratio !== null && isKernelColumn(searched)
  const isDivided =
    bands.column === range.column ? bands.starts.length <= BANDS_MAX : canDivide(segment, bands)
  return isDivided && (range.column === primary || isNearPrimary)
}

/** Whether bands can be divided by bitmaps of the rows below their starts. */
export function canDivide(
  { numbers }: Segment,
  { column, starts }: Pick<Bands, 'column' | 'starts'>,
): boolean {
  const { slices } = numbers[column]
  return starts.length <= BANDS_MAX && slices !== null && isKernelColumn(numbers[column])
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

/** The rows with a value below this one, if there is a bitmap of them already. */
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
    intersectAll(kernel, unchecked, [upTo], [before])
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
