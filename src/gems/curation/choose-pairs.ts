import { find, type Store } from '../../index/index.ts'
import { type CandidateSearch, collectCandidates, readCandidates } from './candidates.ts'
import type { Candidate } from './make.ts'
import { compareMeasurements, pairDifference } from './pairs.ts'
import { type Choice, type CurationTemplate, curate, WINDOWS } from './rule.ts'
import { shortlistIdentical } from './shortlist.ts'

/** Fewer than single stones, because each is chosen among all pairs (bench/event-loop). */
export const PAIRS_AT_A_TIME = 2

/**
 * Where a template looks for a pair, one after the other: among stones that have an identical one,
 * among all in the first window, and in all windows.
 */
const POOLS = ['identical', 'near', 'all'] as const

/**
 * Candidates for pairs are copied out of the index once for all templates, each pool when it is
 * first needed. A stone that was sold since then, or held by someone else, is not chosen.
 */
export function* curatePairs<Template extends CurationTemplate>(
  storeNow: () => Store,
  search: CandidateSearch<Template>,
): Generator<Choice<Template>[]> {
  const pools = new Map<string, Candidate[]>()
  const taken = new Set<number>()
  const choices: Choice<Template>[] = []
  for (const [position, template] of search.templates.entries()) {
    for (const name of POOLS) {
      let pool = pools.get(name)
      if (!pool) {
        // What was chosen so far is priced before others have their turn.
        yield choices.splice(0)
        pool = yield* readPool(storeNow, search, name)
        pools.set(name, pool)
      }
      const choice = chooseFree(storeNow(), pool, { ...search, templates: [template] }, taken)
      // Nothing is matched better than identical stones; any other pair has competitors elsewhere.
      if (!choice || (name === 'identical' && !isIdentical(choice))) continue
      for (const { id } of choice.stones) taken.add(id)
      choices.push(choice)
      break
    }
    if ((position + 1) % PAIRS_AT_A_TIME === 0) yield choices.splice(0)
  }
  yield choices
}

/** Reads and sorts in pieces of their own, because both grow with the market. */
function* readPool(
  storeNow: () => Store,
  search: CandidateSearch,
  name: (typeof POOLS)[number],
): Generator<never[], Candidate[]> {
  const candidates = () =>
    collectCandidates(storeNow(), search, name === 'all' ? WINDOWS.length : 1)
  if (name === 'identical') return shortlistIdentical(candidates())
  const stones = readCandidates(candidates())
  yield []
  // Each template sorts those that it accepts, which is quick when they are in order already.
  stones.sort(compareMeasurements)
  yield []
  return stones
}

/** Chooses again when the index says that a chosen stone is gone, which it drops for good. */
function chooseFree<Template extends CurationTemplate>(
  store: Store,
  stones: readonly Candidate[],
  search: CandidateSearch<Template>,
  taken: Set<number>,
): Choice<Template> | undefined {
  for (;;) {
    const [choice] = curate(stones, search, taken)
    const gone = choice?.stones.filter(({ id }) => !isFree(store, id, search)) ?? []
    if (gone.length === 0) return choice
    for (const { id } of gone) taken.add(id)
  }
}

function isFree(store: Store, id: number, { ownHeld }: CandidateSearch): boolean {
  const found = find(store, id)
  if (!found) return false
  const { values } = store.dictionaries.on_hold
  return values[found.view.codes.on_hold.codes[found.row]] === 'f' || ownHeld.has(id)
}

function isIdentical({ stones: [a, b] }: Choice): boolean {
  return pairDifference(a, b)?.points === 0
}
