import { type Bits, fillBits } from '../segment/bits.ts'
import type { Segment } from '../segment/columns.ts'
import { codesOf } from '../segment/rows.ts'
import { findSet, roomFor } from './bitmap-cache.ts'
import type { Bands, Range } from './predicates.ts'
import { isSiftable, rowFrom, siftRows, sliceOf, slicesAt, stretchOf } from './slices.ts'
import { BANDS_MAX, type Searchable } from './workspace.ts'

/**
 * Keeps the rows whose value lies within the bounds of their band. Every band is a few bitmaps
 * and a range of its own, so that only rows at the ends of those ranges are looked at, where a
 * test of each row would look at all between the least and the greatest bound.
 */
export function keepInBands(searchable: Searchable, range: Range, bands: Bands): void {
  const { target, joined, none } = searchable.workspace
  const byItself = bands.column === range.column
  const limits = bands.starts.map((start, band) =>
    byItself || band === 0 ? none : rowsBelow(searchable, bands.column, start),
  )
  const halves = halvesOf(searchable, bands)
  joined.fill(0)
  for (const [band, start] of bands.starts.entries()) {
    const isLast = band === bands.starts.length - 1
    for (const [half, set] of halves.entries()) {
      const place = 2 * band + half
      let [min, max] = [bands.lows[place], bands.highs[place]]
      // Bands of the very column that is asked for only narrow their ranges.
      if (byItself && band > 0) min = Math.max(min, start)
      if (byItself && !isLast) max = Math.min(max, bands.starts[band + 1] - 1)
      if (min > max) continue
      const below = byItself || isLast ? target : limits[band + 1]
      joinRange(searchable, { ...range, min, max }, below, limits[band], set)
    }
  }
  target.set(joined)
}

/** The rows with the dividing value, and the others of the target. */
function halvesOf({ base, dictionaries, workspace }: Searchable, { split }: Bands): [Bits, Bits] {
  const { kernel, bytes, target, others } = workspace
  const [code] = codesOf(dictionaries[split.column], [split.value])
  const set = base.codes[split.column].sets[code]
  others.set(target)
  kernel.dropRows(others.byteOffset, set.byteOffset, bytes)
  return [set, others]
}

function joinRange(
  { base, workspace }: Searchable,
  { column: name, min, max }: Range,
  below: Bits,
  from: Bits,
  set: Bits,
): void {
  const { kernel, target, joined, look, none } = workspace
  const column = base.numbers[name]
  const stretch = stretchOf(base, name, min, max)
  const { start, bytes } = stretch
  if (bytes === 0) return
  const join = (keep: Bits, drop: Bits, lookBelow: Bits, lookFrom: Bits) =>
    kernel.joinBand(
      target.byteOffset + start,
      bytes,
      below.byteOffset + start,
      from.byteOffset + start,
      set.byteOffset + start,
      keep.byteOffset + start,
      drop.byteOffset + start,
      lookBelow.byteOffset + start,
      lookFrom.byteOffset + start,
      look.byteOffset + start,
      joined.byteOffset + start,
    )
  if (name === base.primary) {
    look.fill(0)
    fillBits(look, rowFrom(column, min), rowFrom(column, max + 1))
    join(look, none, none, target)
    return
  }
  const ends = slicesAt(workspace, column, min, max, min, max)
  join(ends.keep, ends.drop, ends.lookBelow, ends.lookFrom)
  siftRows(workspace, column, joined, min, max, stretch)
}

/** Bands are kept as bitmaps; more of them than there is room for are tested row by row. */
export function canBand(segment: Segment, range: Range, { column, starts }: Bands): boolean {
  const isReachable = (name: string) =>
    name === segment.primary ||
    (segment.numbers[name].slices !== null && isSiftable(segment.numbers[name]))
  return starts.length <= BANDS_MAX && isReachable(range.column) && isReachable(column)
}

/** Under which the rows below a value are kept. */
export function keyBelow(name: string, value: number): string {
  return `${name} < ${value}`
}

/** The rows with a value below this one, exactly. */
export function rowsBelow({ base, workspace }: Searchable, name: string, value: number): Bits {
  const { kept, kernel, bytes, look, none } = workspace
  const key = keyBelow(name, value)
  const known = findSet(kept, key)
  if (known) return known
  const column = base.numbers[name]
  if (!column.slices) throw new Error(`${name} is not a ranged column`)
  const { cuts, below, present } = column.slices
  const slice = sliceOf(cuts, value)
  const keep = slice === cuts.length ? present : below[slice]
  const sure = slice === 0 ? none : below[slice - 1]
  const bits = roomFor(kept, key)
  bits.set(keep)
  const [at, nothing] = [bits.byteOffset, none.byteOffset]
  kernel.slice(at, bytes, at, nothing, nothing, sure.byteOffset, look.byteOffset)
  siftRows(workspace, column, bits, Number.NEGATIVE_INFINITY, value - 1, { start: 0, bytes })
  return bits
}
