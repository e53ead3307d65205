import { addIntersection, intersectAll, intersectAny } from '../kernel/bitmaps.ts'
import { type Bits, setBit, setRange } from '../segment/bits.ts'
import { codeAt } from '../segment/columns.ts'
import { codesOf } from '../segment/rows.ts'
import { canUseBands, intersectBands, keyBelow, knownBelow, rowsBelow } from './bands.ts'
import { addBitmap, findBitmap, isRepeated } from './bitmap-cache.ts'
import type { Bands, OneOf, Pairs, Range } from './predicates.ts'
import { intersectRange, isKernelColumn } from './range.ts'
import { BITMAPS_PER_SEARCH_MAX, bitmapOf, type Searchable, type Workspace } from './workspace.ts'

type BitmapPredicate = OneOf | Pairs | Range

/** Writes the living rows of the base that satisfy all predicates to the target. */
export function intersectPredicates(
  searchable: Searchable,
  predicates: readonly BitmapPredicate[],
): void {
  const { kernel, target } = searchable.workspace
  const { included, excluded, rest, ...collected } = collectBitmaps(searchable, predicates)
  intersectAll(kernel, target, included, excluded)
  let { expected } = collected
  for (const predicate of rest.toSorted((a, b) => bitmapsReadBy(a) - bitmapsReadBy(b))) {
    if (predicate.kind === 'oneOf') intersectOneOf(searchable, predicate)
    else if (predicate.kind === 'pairs') intersectPairs(searchable, predicate)
    else {
      const bands = usableBands(searchable, predicate)
      if (bands) intersectBands(searchable, predicate, bands)
      else expected *= intersectRange(searchable, predicate, expected)
    }
  }
}

/**
 * About how many bitmaps a predicate reads. Those that read few come first: where they leave no
 * row, the others read nothing. Filters of single rows come last, when the fewest rows are left.
 */
function bitmapsReadBy(predicate: BitmapPredicate): number {
  if (predicate.kind === 'oneOf') return predicate.values.length
  if (predicate.kind === 'pairs') return 2 * predicate.pairs.length
  return predicate.derived ? BITMAPS_OF_BANDS : BITMAPS_OF_RANGE
}

const BITMAPS_OF_RANGE = 3
const BITMAPS_OF_BANDS = 100

/** The predicates as far as they are whole bitmaps: rows in all `included`, in no `excluded`. */
interface Collected {
  included: Bits[]
  excluded: Bits[]
  /** The others, which are evaluated on the rows that are left. */
  rest: BitmapPredicate[]
  /** The share of all rows that is probably left. */
  expected: number
}

/**
 * Finds the predicates that are bitmaps already, or that are made one because they repeat. Uses
 * the target as scratch memory.
 */
function collectBitmaps(searchable: Searchable, predicates: readonly BitmapPredicate[]): Collected {
  const { alive } = searchable.workspace
  const collected: Collected = { included: [alive], excluded: [], rest: [], expected: 1 }
  // The bitmaps of the cache that one search uses are needed all at once.
  let free = BITMAPS_PER_SEARCH_MAX
  for (const predicate of predicates) {
    const needed = cachedBitmapsOf(predicate)
    if (predicate.kind === 'pairs' || needed > free) {
      collected.rest.push(predicate)
      continue
    }
    free -= needed
    if (predicate.kind === 'range') collectRange(searchable, predicate, collected)
    else collectOneOf(searchable, predicate, collected)
  }
  return collected
}

/** How many bitmaps of the cache a predicate may take: one for each end of a range. */
function cachedBitmapsOf(predicate: BitmapPredicate): number {
  if (predicate.kind === 'range') return 2
  return predicate.kind === 'oneOf' && predicate.values.length > 1 ? 1 : 0
}

function collectOneOf(
  { base, dictionaries, workspace }: Searchable,
  predicate: OneOf,
  collected: Collected,
): void {
  const { column, values } = predicate
  const { bitmaps, counts } = base.codes[column]
  const wanted = codesOf(dictionaries[column], values)
  const rows = wanted.reduce((sum, code) => sum + (counts[code] ?? 0), 0)
  if (rows === base.size) return
  collected.expected *= rows / base.size
  // No row of the base has the other values: some came after it was built.
  const known = wanted.filter((code) => counts[code] > 0)
  const union = known.every((code) => code < bitmaps.length)
    ? findUnion(workspace, column, known, bitmapsOf(bitmaps, known))
    : undefined
  if (union) collected.included.push(union)
  else collected.rest.push(predicate)
}

function findUnion(
  { kernel, none, bitmapCache }: Workspace,
  column: string,
  codes: readonly number[],
  bitmaps: readonly Bits[],
): Bits | undefined {
  if (bitmaps.length < 2) return bitmaps.length === 0 ? none : bitmaps[0]
  const key = `${column} in ${codes.toSorted((a, b) => a - b).join()}`
  const known = findBitmap(bitmapCache, key)
  if (known || !isRepeated(bitmapCache, key)) return known
  return addBitmap(bitmapCache, key, [column], (union) => {
    union.fill(0xffffffff)
    intersectAny(kernel, union, bitmaps)
  })
}

/** The bitmaps of those of the codes that have one. */
function bitmapsOf(bitmaps: readonly (Bits | null)[], codes: readonly number[]): Bits[] {
  return codes.map((code) => bitmaps[code]).filter((bits) => bits !== null && bits !== undefined)
}

function collectRange(searchable: Searchable, range: Range, collected: Collected): void {
  const { base, workspace } = searchable
  const { included, excluded, rest } = collected
  const bands = usableBands(searchable, range)
  if (bands) {
    const bits = findBanded(searchable, range, bands)
    if (bits) included.push(bits)
    else rest.push(range)
    return
  }
  const isStored = !range.derived && range.column !== base.primary
  const from = isStored && findBelow(searchable, range.column, range.min)
  const below = isStored && findBelow(searchable, range.column, range.max + 1)
  if (!from || !below) {
    rest.push(range)
    return
  }
  included.push(below)
  if (from !== workspace.none) excluded.push(from)
}

function usableBands({ base }: Searchable, range: Range): Bands | undefined {
  const bands = range.derived?.bands
  return bands && canUseBands(base, range, bands) ? bands : undefined
}

/** The rows below one end of a range, if there is or should be a bitmap of them. */
function findBelow(searchable: Searchable, name: string, value: number): Bits | undefined {
  const { base, workspace } = searchable
  const known = knownBelow(searchable, name, value)
  if (known || !isKernelColumn(base.numbers[name])) return known
  const isWanted = isRepeated(workspace.bitmapCache, keyBelow(name, value))
  return isWanted ? rowsBelow(searchable, name, value) : undefined
}

function findBanded(searchable: Searchable, range: Range, bands: Bands): Bits | undefined {
  const { base, workspace } = searchable
  const { bitmapCache, target } = workspace
  const { column, starts, split, lows, highs } = bands
  const numbers = [...starts, ...lows, ...highs].join()
  const key = `${range.column} by ${column} ${split.column} ${numbers}`
  const known = findBitmap(bitmapCache, key)
  if (known || !isRepeated(bitmapCache, key)) return known
  setRange(target, 0, base.size)
  intersectBands(searchable, range, bands)
  const columns = [range.column, column, split.column]
  return addBitmap(bitmapCache, key, columns, (bits) => bits.set(target))
}

function intersectOneOf(
  { base, dictionaries, workspace }: Searchable,
  { column, values }: OneOf,
): void {
  const { kernel, target, unchecked } = workspace
  const codes = base.codes[column]
  const { bitmaps } = codes
  const wanted = codesOf(dictionaries[column], values)
  const included = bitmapsOf(bitmaps, wanted)
  const rare = new Set(wanted.filter((code) => code >= bitmaps.length))
  if (rare.size > 0) {
    unchecked.fill(0)
    for (let row = 0; row < base.size; row++)
      if (rare.has(codeAt(codes, row))) setBit(unchecked, row)
    included.push(unchecked)
  }
  intersectAny(kernel, target, included)
}

function intersectPairs(searchable: Searchable, { columns, pairs }: Pairs): void {
  const { kernel, target, unchecked: union } = searchable.workspace
  const [first, second] = columns
  union.fill(0)
  for (const [a, b] of pairs) {
    const left = bitmapOf(searchable, first, a)
    addIntersection(kernel, union, left, bitmapOf(searchable, second, b))
  }
  intersectAny(kernel, target, [union])
}
