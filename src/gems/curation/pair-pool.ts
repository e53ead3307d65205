import type { GemType } from '../../reference/attributes.ts'
import { type Candidate, type Make, makeOf, pointsOf } from './make.ts'
import {
  type BestPair,
  compareMeasurements,
  isMeasured,
  isPreferred,
  type Measured,
  matchSorted,
  orderPair,
  POINTS_OF_A_GRADE,
} from './pairs.ts'
import { type CurationQuery, type CurationTemplate, floorOf, WINDOWS, windowOf } from './rule.ts'

/**
 * Candidates for pairs by type, color and clarity. A pair of one color and clarity costs less than
 * any other unless its stones differ much in size, so the best pair is nearly always the best of
 * one group. Each group keeps its best pair until one of the two stones is taken.
 */
export interface PairPool {
  groups: Map<string, Group>
  /** All stones of one type, in the order of `compareMeasurements`. */
  sorted: Map<GemType, Measured[]>
  query: CurationQuery
}

interface Group {
  color: number
  clarity: number
  stones: Measured[]
  /** By grade name and window. */
  best: Map<string, BestPair>
}

export function createPairPool(query: CurationQuery): PairPool {
  return { groups: new Map(), sorted: new Map(), query }
}

/** Adds the stones of one type. */
export function addToPool(pool: PairPool, type: GemType, stones: readonly Candidate[]): void {
  const sorted = stones.filter(
    (stone): stone is Measured => stone.type === type && isMeasured(stone),
  )
  sorted.sort(compareMeasurements)
  pool.sorted.set(type, sorted)
  for (const stone of sorted) {
    const { color, clarity } = stone
    const key = `${type} ${color} ${clarity}`
    const group = pool.groups.get(key)
    if (group) group.stones.push(stone)
    else pool.groups.set(key, { color, clarity, stones: [stone], best: new Map() })
  }
}

/** What `curate` chooses for the template from the stones that are not taken. */
export function choosePair(
  pool: PairPool,
  template: CurationTemplate,
  taken: ReadonlySet<number>,
): Candidate[] {
  const make = makeOf(pool.query.shape, template.grade_name)
  for (let window = 0; window < WINDOWS.length; window++) {
    const choosing = { window, make, taken }
    const ofOneGrade = bestOfOneGrade(pool, template, choosing)
    const { pair } =
      ofOneGrade.points < POINTS_OF_A_GRADE
        ? ofOneGrade
        : bestOfAll(pool, template, choosing, ofOneGrade)
    if (pair) return orderPair(pair, make)
  }
  return []
}

/** The pair of identical stones that `curate` would choose, if there is one. */
export function chooseIdentical(
  pool: PairPool,
  template: CurationTemplate,
  taken: ReadonlySet<number>,
): Candidate[] {
  const make = makeOf(pool.query.shape, template.grade_name)
  const { pair, points } = bestOfOneGrade(pool, template, { window: 0, make, taken })
  return pair && points === 0 ? orderPair(pair, make) : []
}

interface Choosing {
  window: number
  make: Make
  taken: ReadonlySet<number>
}

/** The best pair whose stones have one type, color and clarity. */
function bestOfOneGrade(pool: PairPool, template: CurationTemplate, choosing: Choosing): BestPair {
  let best: BestPair = { pair: undefined, points: Number.MAX_VALUE }
  const key = `${template.grade_name} ${choosing.window}`
  for (const group of fittingGroups(pool, template)) {
    let own = group.best.get(key)
    if (!own || own.pair?.some(({ id }) => choosing.taken.has(id))) {
      own = bestOfGroup(pool, group, choosing)
      group.best.set(key, own)
    }
    if (isPreferred(own, best, choosing.make)) best = own
  }
  return best
}

function fittingGroups({ groups }: PairPool, template: CurationTemplate): Group[] {
  const floor = floorOf(template)
  return [...groups.values()].filter(
    ({ color, clarity }) => color <= floor.color && clarity <= floor.clarity,
  )
}

function bestOfGroup(pool: PairPool, { stones }: Group, choosing: Choosing): BestPair {
  const { window, make, taken } = choosing
  const free = freeWithin(stones, pool, window, taken)
  return matchSorted(leaveOutDuplicates(free, make), make)
}

/** The best of the given pair and all others, which may differ by a grade. */
function bestOfAll(
  pool: PairPool,
  template: CurationTemplate,
  { window, make, taken }: Choosing,
  ofOneGrade: BestPair,
): BestPair {
  const floor = floorOf(template)
  let best = ofOneGrade
  for (const stones of pool.sorted.values()) {
    const fitting = stones.filter(
      ({ color, clarity }) => color <= floor.color && clarity <= floor.clarity,
    )
    best = matchSorted(freeWithin(fitting, pool, window, taken), make, best)
  }
  return best
}

function freeWithin(
  stones: readonly Measured[],
  { query }: PairPool,
  window: number,
  taken: ReadonlySet<number>,
): Measured[] {
  return stones.filter(({ id, weight }) => {
    if (taken.has(id)) return false
    const own = windowOf(weight, query)
    return own >= 0 && own <= window
  })
}

/** Of identical stones only the two that are preferred can be in the best pair. */
function leaveOutDuplicates(sorted: readonly Measured[], make: Make): Measured[] {
  const kept: Measured[] = []
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    end = start + 1
    while (end < sorted.length && compareMeasurements(sorted[start], sorted[end]) === 0) end++
    if (end - start <= 2) for (let i = start; i < end; i++) kept.push(sorted[i])
    else kept.push(...preferredTwo(sorted.slice(start, end), make))
  }
  return kept
}

function preferredTwo(identical: Measured[], make: Make): Measured[] {
  const rank = (stone: Measured) => ({ stone, points: pointsOf(make, stone) })
  return identical
    .map(rank)
    .sort((a, b) => a.points - b.points || a.stone.price - b.stone.price || a.stone.id - b.stone.id)
    .slice(0, 2)
    .map(({ stone }) => stone)
}
