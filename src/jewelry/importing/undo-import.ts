import { sql } from 'kysely'
import { recordEntry } from '../../audit/record-entry.ts'
import type { Tx } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { announceProducts } from '../showroom/store.ts'
import { CHANGED_COLUMNS } from './apply-plan.ts'
import {
  findLastImport,
  getJewelryImport,
  type JewelryImport,
  lockJewelryImport,
} from './import-store.ts'

/**
 * Undoes the latest import of a supplier: changed variants become what they were, except for what
 * was sold since, and added ones are no longer listed and leave their catalogues.
 */
export async function undoJewelryImport(tx: Tx, uuid: string): Promise<JewelryImport> {
  const { supplier_id, supplier, undone_on, failure } = await lockJewelryImport(tx, uuid)
  if (failure !== null) {
    throw new Refusal('nothing_to_undo', 'The import failed and changed nothing.')
  }
  if (undone_on !== null) {
    throw new Refusal('nothing_to_undo', 'The import has already been undone.')
  }
  const last = await findLastImport(tx, supplier_id)
  if (last !== uuid.toLowerCase()) {
    const detail = `Only the latest import of ${supplier} can be undone: ${last}.`
    throw new Refusal('nothing_to_undo', detail)
  }
  await lockTouched(tx, uuid)
  const touched = await listTouchedProducts(tx, uuid)
  await restoreVariants(tx, uuid)
  await restoreProducts(tx, uuid)
  await withdrawAdded(tx, uuid)
  await sql`update jewelry_import set undone_on = market_clock() where uuid = ${uuid}`.execute(tx)
  await recordEntry(tx, {
    action: 'jewelry_import.undo',
    subject: { kind: 'jewelry_import', id: uuid.toLowerCase() },
    before: { supplier, undone: false },
    after: { supplier, undone: true },
  })
  await announceProducts(tx, [...touched, ...(await listTouchedProducts(tx, uuid))])
  return getJewelryImport(tx, uuid)
}

async function lockTouched(tx: Tx, uuid: string): Promise<void> {
  await sql`
    select from variant where id in (
      select variant_id from jewelry_import_row where import_uuid = ${uuid})
    order by sku for update`.execute(tx)
}

/** Called before and after, because the import may have moved a variant to another product. */
async function listTouchedProducts(tx: Tx, uuid: string): Promise<string[]> {
  const { rows } = await sql<{ product_id: string }>`
    select distinct product_id from variant join jewelry_import_row on variant_id = id
    where import_uuid = ${uuid}`.execute(tx)
  return rows.map(({ product_id }) => product_id)
}

async function restoreVariants(tx: Tx, uuid: string): Promise<void> {
  const restored = [...CHANGED_COLUMNS, 'listed']
  const set = sql.raw(restored.map((column) => `${column} = b.${column}`).join(', '))
  await sql`
    update variant v set ${set}, updated_on = market_clock(),
      quantity = greatest(0, b.quantity - (r.quantity_after - v.quantity))
    from jewelry_import_row r,
      lateral json_populate_record(null::variant, r.before -> 'variant') b
    where r.import_uuid = ${uuid} and r.before is not null and v.id = r.variant_id`.execute(tx)
}

async function restoreProducts(tx: Tx, uuid: string): Promise<void> {
  await sql`
    update product p set type = b.type, title = b.title, description = b.description,
      updated_on = market_clock()
    from jewelry_import_row r,
      lateral json_populate_record(null::product, r.before -> 'product') b
    where r.import_uuid = ${uuid} and r.before is not null and p.id = b.id`.execute(tx)
}

/** Unlists what was added. It is not deleted, because orders may refer to it. */
async function withdrawAdded(tx: Tx, uuid: string): Promise<void> {
  await sql`
    update variant v set listed = false, updated_on = market_clock()
    from jewelry_import_row r
    where r.import_uuid = ${uuid} and r.before is null and v.id = r.variant_id`.execute(tx)
  await sql`
    delete from catalogue_product where product_id in (
      select product_id from variant join jewelry_import_row on variant_id = id
      where import_uuid = ${uuid} and before is null)
    and not exists (
      select from variant where variant.product_id = catalogue_product.product_id and (listed
        or id not in (select variant_id from jewelry_import_row
          where import_uuid = ${uuid} and before is null)))`.execute(tx)
}
