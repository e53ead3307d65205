import type { GemProductType } from '../database/tables/gems.ts'
import type { ProductType } from '../database/tables/jewelry.ts'

/** Every kind of product that a merchant's copy of the market may have, in a snapshot's order. */
export const PRODUCT_KINDS = ['diamond', 'gemstone', 'melee', 'jewelry', 'watch'] as const

export type ProductKind = GemProductType | ProductType

/** The kinds of a request, each once and in the order of the list: equal lists look equal. */
export function kindsFrom(asked: readonly ProductKind[]): ProductKind[] {
  return PRODUCT_KINDS.filter((kind) => asked.includes(kind))
}

export const jewelryKinds = (kinds: readonly ProductKind[]): ProductType[] =>
  kinds.filter((kind) => kind === 'jewelry' || kind === 'watch')
