import { andAny, type Bits, countBits, keepRange, newBits, setBit, wordsFor } from './bits.ts'
import type { NumberColumn, Segment, Slices } from './columns.ts'
import { filterRows } from './filter-rows.ts'
import type { OneOf, Pairs, Predicate, Range } from './predicates.ts'
import { codesOf, type Dictionary } from './rows.ts'
import { findTexts } from './texts.ts'

/**
 * The rows of a segment that meet all predicates, as bits in `target`. Answers how many.
 * `alive` are the rows that no later change has taken out.
 */
export function matchSegment(
  segment: Segment,
  dictionaries: Record<string, Dictionary>,
  alive: Bits,
  predicates: readonly Predicate[],
  target: Bits,
): number {
  const texts = predicates.find((predicate) => predicate.kind === 'texts')
  if (texts) {
    const rows = Uint32Array.from(findTexts(segment.texts[texts.column], texts.values))
    const others = predicates.filter((predicate) => predicate !== texts)
    return matchFew(segment, dictionaries, alive, others, rows, target)
  }
  target.set(alive)
  for (const predicate of predicates) {
    if (predicate.kind === 'oneOf') keepOneOf(segment, dictionaries, predicate, target)
    else if (predicate.kind === 'pairs') keepPairs(segment, dictionaries, predicate, target)
  }
  // Ranges last: the fewer rows are left, the fewer at their ends are looked at one by one.
  for (const predicate of predicates) {
    if (predicate.kind === 'range') keepInRange(segment, predicate, target)
  }
  return countBits(target)
}

/** A few rows are tested one by one. */
function matchFew(
  segment: Segment,
  dictionaries: Record<string, Dictionary>,
  alive: Bits,
  predicates: readonly Predicate[],
  rows: Uint32Array,
  target: Bits,
): number {
  let count = 0
  for (const row of rows) if (alive[row >>> 5] & (1 << (row & 31))) rows[count++] = row
  for (const predicate of predicates) {
    if (predicate.kind === 'texts') {
      const found = findTexts(segment.texts[predicate.column], predicate.values)
      const kept = rows.subarray(0, count).filter((row) => found.has(row))
      rows.set(kept)
      count = kept.length
    } else {
      count = filterRows(segment, dictionaries, predicate, rows, count)
    }
  }
  target.fill(0)
  for (let i = 0; i < count; i++) setBit(target, rows[i])
  return count
}

function keepOneOf(
  segment: Segment,
  dictionaries: Record<string, Dictionary>,
  { column, values }: OneOf,
  target: Bits,
): void {
  const { sets, codes, present } = segment.codes[column]
  const wanted = codesOf(dictionaries[column], values)
  // Every value that there is: nothing to do. The missing one counts when a row lacks a value.
  const needed = dictionaries[column].values.length - (present === segment.size ? 1 : 0)
  if (wanted.filter((code) => code !== 0 || present < segment.size).length === needed) return
  const known = wanted.filter((code) => code < sets.length).map((code) => sets[code])
  const bound = segment.dictionaries[column].length
  const rare = new Set(wanted.filter((code) => code >= sets.length && code < bound))
  if (rare.size > 0) {
    const scanned = newBits(segment.size)
    for (let row = 0; row < segment.size; row++) if (rare.has(codes[row])) setBit(scanned, row)
    known.push(scanned)
  }
  if (known.length === 0) target.fill(0)
  else andAny(target, known)
}

function keepPairs(
  segment: Segment,
  dictionaries: Record<string, Dictionary>,
  { columns, pairs }: Pairs,
  target: Bits,
): void {
  const [first, second] = columns.map((column) => segment.codes[column].sets)
  const either = newBits(segment.size)
  for (const [a, b] of pairs) {
    const left = first[codesOf(dictionaries[columns[0]], [a])[0]]
    const right = second[codesOf(dictionaries[columns[1]], [b])[0]]
    for (let i = 0; i < either.length; i++) either[i] |= left[i] & right[i]
  }
  andAny(target, [either])
}

function keepInRange(segment: Segment, range: Range, target: Bits): void {
  const column = segment.numbers[range.column]
  const sure = range.unsure ?? { sureMin: range.min, sureMax: range.max, accepts: () => never }
  const accepts = sure.accepts(segment)
  if (range.column === segment.primary) {
    keepRange(target, rowFrom(column, range.min), rowFrom(column, range.max + 1))
    keepAccepted(target, rowFrom(column, range.min), rowFrom(column, sure.sureMin), accepts)
    const firstUnsure = Math.max(rowFrom(column, sure.sureMax + 1), rowFrom(column, sure.sureMin))
    keepAccepted(target, firstUnsure, rowFrom(column, range.max + 1), accepts)
    return
  }
  if (!column.slices) throw new Error(`${range.column} is not a ranged column`)
  const ends = slicesAt(column, column.slices, range.min, range.max, sure.sureMin, sure.sureMax)
  keepSliced(target, ends, column, range, sure.sureMin, sure.sureMax, accepts)
}

const never = () => false

/** The first row of the primary column with `value` or more. */
export function rowFrom(column: NumberColumn, value: number): number {
  const wanted = value - column.base
  let low = 0
  let high = column.values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (column.values[middle] < wanted) low = middle + 1
    else high = middle
  }
  return low
}

function keepAccepted(
  target: Bits,
  from: number,
  to: number,
  accepts: (row: number) => boolean,
): void {
  for (let i = from >>> 5; i << 5 < to; i++) {
    let word = target[i]
    while (word !== 0) {
      const bit = word & -word
      word ^= bit
      const row = (i << 5) + 31 - Math.clz32(bit)
      if (row >= from && row < to && !accepts(row)) target[i] &= ~bit
    }
  }
}

/** Rows outside keep, or in drop, are out; rows in lookBelow or not in lookFrom are looked at. */
interface SliceEnds {
  keep: Bits
  drop: Bits
  lookBelow: Bits
  lookFrom: Bits
}

function slicesAt(
  column: NumberColumn,
  { cuts, below, present }: Slices,
  min: number,
  max: number,
  sureMin: number,
  sureMax: number,
): SliceEnds {
  const none = noRows(present.length)
  // Slice k holds the values from cuts[k - 1] up to, without it, cuts[k].
  const first = sliceOf(cuts, min)
  const last = sliceOf(cuts, max)
  const start = first === 0 ? column.least : cuts[first - 1]
  const end = last === cuts.length ? column.greatest : cuts[last] - 1
  const lowIsClean = min <= start && sureMin <= Math.max(min, start)
  const highIsClean = max >= end && sureMax >= Math.min(max, end)
  const sureFirst = sliceOf(cuts, sureMin)
  const sureLast = sliceOf(cuts, sureMax)
  return {
    keep: last === cuts.length ? present : below[last],
    drop: first === 0 ? none : below[first - 1],
    lookBelow: lowIsClean ? none : sureFirst === cuts.length ? present : below[sureFirst],
    lookFrom: highIsClean ? present : sureLast === 0 ? none : below[sureLast - 1],
  }
}

/** How many cuts are at or below the value: the number of the slice it lies in. */
function sliceOf(cuts: readonly number[], value: number): number {
  let slice = 0
  while (slice < cuts.length && cuts[slice] <= value) slice++
  return slice
}

function keepSliced(
  target: Bits,
  { keep, drop, lookBelow, lookFrom }: SliceEnds,
  { values, base }: NumberColumn,
  { min, max }: Range,
  sureMin: number,
  sureMax: number,
  accepts: (row: number) => boolean,
): void {
  const words = target.length
  for (let i = 0; i < words; i++) {
    let word = target[i]
    if (word === 0) continue
    word &= keep[i] & ~drop[i]
    let look = word & (lookBelow[i] | ~lookFrom[i])
    while (look !== 0) {
      const bit = look & -look
      look ^= bit
      const row = (i << 5) + 31 - Math.clz32(bit)
      const value = values[row] + base
      if (value >= sureMin && value <= sureMax) continue
      if (value < min || value > max || !accepts(row)) word &= ~bit
    }
    target[i] = word
  }
}

let emptyBits = newBits(0)

function noRows(words: number): Bits {
  if (emptyBits.length !== words) emptyBits = newBits(words * 32)
  return emptyBits
}

let scratch = newBits(0)

/** Bits for one match. Matching is synchronous, so one set serves all searches of a thread. */
export function scratchBits(size: number): Bits {
  if (scratch.length !== wordsFor(size)) scratch = newBits(size)
  return scratch
}
