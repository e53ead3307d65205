import { type Arena, allocate, allocateBits, BLOCK_BYTES, bytesForBits, newArena } from './arena.ts'
import { setBit } from './bits.ts'
import {
  type CodeColumn,
  type CodeView,
  type ColumnSpec,
  type IntegerArray,
  NO_CODE,
  NONE,
  type NumberColumn,
  type NumberView,
  type Segment,
} from './columns.ts'
import { sortRows } from './radix.ts'
import type { Rows } from './rows.ts'
import { buildSlices, SLICE_BITMAPS_MAX } from './slices.ts'
import { buildTexts } from './texts.ts'

/** An open list has bitmaps for its first values only. */
const CODE_BITMAPS_MAX = 64

/**
 * Packs rows into a segment, with `workspaceBytes` left free in its memory for searches. It takes
 * a second or two for a million rows, so it runs in a worker thread.
 */
export function packRows(rows: Rows, workspaceBytes: number): Segment {
  const { spec, size } = rows
  const unsorted = Uint32Array.from({ length: size }, (_, row) => row)
  const byId = sortRows(unsorted, rows.ids.values, greatestOf(rows.ids, size))
  const primary = rows.numbers[spec.primary]
  // Row r of the segment is row source[r] of the input.
  const source = sortRows(byId, primary.values, greatestOf(primary, size))
  const ids = packNumbers(rows.ids, source)
  const idOrder = sortRows(unsorted, ids.values, ids.greatest - ids.base)
  const segment: Segment = {
    arena: newArena(bytesForColumns(rows) + workspaceBytes),
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
  for (const column of spec.columns) addColumn(segment, rows, source, column)
  return segment
}

function addColumn(segment: Segment, rows: Rows, source: Uint32Array, column: ColumnSpec): void {
  const { arena, idOrder, primary } = segment
  const { name } = column
  if (column.kind === 'number') {
    const packed = packNumbers(rows.numbers[name], source, arena)
    // The primary column needs neither: the rows themselves are its order.
    const order = name === primary ? null : orderOf(packed, idOrder)
    segment.numbers[name] = {
      ...packed,
      order: column.sorted ? order : null,
      slices: column.ranged && order ? buildSlices(arena, packed, packed.present, order) : null,
      ratio: column.follows ? ratioOf(packed, segment.numbers[primary]) : null,
    }
  } else if (column.kind === 'code') {
    const { values } = rows.dictionaries[name]
    segment.dictionaries[name] = [...values]
    const packed = packCodes(arena, rows.codes[name], source, values.length)
    const order = column.sorted ? orderOfCodes(packed, values.length, idOrder) : null
    segment.codes[name] = { ...packed, order }
  } else if (column.kind === 'text') {
    segment.texts[name] = buildTexts(rows.texts[name], source)
  } else {
    segment.sparse[name] = [...rows.sparse[name]]
  }
}

function greatestOf({ values }: NumberView, size: number): number {
  let greatest = 0
  for (let row = 0; row < size; row++) if (values[row] > greatest) greatest = values[row]
  return greatest
}

type PackedNumbers = Omit<NumberColumn, 'order' | 'slices' | 'ratio'>

/** The column in its new order, in the smallest kind of array that can hold its values. */
function packNumbers(view: NumberView, source: Uint32Array, arena?: Arena): PackedNumbers {
  const { values } = view
  const size = source.length
  const { least, greatest, present } = extentOf(view, size)
  const { array, none } = arrayFor(size, greatest - least, arena)
  for (let row = 0; row < size; row++) {
    const value = values[source[row]]
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

/** An array for values from 0 to `span`: in the arena, if one is given, where the kernel reads. */
function arrayFor(
  size: number,
  span: number,
  arena?: Arena,
): { array: IntegerArray; none: number } {
  const bytes = size * widthFor(span)
  const buffer = arena ? arena.memory.buffer : new SharedArrayBuffer(bytes)
  const address = arena ? allocate(arena, bytes) : 0
  if (span < 0xff) return { array: new Uint8Array(buffer, address, size), none: 0xff }
  if (span < 0xffff) return { array: new Uint16Array(buffer, address, size), none: 0xffff }
  if (span < 0xffffffff) return { array: new Uint32Array(buffer, address, size), none: 0xffffffff }
  return { array: new Float64Array(buffer, address, size), none: 2 ** 53 }
}

/** Bytes per number of a column; the greatest number of that width stands for "no value". */
function widthFor(span: number): number {
  if (span < 0xff) return 1
  if (span < 0xffff) return 2
  return span < 0xffffffff ? 4 : 8
}

/** The least and the greatest ratio of a column to the primary one. */
function ratioOf({ values, base }: NumberView, primary: NumberColumn): NumberColumn['ratio'] {
  let least = Number.POSITIVE_INFINITY
  let greatest = 0
  for (let row = 0; row < values.length; row++) {
    const ratio = (values[row] + base) / (primary.values[row] + primary.base)
    if (ratio < least) least = ratio
    if (ratio > greatest) greatest = ratio
  }
  return { least, greatest }
}

/** `none` is above every value, so rows without a value come last. */
function orderOf(packed: PackedNumbers, idOrder: Uint32Array): Uint32Array {
  const greatest = packed.present === idOrder.length ? packed.greatest - packed.base : packed.none
  return sortRows(idOrder, packed.values, greatest)
}

function packCodes(
  arena: Arena,
  { codes: input }: CodeView,
  source: Uint32Array,
  valueCount: number,
): Omit<CodeColumn, 'order'> {
  const size = source.length
  const codes =
    valueCount <= 256
      ? new Uint8Array(arena.memory.buffer, allocate(arena, size), size)
      : new Uint16Array(new SharedArrayBuffer(size * 2))
  const bitmapCount = Math.min(valueCount, CODE_BITMAPS_MAX)
  const bitmaps = Array.from({ length: bitmapCount }, () => allocateBits(arena, size))
  const counts = new Uint32Array(valueCount)
  for (let row = 0; row < size; row++) {
    const code = input[source[row]]
    codes[row] = code
    counts[code]++
    if (code < bitmapCount) setBit(bitmaps[code], row)
  }
  return { codes, bitmaps, counts, present: size - counts[NO_CODE] }
}

function orderOfCodes({ codes }: CodeView, valueCount: number, idOrder: Uint32Array): Uint32Array {
  // Rows without a value go last, although their code is the lowest.
  const ranks = Uint16Array.from(codes, (code) => (code === NO_CODE ? valueCount : code))
  return sortRows(idOrder, ranks, valueCount)
}

/** How many bytes the bitmaps, codes and numbers of the columns take at most. */
function bytesForColumns({ spec, size, dictionaries, numbers }: Rows): number {
  let bytes = 0
  for (const column of spec.columns) {
    // An array begins at a multiple of a block, so up to one block is lost before it.
    if (column.kind === 'number') {
      const { least, greatest } = extentOf(numbers[column.name], size)
      bytes += size * widthFor(greatest - least) + BLOCK_BYTES
      if (column.ranged) bytes += SLICE_BITMAPS_MAX * bytesForBits(size)
    }
    if (column.kind === 'code') {
      const { values } = dictionaries[column.name]
      const bitmapCount = Math.min(values.length, CODE_BITMAPS_MAX)
      bytes += bitmapCount * bytesForBits(size) + size + BLOCK_BYTES
    }
  }
  return bytes
}
