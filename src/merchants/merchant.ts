import type { Selectable } from 'kysely'
import type { MerchantTable } from '../database/tables/merchants.ts'

export type Merchant = Selectable<MerchantTable>

/** Why a merchant's tokens are not accepted, or undefined when they are. */
export function whyNotAdmitted(merchant: Merchant): string | undefined {
  if (merchant.deleted) return 'API is not enabled for the merchant: the account was closed.'
  if (!merchant.activated) return 'API is not enabled for the merchant: it is not activated yet.'
  if (!merchant.api_enabled) return 'API is not enabled for the merchant.'
  return undefined
}
