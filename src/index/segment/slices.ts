import { type Arena, allocateBits } from './arena.ts'
import { type Bits, setBit } from './bits.ts'
import type { NumberView, Slices } from './columns.ts'

/** Slices per ranged column; a slice at the end of a range has 4 % of the rows. */
const SLICES = 24
/** Further cuts, for values that many rows share. With both, 32 bitmaps: 4 bytes per row. */
const HEAVY_CUTS = 8

/** How many bitmaps the slices of a column take at most. */
export const SLICE_BITMAPS_MAX = SLICES + HEAVY_CUTS

/** `order` lists the rows by value; the first `present` of them have one. */
export function buildSlices(
  arena: Arena,
  view: NumberView,
  present: number,
  order: Uint32Array,
): Slices {
  const { values, base } = view
  const cuts: number[] = []
  const below: Bits[] = []
  const soFar = allocateBits(arena, order.length)
  const sliceRows = present / SLICES
  let [previous, runStart, lastCut, heavyCuts] = [Number.NaN, 0, 0, 0]
  for (let position = 0; position < present; position++) {
    const value = values[order[position]] + base
    if (value !== previous) {
      // A value that many rows share gets a slice to itself: callers ask for round numbers.
      const isHeavy =
        position - runStart > sliceRows / 2 || runLength(view, order, position) > sliceRows / 2
      const isDue = position - lastCut >= sliceRows
      if (position > 0 && (isDue || (isHeavy && heavyCuts < HEAVY_CUTS))) {
        if (!isDue) heavyCuts++
        cuts.push(value)
        const copy = allocateBits(arena, order.length)
        copy.set(soFar)
        below.push(copy)
        lastCut = position
      }
      previous = value
      runStart = position
    }
    setBit(soFar, order[position])
  }
  return { cuts, below, present: soFar }
}

/** How many rows from a position on have the same value, counted no further than one slice. */
function runLength({ values }: NumberView, order: Uint32Array, position: number): number {
  const most = Math.min(order.length, position + Math.ceil(order.length / SLICES))
  let end = position + 1
  while (end < most && values[order[end]] === values[order[position]]) end++
  return end - position
}

/** The number of the slice that contains a value: how many cuts are at or below it. */
export function sliceOf({ cuts }: Slices, value: number): number {
  let slice = 0
  while (slice < cuts.length && cuts[slice] <= value) slice++
  return slice
}
