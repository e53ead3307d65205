import { sql } from 'kysely'
import type { Tx } from '../../database/open.ts'
import {
  allocateVariants,
  type LockedVariant,
  lockVariants,
  restockVariants,
} from '../../jewelry/variant-stock.ts'
import { amountFrom, centsFrom } from '../../lib/money.ts'
import { BASE_CURRENCY } from '../../pricing/exchange-rates.ts'
import { applyFactor } from '../../pricing/factor.ts'
import { adjustedCents, jewelryAdjustmentOf } from '../../pricing/price-adjustment.ts'
import { wholesaleOf } from '../../pricing/price-list.ts'
import type { Buyer } from '../placing/buyer.ts'
import type { Product, StockKind } from '../product.ts'

/** Variants of jewelry and watches, which are counted. */
export const jewelryStock: StockKind = {
  async find(tx, skus, buyer) {
    const variants = [...(await lockVariants(tx, skus)).values()]
    const visible = buyer.byOperator ? variants : await visibleTo(tx, buyer, variants)
    return visible.map((variant) => productFrom(variant, buyer))
  },
  async allocate(tx, allocations) {
    const moves = allocations.map(({ product, taken_quantity }) => {
      return { sku: product.sku, quantity: taken_quantity }
    })
    return { changes: await allocateVariants(tx, moves.filter(isNotEmpty)), update: undefined }
  },
  async restock(tx, returns) {
    const moves = returns.map(({ sku, quantity }) => ({ sku, quantity })).filter(isNotEmpty)
    return moves.length > 0 ? restockVariants(tx, moves) : []
  },
  // What was ordered is out of stock already, and stays so.
  withdraw: async () => [],
  // A piece on memo is out of stock already, like one that is sold.
  sell: async () => [],
}

function isNotEmpty({ quantity }: { quantity: number }): boolean {
  return quantity > 0
}

/** A product that is in none of the merchant's catalogues is refused like an unknown SKU. */
async function visibleTo(
  tx: Tx,
  buyer: Buyer,
  variants: readonly LockedVariant[],
): Promise<LockedVariant[]> {
  if (variants.length === 0) return []
  const ids = variants.map(({ product_id }) => product_id)
  const { rows } = await sql<{ product_id: string }>`
    select distinct product_id from catalogue_product
    join catalogue on catalogue.uuid = catalogue_uuid
    where product_id = any(${ids}::uuid[]) and ((published and public) or exists (
      select from catalogue_merchant as shared where shared.catalogue_uuid = catalogue.uuid
        and shared.merchant_uuid = ${buyer.merchant.uuid}))`.execute(tx)
  const visible = new Set(rows.map(({ product_id }) => product_id))
  return variants.filter(({ product_id }) => visible.has(product_id))
}

function productFrom(variant: LockedVariant, buyer: Buyer): Product {
  const { wholesale, currency_code, exchange_rate, list } = buyer.diamondRules
  const adjustment = jewelryAdjustmentOf(buyer.merchant)
  const baseCents = adjustedCents(adjustment, wholesaleOf(variant, list))
  const retailCents = centsFrom(variant.retail_price)
  return {
    kind: 'variant',
    stock_id: variant.id,
    sku: variant.sku,
    product_id: variant.product_id,
    product_type: variant.product_type,
    name: variant.name,
    description: variant.description,
    vendor: variant.vendor_name,
    single: false,
    state: 'available',
    quantity: variant.quantity,
    held_by: null,
    ended_hold: null,
    stone: null,
    memo: variant.memo,
    memo_days_to_return: variant.memo_days_to_return,
    unit_price: baseCents * 100,
    supplier_id: variant.supplier_id,
    confirms: variant.confirms,
    supplier_cost: variant.cost,
    unit_cost: variant.cost === null ? null : centsFrom(variant.cost) * 100,
    fields: {
      ...variant.fields,
      vendor_sku: variant.vendor_sku,
      supplier_id: variant.supplier_id,
      quantity: variant.quantity,
      base_currency_code: BASE_CURRENCY,
      currency_code,
      exchange_rate,
      base_wholesale_price: amountFrom(baseCents),
      base_retail_price: amountFrom(retailCents),
      wholesale_price: amountFrom(applyFactor(baseCents, wholesale)),
      retail_price: amountFrom(applyFactor(retailCents, wholesale)),
    },
    words: [variant.sku, variant.name, variant.vendor_sku],
  }
}
