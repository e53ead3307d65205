import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import {
  type LockedVariant,
  lockVariants,
  returnVariants,
  takeVariants,
} from '../jewelry/variant-stock.ts'
import { amountFrom, centsFrom } from '../lib/money.ts'
import { BASE_CURRENCY } from '../pricing/exchange-rates.ts'
import { applyFactor } from '../pricing/factor.ts'
import { wholesaleOf } from '../pricing/price-list.ts'
import type { Buyer } from './buyer.ts'
import type { Product } from './product.ts'
import type { StockKind } from './stock.ts'

/**
 * Variants of jewelry and watches. Jewelry tells its own followers of a change, under a clock of
 * its own, so there is nothing here for the change log of the gems.
 */
export const variantStock: StockKind = {
  async find(tx, skus, buyer) {
    const variants = [...(await lockVariants(tx, skus)).values()]
    const visible = buyer.byOperator ? variants : await visibleTo(tx, buyer, variants)
    return visible.map((variant) => productFrom(variant, buyer))
  },
  async take(tx, takings) {
    const moves = takings.map(({ product, taken_quantity }) => {
      return { sku: product.sku, quantity: taken_quantity }
    })
    await takeVariants(tx, moves.filter(isSomething))
    return []
  },
  async giveBack(tx, returns) {
    const moves = returns.map(({ sku, quantity }) => ({ sku, quantity })).filter(isSomething)
    if (moves.length > 0) await returnVariants(tx, moves)
    return []
  },
  // A piece on memo is out of stock like one that is sold.
  sell: async () => [],
}

function isSomething({ quantity }: { quantity: number }): boolean {
  return quantity > 0
}

/** What is in no catalogue of the merchant's is as unknown to it as a SKU that does not exist. */
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
  const baseCents = wholesaleOf(variant, list)
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
    memo: variant.memo,
    memo_days_to_return: variant.memo_days_to_return,
    unit_price: baseCents * 100,
    supplier_cost: variant.cost,
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
    words: [variant.sku, variant.name],
    vendor_codes: [variant.vendor_sku],
  }
}
