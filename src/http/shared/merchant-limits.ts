import type { Db } from '../../database/open.ts'
import { countEndpoints } from '../../events/webhook-store.ts'
import { countLiveHolds } from '../../gems/holds/hold-store.ts'
import { roundedAmount } from '../../lib/money.ts'
import { countAddresses } from '../../merchants/address-store.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { listOwnTemplates } from '../../merchants/template-store.ts'
import { countLivingKeys } from '../../merchants/token-owner.ts'
import { readMemoUse } from '../../orders/order-store.ts'
import {
  limitOf,
  MERCHANT_LIMIT_NAMES,
  type MerchantLimitName,
} from '../../reference/merchant-limits.ts'

/** The limits in force: the merchant's own, and the standard ones for the rest. */
export function renderLimits(merchant: Merchant): Record<MerchantLimitName, number> {
  const limits = MERCHANT_LIMIT_NAMES.map((name) => [name, limitOf(merchant, name)] as const)
  return Object.fromEntries(limits) as Record<MerchantLimitName, number>
}

/** What the merchant has of everything that is limited, counted as the limits count it. */
export async function readUsage(db: Db, { uuid }: Pick<Merchant, 'uuid'>) {
  const memo = await readMemoUse(db, uuid)
  return {
    holds: await countLiveHolds(db, uuid),
    memo_stones: memo.stones,
    memo_value: roundedAmount(memo.value),
    addresses: await countAddresses(db, uuid),
    templates: (await listOwnTemplates(db, uuid)).length,
    webhooks: await countEndpoints(db, uuid),
    keys: await countLivingKeys(db, uuid),
  }
}
