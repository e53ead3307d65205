import {
  type Arena,
  allocate,
  allocateBitmaps,
  BLOCK_BYTES,
  bytesForBits,
  newArena,
} from './arena.ts'
import type { Bits } from './bits.ts'
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
import { extentOf, type RowsById, type SegmentInput } from './input.ts'
import { buildSlices, isNarrow, SLICE_BITMAPS_MAX } from './slices.ts'
import { hashesOf } from './texts.ts'

/** An open list has bitmaps for its first values only. */
const CODE_BITMAPS_MAX = 64

/**
 * Packs rows into a segment, with `workspaceBytes` left free in its memory for searches. It takes
 * a second or two for a million rows, so it runs in a worker thread.
 */
export function packSegment(input: SegmentInput, workspaceBytes: number): Segment {
  const { spec, size } = input
  const ids = packNumbers(input.ids())
  const segment: Segment = {
    arena: newArena(bytesForColumns(input) + workspaceBytes),
    size,
    primary: spec.primary,
    ids,
    idOrder: input.idOrder(ids.values, ids.greatest - ids.base),
    numbers: {},
    codes: {},
    texts: {},
    sparse: {},
    dictionaries: {},
  }
  for (const column of spec.columns) addColumn(segment, input, column)
  return segment
}

function addColumn(segment: Segment, input: SegmentInput, column: ColumnSpec): void {
  const { arena, primary } = segment
  const { name } = column
  if (column.kind === 'number') {
    const packed = packNumbers(input.numbers(name), arena)
    // The primary column needs neither: the rows themselves are its order.
    const isRanged = column.ranged && name !== primary
    const needsOrder = name !== primary && (column.sorted || (isRanged && !isNarrow(packed)))
    const order = needsOrder ? orderOf(input, name, packed, segment) : null
    segment.numbers[name] = {
      ...packed,
      order: column.sorted ? order : null,
      slices: isRanged ? buildSlices(arena, packed, isNarrow(packed) ? null : order) : null,
      ratio: column.follows ? ratioOf(packed, segment.numbers[primary]) : null,
    }
  } else if (column.kind === 'code') {
    const values = [...input.dictionaries[name]]
    segment.dictionaries[name] = values
    const packed = packCodes(arena, input.codes(name), values.length)
    const ranks = column.sorted ? ranksOf(packed.codes, values.length) : null
    const order = ranks && input.order(name, ranks, values.length, segment)
    segment.codes[name] = { ...packed, order }
  } else if (column.kind === 'text') {
    const texts = input.texts(name)
    segment.texts[name] = { ...texts, order: input.hashOrder(name, hashesOf(texts)) }
  } else {
    segment.sparse[name] = input.sparse(name)
  }
}

type PackedNumbers = Omit<NumberColumn, 'order' | 'slices' | 'ratio'>

/** The column in the smallest kind of array that can hold its values. */
function packNumbers(values: Float64Array, arena?: Arena): PackedNumbers {
  const size = values.length
  const { least, greatest, present } = extentOf(values, size)
  const { array, none } = arrayFor(size, greatest - least, arena)
  for (let row = 0; row < size; row++) {
    const value = values[row]
    array[row] = value === NONE ? none : value - least
  }
  return { values: array, base: least, none, least, greatest, present }
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
function orderOf(
  input: SegmentInput,
  column: string,
  packed: PackedNumbers,
  by: RowsById,
): Uint32Array {
  const greatest =
    packed.present === packed.values.length ? packed.greatest - packed.base : packed.none
  return input.order(column, packed.values, greatest, by)
}

function packCodes(
  arena: Arena,
  input: Uint16Array,
  valueCount: number,
): Omit<CodeColumn, 'order'> {
  const size = input.length
  const codes =
    valueCount <= 256
      ? new Uint8Array(arena.memory.buffer, allocate(arena, size), size)
      : new Uint16Array(new SharedArrayBuffer(size * 2))
  const counts = new Uint32Array(valueCount)
  for (let row = 0; row < size; row++) {
    codes[row] = input[row]
    counts[input[row]]++
  }
  const bitmaps = bitmapsOf(arena, codes, counts)
  return { codes, bitmaps, counts, present: size - counts[NO_CODE] }
}

/** A bitmap for each value that occurs; the memory of the others is only reserved. */
function bitmapsOf(arena: Arena, codes: CodeView['codes'], counts: Uint32Array): (Bits | null)[] {
  const first = Array.from(counts.subarray(0, CODE_BITMAPS_MAX))
  const occurring = first.flatMap((count, code) => (count > 0 ? [code] : []))
  const { bits, words, stride } = allocateBitmaps(arena, codes.length, occurring.length)
  /** By code, where its bitmap begins. */
  const starts = new Int32Array(counts.length).fill(-1)
  for (const [position, code] of occurring.entries()) starts[code] = position * stride
  for (let row = 0; row < codes.length; row++) {
    const start = starts[codes[row]]
    if (start !== -1) words[start + (row >>> 5)] |= 1 << (row & 31)
  }
  return first.map((_, code) => bits[occurring.indexOf(code)] ?? null)
}

/** Rows without a value go last, although their code is the lowest. */
function ranksOf(codes: CodeView['codes'], valueCount: number): Uint16Array {
  const ranks = new Uint16Array(codes.length)
  for (let row = 0; row < codes.length; row++) {
    ranks[row] = codes[row] === NO_CODE ? valueCount : codes[row]
  }
  return ranks
}

/** How many bytes the bitmaps, codes and numbers of the columns take at most. */
function bytesForColumns(input: SegmentInput): number {
  const { spec, size, dictionaries } = input
  let bytes = 0
  for (const column of spec.columns) {
    // An array begins at a multiple of a block, so up to one block is lost before it.
    if (column.kind === 'number') {
      const { least, greatest } = input.bounds(column.name)
      bytes += size * widthFor(greatest - least) + BLOCK_BYTES
      if (column.ranged) bytes += SLICE_BITMAPS_MAX * bytesForBits(size)
    }
    if (column.kind === 'code') {
      const bitmapCount = Math.min(dictionaries[column.name].length, CODE_BITMAPS_MAX)
      bytes += bitmapCount * bytesForBits(size) + size + BLOCK_BYTES
    }
  }
  return bytes
}
