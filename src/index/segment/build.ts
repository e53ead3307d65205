import {
  type Arena,
  allocate,
  allocateBitmaps,
  BLOCK_BYTES,
  bytesForBits,
  newArena,
} from './arena.ts'
import type { Bits } from './bits.ts'
import { allocateCodes, bytesForCodes, type CodeLayout, layOutCodes } from './code-words.ts'
import {
  type CodeColumn,
  type CodeView,
  type ColumnSpec,
  codeAt,
  type IntegerArray,
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
  const layout = codeLayoutOf(input)
  const arena = newArena(bytesForColumns(input, layout) + workspaceBytes)
  const segment: Segment = {
    arena,
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
  const codes = allocateCodes(arena, layout, size)
  input.fillCodes(codes)
  for (const column of spec.columns) addColumn(segment, input, column, codes.get(column.name))
  return segment
}

function codeLayoutOf({ spec, dictionaries }: SegmentInput): CodeLayout {
  const codes = spec.columns.filter(({ kind }) => kind === 'code')
  return layOutCodes(codes.map(({ name }) => [name, dictionaries[name].length]))
}

/** `codes` has the codes of a code column. */
function addColumn(
  segment: Segment,
  input: SegmentInput,
  column: ColumnSpec,
  codes: CodeView | undefined,
): void {
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
      slices: isRanged
        ? buildSlices(arena, packed, isNarrow(packed) ? null : order, column.cuts ?? [])
        : null,
      ratio: column.follows ? ratioOf(packed, segment.numbers[primary]) : null,
    }
  } else if (codes) {
    const values = [...input.dictionaries[name]]
    segment.dictionaries[name] = values
    segment.codes[name] = { ...codes, ...countCodes(arena, codes, values.length) }
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

function countCodes(
  arena: Arena,
  codes: CodeView,
  valueCount: number,
): Pick<CodeColumn, 'bitmaps' | 'counts'> {
  const size = codes.words.length
  const counts = new Uint32Array(valueCount)
  for (let row = 0; row < size; row++) counts[codeAt(codes, row)]++
  return { bitmaps: bitmapsOf(arena, codes, counts), counts }
}

/** A bitmap for each value that occurs; the memory of the others is only reserved. */
function bitmapsOf(arena: Arena, codes: CodeView, counts: Uint32Array): (Bits | null)[] {
  const size = codes.words.length
  const first = Array.from(counts.subarray(0, CODE_BITMAPS_MAX))
  const occurring = first.flatMap((count, code) => (count > 0 ? [code] : []))
  const { bits, words, stride } = allocateBitmaps(arena, size, occurring.length)
  /** By code, where its bitmap begins. */
  const starts = new Int32Array(counts.length).fill(-1)
  for (const [position, code] of occurring.entries()) starts[code] = position * stride
  for (let row = 0; row < size; row++) {
    const start = starts[codeAt(codes, row)]
    if (start !== -1) words[start + (row >>> 5)] |= 1 << (row & 31)
  }
  return first.map((_, code) => bits[occurring.indexOf(code)] ?? null)
}

/** What the bitmaps take that a segment has no rows for yet: setCode may need each of them. */
export function bytesForMissingBitmaps({
  size,
  codes,
}: Pick<Segment, 'size'> & { codes: Record<string, Pick<CodeColumn, 'bitmaps'>> }): number {
  const missing = Object.values(codes).flatMap(({ bitmaps }) => bitmaps.filter((bits) => !bits))
  return missing.length * bytesForBits(size)
}

/** How many bytes the bitmaps, codes and numbers of the columns take at most. */
function bytesForColumns(input: SegmentInput, layout: CodeLayout): number {
  const { spec, size, dictionaries } = input
  let bytes = bytesForCodes(layout, size)
  for (const column of spec.columns) {
    // An array begins at a multiple of a block, so up to one block is lost before it.
    if (column.kind === 'number') {
      const { least, greatest } = input.bounds(column.name)
      bytes += size * widthFor(greatest - least) + BLOCK_BYTES
      if (column.ranged) bytes += SLICE_BITMAPS_MAX * bytesForBits(size)
    }
    if (column.kind === 'code') {
      const bitmapCount = Math.min(dictionaries[column.name].length, CODE_BITMAPS_MAX)
      bytes += bitmapCount * bytesForBits(size)
    }
  }
  return bytes
}
