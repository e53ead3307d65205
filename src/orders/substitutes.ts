import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import type { Gem } from '../gems/gem-rendering.ts'
import { amountFrom } from '../lib/money.ts'
import { CLARITIES, COLORS } from '../reference/attributes.ts'
import type { Buyer } from './buyer.ts'
import { baseCentsOf } from './gem-copy.ts'
import type { Product } from './product.ts'

/** Stones to take instead of a refused one, nearest first. */
export interface Substitutes {
  sku: string
  stones: Substitute[]
}

export interface Substitute {
  sku: string
  product_type: string
  type: string
  shape: string
  weight: number
  color: string | null
  clarity: string | null
  cut_grade: string | null
  lab: string | null
  cert_num: string | null
  /** In the buyer's list, in US dollars. */
  base_wholesale_price: number
}

export interface SubstituteWish {
  refused: readonly Product[]
  buyer: Buyer
  /** SKUs that are in the order already. */
  except: readonly string[]
  /** Only stones that are offered on memo. */
  memo: boolean
}

export type FindSubstitutes = (tx: Tx, wish: SubstituteWish) => Promise<Substitutes[]>

export const SUBSTITUTES_MAX = 5

/** Asks PostgreSQL, within 15 % of the weight; for markets that have no index in memory. */
export const findSubstitutesInDatabase: FindSubstitutes = async (tx, wish) => {
  const { refused } = wish
  if (refused.length === 0) return []
  const ids = refused.map(({ stock_id }) => Number(stock_id))
  const { rows } = await sql<Gem & { for_id: number }>`
    select refused.id as for_id, near.* from gem as refused, lateral (
      select gem.* from gem
      where gem.product_type = refused.product_type and gem.type = refused.type
        and gem.shape = refused.shape and gem.is_fancy = refused.is_fancy
        and gem.species is not distinct from refused.species
        and gem.weight between refused.weight * 0.85 and refused.weight * 1.15
        and gem.state = 'available' and gem.quantity > 0 and gem.id <> refused.id
        and gem.sku <> all(${[...wish.except]}::text[])
        and (gem.memo or not ${wish.memo})
        and (gem.hold_expires_on is null or gem.hold_expires_on <= clock_timestamp()
          or gem.hold_merchant_uuid = ${wish.buyer.merchant.uuid})
      order by abs(gem.weight - refused.weight) / refused.weight * 20
        + coalesce(abs(array_position(${COLORS}::text[], gem.color)
          - array_position(${COLORS}::text[], refused.color)), 3)
        + coalesce(abs(array_position(${CLARITIES}::text[], gem.clarity)
          - array_position(${CLARITIES}::text[], refused.clarity)), 3), gem.id
      limit ${SUBSTITUTES_MAX}
    ) as near where refused.id = any(${ids}::bigint[])`.execute(tx)
  return refused.map(({ sku, stock_id }) => ({
    sku,
    stones: rows
      .filter(({ for_id }) => for_id === Number(stock_id))
      .map((gem) => substituteFrom(gem, wish.buyer)),
  }))
}

export function substituteFrom(gem: Gem, buyer: Buyer): Substitute {
  const { sku, product_type, type, shape, color, clarity, cut_grade, lab, cert_num } = gem
  const base_wholesale_price = amountFrom(baseCentsOf(gem, buyer.diamondRules))
  const stone = { sku, product_type, type, shape, weight: Number(gem.weight) }
  return { ...stone, color, clarity, cut_grade, lab, cert_num, base_wholesale_price }
}
