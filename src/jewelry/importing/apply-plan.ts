import { sql } from 'kysely'
import type { Tx } from '../../database/open.ts'
import type { Supplier } from '../../gems/supplier.ts'
import { newUuid } from '../../lib/uuid.ts'
import { addToCatalogue } from '../catalogue-store.ts'
import {
  insertRows,
  jsonBatches,
  type NewProduct,
  type NewVariant,
  variantSkuOf,
} from '../new-rows.ts'
import { announceProducts } from '../showroom/store.ts'
import type { VariantDraft } from './drafting/draft-variant.ts'
import type { ImportPlan } from './plan-import.ts'

/** Applies the plan, and journals what was there before, so that the import can be undone. */
export async function applyPlan(
  tx: Tx,
  supplier: Supplier,
  plan: ImportPlan,
  { importUuid, catalogueUuid }: { importUuid: string; catalogueUuid: string },
): Promise<void> {
  const touched = [...plan.changed.map(({ known }) => known), ...plan.removed]
  await journalBefore(
    tx,
    importUuid,
    touched.map(({ id }) => id),
  )
  const drafts = [...plan.added, ...plan.changed.map(({ draft }) => draft)]
  const products = await writeProducts(tx, supplier, drafts)
  const relisted = plan.changed.filter(({ known }) => !known.listed)
  const back = await listUncatalogued(
    tx,
    relisted.map(({ draft }) => products.ids.get(draft.product.vendor_sku) ?? ''),
  )
  await addToCatalogue(tx, catalogueUuid, [...products.added, ...back])
  await addVariants(tx, supplier, plan.added, products.ids)
  await changeVariants(tx, plan, products.ids)
  await unlist(
    tx,
    plan.removed.map(({ id }) => id),
  )
  await journalAfter(tx, importUuid, plan, supplier)
  await announceProducts(tx, [
    ...products.ids.values(),
    ...touched.map(({ product_id }) => product_id),
  ])
}

async function journalBefore(tx: Tx, importUuid: string, variantIds: string[]): Promise<void> {
  // row_to_json keeps the order of a buyer's options, to_jsonb would not.
  await sql`
    insert into jewelry_import_row (import_uuid, variant_id, before, quantity_after)
    select ${importUuid}::uuid, v.id,
      json_build_object('variant', row_to_json(v), 'product', row_to_json(p)), v.quantity
    from variant v join product p on p.id = v.product_id
    where v.id = any(${variantIds}::uuid[])`.execute(tx)
}

/** Journals the added variants, and the stock after the import. */
async function journalAfter(
  tx: Tx,
  importUuid: string,
  plan: ImportPlan,
  supplier: Supplier,
): Promise<void> {
  const added = plan.added.map(({ variant }) => variant.vendor_sku)
  await sql`
    insert into jewelry_import_row (import_uuid, variant_id, before, quantity_after)
    select ${importUuid}::uuid, id, null, quantity from variant
    where supplier_id = ${supplier.id} and vendor_sku = any(${added}::text[])`.execute(tx)
  await sql`
    update jewelry_import_row r set quantity_after = v.quantity from variant v
    where r.import_uuid = ${importUuid} and v.id = r.variant_id`.execute(tx)
}

/** Inserts or updates the products of the drafts. */
async function writeProducts(
  tx: Tx,
  supplier: Supplier,
  drafts: readonly VariantDraft[],
): Promise<{ ids: Map<string, string>; added: string[] }> {
  const wanted = new Map<string, VariantDraft['product']>()
  for (const { product } of drafts) {
    if (!wanted.has(product.vendor_sku)) wanted.set(product.vendor_sku, product)
  }
  const { rows } = await sql<{ id: string; vendor_sku: string }>`
    select id, vendor_sku from product
    where supplier_id = ${supplier.id} and vendor_sku = any(${[...wanted.keys()]}::text[])
    order by id for update`.execute(tx)
  const ids = new Map(rows.map(({ id, vendor_sku }) => [vendor_sku, id]))
  const changed = rows.map(({ id, vendor_sku }) => ({ id, ...wanted.get(vendor_sku) }))
  const added: NewProduct[] = [...wanted.values()]
    .filter(({ vendor_sku }) => !ids.has(vendor_sku))
    .map((product) => ({ id: newUuid(), supplier_id: supplier.id, ...product }))
  for (const { id, vendor_sku } of added) ids.set(vendor_sku, id)
  await insertRows(tx, 'product', added)
  for (const batch of jsonBatches(changed)) {
    await sql`
      update product p set type = n.type, title = n.title, description = n.description,
        updated_on = market_clock()
      from json_populate_recordset(null::product, ${batch}::json) n
      where p.id = n.id`.execute(tx)
  }
  return { ids, added: added.map(({ id }) => id) }
}

/** Products that are in no catalogue, because the import that added them was undone. */
async function listUncatalogued(tx: Tx, productIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${productIds}::uuid[]) as back (id)
    where not exists (select from catalogue_product where product_id = id)`.execute(tx)
  return rows.map(({ id }) => id)
}

async function addVariants(
  tx: Tx,
  supplier: Supplier,
  drafts: readonly VariantDraft[],
  productIds: ReadonlyMap<string, string>,
): Promise<void> {
  const rows: NewVariant[] = drafts.map(({ product, variant }, position) => ({
    id: newUuid(),
    product_id: productIds.get(product.vendor_sku) ?? '',
    supplier_id: supplier.id,
    sku: variantSkuOf(supplier.uuid, variant.vendor_sku),
    // Only the order among the variants of a product matters.
    position,
    listed: true,
    quantity: variant.feed_quantity,
    ...variant,
  }))
  await insertRows(tx, 'variant', rows)
}

/** The columns of a variant that a changed row updates. Quantity has a rule of its own. */
// biome-ignore format: a list of names reads best in rows
export const CHANGED_COLUMNS = [
  'product_id', 'variant_options', 'filter_variant_options', 'cost', 'wholesale_price',
  'wholesale_price_us', 'retail_price', 'feed_quantity', 'returnable', 'days_to_return', 'memo',
  'memo_days_to_return', 'delivery_days_min', 'delivery_days_max', 'media', 'country_code',
  'details',
]

async function changeVariants(
  tx: Tx,
  { changed }: ImportPlan,
  productIds: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = changed.map(({ known, draft: { product, variant } }) => ({
    id: known.id,
    product_id: productIds.get(product.vendor_sku),
    ...variant,
  }))
  const set = sql.raw(CHANGED_COLUMNS.map((column) => `${column} = n.${column}`).join(', '))
  for (const batch of jsonBatches(rows)) {
    await sql`
      update variant v set ${set}, listed = true, updated_on = market_clock(),
        -- When the file repeats its number, what was sold since the last file stays sold.
        quantity = case when v.feed_quantity = n.feed_quantity then v.quantity
          else n.feed_quantity end
      from json_populate_recordset(null::variant, ${batch}::json) n
      where v.id = n.id`.execute(tx)
  }
}

async function unlist(tx: Tx, variantIds: string[]): Promise<void> {
  await sql`
    update variant set listed = false, updated_on = market_clock()
    where id = any(${variantIds}::uuid[])`.execute(tx)
}
