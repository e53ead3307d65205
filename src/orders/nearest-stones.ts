import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Gem } from '../gems/gem.ts'
import { readGems } from '../gems/gem-store.ts'
import type { GemIndex } from '../gems/indexing/follower.ts'
import { DIAMOND_SEARCH } from '../gems/search/field-tables.ts'
import type { SearchFilters } from '../gems/search/plan.ts'
import { searchGems } from '../gems/search/search.ts'
import { CLARITIES, COLORS } from '../reference/attributes.ts'
import type { Product } from './product.ts'
import {
  distanceOf,
  type FindSubstitutes,
  findSubstitutesInDatabase,
  type StoneFields,
  SUBSTITUTES_MAX,
  type SubstituteQuery,
  stoneOf,
  substituteFrom,
  WEIGHT_DIFFERENCE_MAX,
  WEIGHT_PER_GRADE,
} from './substitutes.ts'

type Index = Pick<GemIndex, 'store' | 'sequence'>

/** Distances in grades that are searched one by one; everything further is one last search. */
const DISTANCE_MAX = 3
/** Twice as many as needed, because some may be held or in the order already. */
const CANDIDATES_MIN = 2 * SUBSTITUTES_MAX
const FAR_CANDIDATES_MAX = 200
/** Other callers have their turn after this many lines; each takes up to 40 searches, some ms. */
export const LINES_AT_A_TIME = 5

/**
 * Finds the nearest diamonds with the index in memory, in about a millisecond for each line: the
 * refused order still holds its locks. For other kinds of stones, and while the index is loading,
 * the database is asked.
 */
export function substitutesFrom(index: Index): FindSubstitutes {
  return async (tx, query) => {
    if (index.sequence() === undefined) return findSubstitutesInDatabase(tx, query)
    const { refused } = query
    const others = refused.filter((product) => product.fields.product_type !== 'diamond')
    const found = await findSubstitutesInDatabase(tx, { ...query, refused: others })
    const candidates: { product: Product; ids: number[] }[] = []
    for (const product of refused) {
      if (product.fields.product_type !== 'diamond') continue
      candidates.push({ product, ids: findCandidates(index, stoneOf(product.fields), query) })
      if (candidates.length % LINES_AT_A_TIME === 0) await nextTurn()
    }
    const gems = await readGems(tx, [...new Set(candidates.flatMap(({ ids }) => ids))])
    const byId = new Map(gems.map((gem) => [gem.id, gem]))
    const excluded = new Set([...query.except, ...refused.map(({ sku }) => sku)])
    for (const { product, ids } of candidates) {
      const stones = ids
        .flatMap((id) => byId.get(id) ?? [])
        .filter((gem) => !excluded.has(gem.sku) && isOffered(gem, query))
        .map((gem) => ({ gem, distance: distanceOf(gem, stoneOf(product.fields)) }))
        .sort((a, b) => a.distance - b.distance || a.gem.id - b.gem.id)
        .slice(0, SUBSTITUTES_MAX)
        .map(({ gem }) => substituteFrom(gem, query.buyer))
      found.push({ sku: product.sku, stones })
      if (found.length % LINES_AT_A_TIME === 0) await nextTurn()
    }
    const positions = new Map(refused.map(({ sku }, position) => [sku, position]))
    return found.sort((a, b) => (positions.get(a.sku) ?? 0) - (positions.get(b.sku) ?? 0))
  }
}

/** Asked of the row that the database has now: the index may lag behind it. */
function isOffered(gem: Gem, { buyer }: SubstituteQuery): boolean {
  if (gem.state !== 'available' || gem.quantity === 0) return false
  if (gem.hold_expires_on === null || gem.hold_merchant_uuid === buyer.merchant.uuid) return true
  return gem.hold_expires_on <= buyer.now
}

/**
 * Returns the ids of stones among which the nearest are. The searches widen by one grade at a
 * time: each finds everything up to its distance, so the first that finds enough has the nearest.
 */
function findCandidates(index: Index, stone: StoneFields, query: SubstituteQuery): number[] {
  for (let distance = 1; distance <= DISTANCE_MAX; distance++) {
    const ids = new Set<number>()
    for (const { color, clarity, steps } of gradesAround(stone, distance - 1)) {
      const share = Math.min(WEIGHT_DIFFERENCE_MAX, (distance - steps) * WEIGHT_PER_GRADE)
      const filters = { ...filtersOf(stone, query), ...gradeFilters(color, clarity) }
      for (const id of nearestByWeight(index, filters, stone, share, query)) ids.add(id)
    }
    if (ids.size >= CANDIDATES_MIN) return [...ids]
  }
  const far = { ...filtersOf(stone, query), ...(stone.is_fancy && { color: [stone.color] }) }
  return nearestByWeight(index, far, stone, WEIGHT_DIFFERENCE_MAX, query, FAR_CANDIDATES_MAX)
}

interface Grades {
  color: string
  clarity: string | null
  /** How many grades away they are, color and clarity together. */
  steps: number
}

/** All pairs of grades up to `stepsMax` away. A hue and a missing clarity have no neighbours. */
function gradesAround({ is_fancy, color, clarity }: StoneFields, stepsMax: number): Grades[] {
  const near = <Grade extends string | null>(scale: readonly string[], grade: Grade) => {
    const own = grade === null ? -1 : scale.indexOf(grade)
    if (own === -1) return [{ grade, steps: 0 }]
    return scale
      .map((each, position) => ({ grade: each as Grade, steps: Math.abs(position - own) }))
      .filter(({ steps }) => steps <= stepsMax)
  }
  const colors = is_fancy ? [{ grade: color, steps: 0 }] : near(COLORS, color)
  return colors
    .flatMap((a) =>
      near(CLARITIES, clarity).map((b) => ({
        color: a.grade,
        clarity: b.grade,
        steps: a.steps + b.steps,
      })),
    )
    .filter(({ steps }) => steps <= stepsMax)
}

function gradeFilters(color: string, clarity: string | null): SearchFilters {
  return { color: [color], ...(clarity !== null && { clarity: [clarity] }) }
}

function filtersOf({ shape, type, is_fancy }: StoneFields, { memo }: SubstituteQuery) {
  return { shape: [shape], type: [type], is_fancy, ...(memo && { memo: true }) }
}

/** The ids of the stones that are next in weight, heavier and lighter. */
function nearestByWeight(
  index: Index,
  filters: SearchFilters,
  { weight }: StoneFields,
  share: number,
  { buyer }: SubstituteQuery,
  limit = CANDIDATES_MIN,
): number[] {
  const sides = [
    { sort_order: 'asc', weight_min: weight, weight_max: weight * (1 + share) },
    { sort_order: 'desc', weight_min: weight * (1 - share), weight_max: weight },
  ] as const
  const found = sides.flatMap(({ sort_order, ...bounds }) => {
    const request = { filters: { ...filters, ...bounds }, limit, offset: 0 }
    const sorted = { ...request, sort_col: 'weight', sort_order } as const
    return searchGems(index.store(), DIAMOND_SEARCH, sorted, buyer.diamondRules, []).found.map(
      ({ id }) => id,
    )
  })
  // A stone of exactly the same weight is on both sides.
  return [...new Set(found)]
}
