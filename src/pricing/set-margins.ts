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
  const margins = await replaceMargins(tx, merchantUuid, table)
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
  await logPriceChange(tx, merchantUuid)
  return margin
}

export async function changeTier(
  tx: Tx,
  merchantUuid: string,
  uuid: string,
  change: Partial<Omit<MarginDraft, 'weight_or_price'>>,
): Promise<Margin> {
  const margin = await changeMargin(tx, merchantUuid, uuid, change)
  await logPriceChange(tx, merchantUuid)
  return margin
}

export async function removeTier(tx: Tx, merchantUuid: string, uuid: string): Promise<void> {
  await removeMargin(tx, merchantUuid, uuid)
  await logPriceChange(tx, merchantUuid)
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
