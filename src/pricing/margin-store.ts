import type { SelectQueryBuilder } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import type { MerchantTables } from '../database/tables/merchants.ts'
import { Refusal } from '../lib/refusal.ts'
import { newUuid } from '../lib/uuid.ts'
import { lockMerchant } from '../merchants/merchant-store.ts'
import {
  draftOf,
  type Margin,
  type MarginDraft,
  type MarginMode,
  type MarginProduct,
  planTiers,
  TIERS_MAX,
  type TierDraft,
  tierFrom,
} from './margin.ts'

/** The merchant's own margins, diamonds first, tiers from low to high. */
export function listMargins(
  db: Db,
  merchantUuid: string,
  productTypes?: readonly MarginProduct[],
): Promise<Margin[]> {
  let margins = db.selectFrom('profit_margin').selectAll().where('merchant_uuid', '=', merchantUuid)
  if (productTypes) margins = margins.where('product_type', 'in', productTypes)
  return margins.orderBy('product_type').$call(inTierOrder).execute()
}

/** The margins of several merchants for one kind of product; the tiers of a merchant as above. */
export function listMarginsOf(
  db: Db,
  merchantUuids: readonly string[],
  productType: MarginProduct,
): Promise<Margin[]> {
  return db
    .selectFrom('profit_margin')
    .selectAll()
    .where('merchant_uuid', 'in', merchantUuids)
    .where('product_type', '=', productType)
    .$call(inTierOrder)
    .execute()
}

/** The margins of all merchants, the tiers of a merchant as above. */
export function listAllMargins(db: Db, limit: number): Promise<Margin[]> {
  return db
    .selectFrom('profit_margin')
    .selectAll()
    .orderBy('merchant_uuid')
    .orderBy('product_type')
    .$call(inTierOrder)
    .limit(limit)
    .execute()
}

/** Tiers from low to high. */
function inTierOrder<Row>(margins: SelectQueryBuilder<MerchantTables, 'profit_margin', Row>) {
  return margins
    .orderBy('weight_or_price', 'desc')
    .orderBy('weight_min')
    .orderBy('price_min')
    .orderBy('uuid')
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

/** All tiers of a merchant for one kind of product. */
export interface TierTable {
  mode: MarginMode
  product_type: MarginProduct
  tiers: readonly TierDraft[]
}

/** Replaces all tiers of the merchant for that kind of product. */
export async function replaceMargins(
  tx: Tx,
  merchantUuid: string,
  table: TierTable,
): Promise<Margin[]> {
  const tiers = planTiers(table.tiers, table.mode)
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

/**
 * Adds one tier to the merchant's table for that kind of product. The first tier decides whether
 * the table goes by weight or by price; later ones must do the same.
 */
export async function addMargin(
  tx: Tx,
  merchantUuid: string,
  productType: MarginProduct,
  draft: MarginDraft,
): Promise<Margin> {
  const tier = tierFrom(draft)
  const mode = draft.weight_or_price
  await lockMerchant(tx, merchantUuid)
  const others = await listMargins(tx, merchantUuid, [productType])
  if (others.length >= TIERS_MAX) {
    throw new Refusal('invalid_request', `A table has at most ${TIERS_MAX} tiers.`)
  }
  checkBeside(others, mode, tier)
  if (others.length === 0 && productType === 'diamond') {
    await tx
      .updateTable('merchant')
      .set({ margin_mode: mode })
      .where('uuid', '=', merchantUuid)
      .execute()
  }
  return tx
    .insertInto('profit_margin')
    .values(marginRow(merchantUuid, { mode, product_type: productType }, tier))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes one tier, but neither its kind of product nor whether it goes by weight or price. */
export async function changeMargin(
  tx: Tx,
  merchantUuid: string,
  uuid: string,
  change: Partial<Omit<MarginDraft, 'weight_or_price'>>,
): Promise<Margin> {
  await lockMerchant(tx, merchantUuid)
  const margin = await getMargin(tx, merchantUuid, uuid)
  const mode = margin.weight_or_price
  const tier = tierFrom({ ...draftOf(margin), ...change })
  const table = await listMargins(tx, merchantUuid, [margin.product_type])
  checkBeside(
    table.filter((other) => other.uuid !== margin.uuid),
    mode,
    tier,
  )
  const { uuid: _, ...row } = marginRow(merchantUuid, { ...margin, mode }, tier)
  return tx
    .updateTable('profit_margin')
    .set(row)
    .where('uuid', '=', margin.uuid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function removeMargin(tx: Tx, merchantUuid: string, uuid: string): Promise<Margin> {
  await lockMerchant(tx, merchantUuid)
  const margin = await getMargin(tx, merchantUuid, uuid)
  await tx.deleteFrom('profit_margin').where('uuid', '=', margin.uuid).execute()
  return margin
}

function checkBeside(others: readonly Margin[], mode: MarginMode, tier: TierDraft): void {
  const mixed = others.find((other) => other.weight_or_price !== mode)
  if (mixed) {
    const detail =
      `The other tiers go by ${mixed.weight_or_price}; ` +
      'replace the whole table with PUT to change what it goes by.'
    throw new Refusal('wrong_state', detail)
  }
  planTiers([...others.map((other) => tierFrom(draftOf(other))), tier], mode)
}

function marginRow(merchantUuid: string, table: Omit<TierTable, 'tiers'>, tier: TierDraft) {
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
