import { sql } from 'kysely'
import { isUniqueViolation } from '../../../database/errors.ts'
import type { Db, Tx } from '../../../database/open.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { logAdded } from '../../../events/change-log.ts'
import { FEED_COLUMNS, skuOf } from '../../../gems/gem.ts'
import type { Supplier } from '../../../gems/supplier.ts'
import { list } from '../stage-columns.ts'

/** What a running import is about. */
export interface ImportTarget {
  db: Db
  importUuid: string
  supplier: Supplier
}

export const SKU_ATTEMPTS_MAX = 5

/** Adds the new stones of a range. When a SKU is already in use, it is replaced, and we retry. */
export async function addStones(
  { db, importUuid, supplier }: ImportTarget,
  batch: number,
  from: number,
  to: number,
): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(db, (tx) =>
        insertStones(tx, importUuid, supplier.id, batch, from, to),
      )
    } catch (error) {
      const isSkuTaken = isUniqueViolation(error, 'gem_sku_key')
      if (!isSkuTaken || attempt >= SKU_ATTEMPTS_MAX) throw error
      await renameStones(db, supplier.uuid, attempt, from, to)
    }
  }
}

/** Adds the staged new stones of a range, with their part of the journal and of the log. */
export async function insertStones(
  tx: Tx,
  importUuid: string,
  supplierId: number,
  batch: number,
  from: number,
  to: number,
): Promise<number> {
  const { rows } = await sql<{ stones: number }>`
    with added as (
      insert into gem (supplier_id, sku, feed_hash, feed_quantity, ${list(FEED_COLUMNS)})
      select ${supplierId}, sku, feed_hash, quantity, ${list(FEED_COLUMNS)}
      from feed_stage where n between ${from} and ${to} and kind = 'new' order by n
      returning id, sku
    ), journal as (
      insert into import_added (import_uuid, batch, gem_ids)
      select ${importUuid}::uuid, ${batch}::integer, coalesce(array_agg(id), '{}') from added
    ), logged as (${logAdded('added')})
    select count(*) as stones from added`.execute(tx)
  return rows[0].stones
}

async function renameStones(
  db: Db,
  supplierUuid: string,
  attempt: number,
  from: number,
  to: number,
): Promise<void> {
  const { rows } = await sql<{ n: number; vendor_sku: string }>`
    select n, vendor_sku from (
      select n, sku, vendor_sku, row_number() over (partition by sku order by n) as duplicate
      from feed_stage where n between ${from} and ${to} and kind = 'new'
    ) as s
    where duplicate > 1 or exists (select from gem g where g.sku = s.sku)`.execute(db)
  for (const { n, vendor_sku } of rows) {
    const sku = skuOf(supplierUuid, vendor_sku, attempt)
    await sql`update feed_stage set sku = ${sku} where n = ${n}`.execute(db)
  }
}
