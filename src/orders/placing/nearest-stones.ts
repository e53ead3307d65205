import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Gem } from '../../gems/gem.ts'
import { isTreated } from '../../gems/gem-life.ts'
import { readGems } from '../../gems/gem-store.ts'
import { TRUE_CODE } from '../../gems/indexing/columns.ts'
import type { GemIndex } from '../../gems/indexing/follower.ts'
import { isLeading, listStonesHeldBy, type Offer, readOffers } from '../../gems/offer-store.ts'
import { visibleTo } from '../../gems/search/visibility.ts'
import {
  codeAt,
  eachView,
  idAt,
  match,
  type Predicate,
  type Store,
  type View,
} from '../../index/index.ts'
import type { PriceList } from '../../pricing/price-list.ts'
import { WEIGHT_DECIMALS } from '../../pricing/price-rules.ts'
import { CLARITIES, COLORS } from '../../reference/attributes.ts'
import {
  compareDistances,
  distanceOf,
  type FindSubstitutes,
  findSubstitutesInDatabase,
  GRADES_UNKNOWN,
  type RefusedStone,
  type StoneFields,
  SUBSTITUTES_MAX,
  type SubstituteQuery,
  stoneOf,
  substituteFrom,
  WEIGHT_DIFFERENCE_PERCENT_MAX,
  weightDistance,
} from './substitutes.ts'

type Index = Pick<GemIndex, 'store' | 'sequence'>

/** More than needed, because some may have been sold since the index was updated. */
const CANDIDATES_SPARE = SUBSTITUTES_MAX
/** Other callers have their turn after this many lines; each takes a few ms in a large market. */
export const LINES_AT_A_TIME = 5

/**
 * Finds the nearest diamonds with the index in memory, in about a millisecond for each line: the
 * refused order still holds its locks. For other kinds of stones, and while the index is loading,
 * the database is asked.
 */
export function substitutesFrom(index: Index): FindSubstitutes {
  return async (tx, query) => {
    if (index.sequence() === undefined) return findSubstitutesInDatabase(tx, query)
    const { refused, buyer } = query
    const others = refused.filter((product) => product.fields.product_type !== 'diamond')
    const found = await findSubstitutesInDatabase(tx, { ...query, refused: others })
    const { uuid } = buyer.merchant
    const ownHeld = new Set((await listStonesHeldBy(tx, [uuid])).map(({ gem_id }) => gem_id))
    const excluded = new Set([...query.except, ...refused.map(({ sku }) => sku)])
    const { list } = buyer.diamondRules
    const search = { ownHeld, list, memo: query.memo, limit: CANDIDATES_SPARE + SUBSTITUTES_MAX }
    // Excluded stones are known by their SKUs, which the search does not read.
    search.limit += excluded.size
    const candidates: { product: RefusedStone; ids: number[] }[] = []
    for (const product of refused) {
      if (product.fields.product_type !== 'diamond') continue
      const ids = findNearest(index.store(), stoneOf(product.fields), search)
      candidates.push({ product, ids })
      if (candidates.length % LINES_AT_A_TIME === 0) await nextTurn()
    }
    const nearIds = [...new Set(candidates.flatMap(({ ids }) => ids))]
    const gems = await readGems(tx, nearIds)
    const offers = await readOffers(tx, nearIds)
    const byId = new Map(gems.map((gem) => [gem.id, gem]))
    for (const { product, ids } of candidates) {
      const stones = ids
        .flatMap((id) => byId.get(id) ?? [])
        .filter((gem) => !excluded.has(gem.sku) && isOffered(gem, offers.get(gem.id), query))
        .map((gem) => ({ gem, id: gem.id, distance: distanceOf(gem, stoneOf(product.fields)) }))
        .sort(compareDistances)
        .slice(0, SUBSTITUTES_MAX)
        .map(({ gem }) => substituteFrom(gem, buyer))
      found.push({ sku: product.sku, stones })
      if (found.length % LINES_AT_A_TIME === 0) await nextTurn()
    }
    const positions = new Map(refused.map(({ sku }, position) => [sku, position]))
    return found.sort((a, b) => (positions.get(a.sku) ?? 0) - (positions.get(b.sku) ?? 0))
  }
}

/** Asked of the row that the database has now: the index may lag behind it. */
function isOffered(gem: Gem, offer: Offer | undefined, { buyer }: SubstituteQuery): boolean {
  if (gem.state !== 'available' || gem.quantity === 0 || isTreated(gem)) return false
  if (!isLeading(offer, buyer.diamondRules.list)) return false
  const heldUntil = offer ? offer.held_until : gem.hold_expires_on
  const heldBy = offer ? offer.held_by : gem.hold_merchant_uuid
  return heldUntil === null || heldBy === buyer.merchant.uuid || heldUntil <= buyer.now
}

interface NearestSearch {
  /** Stones that the buyer holds itself: they are free for the buyer. */
  ownHeld: ReadonlySet<number>
  list: PriceList
  memo: boolean
  limit: number
}

interface Near {
  id: number
  distance: number
}

/**
 * Returns the ids of the nearest stones. Every stone that is near enough in weight is looked at, so
 * that none is missed, however many grades it is away.
 */
function findNearest(store: Store, stone: StoneFields, search: NearestSearch): number[] {
  const nearest: Near[] = []
  const predicates = [...predicatesOf(stone, search.memo), ...visibleTo(store, search)]
  eachView(match(store, predicates), (view, rows) => {
    const distance = distanceReader(view, stone)
    const { on_hold } = view.codes
    for (const row of rows) {
      const id = idAt(view, row)
      if (codeAt(on_hold, row) === TRUE_CODE && !search.ownHeld.has(id)) continue
      keepNearest(nearest, { id, distance: distance(row) }, search.limit)
    }
  })
  return nearest.map(({ id }) => id)
}

function predicatesOf(stone: StoneFields, memo: boolean): Predicate[] {
  const { shape, type, is_fancy, color } = stone
  const weight = Math.round(stone.weight * 10 ** WEIGHT_DECIMALS)
  const flag = (column: string, value: boolean): Predicate => {
    return { kind: 'oneOf', column, values: [value ? 't' : 'f'] }
  }
  const predicates: Predicate[] = [
    { kind: 'oneOf', column: 'shape', values: [shape] },
    { kind: 'oneOf', column: 'type', values: [type] },
    flag('is_fancy', is_fancy),
    {
      kind: 'range',
      column: 'weight',
      min: Math.ceil((weight * (100 - WEIGHT_DIFFERENCE_PERCENT_MAX)) / 100),
      max: Math.floor((weight * (100 + WEIGHT_DIFFERENCE_PERCENT_MAX)) / 100),
    },
  ]
  if (is_fancy) predicates.push({ kind: 'oneOf', column: 'color', values: [color] })
  if (memo) predicates.push(flag('memo', true))
  return predicates
}

/** Computes what `distanceOf` does from the columns of the index. */
function distanceReader(view: View, stone: StoneFields): (row: number) => number {
  const { values: weights, base } = view.numbers.weight
  const { color: colors, clarity: clarities } = view.codes
  const scale = 10 ** WEIGHT_DECIMALS
  // The codes of grades count from 1, in the order of their list; 0 is a stone without a grade.
  const colorSteps = stepsByCode(COLORS, stone.is_fancy ? null : stone.color)
  const claritySteps = stepsByCode(CLARITIES, stone.clarity)
  return (row) => {
    const grades = stone.is_fancy ? 0 : colorSteps[codeAt(colors, row)]
    const weight = (weights[row] + base) / scale
    return weightDistance(weight, stone.weight) + grades + claritySteps[codeAt(clarities, row)]
  }
}

function stepsByCode(scale: readonly string[], grade: string | null): number[] {
  const own = grade === null ? -1 : scale.indexOf(grade)
  const steps = scale.map((_, position) => (own === -1 ? GRADES_UNKNOWN : Math.abs(position - own)))
  return [GRADES_UNKNOWN, ...steps]
}

/** Puts a stone into the sorted list of the nearest, which never gets longer than the limit. */
function keepNearest(nearest: Near[], stone: Near, limit: number): void {
  if (nearest.length === limit && compareDistances(nearest[limit - 1], stone) <= 0) return
  let at = nearest.length
  while (at > 0 && compareDistances(nearest[at - 1], stone) > 0) at--
  nearest.splice(at, 0, stone)
  if (nearest.length > limit) nearest.pop()
}
