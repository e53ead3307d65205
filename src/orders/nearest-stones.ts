import type { GemIndex } from '../gems/indexing/follower.ts'
import { DIAMOND_FIELDS } from '../gems/search/diamond-fields.ts'
import type { SearchFilters } from '../gems/search/request.ts'
import { searchGems } from '../gems/search/search.ts'
import { CLARITIES, COLORS } from '../reference/attributes.ts'
import { type StoneFields, stoneOf, WEIGHT_A_GRADE } from './stone-distance.ts'
import { SUBSTITUTES_MAX, type SubstituteWish } from './substitutes.ts'

/** Substitutes are no further away than this share of the weight. */
const WEIGHT_REACH = 0.15
/** Distances in grades that are searched step by step; what is further is searched at once. */
const STEPS_MAX = 3
/** Some may turn out to be held or in the order already. */
const ENOUGH = 2 * SUBSTITUTES_MAX
const FAR_MAX = 200

/**
 * The ids of stones among which the nearest are, from the index. The searches widen by a grade at
 * a time: each finds everything up to its distance, so the first that finds enough has the nearest.
 */
export function nearestCandidates(
  index: Pick<GemIndex, 'store'>,
  fields: Record<string, unknown>,
  wish: SubstituteWish,
): number[] {
  const stone = stoneOf(fields)
  for (let reach = 1; reach <= STEPS_MAX; reach++) {
    const ids = new Set<number>()
    for (const { color, clarity, steps } of gradesAround(stone, reach - 1)) {
      const weight = Math.min(WEIGHT_REACH, (reach - steps) * WEIGHT_A_GRADE)
      const filters = { ...filtersOf(stone, wish), ...gradeFilters(color, clarity) }
      for (const id of nearestByWeight(index, filters, stone, weight, wish)) ids.add(id)
    }
    if (ids.size >= ENOUGH) return [...ids]
  }
  const far = { ...filtersOf(stone, wish), ...(stone.is_fancy && { color: [stone.color] }) }
  return nearestByWeight(index, far, stone, WEIGHT_REACH, wish, FAR_MAX)
}

interface Grades {
  color: string
  clarity: string | null
  /** How many grades they are away, colour and clarity together. */
  steps: number
}

/** All pairs of grades up to so many steps away. A hue has no neighbours, and no clarity has none. */
function gradesAround({ is_fancy, color, clarity }: StoneFields, stepsMax: number): Grades[] {
  const near = <Grade extends string | null>(scale: readonly string[], grade: Grade) => {
    const place = grade === null ? -1 : scale.indexOf(grade)
    if (place === -1) return [{ grade, steps: 0 }]
    return scale
      .map((each, at) => ({ grade: each as Grade, steps: Math.abs(at - place) }))
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

function filtersOf({ shape, type, is_fancy }: StoneFields, { memo }: SubstituteWish) {
  return { shape: [shape], type: [type], is_fancy, ...(memo && { memo: true }) }
}

/** Those next in weight, upwards and downwards. */
function nearestByWeight(
  index: Pick<GemIndex, 'store'>,
  filters: SearchFilters,
  { weight }: StoneFields,
  share: number,
  { buyer }: SubstituteWish,
  limit = ENOUGH,
): number[] {
  const sides = [
    { sort_order: 'asc', weight_min: weight, weight_max: weight * (1 + share) },
    { sort_order: 'desc', weight_min: weight * (1 - share), weight_max: weight },
  ] as const
  const found = sides.flatMap(({ sort_order, ...bounds }) => {
    const request = { filters: { ...filters, ...bounds }, limit, offset: 0 }
    const sorted = { ...request, sort_col: 'weight', sort_order } as const
    return searchGems(index.store(), DIAMOND_FIELDS, sorted, buyer.diamondRules, []).found.map(
      ({ id }) => id,
    )
  })
  // A stone of the very same weight is on both sides.
  return [...new Set(found)]
}
