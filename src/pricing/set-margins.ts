import { recordEntry } from '../audit/record-entry.ts'
import type { Tx } from '../database/open.ts'
import { logPriceChange } from '../events/change-log.ts'
import type { Merchant } from '../merchants/merchant.ts'
import {
  getMerchant,
  lockMerchant,
  type MerchantChange,
  updateMerchant,
} from '../merchants/merchant-store.ts'
import type { Margin, MarginDraft, MarginProduct } from './margin.ts'
import {
  addMargin,
  changeMargin,
  getMargin,
  listMargins,
  removeMargin,
  replaceMargins,
  type TierTable,
} from './margin-store.ts'
import { requireRate } from './merchant-currency.ts'
import { isSameAdjustment } from './price-adjustment.ts'

/**
 * A change of a merchant's margins, adjustment, country or currency changes all of its prices.
 * These use cases also write the change log, from which the index and the merchant's own copy of
 * the market learn that every price is new.
 */

/** Replaces all tiers for one kind of product. */
export async function setMargins(
  tx: Tx,
  merchantUuid: string,
  table: TierTable,
): Promise<Margin[]> {
  await lockMerchant(tx, merchantUuid)
  const before = await readTable(tx, merchantUuid, table.product_type)
  const margins = await replaceMargins(tx, merchantUuid, table)
  await recordEntry(tx, {
    action: 'margins.replace',
    subject: { kind: 'merchant', id: merchantUuid },
    merchant_uuid: merchantUuid,
    before,
    after: await readTable(tx, merchantUuid, table.product_type),
  })
  await logPriceChange(tx, merchantUuid)
  return margins
}

export async function addTier(
  tx: Tx,
  merchantUuid: string,
  productType: MarginProduct,
  draft: MarginDraft,
): Promise<Margin> {
  const margin = await addMargin(tx, merchantUuid, productType, draft)
  await recordTier(tx, 'margin.create', null, margin)
  await logPriceChange(tx, merchantUuid)
  return margin
}

export async function changeTier(
  tx: Tx,
  merchantUuid: string,
  uuid: string,
  change: Partial<Omit<MarginDraft, 'weight_or_price'>>,
): Promise<Margin> {
  await lockMerchant(tx, merchantUuid)
  const earlier = await getMargin(tx, merchantUuid, uuid)
  const margin = await changeMargin(tx, merchantUuid, uuid, change)
  await recordTier(tx, 'margin.change', earlier, margin)
  await logPriceChange(tx, merchantUuid)
  return margin
}

export async function removeTier(tx: Tx, merchantUuid: string, uuid: string): Promise<void> {
  await recordTier(tx, 'margin.remove', await removeMargin(tx, merchantUuid, uuid), null)
  await logPriceChange(tx, merchantUuid)
}

async function recordTier(
  tx: Tx,
  action: string,
  before: Margin | null,
  after: Margin | null,
): Promise<void> {
  const { uuid = '', merchant_uuid } = after ?? before ?? {}
  await recordEntry(tx, {
    action,
    subject: { kind: 'profit_margin', id: uuid },
    merchant_uuid,
    before: before && auditedTier(before),
    after: after && auditedTier(after),
  })
}

/** The mode and the tiers of one kind of product. */
async function readTable(tx: Tx, merchantUuid: string, productType: MarginProduct) {
  const { margin_mode } = await getMerchant(tx, merchantUuid)
  const margins = await listMargins(tx, merchantUuid, [productType])
  const tiers = margins.map(auditedTier).map(({ product_type: _, ...tier }) => tier)
  return { product_type: productType, margin_mode, profit_margins: tiers }
}

function auditedTier({ product_type, weight_or_price, ...margin }: Margin) {
  const { mined_percent, lab_percent } = margin
  const isByWeight = weight_or_price === 'weight'
  return {
    product_type,
    weight_or_price,
    min: Number(isByWeight ? margin.weight_min : margin.price_min),
    max: Number(isByWeight ? margin.weight_max : margin.price_max),
    mined_percent: Number(mined_percent),
    lab_percent: Number(lab_percent),
  }
}

/** Changes a merchant; another country may mean another price list, another currency new prices. */
export async function changeMerchant(
  tx: Tx,
  uuid: string,
  change: MerchantChange,
): Promise<Merchant> {
  // Two changes at once are compared with what the other has written.
  await lockMerchant(tx, uuid)
  const earlier = await getMerchant(tx, uuid)
  const { currency_code } = change
  if (currency_code !== undefined && currency_code !== earlier.currency_code) {
    await requireRate(tx, currency_code)
  }
  const merchant = await updateMerchant(tx, uuid, change)
  const samePrices =
    earlier.country_code === merchant.country_code &&
    earlier.currency_code === merchant.currency_code &&
    isSameAdjustment(earlier.price_adjustment, merchant.price_adjustment)
  if (!samePrices) await logPriceChange(tx, uuid)
  return merchant
}
