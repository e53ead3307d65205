import type { Gem } from '../gems/gem-rendering.ts'
import { readGems } from '../gems/gem-store.ts'
import type { GemIndex } from '../gems/indexing/follower.ts'
import { nearestCandidates } from './nearest-stones.ts'
import { distanceOf, stoneOf } from './stone-distance.ts'
import {
  type FindSubstitutes,
  findSubstitutesInDatabase,
  SUBSTITUTES_MAX,
  type SubstituteWish,
  substituteFrom,
} from './substitutes.ts'

/**
 * Finds the nearest diamonds through the index in memory, which answers in less than a
 * millisecond: the refused order still holds its locks. Other kinds of stones, and a market whose
 * index is loading, ask the database.
 */
export function substitutesFrom(index: Pick<GemIndex, 'store' | 'sequence'>): FindSubstitutes {
  return async (tx, wish) => {
    if (index.sequence() === undefined) return findSubstitutesInDatabase(tx, wish)
    const { refused } = wish
    const others = refused.filter((product) => product.fields.product_type !== 'diamond')
    const found = await findSubstitutesInDatabase(tx, { ...wish, refused: others })
    const candidates = refused
      .filter((product) => product.fields.product_type === 'diamond')
      .map((product) => ({ product, ids: nearestCandidates(index, product.fields, wish) }))
    const gems = await readGems(tx, [...new Set(candidates.flatMap(({ ids }) => ids))])
    const byId = new Map(gems.map((gem) => [gem.id, gem]))
    for (const { product, ids } of candidates) {
      const stones = ids
        .flatMap((id) => byId.get(id) ?? [])
        .filter((gem) => isOffered(gem, wish))
        .map((gem) => ({ gem, distance: distanceOf(gem, stoneOf(product.fields)) }))
        .sort((a, b) => a.distance - b.distance || a.gem.id - b.gem.id)
        .slice(0, SUBSTITUTES_MAX)
        .map(({ gem }) => substituteFrom(gem, wish.buyer))
      found.push({ sku: product.sku, stones })
    }
    const places = new Map(refused.map(({ sku }, place) => [sku, place]))
    return found.sort((a, b) => (places.get(a.sku) ?? 0) - (places.get(b.sku) ?? 0))
  }
}

function isOffered(gem: Gem, { buyer, except, refused }: SubstituteWish): boolean {
  if (gem.state !== 'available' || gem.quantity === 0 || except.includes(gem.sku)) return false
  if (refused.some(({ sku }) => sku === gem.sku)) return false
  if (gem.hold_expires_on === null || gem.hold_merchant_uuid === buyer.merchant.uuid) return true
  return gem.hold_expires_on <= buyer.now
}
