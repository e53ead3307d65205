import { sql } from 'kysely'
import type { Db } from '../database/open.ts'
import type { ProductType } from '../database/tables/jewelry.ts'
import { findMerchants, getMerchant } from '../merchants/merchant-store.ts'
import { findRate, getRate } from '../pricing/exchange-rates.ts'
import { productRowOf, type VariantRow } from './showroom/rows.ts'
import { microseconds } from './showroom/store.ts'
import { type Viewer, viewerOf } from './showroom/viewer.ts'

/**
 * Variants as a merchant's copy of the market has them, with their product. They are read from the
 * tables and not from the showroom, so that a snapshot and the changes after it see one moment.
 */
export interface Listing {
  row: VariantRow
  /** Whether a merchant sees the variant; it must be one of those that it was read for. */
  isSeenBy(merchantUuid: string): boolean
}

/** The variants with these ids, for these merchants. */
export async function readListings(
  db: Db,
  variantIds: readonly string[],
  merchantUuids: readonly string[],
): Promise<Map<string, Listing>> {
  if (variantIds.length === 0) return new Map()
  const rows = await selectListings(db, merchantUuids)
    .where('variant.id', 'in', [...variantIds])
    .execute()
  return new Map(rows.map((row) => [row.id, listingOf(row)]))
}

/** A batch is a megabyte or two of rows. */
const BATCH = 500

/** All variants of a type that a merchant sees, some at a time. */
export async function* streamListings(
  db: Db,
  type: ProductType,
  merchantUuid: string,
): AsyncGenerator<VariantRow[]> {
  for (let last: string | undefined; ; ) {
    let next = selectListings(db, [merchantUuid])
      .where('product.type', '=', type)
      .where('listed', '=', true)
      .where('quantity', '>', 0)
      .where((eb) => eb.or([isPublic, isSharedWith(merchantUuid)]))
      .orderBy('variant.id')
      .limit(BATCH)
    if (last !== undefined) next = next.where('variant.id', '>', last)
    const rows = await next.execute()
    if (rows.length > 0) yield rows.map((row) => listingOf(row).row)
    if (rows.length < BATCH) return
    last = rows[rows.length - 1].id
  }
}

/** How a merchant sees prices of jewelry; refuses a currency without a rate. */
export async function readViewer(db: Db, merchantUuid: string): Promise<Viewer> {
  const merchant = await getMerchant(db, merchantUuid)
  const { currency_code } = merchant
  return viewerOf(merchant, currency_code, await getRate(db, currency_code))
}

/** How several merchants see prices of jewelry, without those that `readViewer` refuses. */
export async function readViewers(
  db: Db,
  merchantUuids: readonly string[],
): Promise<Map<string, Viewer>> {
  const viewers = new Map<string, Viewer>()
  const rates = new Map<string, string | undefined>()
  for (const merchant of await findMerchants(db, merchantUuids)) {
    const { uuid, currency_code: code } = merchant
    if (!rates.has(code)) rates.set(code, await findRate(db, code))
    const rate = rates.get(code)
    if (rate !== undefined) viewers.set(uuid, viewerOf(merchant, code, rate))
  }
  return viewers
}

const isPublic = sql<boolean>`exists (
  select from catalogue_product join catalogue on catalogue.uuid = catalogue_uuid
  where catalogue_product.product_id = product.id and published and public)`

const isSharedWith = (merchantUuid: string) => sql<boolean>`exists (
  select from catalogue_product join catalogue_merchant using (catalogue_uuid)
  where catalogue_product.product_id = product.id and merchant_uuid = ${merchantUuid})`

function selectListings(db: Db, merchantUuids: readonly string[]) {
  return db
    .selectFrom('variant')
    .innerJoin('product', 'product.id', 'variant.product_id')
    .innerJoin('supplier', 'supplier.id', 'product.supplier_id')
    .select([
      'variant.id',
      'variant.product_id',
      'variant.sku',
      'variant.vendor_sku',
      'variant.variant_options',
      'variant.filter_variant_options',
      'variant.wholesale_price',
      'variant.wholesale_price_us',
      'variant.retail_price',
      'variant.listed',
      'variant.quantity',
      'variant.returnable',
      'variant.delivery_days_min',
      'variant.delivery_days_max',
      'variant.media',
      'variant.created_on',
      'variant.updated_on',
      'product.type',
      'product.title',
      'product.description',
      'product.created_on as product_created_on',
      'product.updated_on as product_updated_on',
      microseconds('variant.updated_on').as('updated'),
      microseconds('product.updated_on').as('product_updated'),
      'supplier.uuid as vendor_id',
      'supplier.name as vendor_name',
      isPublic.as('is_public'),
    ])
    .select(
      sql<string[]>`array(
        select distinct merchant_uuid::text
        from catalogue_product join catalogue_merchant using (catalogue_uuid)
        where catalogue_product.product_id = product.id
          and merchant_uuid = any(${[...merchantUuids]}::uuid[]))`.as('merchants'),
    )
}

type ListedRow = Awaited<ReturnType<ReturnType<typeof selectListings>['execute']>>[number]

function listingOf(row: ListedRow): Listing {
  const { type, title, description, vendor_id, vendor_name, is_public, merchants, ...rest } = row
  const { product_created_on, product_updated_on, product_updated, ...variant } = rest
  const product = {
    ...{ id: variant.product_id, type, title, description, vendor_id, vendor_name },
    created_on: product_created_on,
    updated_on: product_updated_on,
    updated: product_updated,
  }
  const numbers = { product: 0, variantOf: () => 0 }
  const [only] = productRowOf(product, [variant], [], numbers).variants
  return { row: only, isSeenBy: (uuid) => is_public || merchants.includes(uuid) }
}
