import { type Bits, clearBit, hasBit, keepRange, setBit } from './bits.ts'
import type { NumberColumn, Segment, Slices } from './columns.ts'
import { filterRows } from './filter-rows.ts'
import type { OneOf, Pairs, Predicate, Range } from './predicates.ts'
import { codesOf, type Dictionary } from './rows.ts'
import { findTexts } from './texts.ts'
import { countBoth, keepAny, listRows, type Workspace } from './workspace.ts'

/** Marks the rows of a segment that meet all predicates in the workspace, and counts them. */
export function matchSegment(
  segment: Segment,
  dictionaries: Record<string, Dictionary>,
  workspace: Workspace,
  predicates: readonly Predicate[],
): number {
  const texts = predicates.find((predicate) => predicate.kind === 'texts')
  if (texts) {
    const rows = Uint32Array.from(findTexts(segment.texts[texts.column], texts.values))
    const others = predicates.filter((predicate) => predicate !== texts)
    return matchFew(segment, dictionaries, workspace, others, rows)
  }
  workspace.target.set(workspace.alive)
  for (const predicate of predicates) {
    if (predicate.kind === 'oneOf') keepOneOf(segment, dictionaries, workspace, predicate)
    else if (predicate.kind === 'pairs') keepPairs(segment, dictionaries, workspace, predicate)
  }
  // Ranges last: the fewer rows are left, the fewer at their ends are looked at one by one.
  for (const predicate of predicates) {
    if (predicate.kind === 'range') keepInRange(segment, workspace, predicate)
  }
  return countBoth(workspace, workspace.target, workspace.target)
}

/** A few rows are tested one by one. */
function matchFew(
  segment: Segment,
  dictionaries: Record<string, Dictionary>,
  { alive, target }: Workspace,
  predicates: readonly Predicate[],
  rows: Uint32Array,
): number {
  let count = 0
  for (const row of rows) if (hasBit(alive, row)) rows[count++] = row
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
  workspace: Workspace,
  { column, values }: OneOf,
): void {
  const { sets, codes, present } = segment.codes[column]
  const wanted = codesOf(dictionaries[column], values)
  // Every value that there is: nothing to do. The missing one counts when a row lacks a value.
  const needed = dictionaries[column].values.length - (present === segment.size ? 1 : 0)
  if (wanted.filter((code) => code !== 0 || present < segment.size).length === needed) return
  const kept = wanted.filter((code) => code < sets.length).map((code) => sets[code])
  const bound = segment.dictionaries[column].length
  const rare = new Set(wanted.filter((code) => code >= sets.length && code < bound))
  if (rare.size > 0) {
    workspace.look.fill(0)
    for (let row = 0; row < segment.size; row++) {
      if (rare.has(codes[row])) setBit(workspace.look, row)
    }
    kept.push(workspace.look)
  }
  keepAny(workspace, kept)
}

function keepPairs(
  segment: Segment,
  dictionaries: Record<string, Dictionary>,
  workspace: Workspace,
  { columns, pairs }: Pairs,
): void {
  const { kernel, look, bytes } = workspace
  const [first, second] = columns.map((column) => segment.codes[column].sets)
  look.fill(0)
  for (const [a, b] of pairs) {
    const left = first[codesOf(dictionaries[columns[0]], [a])[0]]
    const right = second[codesOf(dictionaries[columns[1]], [b])[0]]
    kernel.orBoth(look.byteOffset, left.byteOffset, right.byteOffset, bytes)
  }
  keepAny(workspace, [look])
}

function keepInRange(segment: Segment, workspace: Workspace, range: Range): void {
  const column = segment.numbers[range.column]
  const sure = range.unsure ?? { sureMin: range.min, sureMax: range.max, accepts: () => never }
  const accepts = sure.accepts(segment)
  if (range.column === segment.primary) {
    const { target } = workspace
    keepRange(target, rowFrom(column, range.min), rowFrom(column, range.max + 1))
    keepAccepted(target, rowFrom(column, range.min), rowFrom(column, sure.sureMin), accepts)
    const firstUnsure = Math.max(rowFrom(column, sure.sureMax + 1), rowFrom(column, sure.sureMin))
    keepAccepted(target, firstUnsure, rowFrom(column, range.max + 1), accepts)
    return
  }
  if (!column.slices) throw new Error(`${range.column} is not a ranged column`)
  const ends = slicesAt(workspace, column, column.slices, range, sure.sureMin, sure.sureMax)
  keepSliced(workspace, ends, column, range, sure.sureMin, sure.sureMax, accepts)
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
  { none }: Workspace,
  column: NumberColumn,
  { cuts, below, present }: Slices,
  { min, max }: Range,
  sureMin: number,
  sureMax: number,
): SliceEnds {
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
  workspace: Workspace,
  { keep, drop, lookBelow, lookFrom }: SliceEnds,
  { values, base }: NumberColumn,
  { min, max }: Range,
  sureMin: number,
  sureMax: number,
  accepts: (row: number) => boolean,
): void {
  const { kernel, target, look, bytes } = workspace
  kernel.slice(
    target.byteOffset,
    bytes,
    keep.byteOffset,
    drop.byteOffset,
    lookBelow.byteOffset,
    lookFrom.byteOffset,
    look.byteOffset,
  )
  const rows = listRows(workspace, look)
  const count = rows.length
  for (let i = 0; i < count; i++) {
    const row = rows[i]
    const value = values[row] + base
    if (value >= sureMin && value <= sureMax) continue
    if (value < min || value > max || !accepts(row)) clearBit(target, row)
  }
}
