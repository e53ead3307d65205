import type { Store } from '../../index/index.ts'
import { type CandidateSearch, collectCandidates } from './candidates.ts'
import { curatePairs } from './choose-pairs.ts'
import { makeOf, pointsOf } from './make.ts'
import { type Choice, type CurationTemplate, curate, WINDOWS } from './rule.ts'
import { shortlistSingles } from './shortlist.ts'

/**
 * How many templates choose before other callers have their turn. The longest piece of a search
 * with 500 templates and 300,000 stones took 30 ms of a processor (bench/event-loop).
 */
export const SINGLES_AT_A_TIME = 10

/**
 * What the rule chooses from the index, a few templates at a time. Between two pieces other work
 * may run and the index may change, so every piece asks for the index of its moment, and its
 * choices must be priced before the next piece. A piece may be empty.
 *
 * A market of any size nearly always has stones of perfect make, or identical stones for pairs, in
 * the first window. The rule is applied to those few first; its choice stands when no other stone
 * could have been preferred.
 */
export function* curateInPieces<Template extends CurationTemplate>(
  storeNow: () => Store,
  search: CandidateSearch<Template>,
): Generator<Choice<Template>[]> {
  if (search.pairs) return yield* curatePairs(storeNow, search)
  const taken = new Set<number>()
  for (let start = 0; start < search.templates.length; start += SINGLES_AT_A_TIME) {
    const templates = search.templates.slice(start, start + SINGLES_AT_A_TIME)
    const choices = curateSingles(storeNow(), { ...search, templates, taken })
    for (const { stones } of choices) for (const { id } of stones) taken.add(id)
    yield choices
  }
}

/** What the rule chooses from an index that does not change meanwhile. */
export function curateFrom<Template extends CurationTemplate>(
  store: Store,
  search: CandidateSearch<Template>,
): Choice<Template>[] {
  return [...curateInPieces(() => store, search)].flat()
}

/** From a perfect make to any make: worse ones are tried only when better ones are too few. */
const POINTS_TRIED = [0, 3, Number.POSITIVE_INFINITY]

function curateSingles<Template extends CurationTemplate>(
  store: Store,
  search: CandidateSearch<Template>,
): Choice<Template>[] {
  const near = collectCandidates(store, search, 1)
  for (const pointsMax of POINTS_TRIED) {
    const choices = curate(shortlistSingles(near, search, pointsMax), search)
    const isSure = choices.every(({ template, stones: [stone] }) => {
      return pointsOf(makeOf(search.shape, template.grade_name), stone) <= pointsMax
    })
    if (isSure && choices.length === search.templates.length) return choices
  }
  const all = collectCandidates(store, search, WINDOWS.length)
  return curate(shortlistSingles(all, search, Number.POSITIVE_INFINITY), search)
}
