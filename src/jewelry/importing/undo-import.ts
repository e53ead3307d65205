import { sql } from 'kysely'
import type { Tx } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { announceProducts } from '../showroom/clock.ts'
import {
  findLastImport,
  getJewelryImport,
  type JewelryImport,
  lockJewelryImport,
} from './import-store.ts'

/**
 * Takes the last import of a supplier back: changed variants are as they were, except for what was
 * sold since, and added ones leave the market and their catalogues.
 */
export async function undoJewelryImport(tx: Tx, uuid: string): Promise<JewelryImport> {
  const { supplier_id, supplier, undone_on } = await lockJewelryImport(tx, uuid)
  if (undone_on !== null) {
    throw new Refusal('nothing_to_undo', 'The import was taken back already.')
  }
  const last = await findLastImport(tx, supplier_id)
  if (last !== uuid.toLowerCase()) {
    const detail = `Only the last import of ${supplier} can be taken back: ${last}.`
    throw new Refusal('nothing_to_undo', detail)
  }
  await lockTouched(tx, uuid)
  const touched = await listTouchedProducts(tx, uuid)
  await restoreVariants(tx, uuid)
  await restoreProducts(tx, uuid)
  await withdrawAdded(tx, uuid)
  await sql`update jewelry_import set undone_on = clock_timestamp() where uuid = ${uuid}`.execute(
    tx,
  )
  await announceProducts(tx, [...touched, ...(await listTouchedProducts(tx, uuid))])
  return getJewelryImport(tx, uuid)
}

async function lockTouched(tx: Tx, uuid: string): Promise<void> {
  await sql`
    select from variant where id in (
      select variant_id from jewelry_import_row where import_uuid = ${uuid})
    order by sku for update`.execute(tx)
}

/** Asked before and after, because an import may have moved a variant to another product. */
async function listTouchedProducts(tx: Tx, uuid: string): Promise<string[]> {
  const { rows } = await sql<{ product_id: string }>`
    select distinct product_id from variant join jewelry_import_row on variant_id = id
    where import_uuid = ${uuid}`.execute(tx)
  return rows.map(({ product_id }) => product_id)
}

// biome-ignore format: a list of names reads best in rows
const RESTORED = [
  'product_id', 'variant_options', 'filter_variant_options', 'cost', 'wholesale_price',
  'wholesale_price_us', 'retail_price', 'listed', 'feed_quantity', 'returnable', 'days_to_return',
  'memo', 'memo_days_to_return', 'delivery_days_min', 'delivery_days_max', 'media',
  'country_code', 'details',
]

async function restoreVariants(tx: Tx, uuid: string): Promise<void> {
  const set = sql.raw(RESTORED.map((column) => `${column} = b.${column}`).join(', '))
  await sql`
    update variant v set ${set}, updated_on = clock_timestamp(),
      quantity = greatest(0, b.quantity - (r.quantity_after - v.quantity))
    from jewelry_import_row r,
      lateral json_populate_record(null::variant, r.before -> 'variant') b
    where r.import_uuid = ${uuid} and r.before is not null and v.id = r.variant_id`.execute(tx)
}

async function restoreProducts(tx: Tx, uuid: string): Promise<void> {
  await sql`
    update product p set type = b.type, title = b.title, description = b.description,
      updated_on = clock_timestamp()
    from jewelry_import_row r,
      lateral json_populate_record(null::product, r.before -> 'product') b
    where r.import_uuid = ${uuid} and r.before is not null and p.id = b.id`.execute(tx)
}

/** Orders may name what was added, so it is not deleted: it is no longer listed nor shown. */
async function withdrawAdded(tx: Tx, uuid: string): Promise<void> {
  await sql`
    update variant v set listed = false, updated_on = clock_timestamp()
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
