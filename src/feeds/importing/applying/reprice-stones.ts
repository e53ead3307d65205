import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/open.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { logChanges, type StoneChange } from '../../../events/change-log.ts'
import { fed, setFed } from '../../../gems/operator/override-fields.ts'
import { markupFactor, type Supplier } from '../../../gems/supplier.ts'

/** Small, so that no buyer waits for a stone; see apply-import.ts. */
const BATCH = 100
const IDS_PER_STATEMENT = 10_000

/** Computes the prices of a supplier's stones again, in a session that holds its lock. */
export async function repriceStones(db: Db, supplier: Supplier): Promise<number> {
  let changed = 0
  let after = 0
  for (;;) {
    const { rows } = await sql<{ id: number }>`
      select g.id from gem g
      where g.supplier_id = ${supplier.id} and g.id > ${after} and ${isStale(supplier)}
      order by g.id limit ${IDS_PER_STATEMENT}`.execute(db)
    if (rows.length === 0) return changed
    const ids = rows.map(({ id }) => id)
    for (let from = 0; from < ids.length; from += BATCH) {
      const some = ids.slice(from, from + BATCH)
      changed += await inTransaction(db, (tx) => repriceSome(tx, supplier, some))
    }
    after = ids[ids.length - 1]
  }
}

/** Computes the prices of stones in the staging table, which nobody sees yet. */
export async function repriceStaged(tx: Tx, supplier: Supplier): Promise<void> {
  await sql`
    update feed_stage g set wholesale_price = ${priceAt(supplier.markup)},
      wholesale_price_us = ${priceAt(supplier.markup_us)} where g.cost is not null`.execute(tx)
}

async function repriceSome(tx: Tx, supplier: Supplier, ids: readonly number[]): Promise<number> {
  await sql`
    select count(*) from (
      select from gem where id = any(${ids}::bigint[]) order by sku for update
    ) as locked`.execute(tx)
  const { rows } = await sql<{ gem_id: number; sku: string; state: string; is_seen: boolean }>`
    with priced as materialized (
      select g.id, ${priceAt(supplier.markup)} as wholesale_price,
        ${priceAt(supplier.markup_us)} as wholesale_price_us,
        g.wholesale_price as before, g.wholesale_price_us as before_us
      from gem g where g.id = any(${ids}::bigint[]) and ${isStale(supplier)}
    )
    update gem g set ${SET_PRICES}, updated_on = market_clock()
    from priced where g.id = priced.id
    returning g.id as gem_id, g.sku, g.state,
      (g.wholesale_price, g.wholesale_price_us) <> (before, before_us) as is_seen`.execute(tx)
  const changed = rows.filter(({ is_seen, state }) => is_seen && !isOut(state))
  const seen = rows.filter(({ state }) => state === 'available')
  await logChanges(
    tx,
    seen.map(({ gem_id, sku }): StoneChange => ({ gem_id, sku, kind: 'price' })),
  )
  return changed.length
}

/** A price that the operator set stays, and the new one goes beneath it. */
const SET_PRICES = sql.raw(
  setFed(['wholesale_price', 'wholesale_price_us'], (column) => `priced.${column}`),
)

const FED_PRICES = sql.raw(`${fed('wholesale_price')}, ${fed('wholesale_price_us')}`)

/** Its order keeps the price that was agreed; the new one is for when it comes back. */
function isOut(state: string): boolean {
  return state === 'sold' || state === 'memo'
}

/** Stones that are gone get their price when a feed lists them again. */
function isStale({ markup, markup_us }: Supplier) {
  return sql`g.state <> 'gone'
    and (${FED_PRICES}) is distinct from (${priceAt(markup)}, ${priceAt(markup_us)})`
}

/**
 * What draft-price.ts computes: the feed's price x the markup, rounded half up once. A price in
 * another currency has twelve decimals here, so what they leave of a half cent is rounded first.
 */
function priceAt(markup: string) {
  const factor = markupFactor(markup)
  return sql`greatest(0.01,
    round(round(coalesce(g.cost_exact, g.cost) * ${factor}::integer / 10000, 10), 2))`
}
