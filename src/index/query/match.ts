import { countIntersection } from '../kernel/bitmaps.ts'
import { eachRows, listRows, listRowsIn } from '../kernel/rows.ts'
import { hasBit, setBit } from '../segment/bits.ts'
import type { View } from '../segment/columns.ts'
import { findTexts } from '../segment/texts.ts'
import { filterRows } from './filter-rows.ts'
import { intersectPredicates } from './intersect.ts'
import type { Predicate, Texts } from './predicates.ts'
import { beginGeneration, type Searchable } from './workspace.ts'

/**
 * The rows that satisfy all predicates. Those of the base are bits in the workspace, which the
 * next match overwrites, and those of the delta move when it changes: a match can be used until
 * the next match on the same store or the next change of it, and fails an assertion afterwards.
 */
export interface Match {
  readonly searched: Searchable
  readonly generation: number
  readonly predicates: readonly Predicate[]
  readonly baseCount: number
  readonly deltaRows: Uint32Array
  readonly total: number
  /** The rows of the base, once they are listed. */
  baseRows?: Uint32Array
}

export function match(searched: Searchable, predicates: readonly Predicate[]): Match {
  const generation = beginGeneration(searched.workspace)
  const baseCount = matchBase(searched, predicates)
  const deltaRows = matchDelta(searched, predicates)
  const total = baseCount + deltaRows.length
  return { searched, generation, predicates, baseCount, deltaRows, total }
}

/** Fails when there was another match or a change of the store since this match. */
export function assertCurrent({ searched, generation }: Match): void {
  if (searched.workspace.generation === generation) return
  throw new Error('A match was used after the next match on its store or a change of it.')
}

/** Writes the matching rows of the base to the target, and returns how many they are. */
function matchBase(searched: Searchable, predicates: readonly Predicate[]): number {
  const { kernel, target } = searched.workspace
  const texts = predicates.filter((predicate) => predicate.kind === 'texts')
  const others = predicates.filter((predicate) => predicate.kind !== 'texts')
  if (texts.length > 0) return matchTexts(searched, texts, others)
  intersectPredicates(searched, others)
  return countIntersection(kernel, target, target)
}

/** Texts leave few rows, which are filtered one by one. */
function matchTexts(
  { base, dictionaries, workspace }: Searchable,
  texts: readonly Texts[],
  others: readonly Exclude<Predicate, Texts>[],
): number {
  const { alive, target } = workspace
  const found = texts.map(({ column, values }) => findTexts(base.texts[column], values))
  const isFound = (row: number) => found.every((rows) => rows.has(row)) && hasBit(alive, row)
  const rows = Uint32Array.from([...found[0]].filter(isFound))
  let count = rows.length
  for (const predicate of others) count = filterRows(base, dictionaries, predicate, rows, count)
  target.fill(0)
  for (let i = 0; i < count; i++) setBit(target, rows[i])
  return count
}

/** An array takes longer to make than a search of an empty delta. */
const NO_ROWS = new Uint32Array(0)

function matchDelta(
  { delta, dictionaries }: Searchable,
  predicates: readonly Predicate[],
): Uint32Array {
  if (delta.size === 0) return NO_ROWS
  const rows = new Uint32Array(delta.size)
  for (let row = 0; row < delta.size; row++) rows[row] = row
  let count = delta.size
  for (const predicate of predicates) {
    if (count === 0) break
    count =
      predicate.kind === 'texts'
        ? filterTexts(delta.texts[predicate.column], predicate, rows, count)
        : filterRows(delta, dictionaries, predicate, rows, count)
  }
  return rows.subarray(0, count)
}

function filterTexts(
  texts: readonly (string | null)[],
  { values }: Texts,
  rows: Uint32Array,
  count: number,
): number {
  const wanted = new Set(values)
  let found = 0
  for (let i = 0; i < count; i++) if (wanted.has(texts[rows[i]])) rows[found++] = rows[i]
  return found
}

/** The matching rows of the base, lowest first. They are only lent, like the match. */
export function listBaseRows(found: Match): Uint32Array {
  assertCurrent(found)
  const { kernel, target, rowList } = found.searched.workspace
  found.baseRows ??=
    found.baseCount <= rowList.length
      ? listRowsIn(kernel, target, rowList)
      : listRows(kernel, target, found.baseCount)
  return found.baseRows
}

/** Calls `visit` with the same rows in lists for the kernel: one, unless they are many. */
export function eachBaseRows(found: Match, visit: (rows: Uint32Array) => void): void {
  const { kernel, target, rowList } = found.searched.workspace
  if (found.baseCount <= rowList.length) visit(listBaseRows(found))
  else eachRows(kernel, target, visit)
}

/**
 * Calls `visit` with the base and with the delta, and with the matching rows of each. The rows are
 * only lent: a visitor that needs them later, or changes them, makes a copy.
 */
export function eachView(found: Match, visit: (view: View, rows: Uint32Array) => void): void {
  const { base, delta } = found.searched
  visit(base, listBaseRows(found))
  // The rows that were visited are in the workspace: a match made in between would change them.
  assertCurrent(found)
  visit(delta, found.deltaRows)
}
