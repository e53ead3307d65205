/**
 * Rows in quarantine can be read, but their price is so far off that a person must decide: release
 * puts the row on sale as it is, dismiss forgets it. Either holds for the supplier's next files
 * until they have another price.
 */

import { sql } from 'kysely'
import { recordEntry } from '../../audit/record-entry.ts'
import type { Database, Db, Tx } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { skuOf } from '../../gems/gem.ts'
import { getSupplierByUuid } from '../../gems/supplier-store.ts'
import { Refusal } from '../../lib/refusal.ts'
import { insertStones, SKU_ATTEMPTS_MAX } from './applying/add-stones.ts'
import { changeStones, markStones } from './applying/change-stones.ts'
import { recoverSupplier } from './applying/recover-imports.ts'
import { repriceStaged } from './applying/reprice-stones.ts'
import { planImport } from './plan-import.ts'
import { inImportSession, lockSupplier } from './session.ts'
import { createStage } from './stage-rows.ts'

export type QuarantineDecision = 'released' | 'dismissed'

interface QuarantinedRow {
  uuid: string
  import_uuid: string
  supplier: string
  row: number
  column: string
  value: string
  reason: string
  vendor_sku: string | null
}

/** What was decided about a row; `sku` is that of the stone on sale, if it was released. */
export interface DecidedRow extends QuarantinedRow {
  decision: QuarantineDecision
  sku: string | null
}

/** The quarantined rows of each supplier's latest import that are not decided yet. */
const UNDECIDED = sql`
  from (
    select distinct on (supplier_id) uuid, supplier_id from import where status = 'done'
    order by supplier_id, started_on desc
  ) as last
  join supplier s on s.id = last.supplier_id
  join import_rejection r on r.import_uuid = last.uuid and r.quarantined
  where not exists (
    select from quarantine_decision d
    where d.supplier_id = s.id and d.vendor_sku = r.draft->>'vendor_sku'
      and d.price_text = coalesce(r.draft->>'price_text', '')
      and d.weight = (r.draft->>'weight')::numeric)`

/** What rows in quarantine can be sorted by. Of a price that was read, its amount counts. */
const SORTS = {
  supplier: sql`lower(s.name)`,
  row: sql`r.row`,
  vendor_sku: sql`r.vendor_sku`,
  value: sql`(r.draft->>'cost')::numeric`,
  reason: sql`r.reason`,
} as const

type QuarantineSort = keyof typeof SORTS
export const QUARANTINE_SORTS = Object.keys(SORTS) as QuarantineSort[]

interface QuarantineQuery {
  supplier?: string | undefined
  sort_col?: QuarantineSort | undefined
  sort_order?: 'asc' | 'desc' | undefined
  limit: number
  offset: number
}

function orderOf({ sort_col = 'supplier', sort_order = 'asc' }: QuarantineQuery) {
  const direction = sort_order === 'desc' ? sql`desc nulls last` : sql`asc`
  return sql`${SORTS[sort_col]} ${direction}, lower(s.name), s.id, r.place`
}

export async function listQuarantine(
  db: Db,
  query: QuarantineQuery,
): Promise<{ rows: QuarantinedRow[]; total: number }> {
  const { limit, offset, supplier = null } = query
  const ofSupplier = sql`and (${supplier}::text is null or lower(s.name) = lower(${supplier}))`
  const { rows } = await sql<QuarantinedRow>`
    select r.uuid, r.import_uuid, s.name as supplier, r.row, r."column", r.value, r.reason,
      r.vendor_sku
    ${UNDECIDED} ${ofSupplier} order by ${orderOf(query)}
    limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total ${UNDECIDED} ${ofSupplier}`.execute(db)
  return { rows, total: counted.rows[0].total }
}

/** Releases or dismisses a row. An import of the supplier cannot run at the same time. */
export function decideQuarantined(
  database: Database,
  uuid: string,
  decision: QuarantineDecision,
): Promise<DecidedRow> {
  return inImportSession(database, async ({ db }) => {
    const { supplier_id, supplier } = await getQuarantined(db, uuid)
    await lockSupplier(db, supplier_id, supplier)
    await recoverSupplier(db, supplier_id)
    return inTransaction(db, async (tx) => {
      const row = await getQuarantined(tx, uuid)
      refuseDecided(row)
      await sql`
        insert into quarantine_decision (supplier_id, vendor_sku, decision, price_text, weight)
        select ${supplier_id}, draft->>'vendor_sku', ${decision},
          coalesce(draft->>'price_text', ''), (draft->>'weight')::numeric
        from import_rejection where uuid = ${uuid} and quarantined
        on conflict (supplier_id, vendor_sku) do update set decision = excluded.decision,
          price_text = excluded.price_text, weight = excluded.weight,
          decided_on = market_now()`.execute(tx)
      const sku = decision === 'released' ? await putOnSale(tx, row) : null
      const { import_uuid, row: line, column, value, reason, vendor_sku } = row
      const shown = { uuid, import_uuid, supplier, row: line, column, value, reason, vendor_sku }
      await recordEntry(tx, {
        action: decision === 'released' ? 'quarantine.release' : 'quarantine.dismiss',
        subject: { kind: 'quarantined_row', id: uuid },
        after: { ...shown, sku },
      })
      return { ...shown, decision, sku }
    })
  })
}

interface StoredRow extends QuarantinedRow {
  supplier_id: number
  supplier_uuid: string
  decided: QuarantineDecision | null
  is_latest: boolean
  has_draft: boolean
}

async function getQuarantined(db: Db, uuid: string): Promise<StoredRow> {
  const { rows } = await sql<StoredRow>`
    select r.uuid, r.import_uuid, s.id as supplier_id, s.uuid as supplier_uuid,
      s.name as supplier, r.row, r."column", r.value, r.reason, r.vendor_sku,
      d.decision as decided, r.draft is not null as has_draft,
      i.uuid = (
        select uuid from import where supplier_id = i.supplier_id and status = 'done'
        order by started_on desc limit 1) is true as is_latest
    from import_rejection r
    join import i on i.uuid = r.import_uuid
    join supplier s on s.id = i.supplier_id
    left join quarantine_decision d on d.supplier_id = s.id
      and d.vendor_sku = r.draft->>'vendor_sku'
      and d.price_text = coalesce(r.draft->>'price_text', '')
      and d.weight = (r.draft->>'weight')::numeric
    where r.uuid = ${uuid} and r.quarantined`.execute(db)
  if (rows[0]) return rows[0]
  throw new Refusal('not_found', `There is no row ${uuid} in quarantine.`)
}

function refuseDecided({ decided, is_latest, has_draft, supplier }: StoredRow): void {
  if (decided !== null) throw new Refusal('wrong_state', `The row was already ${decided}.`)
  if (is_latest && has_draft) return
  const detail = is_latest
    ? `The row was read by an older version; import the file of ${supplier} again.`
    : `The row is not of the latest import of ${supplier}; list the quarantine again.`
  throw new Refusal('wrong_state', detail)
}

/**
 * Stages the row's stone and applies it as its import would have done, with the import's journal,
 * so that undoing the import also takes the released stone off sale.
 */
async function putOnSale(tx: Tx, row: StoredRow): Promise<string> {
  await createStage(tx)
  await sql`
    insert into feed_stage
    select staged.* from import_rejection r,
      jsonb_populate_record(null::feed_stage, r.draft || '{"n": 1}') as staged
    where r.uuid = ${row.uuid}`.execute(tx)
  await sql`
    update feed_stage s set kind = 'known', gem_id = g.id, sku = g.sku from gem g
    where g.supplier_id = ${row.supplier_id} and g.vendor_sku = s.vendor_sku`.execute(tx)
  // The row was read with the markup of that time.
  await repriceStaged(tx, await getSupplierByUuid(tx, row.supplier_uuid))
  const plan = await planImport(tx, [])
  if (plan.added === 1) return addReleased(tx, row)
  const { rows } = await sql<{ op: string; sku: string }>`select op, sku from feed_stage`.execute(
    tx,
  )
  if (rows[0].op === 'skip') {
    const detail = `The stone ${row.vendor_sku} is sold or on memo; it cannot be changed.`
    throw new Refusal('wrong_state', detail)
  }
  if (plan.marked > 0) await markStones(tx, row.import_uuid, 1, 1)
  await changeStones(tx, row.import_uuid, 1, 1)
  return rows[0].sku
}

async function addReleased(tx: Tx, row: StoredRow): Promise<string> {
  const sku = await findFreeSku(tx, row)
  await sql`update feed_stage set sku = ${sku}`.execute(tx)
  const { rows } = await sql<{ batch: number }>`
    select coalesce(max(batch), 0)::int + 1 as batch from import_added
    where import_uuid = ${row.import_uuid}`.execute(tx)
  await insertStones(tx, row.import_uuid, row.supplier_id, rows[0].batch, 1, 1)
  return sku
}

async function findFreeSku(tx: Tx, { supplier_uuid, vendor_sku }: StoredRow): Promise<string> {
  for (let attempt = 0; attempt < SKU_ATTEMPTS_MAX; attempt++) {
    const sku = skuOf(supplier_uuid, vendor_sku ?? '', attempt)
    const { rows } = await sql`select from gem where sku = ${sku}`.execute(tx)
    if (rows.length === 0) return sku
  }
  throw new Error(`every SKU for ${vendor_sku} of supplier ${supplier_uuid} is taken`)
}
