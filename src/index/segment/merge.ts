import { type Bits, hasBit } from './bits.ts'
import {
  type CodeView,
  codeAt,
  findRow,
  type IntegerArray,
  idAt,
  NO_CODE,
  NONE,
  type NumberColumn,
  type Segment,
} from './columns.ts'
import { type Extent, extentOf, greatestOf, rowNumbers, type SegmentInput } from './input.ts'
import { sharedRows, sortRows } from './radix.ts'
import type { Rows } from './rows.ts'
import { newTexts, type TextBytes } from './texts.ts'

/**
 * The rows of a base that are alive and those of a delta, as the input of the next base. Both lie
 * in memory, and the base is sorted already in every order that it keeps: the delta is sorted and
 * merged into each, so that nothing is read again and little is sorted.
 */
export function inputFromMerge(base: Segment, alive: Bits, delta: Rows): SegmentInput {
  const merged = mergeRows(base, alive, delta)
  const { source } = merged
  const size = source.length
  const numbers = new Float64Array(size)
  const { dictionaries, translations } = usedValues(base, delta, source)
  return {
    spec: delta.spec,
    size,
    dictionaries,
    bounds: (column) => boundsOf(base.numbers[column], delta.numbers[column].values, delta.size),
    numbers(column) {
      copyNumbers(base.numbers[column], delta.numbers[column].values, merged, numbers)
      return numbers
    },
    ids() {
      const ids = new Float64Array(size)
      copyNumbers(base.ids, delta.ids.values, merged, ids)
      return ids
    },
    fillCodes(columns) {
      for (const [column, to] of columns) {
        const from = [base.codes[column], delta.codes[column]] as const
        copyCodes(...from, merged, to, translations.get(column))
      }
    },
    texts: (column) => mergeTexts(base.texts[column], delta.texts[column], merged),
    sparse: (column) => [
      ...base.sparse[column].filter(([id]) => isAlive(base, alive, id)),
      ...delta.sparse[column],
    ],
    idOrder: (ids) => mergeOrder(base.idOrder, merged.deltaById, merged, ids, ids),
    order(column, values, greatest, { ids, idOrder }) {
      const known = base.numbers[column].order
      if (!known) return sortRows(idOrder, values, greatest)
      const ofDelta = sortRows(merged.deltaById, values, greatest)
      return mergeOrder(known, ofDelta, merged, values, ids.values)
    },
    hashOrder(column, hashes) {
      const ofDelta = sortRows(merged.deltaRows, hashes, 0xffffffff)
      return mergeOrder(base.texts[column].order, ofDelta, merged, hashes, null)
    },
  }
}

/** Where the rows of the base and of the delta are in the next base. */
interface MergedRows {
  /**
   * Row r was row source[r] of the base or, if that is not below `baseSize`, row
   * source[r] - baseSize of the delta.
   */
  readonly source: Uint32Array
  readonly baseSize: number
  /** The new number of every row of the base; GONE for those that were replaced or removed. */
  readonly rowOf: Uint32Array
  /** The new numbers of the rows of the delta, lowest first. */
  readonly deltaRows: Uint32Array
  /** `deltaRows` by id. */
  readonly deltaById: Uint32Array
}

const GONE = 0xffffffff

/** Merges the rows by the primary column, then by id. */
function mergeRows(base: Segment, alive: Bits, delta: Rows): MergedRows {
  const { values, base: offset } = base.numbers[base.primary]
  const primary = delta.numbers[base.primary]
  const ids = delta.ids.values
  const byId = sortRows(rowNumbers(delta.size), ids, greatestOf(delta.ids, delta.size))
  const sorted = sortRows(byId, primary.values, greatestOf(primary, delta.size))
  const rowOf = new Uint32Array(base.size).fill(GONE)
  const rowOfDelta = new Uint32Array(delta.size)
  const deltaRows = new Uint32Array(delta.size)
  const source = new Uint32Array(countAlive(alive, base.size) + delta.size)
  let [row, next] = [0, 0]
  const addDelta = () => {
    rowOfDelta[sorted[next]] = row
    deltaRows[next] = row
    source[row++] = base.size + sorted[next++]
  }
  for (let baseRow = 0; baseRow < base.size; baseRow++) {
    if (!hasBit(alive, baseRow)) continue
    const value = values[baseRow] + offset
    while (next < delta.size) {
      const own = primary.values[sorted[next]]
      if (own > value || (own === value && ids[sorted[next]] > idAt(base, baseRow))) break
      addDelta()
    }
    rowOf[baseRow] = row
    source[row++] = baseRow
  }
  while (next < delta.size) addDelta()
  return {
    source,
    baseSize: base.size,
    rowOf,
    deltaRows,
    deltaById: byId.map((d) => rowOfDelta[d]),
  }
}

function countAlive(alive: Bits, size: number): number {
  let count = 0
  for (let row = 0; row < size; row++) if (hasBit(alive, row)) count++
  return count
}

function isAlive(base: Segment, alive: Bits, id: number): boolean {
  const row = findRow(base, id)
  return row !== undefined && hasBit(alive, row)
}

/**
 * Merges the order of the base with the sorted rows of the delta. Rows with equal values are in the
 * order of `ties`, or of their numbers. Where a row of the delta belongs is searched from the place
 * of the one before it in steps that double, so that few values are compared.
 */
function mergeOrder(
  known: Uint32Array,
  ofDelta: Uint32Array,
  { rowOf, source }: MergedRows,
  values: IntegerArray,
  ties: IntegerArray | null,
): Uint32Array {
  const ofBase = new Uint32Array(source.length - ofDelta.length)
  let count = 0
  for (let i = 0; i < known.length; i++) {
    const row = rowOf[known[i]]
    if (row !== GONE) ofBase[count++] = row
  }
  const isBehind = (row: number, own: number) => {
    if (values[row] !== values[own]) return values[row] > values[own]
    return ties ? ties[row] > ties[own] : row > own
  }
  const order = sharedRows(source.length)
  let [position, from] = [0, 0]
  for (const own of ofDelta) {
    let [low, high, step] = [from, from, 1]
    while (high < count && !isBehind(ofBase[high], own)) {
      low = high + 1
      high += step
      step *= 2
    }
    high = Math.min(high, count)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBehind(ofBase[middle], own)) high = middle
      else low = middle + 1
    }
    while (from < low) order[position++] = ofBase[from++]
    order[position++] = own
  }
  while (from < count) order[position++] = ofBase[from++]
  return order
}

function boundsOf(known: NumberColumn, values: IntegerArray, size: number): Extent {
  const own = extentOf(values, size)
  if (known.present === 0) return own
  if (own.present === 0) return known
  return {
    least: Math.min(known.least, own.least),
    greatest: Math.max(known.greatest, own.greatest),
  }
}

function copyNumbers(
  { values, base: offset, none }: Pick<NumberColumn, 'values' | 'base' | 'none'>,
  ofDelta: IntegerArray,
  { source, baseSize }: MergedRows,
  to: Float64Array,
): void {
  for (let row = 0; row < source.length; row++) {
    const from = source[row]
    if (from >= baseSize) to[row] = ofDelta[from - baseSize]
    else to[row] = values[from] === none ? NONE : values[from] + offset
  }
}

function copyCodes(
  ofBase: CodeView,
  ofDelta: CodeView,
  { source, baseSize }: MergedRows,
  { words, shift }: CodeView,
  translation: Uint16Array | undefined,
): void {
  for (let row = 0; row < source.length; row++) {
    const from = source[row]
    const code = from < baseSize ? codeAt(ofBase, from) : codeAt(ofDelta, from - baseSize)
    words[row] |= (translation ? translation[code] : code) << shift
  }
}

/**
 * The values of an open list that some row still has; otherwise a list would grow for as long as
 * the process runs. By column, `translations` has the new code of each old one.
 */
function usedValues(base: Segment, delta: Rows, source: Uint32Array) {
  const dictionaries: Record<string, readonly (string | null)[]> = {}
  const translations = new Map<string, Uint16Array>()
  for (const [column, { values, open }] of Object.entries(delta.dictionaries)) {
    dictionaries[column] = values
    if (!open) continue
    const used = new Uint8Array(values.length)
    used[NO_CODE] = 1
    const [ofBase, ofDelta] = [base.codes[column], delta.codes[column]]
    for (let row = 0; row < source.length; row++) {
      const from = source[row]
      used[from < base.size ? codeAt(ofBase, from) : codeAt(ofDelta, from - base.size)] = 1
    }
    if (!used.includes(0)) continue
    const translation = new Uint16Array(values.length)
    const kept = values.filter((_, code) => used[code] === 1)
    let next = 0
    for (let code = 0; code < values.length; code++) if (used[code]) translation[code] = next++
    dictionaries[column] = kept
    translations.set(column, translation)
  }
  return { dictionaries, translations }
}

function mergeTexts(
  { bytes, starts }: TextBytes,
  ofDelta: readonly (string | null)[],
  { source, baseSize }: MergedRows,
): TextBytes {
  let total = 0
  for (const from of source) {
    if (from < baseSize) total += starts[from + 1] - starts[from]
    else total += Buffer.byteLength(ofDelta[from - baseSize] ?? '')
  }
  const merged = newTexts(source.length, total)
  const buffer = Buffer.from(merged.bytes.buffer)
  let end = 0
  for (let row = 0; row < source.length; row++) {
    merged.starts[row] = end
    const from = source[row]
    if (from < baseSize) {
      for (let i = starts[from]; i < starts[from + 1]; i++) merged.bytes[end++] = bytes[i]
    } else {
      const text = ofDelta[from - baseSize]
      if (text) end += buffer.write(text, end)
    }
  }
  merged.starts[source.length] = end
  return merged
}
