import type { Db } from '../../database/open.ts'

/** Products with their vendor; all of them, or those that changed after a number. */
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
    ])
  if (after !== undefined) products = products.where('product.id', 'in', changedAfter(db, after))
  return products.execute()
}

/** The variants of those products, in the order of their positions. */
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
    ])
    .orderBy('product_id')
    .orderBy('position')
    .orderBy('id')
  if (after !== undefined) variants = variants.where('product_id', 'in', changedAfter(db, after))
  return variants.execute()
}

/** Which of those products stand in which catalogues. */
export function loadMemberships(db: Db, after: number | undefined) {
  let memberships = db.selectFrom('catalogue_product').selectAll()
  if (after !== undefined) {
    memberships = memberships.where('product_id', 'in', changedAfter(db, after))
  }
  return memberships.execute()
}

/** The catalogues and whom they are shared with: tens of them, read whole. */
export async function loadCatalogues(db: Db) {
  const catalogues = await db
    .selectFrom('catalogue')
    .select(['uuid', 'published', 'public'])
    .execute()
  const shares = await db
    .selectFrom('catalogue_merchant')
    .select(['catalogue_uuid', 'merchant_uuid'])
    .execute()
  return catalogues.map((catalogue) => ({
    ...catalogue,
    merchants: new Set(
      shares
        .filter((share) => share.catalogue_uuid === catalogue.uuid)
        .map((share) => share.merchant_uuid),
    ),
  }))
}

export type LoadedProduct = Awaited<ReturnType<typeof loadProducts>>[number]
export type LoadedVariant = Awaited<ReturnType<typeof loadVariants>>[number]
export type LoadedCatalogue = Awaited<ReturnType<typeof loadCatalogues>>[number]

function changedAfter(db: Db, after: number) {
  return db.selectFrom('product_version').select('product_id').where('version', '>', after)
}
