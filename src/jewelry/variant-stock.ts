import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import type { ProductType } from '../database/tables/jewelry.ts'
import type { ProductChange } from '../events/change-log.ts'
import { BASE_CURRENCY } from '../pricing/exchange-rates.ts'
import { nextVersion } from './showroom/store.ts'

/**
 * A variant as an order needs it. In one transaction an order calls `lockVariants` together with
 * the lock of the gems, then runs its checks, then `allocateVariants`, and writes the change log.
 */
export interface LockedVariant {
  id: string
  sku: string
  product_id: string
  product_type: ProductType
  supplier_id: number
  /** Whether the supplier must confirm an order. */
  confirms: boolean
  vendor_sku: string
  vendor_name: string
  /** For the order line: the product's title and the variant's options. */
  name: string
  description: string
  /** US dollars, exact digits. */
  cost: string
  wholesale_price: string
  wholesale_price_us: string
  retail_price: string
  /** What can be ordered: 0 when the supplier no longer lists it. */
  quantity: number
  memo: boolean
  memo_days_to_return: number | null
  /** A copy of the product for the order. */
  fields: Record<string, unknown>
}

/**
 * Locks the variants with these SKUs in SKU order, as every writer does, and returns those that
 * exist. SKUs of gems and unknown SKUs are ignored.
 */
export async function lockVariants(
  tx: Tx,
  skus: readonly string[],
): Promise<Map<string, LockedVariant>> {
  if (skus.length === 0) return new Map()
  const rows = await selectForUpdate(tx, skus)
  return new Map(rows.map((row) => [row.sku, lockedVariantOf(row)]))
}

function selectForUpdate(tx: Tx, skus: readonly string[]) {
  return tx
    .selectFrom('variant')
    .innerJoin('product', 'product.id', 'variant.product_id')
    .innerJoin('supplier', 'supplier.id', 'variant.supplier_id')
    .selectAll('variant')
    .select(['product.type', 'product.title', 'product.description'])
    .select(['supplier.name as vendor', 'supplier.confirms'])
    .where('variant.sku', 'in', [...skus])
    .orderBy('variant.sku')
    .forUpdate('variant')
    .execute()
}

type LockedRow = Awaited<ReturnType<typeof selectForUpdate>>[number]

function lockedVariantOf(row: LockedRow): LockedVariant {
  const { id, sku, product_id, supplier_id, vendor_sku, description } = row
  const { cost, wholesale_price, wholesale_price_us, retail_price } = row
  const { memo, memo_days_to_return } = row
  return {
    id,
    sku,
    product_id,
    product_type: row.type,
    supplier_id,
    confirms: row.confirms,
    vendor_sku,
    vendor_name: row.vendor,
    name: lineNameOf(row.title, row.variant_options),
    description,
    cost,
    wholesale_price,
    wholesale_price_us,
    retail_price,
    quantity: row.listed ? row.quantity : 0,
    memo,
    memo_days_to_return,
    fields: fieldsOf(row),
  }
}

/** Copies the product for the order, which later changes must not affect. */
function fieldsOf(row: LockedRow): Record<string, unknown> {
  return {
    id: row.id,
    sku: row.sku,
    product_id: row.product_id,
    product_type: row.type,
    title: row.title,
    description: row.description,
    variant_options: row.variant_options,
    filter_variant_options: row.filter_variant_options,
    base_currency_code: BASE_CURRENCY,
    retail_price: Number(row.retail_price),
    returnable: row.returnable,
    days_to_return: row.days_to_return,
    memo: row.memo,
    memo_days_to_return: row.memo_days_to_return,
    delivery_days_min: row.delivery_days_min,
    delivery_days_max: row.delivery_days_max,
    country_code: row.country_code,
    image_top_url: row.media.find(({ kind }) => kind === 'image')?.url ?? null,
    video_url: row.media.find(({ kind }) => kind === 'video')?.url ?? null,
  }
}

/** Returns for example `Halo ring with oval sapphire, 18k yellow gold, size 6.5`. */
function lineNameOf(title: string, options: Record<string, string>): string {
  const parts = Object.entries(options).map(([key, value]) =>
    /^\d/.test(value) && key !== 'metal' ? `${key.replaceAll('_', ' ')} ${value}` : value,
  )
  return [title, ...parts].join(', ')
}

interface StockMove {
  sku: string
  quantity: number
}

/**
 * Takes ordered pieces out of stock. The caller has locked the variants and checked the stock, and
 * logs the changes that are returned.
 */
export function allocateVariants(tx: Tx, moves: readonly StockMove[]): Promise<ProductChange[]> {
  return moveStock(
    tx,
    moves.map(({ sku, quantity }) => ({ sku, quantity: -quantity })),
  )
}

/** Puts cancelled or returned pieces back in stock. The caller logs the changes. */
export async function restockVariants(
  tx: Tx,
  moves: readonly StockMove[],
): Promise<ProductChange[]> {
  const skus = moves.map(({ sku }) => sku)
  await lockVariants(tx, skus)
  return moveStock(tx, moves)
}

/** A negative stock would be a bug; the constraint of the table refuses it. */
async function moveStock(tx: Tx, moves: readonly StockMove[]): Promise<ProductChange[]> {
  if (moves.length === 0) return []
  const skus = moves.map(({ sku }) => sku)
  const quantities = moves.map(({ quantity }) => quantity)
  const { rows } = await sql<{ product_id: string }>`
    update variant
    set quantity = variant.quantity + move.quantity, updated_on = market_clock()
    from unnest(${skus}::text[], ${quantities}::integer[]) as move (sku, quantity)
    where variant.sku = move.sku
    returning variant.product_id`.execute(tx)
  if (rows.length !== moves.length) throw new Error(`not all of ${skus.join(', ')} exist`)
  await nextVersion(
    tx,
    rows.map((row) => row.product_id),
  )
  return rows
}
