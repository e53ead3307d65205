import type { Store } from '../../index/index.ts'
import { type CandidateSearch, candidatesOf, gather } from './candidates.ts'
import { makeOf, pointsOf } from './make.ts'
import { pairDifference } from './pairs.ts'
import { type Choice, type CurationTemplate, curate, WINDOWS } from './rule.ts'
import { shortlistSingles, shortlistTwins } from './shortlist.ts'

/**
 * What the rule chooses from the index. A market of any size nearly always has stones of perfect
 * make, or perfect twins, in the first window: the rule over those few is tried first, and taken
 * when no stone outside of them could have been preferred.
 */
export function curateFrom<Template extends CurationTemplate>(
  store: Store,
  search: CandidateSearch<Template>,
): Choice<Template>[] {
  if (search.templates.length === 0) return []
  return search.pairs ? curatePairs(store, search) : curateSingles(store, search)
}

/** From no departure to any: a make of more points is looked at only when these find nothing. */
const POINTS_TRIED = [0, 3, Number.POSITIVE_INFINITY]

function curateSingles<Template extends CurationTemplate>(
  store: Store,
  search: CandidateSearch<Template>,
): Choice<Template>[] {
  const near = gather(store, search, 1)
  for (const pointsMax of POINTS_TRIED) {
    const choices = curate(shortlistSingles(near, search, pointsMax), search)
    const isSure = choices.every(({ template, stones: [stone] }) => {
      return pointsOf(makeOf(search.shape, template.grade_name), stone) <= pointsMax
    })
    if (isSure && choices.length === search.templates.length) return choices
  }
  const all = gather(store, search, WINDOWS.length)
  return curate(shortlistSingles(all, search, Number.POSITIVE_INFINITY), search)
}

function curatePairs<Template extends CurationTemplate>(
  store: Store,
  search: CandidateSearch<Template>,
): Choice<Template>[] {
  const isWhole = (choices: Choice[]) => choices.length === search.templates.length
  const near = gather(store, search, 1)
  const twins = curate(shortlistTwins(near), search)
  const areTwins = twins.every(({ stones: [a, b] }) => pairDifference(a, b)?.points === 0)
  if (areTwins && isWhole(twins)) return twins
  const choices = curate(candidatesOf(near), search)
  if (isWhole(choices)) return choices
  return curate(candidatesOf(gather(store, search, WINDOWS.length)), search)
}
