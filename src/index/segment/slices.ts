import { type Arena, allocateBitmaps } from './arena.ts'
import type { NumberView, Slices } from './columns.ts'

/** Slices per ranged column; a slice at the end of a range has 4 % of the rows. */
const SLICES = 24
/** Further cuts, for values that many rows share. With both, 32 bitmaps: 4 bytes per row. */
const HEAVY_CUTS = 8

/** How many bitmaps the slices of a column take at most. */
export const SLICE_BITMAPS_MAX = SLICES + HEAVY_CUTS

/** `order` lists the rows by value. Values of one or two bytes are counted instead of sorted. */
export function buildSlices(
  arena: Arena,
  column: NumberView & { present: number },
  order: Uint32Array | null,
): Slices {
  const cuts = order ? cutsByOrder(column, order) : cutsByCounts(column)
  const size = column.values.length
  const bitmaps = allocateBitmaps(arena, size, cuts.length + 1)
  if (order) sortIntoWide(column, cuts, bitmaps.words, bitmaps.stride)
  else sortIntoNarrow(column, cuts, bitmaps.words, bitmaps.stride)
  // Each bitmap has the rows of one slice now; the last has those above all cuts.
  for (let i = bitmaps.stride; i < bitmaps.words.length; i++) {
    bitmaps.words[i] |= bitmaps.words[i - bitmaps.stride]
  }
  return { cuts, below: bitmaps.bits.slice(0, -1), present: bitmaps.bits[cuts.length] }
}

/** Whether the values of a column are of one or two bytes. */
export function isNarrow({ values }: NumberView): boolean {
  return values.BYTES_PER_ELEMENT <= 2
}

/** Called with each value, lowest first, and how many rows have it; it collects the cuts. */
function collectCuts({ base, present }: NumberView & { present: number }) {
  const cuts: number[] = []
  const sliceRows = present / SLICES
  let [rows, rowsOfPrevious, lastCut, heavyCuts] = [0, 0, 0, 0]
  const add = (value: number, count: number) => {
    // A value that many rows share gets a slice to itself: callers ask for round numbers.
    const isHeavy = rowsOfPrevious > sliceRows / 2 || count > sliceRows / 2
    const isDue = rows - lastCut >= sliceRows
    if (rows > 0 && (isDue || (isHeavy && heavyCuts < HEAVY_CUTS))) {
      if (!isDue) heavyCuts++
      cuts.push(value + base)
      lastCut = rows
    }
    rows += count
    rowsOfPrevious = count
  }
  return { cuts, add }
}

function cutsByCounts(column: NumberView & { present: number }): number[] {
  const { values, none } = column
  const counts = new Uint32Array(none + 1)
  for (let row = 0; row < values.length; row++) counts[values[row]]++
  const { cuts, add } = collectCuts(column)
  for (let value = 0; value < none; value++) if (counts[value] > 0) add(value, counts[value])
  return cuts
}

function cutsByOrder(column: NumberView & { present: number }, order: Uint32Array): number[] {
  const { values, present } = column
  const { cuts, add } = collectCuts(column)
  let first = 0
  let value = present > 0 ? values[order[0]] : 0
  for (let position = 1; position < present; position++) {
    const next = values[order[position]]
    if (next === value) continue
    add(value, position - first)
    first = position
    value = next
  }
  if (present > 0) add(value, present - first)
  return cuts
}

function sortIntoNarrow(
  { values, base, none }: NumberView,
  cuts: readonly number[],
  words: Uint32Array,
  stride: number,
): void {
  /** By value, where the bitmap of its slice begins. */
  const starts = new Uint32Array(none)
  let slice = 0
  for (let value = 0; value < none; value++) {
    while (slice < cuts.length && cuts[slice] <= value + base) slice++
    starts[value] = slice * stride
  }
  for (let row = 0; row < values.length; row++) {
    const value = values[row]
    if (value !== none) words[starts[value] + (row >>> 5)] |= 1 << (row & 31)
  }
}

function sortIntoWide(
  { values, base, none }: NumberView,
  cuts: readonly number[],
  words: Uint32Array,
  stride: number,
): void {
  const stored = Float64Array.from(cuts, (cut) => cut - base)
  for (let row = 0; row < values.length; row++) {
    const value = values[row]
    if (value === none) continue
    let low = 0
    let high = stored.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (stored[middle] <= value) low = middle + 1
      else high = middle
    }
    words[low * stride + (row >>> 5)] |= 1 << (row & 31)
  }
}

/** The number of the slice that contains a value: how many cuts are at or below it. */
export function sliceOf({ cuts }: Slices, value: number): number {
  let slice = 0
  while (slice < cuts.length && cuts[slice] <= value) slice++
  return slice
}
