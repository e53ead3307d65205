import { Type } from 'typebox'
import { MERCHANT_LIMITS, type MerchantLimitName } from '../../reference/merchant-limits.ts'
import { integer, nullable, number, object } from './fields.ts'

/** What a merchant may have at most, and what it has; see docs/limits.md. */
const DESCRIPTIONS: Record<MerchantLimitName, string> = {
  max_holds: 'Live holds',
  max_hold_hours: 'Hours for which the merchant may hold one stone before it lets it go for a day',
  max_memo_stones: 'Stones on memo',
  max_memo_value: 'Wholesale value on memo in US dollars',
  max_addresses: 'Addresses',
  max_templates: 'Templates of its own',
  max_webhooks: 'Webhooks',
  max_keys: 'Keys that have not ended',
}

function limitField(name: MerchantLimitName) {
  return integer(DESCRIPTIONS[name], MERCHANT_LIMITS[name].standard)
}

function limitChange(name: MerchantLimitName) {
  const { standard, lowest, highest } = MERCHANT_LIMITS[name]
  const description = `${DESCRIPTIONS[name]}; null sets the standard limit, ${standard}`
  return nullable(integer(description, standard, { minimum: lowest, maximum: highest }))
}

export const LimitsSchema = object('MerchantLimits', {
  max_holds: limitField('max_holds'),
  max_hold_hours: limitField('max_hold_hours'),
  max_memo_stones: limitField('max_memo_stones'),
  max_memo_value: limitField('max_memo_value'),
  max_addresses: limitField('max_addresses'),
  max_templates: limitField('max_templates'),
  max_webhooks: limitField('max_webhooks'),
  max_keys: limitField('max_keys'),
})

export const LimitsChange = Type.Partial(
  Type.Object({
    max_holds: limitChange('max_holds'),
    max_hold_hours: limitChange('max_hold_hours'),
    max_memo_stones: limitChange('max_memo_stones'),
    max_memo_value: limitChange('max_memo_value'),
    max_addresses: limitChange('max_addresses'),
    max_templates: limitChange('max_templates'),
    max_webhooks: limitChange('max_webhooks'),
    max_keys: limitChange('max_keys'),
  }),
  { additionalProperties: false, minProperties: 1, title: 'MerchantLimitsChange' },
)

export const UsageSchema = object('MerchantUsage', {
  holds: integer('Live holds', 3),
  memo_stones: integer('Stones on memo; a line of melee counts as one', 12),
  memo_value: number('Wholesale value on memo in US dollars', 48_250.5),
  addresses: integer('Addresses', 2),
  templates: integer('Templates of its own', 6),
  webhooks: integer('Webhooks', 1),
  keys: integer('Keys that have not ended', 2),
})
