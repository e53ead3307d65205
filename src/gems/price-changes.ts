import { sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import { amountFrom } from '../lib/money.ts'
import { isoWithOffset } from '../lib/timestamps.ts'
import { wholesaleOf } from '../pricing/price-list.ts'
import type { PriceRules } from '../pricing/price-rules.ts'
import type { Gem } from './gem.ts'
import { pricedFrom } from './gem-rendering.ts'

/** What a stone costs in both price lists from a moment on. */
export interface PriceSince {
  changed_on: string
  wholesale_price: string
  wholesale_price_us: string
}

/** How many prices of a stone are known: migration 0021 stores that many changes. */
export const PRICES_MAX = 100

/**
 * The prices of a stone, newest first: the present ones, and those before them. A change stores the
 * prices before it, which began with the change before that one, or with the stone. Of the oldest
 * stored ones nobody knows when they began, once older changes are deleted.
 */
export async function readPrices(db: Db | Tx, gemId: number): Promise<PriceSince[]> {
  const { rows } = await sql<PriceSince>`
    with price as (
      select n, changed_on as until, wholesale_price_before as wholesale_price,
        wholesale_price_us_before as wholesale_price_us
      from price_change where gem_id = ${gemId}
      union all
      select 1 + (select coalesce(max(n), 0) from price_change where gem_id = ${gemId}), null,
        wholesale_price, wholesale_price_us
      from gem where id = ${gemId}
    ), dated as (
      select n, wholesale_price, wholesale_price_us, case
        when n = 1 then (select created_on from gem where id = ${gemId})
        else lag(until) over (order by n) end as changed_on
      from price
    )
    select changed_on, wholesale_price, wholesale_price_us from dated
    where changed_on is not null order by n desc limit ${PRICES_MAX}`.execute(db)
  return rows
}

/**
 * The same as a merchant sees it, at its present margins and rate. What changed in the other price
 * list only is left out.
 */
export function renderPriceHistory(gem: Gem, prices: readonly PriceSince[], rules: PriceRules) {
  const isNew = (price: PriceSince, i: number) =>
    i + 1 === prices.length ||
    wholesaleOf(price, rules.list) !== wholesaleOf(prices[i + 1], rules.list)
  return prices.filter(isNew).map(({ changed_on, ...price }) => {
    const { wholesale_price, retail_price } = pricedFrom({ ...gem, ...price }, rules)
    return {
      changed_on: isoWithOffset(changed_on),
      wholesale_price: amountFrom(wholesale_price),
      retail_price: amountFrom(retail_price),
    }
  })
}
