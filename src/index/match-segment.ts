import { type Bits, clearRange, hasBit, keepRange, setBit } from './bits.ts'
import type { NumberColumn, Segment, Slices } from './columns.ts'
import { filterRange, filterRows } from './filter-rows.ts'
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
  const sureMin = range.unsure?.sureMin ?? range.min
  const sureMax = range.unsure?.sureMax ?? range.max
  const { target, look } = workspace
  if (range.column === segment.primary) {
    keepRange(target, rowFrom(column, range.min), rowFrom(column, range.max + 1))
    if (!range.unsure) return
    look.set(target)
    clearRange(look, rowFrom(column, sureMin), rowFrom(column, sureMax + 1))
  } else {
    if (!column.slices) throw new Error(`${range.column} is not a ranged column`)
    const ends = slicesAt(workspace, column, column.slices, range, sureMin, sureMax)
    workspace.kernel.slice(
      target.byteOffset,
      workspace.bytes,
      ends.keep.byteOffset,
      ends.drop.byteOffset,
      ends.lookBelow.byteOffset,
      ends.lookFrom.byteOffset,
      look.byteOffset,
    )
  }
  siftLooked(segment, workspace, range)
}

/** Of the rows in `look`, which are all in the target, those out of the range leave it. */
function siftLooked(segment: Segment, workspace: Workspace, range: Range): void {
  const { target, look, kernel, bytes } = workspace
  const rows = listRows(workspace, look)
  if (rows.length === 0) return
  const kept = filterRange(segment, range, rows, rows.length)
  kernel.dropRows(target.byteOffset, look.byteOffset, bytes)
  for (let i = 0; i < kept; i++) target[rows[i] >>> 5] |= 1 << (rows[i] & 31)
}

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
