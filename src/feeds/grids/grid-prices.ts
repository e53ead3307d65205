import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { logChanges, type StoneChange } from '../../events/change-log.ts'
import { findGridsInForce, type GridsInForce } from './grid-store.ts'

/**
 * List prices from the sheets in force, for untreated mined diamonds whose feed carries none. A
 * stone has the row with the largest lower bound that it reaches: a weight between two rows counts
 * as the lower one, above the sheet the last row counts, and below it there is no price.
 */
function gridPrice(grids: GridsInForce): RawBuilder<unknown> {
  const { BR = null, PS = null } = grids
  return sql`(
    select nullif(round(c.price_per_carat * s.weight, 2), 0)
    from price_grid_cell c
    where s.product_type = 'diamond' and s.type = 'mined' and not s.is_fancy
      and s.treatment is null
      -- A pair has the weight of both stones.
      and coalesce(s.cert_num, '') not like '% / %'
      and c.grid_uuid = case s.shape when 'round' then ${BR}::uuid else ${PS}::uuid end
      and c.clarity = case s.clarity when 'FL' then 'IF' else s.clarity end
      and c.color = s.color and c.weight_min <= s.weight
    order by c.weight_min desc limit 1)`
}

/** A text that changes with the sheets in force. */
function versionOf({ BR, PS }: GridsInForce): string {
  return `${BR ?? ''} ${PS ?? ''}`
}

/** Gives staged stones without a list price one from the sheets; returns their version. */
export async function fillStagedPrices(db: Db | Tx): Promise<string> {
  const grids = await findGridsInForce(db)
  if (grids.BR === undefined && grids.PS === undefined) return versionOf(grids)
  await sql`
    with priced as materialized (
      select s.n, ${gridPrice(grids)} as price from feed_stage s
      where s.kind <> 'off' and s.list_price is null
    )
    update feed_stage s set list_price = priced.price, list_price_from_grid = true
    from priced where priced.n = s.n and priced.price is not null`.execute(db)
  return versionOf(grids)
}

/** The version of the sheets in force; see `fillStagedPrices`. */
export async function readGridVersion(db: Db): Promise<string> {
  return versionOf(await findGridsInForce(db))
}

interface RefreshOptions {
  /** Only the stones of this supplier. */
  supplierId?: number
  /** Called with the number of stones looked at so far. */
  onStones?: (stones: number) => void
}

const IDS_PER_STATEMENT = 10_000
/** Small, so that no buyer waits for a stone; see apply-import.ts. */
const BATCH = 100

const HAS_NO_OWN = sql`s.product_type = 'diamond'
  and (s.list_price is null or s.list_price_from_grid)`

/** Stones whose list price is not their feed's. */
export async function countWithoutOwn(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from gem s where ${HAS_NO_OWN}`.execute(db)
  return rows[0].count
}

/** Computes these list prices again, in small transactions; returns how many changed. */
export async function refreshGridPrices(
  db: Db,
  { supplierId, onStones }: RefreshOptions = {},
): Promise<number> {
  const grids = await findGridsInForce(db)
  if (grids.BR === undefined && grids.PS === undefined) return 0
  const isOwn = supplierId === undefined ? sql`true` : sql`s.supplier_id = ${supplierId}`
  let [changed, seen, after] = [0, 0, 0]
  for (;;) {
    const { rows } = await sql<{ last: number | null; seen: number; ids: number[] | null }>`
      with chunk as (
        select s.id, s.list_price, ${gridPrice(grids)} as price from gem s
        where s.id > ${after} and ${isOwn} and ${HAS_NO_OWN}
        order by s.id limit ${IDS_PER_STATEMENT}
      )
      select max(id) as last, count(*) as seen,
        array_agg(id) filter (where list_price is distinct from price) as ids
      from chunk`.execute(db)
    const [chunk] = rows
    if (chunk.last === null) return changed
    const ids = (chunk.ids ?? []).map(Number)
    for (let from = 0; from < ids.length; from += BATCH) {
      const some = ids.slice(from, from + BATCH)
      changed += await inTransaction(db, (tx) => refreshSome(tx, grids, some))
      onStones?.(seen + Math.min(from + BATCH, chunk.seen))
    }
    seen += chunk.seen
    after = chunk.last
    onStones?.(seen)
  }
}

async function refreshSome(tx: Tx, grids: GridsInForce, ids: readonly number[]): Promise<number> {
  await sql`
    select count(*) from (
      select from gem where id = any(${ids}::bigint[]) order by sku for update
    ) as locked`.execute(tx)
  const { rows } = await sql<{ gem_id: number; sku: string; state: string }>`
    with priced as materialized (
      select s.id, ${gridPrice(grids)} as price from gem s
      where s.id = any(${ids}::bigint[]) and ${HAS_NO_OWN}
    )
    update gem g set list_price = priced.price, updated_on = market_clock(),
      list_price_from_grid = priced.price is not null
    from priced where g.id = priced.id and g.list_price is distinct from priced.price
    returning g.id as gem_id, g.sku, g.state`.execute(tx)
  const seen = rows.filter(({ state }) => state === 'available')
  await logChanges(
    tx,
    seen.map(({ gem_id, sku }): StoneChange => ({ gem_id, sku, kind: 'price' })),
  )
  return rows.length
}
