import { sql } from 'kysely'
import { isForeignKeyViolation } from '../../../database/errors.ts'
import type { Database, Db, Tx } from '../../../database/open.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { logChanges, type StoneChange } from '../../../events/change-log.ts'
import { numberChanges } from '../../../events/number-changes.ts'
import { recordEnded } from '../../../gems/holds/end-holds.ts'
import { setFed } from '../../../gems/operator/override-fields.ts'
import { getSupplier } from '../../../gems/supplier-store.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { refreshGridPrices } from '../../grids/grid-prices.ts'
import { getImport, type ImportRecord, setImportStatus } from '../import-store.ts'
import { inImportSession, lockSupplier } from '../session.ts'
import { CHANGED_COLUMNS } from '../stage-columns.ts'
import { SET_REMOVED } from './change-stones.ts'
import { repriceStones } from './reprice-stones.ts'

/** Undoes the latest import of a supplier: its stones become what they were before. */
export function undoImport(database: Database, uuid: string): Promise<ImportRecord> {
  return inImportSession(database, async ({ db }) => {
    const record = await getImport(db, uuid)
    await lockSupplier(db, record.supplier_id, record.supplier)
    const { status } = await getImport(db, uuid)
    if (status !== 'done' && status !== 'undoing') {
      throw new Refusal('nothing_to_undo', `The import is ${status}; there is nothing to undo.`)
    }
    await refuseOlder(db, record)
    await setImportStatus(db, uuid, 'undoing')
    await revertImport(db, uuid)
    await repriceIfNewer(db, record)
    await sql`
      update supplier s set synced_on = i.synced_before,
        reading = i.reading_before from import i
      where i.uuid = ${uuid} and s.id = i.supplier_id`.execute(db)
    await setImportStatus(db, uuid, 'undone')
    return getImport(db, uuid)
  })
}

/** The journal has the prices of the markup at that time. */
async function repriceIfNewer(db: Db, { supplier, started_on }: ImportRecord): Promise<void> {
  const { rows } = await sql<{ is_newer: boolean }>`
    select markup_set_on > ${started_on}::timestamptz as is_newer
    from supplier where name = ${supplier}`.execute(db)
  if (rows[0]?.is_newer) await repriceStones(db, await getSupplier(db, supplier))
}

/** Every import that was done has deleted the journals of the ones before it. */
async function refuseOlder(db: Db, record: ImportRecord): Promise<void> {
  const { rows } = await sql<{ uuid: string; status: string }>`
    select uuid, status from import where supplier_id = ${record.supplier_id}
      and status in ('done', 'undoing', 'undone')
      and started_on > ${record.started_on}::timestamptz
    order by started_on desc limit 1`.execute(db)
  if (rows.length === 0) return
  const [{ uuid, status }] = rows
  const detail =
    status === 'done'
      ? `Only the latest import of ${record.supplier} can be undone: ${uuid}.`
      : `Only the latest import of ${record.supplier} can be undone, and it was: ${uuid}. ` +
        'Import an earlier file again with --mode replace.'
  throw new Refusal('nothing_to_undo', detail)
}

const BATCH = 100

/**
 * Restores what the journal holds in batches. Each batch and its part of the journal are one
 * transaction, so that after a crash the rest of the journal can be processed. What was sold, held
 * or disabled since the import stays so.
 */
export async function revertImport(db: Db, importUuid: string): Promise<void> {
  for (;;) {
    const restored = await inTransaction(db, (tx) => restoreStones(tx, importUuid))
    if (restored === 0) break
  }
  for (;;) {
    const { rows } = await sql<{ batch: number; gem_ids: number[] }>`
      select batch, gem_ids from import_added where import_uuid = ${importUuid}
      order by batch desc limit 1`.execute(db)
    if (rows.length === 0) break
    const ids = rows[0].gem_ids.map(Number)
    for (let from = 0; from < ids.length; from += BATCH) {
      await withdrawStones(db, ids.slice(from, from + BATCH))
    }
    await sql`
      delete from import_added
      where import_uuid = ${importUuid} and batch = ${rows[0].batch}`.execute(db)
  }
  const { rows } = await sql<{ supplier_id: number }>`
    select supplier_id from import where uuid = ${importUuid}`.execute(db)
  // The journal may have prices of an older sheet.
  for (const { supplier_id } of rows) await refreshGridPrices(db, { supplierId: supplier_id })
  await numberChanges(db)
}

/** The import marked the stone as missing, and it was removed when its hold or order ended. */
const REMOVED_BY_MARK = sql`(g.state = 'gone' and g.feed_gone and not b.feed_gone)`

async function restoreStones(tx: Tx, importUuid: string): Promise<number> {
  const { rows } = await sql<{ gem_id: number }>`
    select gem_id from import_before where import_uuid = ${importUuid}
    order by gem_id limit ${BATCH}`.execute(tx)
  const ids = rows.map(({ gem_id }) => gem_id)
  if (ids.length === 0) return 0
  await lockStones(tx, ids)
  await sql`
    update gem g set feed_gone = b.feed_gone from import_before b
    where b.import_uuid = ${importUuid} and b.gem_id = g.id and g.id = any(${ids}::bigint[])
      and g.state in ('sold', 'memo') and g.feed_gone <> b.feed_gone`.execute(tx)
  const planned = await planStates(tx, importUuid, ids)
  const removed = planned.filter(({ state }) => state !== 'available').map(({ id }) => id)
  await recordEnded(tx, sql`select unnest(${removed}::bigint[])`)
  const set = setFed(CHANGED_COLUMNS, (column) => `b.${column}`)
  const restored = await sql<StoneChange>`
    with target as (
      select g.id, g.state as state_now, g.quantity as quantity_now,
        g.product_type as type_now, g.wholesale_price as price_now,
        g.wholesale_price_us as price_us_now, g.treatment is null as untreated_now,
        planned.state as state_then
      from gem g join unnest(${planned.map(({ id }) => id)}::bigint[],
        ${planned.map(({ state }) => state)}::text[]) as planned (id, state) using (id)
    )
    update gem g set ${sql.raw(set)}, feed_hash = b.feed_hash, feed_quantity = b.feed_quantity,
      feed_gone = b.feed_gone,
      quantity = case
        when ${REMOVED_BY_MARK} then 1
        when b.feed_gone and t.state_then = 'gone' then 0
        when t.state_then <> b.state then g.quantity
        else greatest(0, b.quantity - (b.quantity_after - g.quantity)) end,
      state = t.state_then,
      mover = case when t.state_then <> g.state then 'feed' end,
      hold_uuid = case when t.state_then = 'available' then g.hold_uuid end,
      hold_merchant_uuid = case when t.state_then = 'available' then g.hold_merchant_uuid end,
      hold_created_on = case when t.state_then = 'available' then g.hold_created_on end,
      hold_expires_on = case when t.state_then = 'available' then g.hold_expires_on end,
      updated_on = market_clock()
    from target t join import_before b on b.gem_id = t.id and b.import_uuid = ${importUuid}
    where g.id = t.id
    returning g.id as gem_id, g.sku, nullif(t.type_now, g.product_type) as former_type, case
      when t.state_now = 'available' and g.state = 'gone' then 'gone'
      when t.state_now = 'gone' and g.state = 'available' then 'back'
      when g.state <> 'available' then null
      when t.quantity_now = 0 and g.quantity = 0 then null
      when g.quantity = 0 then 'gone'
      when t.quantity_now = 0 then 'back'
      when t.untreated_now <> (g.treatment is null) then 'details'
      when (t.price_now, t.price_us_now) is distinct from
        (g.wholesale_price, g.wholesale_price_us) then 'price'
      else 'details' end as kind`.execute(tx)
  await sql`
    delete from import_before
    where import_uuid = ${importUuid} and gem_id = any(${ids}::bigint[])`.execute(tx)
  await logChanges(
    tx,
    restored.rows.filter(({ kind }) => kind !== null),
  )
  return ids.length
}

/**
 * The state that each stone has again. It is decided once, so that a hold that ends meanwhile does
 * not end unnoticed.
 */
async function planStates(
  tx: Tx,
  importUuid: string,
  ids: number[],
): Promise<{ id: number; state: string }[]> {
  const { rows } = await sql<{ id: number; state: string }>`
    select g.id, case
      when life_state(g) = 'held' or g.state = 'disabled' then g.state
      when ${REMOVED_BY_MARK} then 'available'
      when b.feed_gone and g.state = 'available' then 'gone'
      when b.state in ('available', 'gone') then b.state
      else g.state end as state
    from gem g join import_before b on b.gem_id = g.id
    where b.import_uuid = ${importUuid} and g.id = any(${ids}::bigint[])
      and g.state not in ('sold', 'memo')`.execute(tx)
  return rows
}

async function lockStones(tx: Tx, ids: number[]): Promise<void> {
  await sql`
    select count(*) from (
      select from gem where id = any(${ids}::bigint[]) order by sku for update
    ) as locked`.execute(tx)
}

/**
 * Deletes the added stones; one that is referenced elsewhere, or that the operator changed, stays,
 * but is no longer on sale. What the operator set counts again when a file lists the stone again.
 */
async function withdrawStones(db: Db, ids: number[]): Promise<void> {
  try {
    await inTransaction(db, async (tx) => {
      const unused = await lockUnused(tx, ids)
      await deleteStones(tx, unused)
      await hideStones(tx, unused)
    })
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    await inTransaction(db, async (tx) => hideStones(tx, await lockUnused(tx, ids)))
  }
}

/**
 * Locks the stones and returns those that can be removed, whose expired holds it records. Sold, on
 * memo, held, or a parcel of which pieces were sold: such a stone stays.
 */
async function lockUnused(tx: Tx, ids: number[]): Promise<number[]> {
  await lockStones(tx, ids)
  const { rows } = await sql<{ id: number }>`
    select id from gem g
    where id = any(${ids}::bigint[]) and state not in ('sold', 'memo') and life_state(g) <> 'held'
      and (product_type <> 'melee' or quantity >= coalesce(feed_quantity, quantity))`.execute(tx)
  const unused = rows.map(({ id }) => id)
  await recordEnded(tx, sql`select unnest(${unused}::bigint[])`)
  return unused
}

async function deleteStones(tx: Tx, ids: number[]): Promise<void> {
  const { rows } = await sql<GoneStone>`
    delete from gem where id = any(${ids}::bigint[]) and overrides is null and note is null
    returning id as gem_id, sku, state, nullif(product_type, 'diamond') as former_type`.execute(tx)
  await logGone(tx, rows)
}

async function hideStones(tx: Tx, ids: number[]): Promise<void> {
  const { rows } = await sql<GoneStone>`
    update gem g set ${SET_REMOVED}, feed_hash = null
    where id = any(${ids}::bigint[]) and state in ('available', 'disabled')
    returning id as gem_id, sku,
      case when state = 'gone' then 'available' else state end as state`.execute(tx)
  await logGone(tx, rows)
}

/** Of a deleted stone the log knows what it was; nearly all are diamonds. */
interface GoneStone extends Omit<StoneChange, 'kind'> {
  state: string
}

async function logGone(tx: Tx, rows: readonly GoneStone[]): Promise<void> {
  const seen = rows.filter(({ state }) => state === 'available')
  await logChanges(
    tx,
    seen.map(({ state: _, ...stone }) => ({ ...stone, kind: 'gone' })),
  )
}
