import { sql } from 'kysely'
import type { Tx } from '../../database/open.ts'
import type { Gem } from '../../gems/gem.ts'
import { IS_TREATED, isTreated } from '../../gems/gem-life.ts'
import { leadsIn, WITH_OFFERS } from '../../gems/offer-store.ts'
import { amountFrom } from '../../lib/money.ts'
import { wholesaleFor } from '../../pricing/price-adjustment.ts'
import { listColumn } from '../../pricing/price-list.ts'
import { CLARITIES, COLORS } from '../../reference/attributes.ts'
import type { Product } from '../product.ts'
import type { Buyer } from './buyer.ts'

/** Stones that can replace a refused one, nearest first. */
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
  /** What the buyer would pay, in US dollars. */
  base_wholesale_price: number
}

/** A stone that cannot be had, with the fields that its order keeps. */
export type RefusedStone = Pick<Product, 'sku' | 'stock_id' | 'fields'>

export interface SubstituteQuery {
  refused: readonly RefusedStone[]
  buyer: Buyer
  /** SKUs that are in the order already. */
  except: readonly string[]
  /** Only stones that are offered on memo. */
  memo: boolean
}

export type FindSubstitutes = (tx: Tx, query: SubstituteQuery) => Promise<Substitutes[]>

export const SUBSTITUTES_MAX = 5
/** A substitute differs by at most this part of the weight. */
export const WEIGHT_DIFFERENCE_PERCENT_MAX = 15
/** A difference of one grade counts as much as a difference of this share of the weight. */
const WEIGHT_PER_GRADE = 0.05
/** How many grades apart two stones count as when one of them has no grade. */
export const GRADES_UNKNOWN = 3

/** The fields of a stone that decide how near another one is. */
export interface StoneFields {
  shape: string
  type: string
  is_fancy: boolean
  color: string
  clarity: string | null
  weight: number
}

/** A diamond's fields as its order keeps them. */
export function stoneOf(fields: Record<string, unknown>): StoneFields {
  return fields as unknown as StoneFields
}

/**
 * How far apart two stones are, in grades: the same measure as the query below. Fancy colours have
 * no grades: only stones of the same hue are compared.
 */
export function distanceOf(gem: Gem, stone: StoneFields): number {
  const gradesApart = (scale: readonly string[], a: string | null, b: string | null) =>
    a === null || b === null ? GRADES_UNKNOWN : Math.abs(scale.indexOf(a) - scale.indexOf(b))
  return (
    weightDistance(Number(gem.weight), stone.weight) +
    (stone.is_fancy ? 0 : gradesApart(COLORS, gem.color, stone.color)) +
    gradesApart(CLARITIES, gem.clarity, stone.clarity)
  )
}

/** How many grades a difference of weight counts as. */
export function weightDistance(weight: number, wanted: number): number {
  return Math.abs(weight - wanted) / wanted / WEIGHT_PER_GRADE
}

/** Nearest first, then by id. */
export function compareDistances(
  a: { distance: number; id: number },
  b: { distance: number; id: number },
): number {
  return a.distance - b.distance || a.id - b.id
}

/** Finds substitutes with PostgreSQL, for a market that has no index in memory. */
export const findSubstitutesInDatabase: FindSubstitutes = async (tx, query) => {
  const { refused, except, memo, buyer } = query
  if (refused.length === 0) return []
  const ids = refused.map(({ stock_id }) => Number(stock_id))
  const { rows } = await sql<Gem & { for_id: number }>`
    select refused.id as for_id, near.* from gem as refused, lateral (
      select gem.* from ${sql.raw(WITH_OFFERS)}
      where ${sql.raw(leadsIn(buyer.diamondRules.list))} and not ${sql.raw(IS_TREATED)}
        and gem.product_type = refused.product_type and gem.type = refused.type
        and gem.shape = refused.shape and gem.is_fancy = refused.is_fancy
        and (not refused.is_fancy or gem.color = refused.color)
        and gem.species is not distinct from refused.species
        and abs(gem.weight - refused.weight) * 100
          <= refused.weight * ${WEIGHT_DIFFERENCE_PERCENT_MAX}::integer
        and gem.state = 'available' and gem.quantity > 0 and gem.id <> refused.id
        and gem.sku <> all(${[...except]}::text[])
        and (gem.memo or not ${memo})
        and (coalesce(offer.held_until, gem.hold_expires_on) <= market_clock() is not false
          or coalesce(offer.held_by, gem.hold_merchant_uuid) = ${buyer.merchant.uuid})
      order by abs(gem.weight - refused.weight) / refused.weight / ${WEIGHT_PER_GRADE}::numeric
        + case when refused.is_fancy then 0 else
          coalesce(abs(array_position(${COLORS}::text[], gem.color)
          - array_position(${COLORS}::text[], refused.color)), ${GRADES_UNKNOWN}::int) end
        + coalesce(abs(array_position(${CLARITIES}::text[], gem.clarity)
          - array_position(${CLARITIES}::text[], refused.clarity)), ${GRADES_UNKNOWN}::int), gem.id
      limit ${SUBSTITUTES_MAX}
    ) as near where refused.id = any(${ids}::bigint[])`.execute(tx)
  return refused.map(({ sku, stock_id }) => ({
    sku,
    stones: rows
      .filter(({ for_id }) => for_id === Number(stock_id))
      .map((gem) => substituteFrom(gem, buyer)),
  }))
}

/**
 * The offers of the same stones that lead from now on, by the SKUs of those that were withdrawn in
 * this transaction. The index hears of them only after the commit.
 */
export async function findOtherOffers(
  tx: Tx,
  { refused, buyer, memo }: Pick<SubstituteQuery, 'refused' | 'buyer' | 'memo'>,
): Promise<ReadonlyMap<string, Substitute>> {
  const ids = refused.map(({ stock_id }) => Number(stock_id))
  const price = sql.ref(`other.${listColumn('wholesale_price', buyer.diamondRules.list)}`)
  const { rows } = await sql<Gem & { for_sku: string }>`
    select distinct on (gone.id) gone.sku as for_sku, other.*
    from gem as gone join gem as other on other.certificate = gone.certificate
    where gone.id = any(${ids}::bigint[]) and other.id <> gone.id
      and not gone.apart and not other.apart and other.state = 'available' and other.quantity > 0
    order by gone.id, ${price}, other.created_on, other.id`.execute(tx)
  return new Map(
    rows
      .filter((gem) => !isTreated(gem) && (gem.memo || !memo))
      .map(({ for_sku, ...gem }) => [for_sku, substituteFrom(gem, buyer)]),
  )
}

export function substituteFrom(gem: Gem, buyer: Buyer): Substitute {
  const { sku, product_type, type, shape, color, clarity, cut_grade, lab, cert_num } = gem
  const rules = product_type === 'gemstone' ? buyer.gemstoneRules : buyer.diamondRules
  const base_wholesale_price = amountFrom(wholesaleFor(rules, gem))
  const stone = { sku, product_type, type, shape, weight: Number(gem.weight) }
  return { ...stone, color, clarity, cut_grade, lab, cert_num, base_wholesale_price }
}
