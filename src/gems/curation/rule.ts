import { CLARITIES, COLORS, type Shape } from '../../reference/attributes.ts'
import type { GradeName } from '../../reference/defaults.ts'
import { type Candidate, type Make, makeOf, pointsOf } from './make.ts'
import { compareRanks, findBestPair } from './pairs.ts'

/**
 * Curated search: for each template one stone, or one matched pair, chosen from all suppliers.
 * docs/guides/curated-search.md explains it to a jeweller. The order in which stones are preferred
 * depends on the stone, the template and the query alone, never on what else is in stock: that is
 * why more stock can never make the result worse.
 */
export interface CurationQuery<Template extends CurationTemplate = CurationTemplate> {
  shape: Shape
  /** In 1/10,000 ct; of each stone, also of a pair. */
  weight: number
  pairs: boolean
  /** In the order in which they choose. */
  templates: readonly Template[]
}

export interface CurationTemplate {
  color: string
  clarity: string
  grade_name: GradeName
}

export interface Choice<Template extends CurationTemplate = CurationTemplate> {
  template: Template
  /** One stone, or the two of a pair, the better made first. */
  stones: Candidate[]
}

/**
 * Lets the templates choose in turn; a stone that one has chosen is not available to the next. The
 * stones have the shape, the types and the ratio of the query, and are free for the caller.
 */
export function curate<Template extends CurationTemplate>(
  stones: readonly Candidate[],
  query: CurationQuery<Template>,
): Choice<Template>[] {
  const taken = new Set<number>()
  const choices: Choice<Template>[] = []
  for (const template of query.templates) {
    const make = makeOf(query.shape, template.grade_name)
    const meetsFloor = floorCheck(template)
    const fitting = stones.filter((stone) => meetsFloor(stone) && !taken.has(stone.id))
    const chosen = query.pairs ? choosePair(fitting, query, make) : chooseOne(fitting, query, make)
    for (const { id } of chosen) taken.add(id)
    if (chosen.length > 0) choices.push({ template, stones: chosen })
  }
  return choices
}

/** Whether color and clarity are at least the template's. */
export function meetsFloor(
  stone: Pick<Candidate, 'color' | 'clarity'>,
  template: CurationTemplate,
): boolean {
  return floorCheck(template)(stone)
}

/** For many stones: the place of the grades in their lists is looked up once. */
function floorCheck(template: CurationTemplate) {
  const { color, clarity } = floorOf(template)
  return (stone: Pick<Candidate, 'color' | 'clarity'>) =>
    stone.color <= color && stone.clarity <= clarity
}

export function floorOf({ color, clarity }: CurationTemplate): { color: number; clarity: number } {
  return {
    color: (COLORS as readonly string[]).indexOf(color),
    clarity: (CLARITIES as readonly string[]).indexOf(clarity),
  }
}

/**
 * How far the weight may differ from the one asked for, in percent. The first window is the rule;
 * the others are tried one after the other, and only for a template that would stay empty.
 */
export const WINDOWS: readonly { below: number; above: number }[] = [
  { below: 2, above: 8 },
  { below: 4, above: 11 },
  { below: 6, above: 14 },
  { below: 8, above: 17 },
  { below: 10, above: 20 },
]

/** The narrowest window that a weight lies in; -1 when it lies in none. */
export function windowOf(weight: number, query: Pick<CurationQuery, 'weight'>): number {
  for (let window = 0; window < WINDOWS.length; window++) {
    const { below, above } = WINDOWS[window]
    // The products are whole numbers: a weight on the edge lies inside.
    const isInside =
      weight * 100 >= query.weight * (100 - below) && weight * 100 <= query.weight * (100 + above)
    if (isInside) return window
  }
  return -1
}

/** The stone of the narrowest window, then of the best make, then the cheapest. */
function chooseOne(stones: readonly Candidate[], query: CurationQuery, make: Make): Candidate[] {
  let best: { stone: Candidate; rank: number[] } | undefined
  for (const stone of stones) {
    const window = windowOf(stone.weight, query)
    if (window < 0) continue
    const rank = [window, pointsOf(make, stone), stone.price, stone.id]
    if (!best || compareRanks(rank, best.rank) < 0) best = { stone, rank }
  }
  return best ? [best.stone] : []
}

/** The pair that differs least, out of the narrowest window that has a pair. */
function choosePair(stones: readonly Candidate[], query: CurationQuery, make: Make): Candidate[] {
  for (let window = 0; window < WINDOWS.length; window++) {
    const inside = stones.filter(({ weight }) => {
      const own = windowOf(weight, query)
      return own >= 0 && own <= window
    })
    const pair = findBestPair(inside, make)
    if (pair) return pair
  }
  return []
}
