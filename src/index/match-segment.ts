import { clearRange, hasBit, keepRange, setBit } from './bits.ts'
import type { Segment } from './columns.ts'
import { filterRange, filterRows } from './filter-rows.ts'
import { keepInBands } from './keep-bands.ts'
import type { Bands, OneOf, Pairs, Predicate, Range } from './predicates.ts'
import { codesOf, type Dictionary } from './rows.ts'
import { isSiftable, rowFrom, siftRows, slicesAt } from './slices.ts'
import { findTexts } from './texts.ts'
import { countBoth, keepAny, LIMITS, listRows, type Workspace } from './workspace.ts'

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
    if (predicate.kind === 'range') keepInRange(segment, dictionaries, workspace, predicate)
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

function keepInRange(
  segment: Segment,
  dictionaries: Record<string, Dictionary>,
  workspace: Workspace,
  range: Range,
): void {
  const { unsure } = range
  const column = segment.numbers[range.column]
  if (unsure?.bands && canBand(segment, range, unsure.bands)) {
    keepInBands(segment, dictionaries, workspace, range, unsure.bands)
    return
  }
  const sureMin = unsure?.sureMin ?? range.min
  const sureMax = unsure?.sureMax ?? range.max
  const { target, look, kernel, bytes } = workspace
  if (range.column === segment.primary) {
    keepRange(target, rowFrom(column, range.min), rowFrom(column, range.max + 1))
    if (!unsure) return
    look.set(target)
    clearRange(look, rowFrom(column, sureMin), rowFrom(column, sureMax + 1))
    kernel.dropRows(target.byteOffset, look.byteOffset, bytes)
  } else {
    const ends = slicesAt(workspace, column, range.min, range.max, sureMin, sureMax)
    kernel.slice(
      target.byteOffset,
      bytes,
      ends.keep.byteOffset,
      ends.drop.byteOffset,
      ends.lookBelow.byteOffset,
      ends.lookFrom.byteOffset,
      look.byteOffset,
    )
  }
  if (!unsure && isSiftable(column))
    siftRows(workspace, column, target, range.min, range.max, { start: 0, bytes })
  else siftLooked(segment, workspace, range)
}

/** Bands are kept as bitmaps; more of them than there is room for are tested row by row. */
function canBand({ numbers, primary }: Segment, range: Range, { column, starts }: Bands): boolean {
  const isReachable = (name: string) =>
    name === primary || (numbers[name].slices !== null && isSiftable(numbers[name]))
  return starts.length <= LIMITS && isReachable(range.column) && isReachable(column)
}

/** Of the rows in `look`, those in the range join the target. */
function siftLooked(segment: Segment, workspace: Workspace, range: Range): void {
  const { target, look } = workspace
  const rows = listRows(workspace, look)
  const kept = filterRange(segment, range, rows, rows.length)
  for (let i = 0; i < kept; i++) target[rows[i] >>> 5] |= 1 << (rows[i] & 31)
}
