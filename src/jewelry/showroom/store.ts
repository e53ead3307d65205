import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import { logChanges } from '../../events/change-log.ts'

/** Loads products with their vendor: all of them, or those that changed after a version. */
export function loadProducts(db: Db, after: number | undefined) {
  let products = db
    .selectFrom('product')
    .innerJoin('supplier', 'supplier.id', 'product.supplier_id')
    .select([
      'product.id',
      'product.type',
      'product.title',
      'product.description',
      'product.created_on',
      'product.updated_on',
      'supplier.uuid as vendor_id',
      'supplier.name as vendor_name',
      microseconds('product.updated_on').as('updated'),
    ])
  if (after !== undefined) products = products.where('product.id', 'in', changedAfter(db, after))
  return products.execute()
}

/** Loads the variants of those products in the order of their positions. */
export function loadVariants(db: Db, after: number | undefined) {
  let variants = db
    .selectFrom('variant')
    .select([
      'id',
      'product_id',
      'sku',
      'vendor_sku',
      'variant_options',
      'filter_variant_options',
      'wholesale_price',
      'wholesale_price_us',
      'retail_price',
      'listed',
      'quantity',
      'returnable',
      'delivery_days_min',
      'delivery_days_max',
      'media',
      'created_on',
      'updated_on',
      microseconds('updated_on').as('updated'),
    ])
    .orderBy('product_id')
    .orderBy('position')
    .orderBy('id')
  if (after !== undefined) variants = variants.where('product_id', 'in', changedAfter(db, after))
  return variants.execute()
}

/** Loads which of those products are in which catalogues. */
export function loadMemberships(db: Db, after: number | undefined) {
  let memberships = db
    .selectFrom('catalogue_product')
    .select(['catalogue_uuid', 'product_id', microseconds('added_on').as('added')])
  if (after !== undefined) {
    memberships = memberships.where('product_id', 'in', changedAfter(db, after))
  }
  return memberships.execute()
}

/** Loads all catalogues, tens of them, and the merchants that they are shared with. */
export async function loadCatalogues(db: Db) {
  const catalogues = await db
    .selectFrom('catalogue')
    .select(['uuid', 'published', 'public', microseconds('opened_on').as('opened')])
    .execute()
  const shares = await db
    .selectFrom('catalogue_merchant')
    .select(['catalogue_uuid', 'merchant_uuid', microseconds('shared_on').as('shared')])
    .execute()
  return catalogues.map((catalogue) => ({
    ...catalogue,
    /** The merchants, and since when. */
    merchants: new Map(
      shares
        .filter((share) => share.catalogue_uuid === catalogue.uuid)
        .map((share) => [share.merchant_uuid, share.shared]),
    ),
  }))
}

/** Since 1970, in a number of 53 bits; infinite for times that are not known. */
export function microseconds(column: string) {
  return sql<number>`(extract(epoch from ${sql.ref(column)}) * 1000000)::float8`
}

export type LoadedProduct = Awaited<ReturnType<typeof loadProducts>>[number]
export type LoadedVariant = Awaited<ReturnType<typeof loadVariants>>[number]
export type LoadedCatalogue = Awaited<ReturnType<typeof loadCatalogues>>[number]

function changedAfter(db: Db, after: number) {
  return db.selectFrom('product_version').select('product_id').where('version', '>', after)
}

/** Tells the showroom of every node that products changed, and followers of the change log. */
export async function announceProducts(tx: Tx, productIds: readonly string[]): Promise<void> {
  await nextVersion(tx, productIds)
  await logChanges(
    tx,
    [...new Set(productIds)].map((product_id) => ({ product_id })),
  )
}

/**
 * Tells the showrooms alone that these products changed; an empty list means that only catalogues
 * did. The version is given after the commit, so that no writer waits for another one's commit.
 */
export async function nextVersion(tx: Tx, productIds: readonly string[]): Promise<void> {
  const changed = productIds.length > 0 ? [...new Set(productIds)] : [null]
  await sql`
    insert into product_queue (product_id) select unnest(${changed}::uuid[])`.execute(tx)
}

/** Returns the version of the last change that has one. */
export async function readClock(db: Db): Promise<number> {
  const { last } = await db.selectFrom('showroom_clock').select('last').executeTakeFirstOrThrow()
  return last
}

/** Gives a version to all changes that are committed, and returns that of the last one. */
export async function numberProducts(db: Db): Promise<number> {
  const { rows } = await sql<{ last: number }>`select number_products() as last`.execute(db)
  return rows[0].last
}
