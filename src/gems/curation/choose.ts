import type { Store } from '../../index/index.ts'
import { type CandidateSearch, collectCandidates, readCandidates } from './candidates.ts'
import { makeOf, pointsOf } from './make.ts'
import { pairDifference } from './pairs.ts'
import { type Choice, type CurationTemplate, curate, WINDOWS } from './rule.ts'
import { shortlistIdentical, shortlistSingles } from './shortlist.ts'

/**
 * What the rule chooses from the index. A market of any size nearly always has stones of perfect
 * make, or identical stones for pairs, in the first window. The rule is applied to those few first;
 * its choice stands when no other stone could have been preferred.
 */
export function curateFrom<Template extends CurationTemplate>(
  store: Store,
  search: CandidateSearch<Template>,
): Choice<Template>[] {
  if (search.templates.length === 0) return []
  return search.pairs ? curatePairs(store, search) : curateSingles(store, search)
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

function curatePairs<Template extends CurationTemplate>(
  store: Store,
  search: CandidateSearch<Template>,
): Choice<Template>[] {
  const isComplete = (choices: Choice[]) => choices.length === search.templates.length
  const near = collectCandidates(store, search, 1)
  const perfect = curate(shortlistIdentical(near), search)
  const areIdentical = perfect.every(({ stones: [a, b] }) => pairDifference(a, b)?.points === 0)
  if (areIdentical && isComplete(perfect)) return perfect
  const choices = curate(readCandidates(near), search)
  if (isComplete(choices)) return choices
  return curate(readCandidates(collectCandidates(store, search, WINDOWS.length)), search)
}
