import { sql } from 'kysely'
import { recordEntry } from '../../../audit/record-entry.ts'
import type { Db, Tx } from '../../../database/open.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { logChanges } from '../../../events/change-log.ts'
import { recordEnded } from '../../../gems/holds/end-holds.ts'
import { IMPORT_LOCK } from '../session.ts'
import { SET_REMOVED } from './change-stones.ts'

const BATCH = 100

/**
 * Takes the stock of suppliers off sale whose last import is older than their `fresh_days`, and
 * returns the number of stones. Held stones stay until their hold ends; the next import brings back
 * what is still offered. The server calls this periodically.
 */
export async function retireStaleStock(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from supplier
    where fresh_days is not null and synced_on < market_now() - make_interval(days => fresh_days)
    order by id`.execute(db)
  let retired = 0
  for (const { id } of rows) {
    const before = retired
    for (;;) {
      const isFirst = retired === before
      const count = await inTransaction(db, (tx) => retireSome(tx, id, isFirst))
      retired += count
      if (count === 0) break
    }
  }
  return retired
}

/** Skips a supplier with a running import, which makes its stock fresh anyway. */
async function retireSome(tx: Tx, supplierId: number, isFirst: boolean): Promise<number> {
  const lock = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(${IMPORT_LOCK}, ${supplierId}) as free`.execute(tx)
  if (!lock.rows[0].free) return 0
  const stale = await sql<{ id: number }>`
    select g.id from gem g join supplier s on s.id = g.supplier_id
    where g.supplier_id = ${supplierId} and g.state = 'available'
      -- Stones that did not come from an import do not become stale.
      and g.feed_hash is not null
      and (g.hold_expires_on is null or g.hold_expires_on <= market_now())
      and s.synced_on < market_now() - make_interval(days => s.fresh_days)
    order by g.sku limit ${BATCH} for update of g`.execute(tx)
  const ids = sql`select unnest(${stale.rows.map(({ id }) => id)}::bigint[])`
  await recordEnded(tx, ids)
  const { rows } = await sql<{ gem_id: number; sku: string }>`
    update gem g set ${SET_REMOVED} where g.id in (${ids})
    returning g.id as gem_id, g.sku`.execute(tx)
  if (isFirst && rows.length > 0) await recordStale(tx, supplierId)
  await logChanges(
    tx,
    rows.map(({ gem_id, sku }) => ({ gem_id, sku, kind: 'gone' })),
  )
  return rows.length
}

/** One entry for the whole stock of the supplier, with its first stones. */
async function recordStale(tx: Tx, supplierId: number): Promise<void> {
  const { uuid, name, fresh_days, synced_on } = await tx
    .selectFrom('supplier')
    .select(['uuid', 'name', 'fresh_days', 'synced_on'])
    .where('id', '=', supplierId)
    .executeTakeFirstOrThrow()
  await recordEntry(tx, {
    action: 'supplier.stale',
    subject: { kind: 'supplier', id: uuid },
    after: { name, fresh_days, synced_on },
  })
}
