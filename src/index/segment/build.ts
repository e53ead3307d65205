import { bytesForWorkspace } from '../query/workspace.ts'
import { type Arena, bytesForBits, newArena, take, takeBits } from './arena.ts'
import { type Bits, setBit } from './bits.ts'
import {
  type CodeColumn,
  type IntegerArray,
  NO_CODE,
  NONE,
  type NumberColumn,
  type NumberView,
  type Segment,
  type Slices,
} from './columns.ts'
import { sortRows } from './radix.ts'
import type { Rows } from './rows.ts'
import { buildTexts } from './texts.ts'

/** Slices per ranged column; an end slice has 4 % of the rows. */
const SLICES = 24
/** Cuts beside those, for values that many rows share. With both, 32 bitmaps: 4 bytes a row. */
const HEAVY_CUTS = 8
/** Open lists get bitmaps for their first values only. */
const MOST_SETS = 64

/** Packs rows into a segment. A second or two for a million rows: done in a worker thread. */
export function buildSegment(rows: Rows): Segment {
  const { spec, size } = rows
  const arrival = Uint32Array.from({ length: size }, (_, row) => row)
  const byId = sortRows(arrival, rows.ids.values, greatestOf(rows.ids, size))
  const primary = rows.numbers[spec.primary]
  const place = sortRows(byId, primary.values, greatestOf(primary, size))
  const ids = pack(rows.ids, place)
  const idOrder = sortRows(arrival, ids.values, ids.greatest - ids.base)
  const arena = newArena(bytesNeeded(rows))
  const segment: Segment = {
    arena,
    size,
    primary: spec.primary,
    ids,
    idOrder,
    numbers: {},
    codes: {},
    texts: {},
    sparse: {},
    dictionaries: {},
  }
  for (const column of spec.columns) {
    if (column.kind === 'number') {
      const packed = pack(rows.numbers[column.name], place, arena)
      // The primary column needs neither: the rows themselves are its order.
      const order = column.name === spec.primary ? null : orderOf(packed, idOrder)
      segment.numbers[column.name] = {
        ...packed,
        order: column.sorted ? order : null,
        slices: column.ranged && order ? slicesOf(arena, packed, order) : null,
        ratio: column.follows ? ratioOf(packed, segment.numbers[spec.primary]) : null,
      }
    } else if (column.kind === 'code') {
      const dictionary = rows.dictionaries[column.name]
      segment.dictionaries[column.name] = [...dictionary.values]
      segment.codes[column.name] = buildCodes(
        arena,
        rows.codes[column.name].codes,
        place,
        dictionary.values.length,
        column.sorted ? idOrder : null,
      )
    } else if (column.kind === 'text') {
      segment.texts[column.name] = buildTexts(rows.texts[column.name], place)
    } else {
      segment.sparse[column.name] = [...rows.sparse[column.name]]
    }
  }
  return segment
}

function greatestOf({ values }: NumberView, size: number): number {
  let greatest = 0
  for (let row = 0; row < size; row++) if (values[row] > greatest) greatest = values[row]
  return greatest
}

type Packed = Omit<NumberColumn, 'order' | 'slices' | 'ratio'>

/** The column in the order of `place`, in the smallest kind of array that holds its values. */
function pack(view: NumberView, place: Uint32Array, arena?: Arena): Packed {
  const { values } = view
  const size = place.length
  const { least, greatest, present } = extentOf(view, size)
  const { array, none } = arrayFor(size, greatest - least, arena)
  for (let row = 0; row < size; row++) {
    const value = values[place[row]]
    array[row] = value === NONE ? none : value - least
  }
  return { values: array, base: least, none, least, greatest, present }
}

interface Extent {
  least: number
  greatest: number
  present: number
}

function extentOf({ values }: NumberView, size: number): Extent {
  let least = Number.POSITIVE_INFINITY
  let greatest = Number.NEGATIVE_INFINITY
  let present = 0
  for (let row = 0; row < size; row++) {
    const value = values[row]
    if (value === NONE) continue
    present++
    if (value < least) least = value
    if (value > greatest) greatest = value
  }
  return present === 0 ? { least: 0, greatest: 0, present } : { least, greatest, present }
}

/** In the arena, where the kernel reaches it, if one is given. */
function arrayFor(
  size: number,
  span: number,
  arena?: Arena,
): { array: IntegerArray; none: number } {
  const bytes = size * widthFor(span)
  const buffer = arena ? arena.memory.buffer : new SharedArrayBuffer(bytes)
  const at = arena ? take(arena, bytes) : 0
  if (span < 0xff) return { array: new Uint8Array(buffer, at, size), none: 0xff }
  if (span < 0xffff) return { array: new Uint16Array(buffer, at, size), none: 0xffff }
  if (span < 0xffffffff) return { array: new Uint32Array(buffer, at, size), none: 0xffffffff }
  return { array: new Float64Array(buffer, at, size), none: 2 ** 53 }
}

/** Bytes of a number of a column; its greatest stands for "no value". */
function widthFor(span: number): number {
  if (span < 0xff) return 1
  if (span < 0xffff) return 2
  return span < 0xffffffff ? 4 : 8
}

/** The least and the greatest ratio of a column to the primary one. */
function ratioOf({ values, base }: Packed, primary: NumberColumn): NumberColumn['ratio'] {
  let least = Number.POSITIVE_INFINITY
  let greatest = 0
  for (let row = 0; row < values.length; row++) {
    const ratio = (values[row] + base) / (primary.values[row] + primary.base)
    if (ratio < least) least = ratio
    if (ratio > greatest) greatest = ratio
  }
  return { least, greatest }
}

/** `none` is above every value, so rows without one come last by themselves. */
function orderOf(packed: Packed, idOrder: Uint32Array): Uint32Array {
  const greatest = packed.present === idOrder.length ? packed.greatest - packed.base : packed.none
  return sortRows(idOrder, packed.values, greatest)
}

function slicesOf(arena: Arena, { values, base, present }: Packed, order: Uint32Array): Slices {
  const cuts: number[] = []
  const below: Bits[] = []
  const soFar = takeBits(arena, order.length)
  const slice = present / SLICES
  let [previous, runStart, lastCut, heavyCuts] = [Number.NaN, 0, 0, 0]
  for (let at = 0; at < present; at++) {
    const value = values[order[at]] + base
    if (value !== previous) {
      // A value that many rows share gets a slice to itself: callers ask for round numbers.
      const heavy = at - runStart > slice / 2 || runLength(values, order, at) > slice / 2
      const due = at - lastCut >= slice
      if (at > 0 && (due || (heavy && heavyCuts < HEAVY_CUTS))) {
        if (!due) heavyCuts++
        cuts.push(value)
        const copy = takeBits(arena, order.length)
        copy.set(soFar)
        below.push(copy)
        lastCut = at
      }
      previous = value
      runStart = at
    }
    setBit(soFar, order[at])
  }
  return { cuts, below, present: soFar }
}

/** How many rows from place `at` on have the same value, counted no further than a slice. */
function runLength(values: IntegerArray, order: Uint32Array, at: number): number {
  const most = Math.min(order.length, at + Math.ceil(order.length / SLICES))
  let end = at + 1
  while (end < most && values[order[end]] === values[order[at]]) end++
  return end - at
}

function buildCodes(
  arena: Arena,
  arrived: Uint16Array,
  place: Uint32Array,
  valueCount: number,
  idOrder: Uint32Array | null,
): CodeColumn {
  const size = place.length
  const codes =
    valueCount <= 256
      ? new Uint8Array(arena.memory.buffer, take(arena, size), size)
      : new Uint16Array(new SharedArrayBuffer(size * 2))
  const sets = Array.from({ length: Math.min(valueCount, MOST_SETS) }, () => takeBits(arena, size))
  const counts = new Uint32Array(valueCount)
  for (let row = 0; row < size; row++) {
    const code = arrived[place[row]]
    codes[row] = code
    counts[code]++
    if (code < sets.length) setBit(sets[code], row)
  }
  const present = size - counts[NO_CODE]
  return {
    codes,
    sets,
    counts,
    present,
    order: idOrder && orderOfCodes(codes, valueCount, idOrder),
  }
}

function orderOfCodes(
  codes: Uint8Array | Uint16Array,
  valueCount: number,
  idOrder: Uint32Array,
): Uint32Array {
  // Rows without a value go last, although their code is the lowest.
  const ranks = Uint16Array.from(codes, (code) => (code === NO_CODE ? valueCount : code))
  return sortRows(idOrder, ranks, valueCount)
}

/** What bitmaps, codes and numbers will take at most, and what a search needs beside them. */
function bytesNeeded({ spec, size, dictionaries, numbers }: Rows): number {
  let bytes = bytesForWorkspace(size)
  for (const column of spec.columns) {
    if (column.kind === 'number') {
      const { least, greatest } = extentOf(numbers[column.name], size)
      bytes += size * widthFor(greatest - least) + GRAIN
      if (column.ranged) bytes += (SLICES + HEAVY_CUTS) * bytesForBits(size)
    }
    if (column.kind === 'code') {
      const sets = Math.min(dictionaries[column.name].values.length, MOST_SETS)
      bytes += sets * bytesForBits(size) + size + GRAIN
    }
  }
  return bytes
}

/** What is lost at most when an array is put at a round address. */
const GRAIN = 64
