import { type Bits, fillBits } from '../segment/bits.ts'
import type { NumberColumn } from '../segment/columns.ts'
import { codesOf } from '../segment/rows.ts'
import { canBand, keepInBands, keyBelow, rowsBelow } from './bands.ts'
import { findSet, isAskedAgain, roomFor } from './bitmap-cache.ts'
import type { Bands, OneOf, Predicate, Range } from './predicates.ts'
import { isSiftable } from './slices.ts'
import { keepAny, SETS_A_SEARCH, type Searchable, type Workspace } from './workspace.ts'

/** A conjunction as far as it is whole bitmaps: the rows in all of `keep` and in none of `drop`. */
export interface Gathered {
  keep: Bits[]
  drop: Bits[]
  /** What is not, and must be worked out on the rows that are left. */
  rest: Exclude<Predicate, { kind: 'texts' }>[]
  /** The share of all rows that is probably left. */
  expected: number
}

/**
 * Sorts the predicates into those that are bitmaps already, or are made ones because they are
 * asked for again, and the rest. Uses the target as its workbench.
 */
export function gatherSets(searchable: Searchable, predicates: readonly Predicate[]): Gathered {
  const { alive } = searchable.workspace
  const gathered: Gathered = { keep: [alive], drop: [], rest: [], expected: 1 }
  // The sets of one search must all find room at once.
  let free = SETS_A_SEARCH
  for (const predicate of predicates) {
    if (predicate.kind === 'texts') continue
    if (predicate.kind === 'pairs' || free < 2) gathered.rest.push(predicate)
    else if (predicate.kind === 'range') gatherRange(searchable, predicate, gathered)
    else gatherOneOf(searchable, predicate, gathered)
    free = SETS_A_SEARCH - gathered.keep.length - gathered.drop.length
  }
  return gathered
}

function gatherOneOf(
  { base, dictionaries, workspace }: Searchable,
  predicate: OneOf,
  gathered: Gathered,
): void {
  const { column, values } = predicate
  const { sets, counts, present } = base.codes[column]
  const wanted = codesOf(dictionaries[column], values)
  // Every value that there is: nothing to do. The missing one counts when a row lacks a value.
  const needed = dictionaries[column].values.length - (present === base.size ? 1 : 0)
  if (wanted.filter((code) => code !== 0 || present < base.size).length === needed) return
  gathered.expected *= wanted.reduce((sum, code) => sum + (counts[code] ?? 0), 0) / base.size
  // Values that came after the base was built are in none of its rows.
  const known = wanted.filter((code) => code < base.dictionaries[column].length)
  const union = known.every((code) => code < sets.length)
    ? unionOf(workspace, column, known, sets)
    : undefined
  if (union) gathered.keep.push(union)
  else gathered.rest.push(predicate)
}

function unionOf(
  workspace: Workspace,
  column: string,
  codes: readonly number[],
  sets: readonly Bits[],
): Bits | undefined {
  if (codes.length < 2) return codes.length === 0 ? workspace.none : sets[codes[0]]
  const key = `${column} in ${codes.toSorted((a, b) => a - b).join()}`
  const known = findSet(workspace.kept, key)
  if (known || !isAskedAgain(workspace.kept, key)) return known
  const union = roomFor(workspace.kept, key)
  union.fill(0xffffffff)
  keepAny(
    workspace,
    codes.map((code) => sets[code]),
    union,
  )
  return union
}

function gatherRange(searchable: Searchable, range: Range, { keep, drop, rest }: Gathered): void {
  const { base, workspace } = searchable
  const { bands } = range.derived ?? {}
  if (bands && canBand(base, range, bands)) {
    const set = bandsOf(searchable, range, bands)
    if (set) keep.push(set)
    else rest.push(range)
    return
  }
  const isOwn = !range.derived && range.column !== base.primary
  const from = isOwn && endOf(searchable, range.column, range.min)
  const below = isOwn && endOf(searchable, range.column, range.max + 1)
  if (!from || !below) {
    rest.push(range)
    return
  }
  keep.push(below)
  if (from !== workspace.none) drop.push(from)
}

/** The rows below the end of a range, where that is known. */
function endOf(searchable: Searchable, name: string, value: number): Bits | undefined {
  const { base, workspace } = searchable
  const column = base.numbers[name]
  if (value <= column.least) return workspace.none
  const { cuts, below, present } = slicesOf(column)
  if (value > column.greatest) return present
  const cut = cuts.indexOf(value)
  if (cut !== -1) return below[cut]
  const key = keyBelow(name, value)
  const known = findSet(workspace.kept, key)
  if (known || !isSiftable(column) || !isAskedAgain(workspace.kept, key)) return known
  return rowsBelow(searchable, name, value)
}

function slicesOf({ slices }: NumberColumn) {
  if (!slices) throw new Error('only a ranged column has slices')
  return slices
}

function bandsOf(searchable: Searchable, range: Range, bands: Bands): Bits | undefined {
  const { base, workspace } = searchable
  const { kept, target } = workspace
  const { column, starts, split, lows, highs } = bands
  const key = `${range.column} by ${column} ${split.column} ${[...starts, ...lows, ...highs].join()}`
  const known = findSet(kept, key)
  if (known || !isAskedAgain(kept, key)) return known
  fillBits(target, 0, base.size)
  keepInBands(searchable, range, bands)
  const set = roomFor(kept, key)
  set.set(target)
  return set
}
