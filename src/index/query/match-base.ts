import { hasBit, setBit } from '../segment/bits.ts'
import { codesOf } from '../segment/rows.ts'
import { findTexts } from '../segment/texts.ts'
import { filterRows } from './filter-rows.ts'
import { gatherSets } from './intersect.ts'
import type { OneOf, Pairs, Predicate, Range } from './predicates.ts'
import { keepInRange } from './range.ts'
import { countBoth, keepAny, meetAll, type Searchable } from './workspace.ts'

/** Marks the rows of the base that meet all predicates in the workspace, and counts them. */
export function matchBase(searchable: Searchable, predicates: readonly Predicate[]): number {
  const { base, workspace } = searchable
  const texts = predicates.find((predicate) => predicate.kind === 'texts')
  if (texts) {
    const rows = Uint32Array.from(findTexts(base.texts[texts.column], texts.values))
    const others = predicates.filter((predicate) => predicate !== texts)
    return matchFew(searchable, others, rows)
  }
  const { keep, drop, rest, ...gathered } = gatherSets(searchable, predicates)
  meetAll(workspace, keep, drop)
  let { expected } = gathered
  for (const predicate of rest.toSorted((a, b) => bitmapsOf(a) - bitmapsOf(b))) {
    if (predicate.kind === 'oneOf') keepOneOf(searchable, predicate)
    else if (predicate.kind === 'pairs') keepPairs(searchable, predicate)
    else expected *= keepInRange(searchable, predicate, expected)
  }
  return countBoth(workspace, workspace.target, workspace.target)
}

/**
 * About how many bitmaps a predicate reads. Those that read few come first: where they leave
 * nothing, the others read nothing. What is decided row by row comes when the fewest are left.
 */
function bitmapsOf(predicate: OneOf | Pairs | Range): number {
  if (predicate.kind === 'oneOf') return predicate.values.length
  if (predicate.kind === 'pairs') return 2 * predicate.pairs.length
  return predicate.derived ? BITMAPS_OF_BANDS : BITMAPS_OF_A_RANGE
}

const BITMAPS_OF_A_RANGE = 3
const BITMAPS_OF_BANDS = 100

/** A few rows are tested one by one. */
function matchFew(
  { base, dictionaries, workspace }: Searchable,
  predicates: readonly Predicate[],
  rows: Uint32Array,
): number {
  const { alive, target } = workspace
  let count = 0
  for (const row of rows) if (hasBit(alive, row)) rows[count++] = row
  for (const predicate of predicates) {
    if (predicate.kind === 'texts') {
      const found = findTexts(base.texts[predicate.column], predicate.values)
      const kept = rows.subarray(0, count).filter((row) => found.has(row))
      rows.set(kept)
      count = kept.length
    } else {
      count = filterRows(base, dictionaries, predicate, rows, count)
    }
  }
  target.fill(0)
  for (let i = 0; i < count; i++) setBit(target, rows[i])
  return count
}

function keepOneOf({ base, dictionaries, workspace }: Searchable, { column, values }: OneOf): void {
  const { sets, codes } = base.codes[column]
  const wanted = codesOf(dictionaries[column], values)
  const kept = wanted.filter((code) => code < sets.length).map((code) => sets[code])
  const rare = new Set(wanted.filter((code) => code >= sets.length))
  if (rare.size > 0) {
    workspace.look.fill(0)
    for (let row = 0; row < base.size; row++) {
      if (rare.has(codes[row])) setBit(workspace.look, row)
    }
    kept.push(workspace.look)
  }
  keepAny(workspace, kept)
}

function keepPairs({ base, dictionaries, workspace }: Searchable, { columns, pairs }: Pairs): void {
  const { kernel, look, bytes } = workspace
  const [first, second] = columns.map((column) => base.codes[column].sets)
  look.fill(0)
  for (const [a, b] of pairs) {
    const left = first[codesOf(dictionaries[columns[0]], [a])[0]]
    const right = second[codesOf(dictionaries[columns[1]], [b])[0]]
    kernel.orBoth(look.byteOffset, left.byteOffset, right.byteOffset, bytes)
  }
  keepAny(workspace, [look])
}
