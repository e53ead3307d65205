import type { Db, Tx } from '../database/open.ts'
import { Refusal } from '../lib/refusal.ts'
import { newUuid } from '../lib/uuid.ts'
import {
  type Margin,
  type MarginMode,
  type MarginProduct,
  planTiers,
  type TierDraft,
} from './margin.ts'

/** The merchant's own margins, diamonds first, tiers from low to high. */
export function listMargins(
  db: Db,
  merchantUuid: string,
  productTypes?: readonly MarginProduct[],
): Promise<Margin[]> {
  let margins = db.selectFrom('profit_margin').selectAll().where('merchant_uuid', '=', merchantUuid)
  if (productTypes) margins = margins.where('product_type', 'in', productTypes)
  return margins
    .orderBy('product_type')
    .orderBy('weight_or_price', 'desc')
    .orderBy('weight_min')
    .orderBy('price_min')
    .orderBy('uuid')
    .execute()
}

export async function getMargin(db: Db, merchantUuid: string, uuid: string): Promise<Margin> {
  const margin = await db
    .selectFrom('profit_margin')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('merchant_uuid', '=', merchantUuid)
    .executeTakeFirst()
  if (!margin) throw new Refusal('not_found', `There is no profit margin ${uuid}.`)
  return margin
}

export interface MarginTable {
  mode: MarginMode
  product_type: MarginProduct
  tiers: readonly TierDraft[]
}

/** Puts a whole table of tiers in place of the merchant's earlier one for that kind of product. */
export async function replaceMargins(
  tx: Tx,
  merchantUuid: string,
  table: MarginTable,
): Promise<Margin[]> {
  const tiers = planTiers(table.tiers)
  // Locks the merchant, so that two replacements at once leave one table and not a mixture.
  await tx
    .updateTable('merchant')
    .set(table.product_type === 'diamond' ? { margin_mode: table.mode } : { uuid: merchantUuid })
    .where('uuid', '=', merchantUuid)
    .execute()
  await tx
    .deleteFrom('profit_margin')
    .where('merchant_uuid', '=', merchantUuid)
    .where('product_type', '=', table.product_type)
    .execute()
  if (tiers.length > 0) {
    await tx
      .insertInto('profit_margin')
      .values(tiers.map((tier) => marginRow(merchantUuid, table, tier)))
      .execute()
  }
  return listMargins(tx, merchantUuid, [table.product_type])
}

function marginRow(merchantUuid: string, table: MarginTable, tier: TierDraft) {
  const bounds =
    table.mode === 'weight'
      ? { weight_min: tier.min, weight_max: tier.max }
      : { price_min: tier.min, price_max: tier.max }
  return {
    uuid: newUuid(),
    merchant_uuid: merchantUuid,
    product_type: table.product_type,
    weight_or_price: table.mode,
    mined_percent: tier.mined_percent,
    lab_percent: tier.lab_percent,
    ...bounds,
  }
}
