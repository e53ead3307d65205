import { MERCHANT_LIMITS } from '../../../../src/reference/merchant-limits.ts'
import { changeMerchant, type MerchantWithUsage } from '../../api/operator/merchants.ts'
import { t } from '../../language/language.ts'
import { count, decimal } from '../../lib/format.ts'
import { NumberForm } from './number-form.tsx'

type Limits = MerchantWithUsage['limits']
type Usage = MerchantWithUsage['usage']

/** Each limit, its label, and what it counts. */
const FIELDS: [name: keyof Limits, label: string, used?: keyof Usage][] = [
  ['max_holds', t('Live holds'), 'holds'],
  ['max_hold_hours', t('Hours to hold one stone')],
  ['max_memo_stones', t('Stones on memo'), 'memo_stones'],
  ['max_memo_value', t('Value on memo in USD'), 'memo_value'],
  ['max_addresses', t('Addresses'), 'addresses'],
  ['max_templates', t('Templates'), 'templates'],
  ['max_webhooks', t('Webhooks'), 'webhooks'],
  ['max_keys', t('Active keys'), 'keys'],
]

/** What the merchant may have at most. An empty field sets the standard limit. */
export function MerchantLimits(props: { merchant: MerchantWithUsage; onSaved: () => void }) {
  const { uuid, limits, usage } = props.merchant
  return (
    <NumberForm
      title={t('Limits')}
      group="limits"
      fields={FIELDS.map(([name, label, used]) => ({
        name,
        label: used ? t('{name} ({n} in use)', { name: label, n: decimal(usage[used]) }) : label,
        value: limits[name],
        placeholder: count(MERCHANT_LIMITS[name].standard),
      }))}
      action={t('Save limits')}
      save={(changed) => changeMerchant(uuid, { limits: changed })}
      onSaved={props.onSaved}
    />
  )
}
