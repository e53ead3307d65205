import type { OperatorMerchant } from '../../api/operator/merchants.ts'
import { t } from '../../language/language.ts'
import { confirmed } from '../../parts/confirm.tsx'

/** Asks before a merchant's access is switched to what it is not. */
export function isAccessMeant({ legal_dba, api_enabled }: OperatorMerchant): Promise<boolean> {
  if (api_enabled) {
    return confirmed({
      title: t('Switch access for {merchant} off?', { merchant: legal_dba }),
      text: t('Its keys and sessions are refused at once: its shop shows and orders nothing.'),
      action: t('Switch off'),
      isDanger: true,
    })
  }
  return confirmed({
    title: t('Switch access for {merchant} on?', { merchant: legal_dba }),
    text: t('Its keys and sessions are accepted again, and it can order.'),
    action: t('Switch on'),
  })
}
