import { type Arena, allocateBitmaps } from './arena.ts'
import type { NumberView, Slices } from './columns.ts'
import { sortRows } from './radix.ts'

/** Slices per ranged column; a slice at the end of a range has 4 % of the rows. */
const SLICES = 24
/** Further cuts, for values that many rows share. With both, 32 bitmaps: 4 bytes per row. */
const HEAVY_CUTS = 8
/** A column may ask for so many cuts instead. */
const WANTED_CUTS_MAX = 16

/** Counting values of two bytes takes 65,536 steps twice: more than sorting so many rows. */
const SORTED_ROWS_MAX = 8_192

/** How many bitmaps the slices of a column take at most. */
export const SLICE_BITMAPS_MAX = SLICES + WANTED_CUTS_MAX

/**
 * `given` lists the rows by value. Values of one or two bytes are counted instead of sorted, unless
 * the rows are few. A slice begins at each of the values of `wanted`, which ascend.
 */
export function buildSlices(
  arena: Arena,
  column: NumberView & { present: number },
  given: Uint32Array | null,
  wanted: readonly number[],
): Slices {
  const order = given ?? orderOfFew(column)
  const { cuts, positions, add } = collectCuts(column, wanted)
  if (order) addByOrder(column, order, add)
  else addByCounts(column, add)
  const size = column.values.length
  const bitmaps = allocateBitmaps(arena, size, cuts.length + 1)
  const { words, stride } = bitmaps
  if (order) sortByOrder(order, [...positions, column.present], words, stride)
  else sortByValue(column, cuts, words, stride)
  // Each bitmap has the rows of one slice now; the last has those above all cuts.
  for (let i = bitmaps.stride; i < bitmaps.words.length; i++) {
    bitmaps.words[i] |= bitmaps.words[i - bitmaps.stride]
  }
  const { bits } = bitmaps
  return { cuts, positions, below: bits.slice(0, -1), present: bits[cuts.length] }
}

/** Whether the values of a column are of one or two bytes. */
export function isNarrow({ values }: NumberView): boolean {
  return values.BYTES_PER_ELEMENT <= 2
}

function orderOfFew({ values, none }: NumberView): Uint32Array | null {
  if (values.BYTES_PER_ELEMENT === 1 || values.length > SORTED_ROWS_MAX) return null
  return sortRows(Uint32Array.from(values.keys()), values, none)
}

/** Called with each value, lowest first, and how many rows have it; it collects the cuts. */
function collectCuts(
  { base, present }: NumberView & { present: number },
  wanted: readonly number[],
): Cuts {
  if (wanted.length > WANTED_CUTS_MAX) throw new RangeError('Too many slices are asked for.')
  const cuts: number[] = []
  const positions: number[] = []
  const sliceRows = present / SLICES
  let [rows, rowsOfPrevious, lastCut, nextWanted] = [0, 0, 0, 0]
  let left = wanted.length > 0 ? 0 : HEAVY_CUTS
  const add = (value: number, count: number) => {
    let cut: number | undefined
    for (; wanted[nextWanted] <= value + base; nextWanted++) cut = wanted[nextWanted]
    // A value that many rows share gets a slice to itself: callers ask for round numbers.
    const isHeavy = rowsOfPrevious > sliceRows / 2 || count > sliceRows / 2
    const isDue = rows - lastCut >= sliceRows
    if (rows > 0 && (isDue || cut !== undefined || (isHeavy && left > 0))) {
      if (!isDue && cut === undefined) left--
      cuts.push(cut ?? value + base)
      positions.push(rows)
      lastCut = rows
    }
    rows += count
    rowsOfPrevious = count
  }
  return { cuts, positions, add }
}

interface Cuts extends Pick<Slices, 'cuts' | 'positions'> {
  readonly add: (value: number, count: number) => void
}

function addByCounts({ values, none }: NumberView, add: Cuts['add']): void {
  const counts = new Uint32Array(none + 1)
  for (let row = 0; row < values.length; row++) counts[values[row]]++
  for (let value = 0; value < none; value++) if (counts[value] > 0) add(value, counts[value])
}

function addByOrder(
  { values, present }: NumberView & { present: number },
  order: Uint32Array,
  add: Cuts['add'],
): void {
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
}

/** Puts the rows of each slice, which ends before a position of the order, into its bitmap. */
function sortByOrder(
  order: Uint32Array,
  ends: readonly number[],
  words: Uint32Array,
  stride: number,
): void {
  let position = 0
  for (const [slice, end] of ends.entries()) {
    const start = slice * stride
    for (; position < end; position++) {
      const row = order[position]
      words[start + (row >>> 5)] |= 1 << (row & 31)
    }
  }
}

function sortByValue(
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

/** The number of the slice that contains a value: how many cuts are at or below it. */
export function sliceOf({ cuts }: Slices, value: number): number {
  let slice = 0
  while (slice < cuts.length && cuts[slice] <= value) slice++
  return slice
}
