import { codeAt, find, type Store } from '../../index/index.ts'
import { GEM_TYPES } from '../../reference/attributes.ts'
import { isVisible } from '../search/visibility.ts'
import { type CandidateSearch, collectCandidates, readCandidates } from './candidates.ts'
import type { Candidate } from './make.ts'
import {
  addToPool,
  chooseIdentical,
  choosePair,
  createPairPool,
  type PairPool,
} from './pair-pool.ts'
import { type Choice, type CurationTemplate, WINDOWS } from './rule.ts'
import { shortlistIdentical } from './shortlist.ts'

/** How many templates choose before other callers have their turn. */
export const PAIRS_AT_A_TIME = 5

/**
 * Where a template looks for a pair, one after the other: among stones that have an identical one,
 * because nothing is matched better, among all in the first window, and in all windows.
 */
const POOLS = ['identical', 'near', 'all'] as const

type PoolName = (typeof POOLS)[number]

/**
 * Candidates for pairs are copied out of the index once for all templates, each pool when it is
 * first needed. A stone that was sold since then, or held by someone else, is not chosen.
 */
export function* curatePairs<Template extends CurationTemplate>(
  storeNow: () => Store,
  search: CandidateSearch<Template>,
): Generator<Choice<Template>[]> {
  const pools = new Map<PoolName, PairPool>()
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
      const choose = name === 'identical' ? chooseIdentical : choosePair
      const stones = chooseFree(storeNow(), search, taken, () => choose(pool, template, taken))
      if (stones.length === 0) continue
      for (const { id } of stones) taken.add(id)
      choices.push({ template, stones })
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
  name: PoolName,
): Generator<never[], PairPool> {
  const pool = createPairPool(search)
  const rows = collectCandidates(storeNow(), search, name === 'all' ? WINDOWS.length : 1)
  const stones = name === 'identical' ? shortlistIdentical(rows) : readCandidates(rows)
  for (const type of GEM_TYPES) {
    yield []
    addToPool(pool, type, stones)
  }
  yield []
  return pool
}

/** Chooses again when the index says that a chosen stone is gone, which it drops for good. */
function chooseFree(
  store: Store,
  search: CandidateSearch,
  taken: Set<number>,
  choose: () => Candidate[],
): Candidate[] {
  for (;;) {
    const stones = choose()
    const gone = stones.filter(({ id }) => !isFree(store, id, search))
    if (gone.length === 0) return stones
    for (const { id } of gone) taken.add(id)
  }
}

function isFree(store: Store, id: number, { ownHeld, terms }: CandidateSearch): boolean {
  const found = find(store, id)
  if (!found || !isVisible(store, found, terms)) return false
  const { values } = store.dictionaries.on_hold
  return values[codeAt(found.view.codes.on_hold, found.row)] === 'f' || ownHeld.has(id)
}
