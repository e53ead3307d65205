import type { Gem } from '../gems/gem-rendering.ts'
import type { GemIndex } from '../gems/index-follower.ts'
import { DIAMOND_FIELDS } from '../gems/search-fields.ts'
import { searchGems } from '../gems/search-gems.ts'
import type { SearchFilters } from '../gems/search-request.ts'
import { readGems } from '../gems/search-rows.ts'
import { CLARITIES, COLORS } from '../reference/attributes.ts'
import type { Product } from './product.ts'
import {
  type FindSubstitutes,
  findSubstitutesInDatabase,
  REFUSED_MAX,
  SUBSTITUTES_MAX,
  type SubstituteWish,
  substituteFrom,
} from './substitutes.ts'

/** Steps away from the refused stone, near first: in grades, and as a share of its weight. */
const REACHES = [
  { grades: 1, weight: 0.03 },
  { grades: 2, weight: 0.08 },
  { grades: 4, weight: 0.15 },
]
/** Enough to rank, few enough to read. */
const CANDIDATES_MAX = 40

/**
 * Finds the nearest diamonds through the index in memory, which answers in less than a
 * millisecond: the refused order still holds its locks. Other kinds of stones, and a market whose
 * index is loading, ask the database.
 */
export function substitutesFrom(index: Pick<GemIndex, 'store' | 'sequence'>): FindSubstitutes {
  return async (tx, wish) => {
    if (index.sequence() === undefined) return findSubstitutesInDatabase(tx, wish)
    const refused = wish.refused.slice(0, REFUSED_MAX)
    const others = refused.filter((product) => product.fields.product_type !== 'diamond')
    const found = await findSubstitutesInDatabase(tx, { ...wish, refused: others })
    const candidates = refused
      .filter((product) => product.fields.product_type === 'diamond')
      .map((product) => ({ product, ids: candidatesFor(index, product, wish) }))
    const gems = await readGems(tx, [...new Set(candidates.flatMap(({ ids }) => ids))])
    const byId = new Map(gems.map((gem) => [gem.id, gem]))
    for (const { product, ids } of candidates) {
      const stones = ids
        .flatMap((id) => byId.get(id) ?? [])
        .filter((gem) => isOffered(gem, wish))
        .map((gem) => ({ gem, distance: distanceOf(gem, product) }))
        .sort((a, b) => a.distance - b.distance || a.gem.id - b.gem.id)
        .slice(0, SUBSTITUTES_MAX)
        .map(({ gem }) => substituteFrom(gem, wish.buyer))
      found.push({ sku: product.sku, stones })
    }
    const places = new Map(refused.map(({ sku }, place) => [sku, place]))
    return found.sort((a, b) => (places.get(a.sku) ?? 0) - (places.get(b.sku) ?? 0))
  }
}

function candidatesFor(
  index: Pick<GemIndex, 'store'>,
  product: Product,
  { buyer, memo }: SubstituteWish,
): number[] {
  let ids: number[] = []
  for (const reach of REACHES) {
    const filters = filtersOf(product, reach, memo)
    const request = { filters, limit: CANDIDATES_MAX, offset: 0 }
    const sort = { sort_col: 'weight', sort_order: 'desc' } as const
    const { found } = searchGems(
      index.store(),
      DIAMOND_FIELDS,
      { ...request, ...sort },
      buyer.diamondRules,
      [],
    )
    ids = found.map(({ id }) => id)
    // Some may turn out to be held or in the order already.
    if (ids.length >= 2 * SUBSTITUTES_MAX) break
  }
  return ids
}

function filtersOf(
  { fields }: Product,
  reach: (typeof REACHES)[number],
  memo: boolean,
): SearchFilters {
  const { shape, type, is_fancy, color, clarity, weight } = fields as unknown as StoneFields
  return {
    shape: [shape],
    type: [type],
    is_fancy,
    weight_min: weight * (1 - reach.weight),
    weight_max: weight * (1 + reach.weight),
    color: is_fancy ? [color] : around(COLORS, color, reach.grades),
    ...(clarity !== null && { clarity: around(CLARITIES, clarity, reach.grades) }),
    ...(memo && { memo: true }),
  }
}

interface StoneFields {
  shape: string
  type: string
  is_fancy: boolean
  color: string
  clarity: string | null
  weight: number
}

function around(scale: readonly string[], grade: string, steps: number): string[] {
  const place = scale.indexOf(grade)
  return scale.slice(Math.max(0, place - steps), place + steps + 1)
}

function isOffered(gem: Gem, { buyer, except, refused }: SubstituteWish): boolean {
  if (gem.state !== 'available' || gem.quantity === 0 || except.includes(gem.sku)) return false
  if (refused.some(({ sku }) => sku === gem.sku)) return false
  if (gem.hold_expires_on === null || gem.hold_merchant_uuid === buyer.merchant.uuid) return true
  return gem.hold_expires_on <= buyer.now
}

/** The same measure as the database's: a grade weighs as much as five percent of the weight. */
function distanceOf(gem: Gem, { fields }: Product): number {
  const stone = fields as unknown as StoneFields
  const steps = (scale: readonly string[], a: string | null, b: string | null) =>
    a === null || b === null ? 3 : Math.abs(scale.indexOf(a) - scale.indexOf(b))
  return (
    (Math.abs(Number(gem.weight) - stone.weight) / stone.weight) * 20 +
    steps(COLORS, gem.color, stone.color) +
    steps(CLARITIES, gem.clarity, stone.clarity)
  )
}
