import { type TSchema, Type } from 'typebox'
import type { MerchantCopy } from '../../database/tables/orders.ts'
import { flag, inlineObject, integer, list, nullable, object, oneOf, text, uuid } from './fields.ts'

const parts = {
  address_1: text('Street and number', '12 Facet Street'),
  address_2: text('Empty when there is none', ''),
  city: text('City', 'New York'),
  country_code: text('Three letters when placed, two in lists', 'US'),
  postal_code: text('Postal code', '10036'),
  region: text('State or region', 'NY'),
}

function address<Prefix extends 'billing' | 'shipping'>(prefix: Prefix) {
  const named = Object.entries(parts).map(([part, schema]) => [`${prefix}_${part}`, schema])
  return Object.fromEntries(named) as Record<`${Prefix}_${keyof typeof parts}`, TSchema>
}

/** Does not compile unless it names exactly the fields that an order keeps of its merchant. */
const fields = {
  uuid: uuid('The merchant'),
  external_id: text("The operator's own number", 'C-1001'),
  activated: flag('Whether it may trade', true),
  deleted: flag('Whether it was closed', false),
  approval_status: nullable(text('Approval', 'approved')),
  onboarding_status: text('Onboarding', 'complete'),
  subscription_status: text('Subscription', 'active'),
  provider: text('Who keeps the account', 'pavilion'),
  first_name: text('First name of the contact', ''),
  last_name: text('Last name of the contact', ''),
  legal_dba: text('The name it trades under', 'Facet Street Jewelers'),
  email: text('Its address', 'buying@facet-street.example'),
  internal_email: text("The operator's contact for it", ''),
  cc_emails: nullable(text('Who else gets mail', 'office@facet-street.example')),
  business_phone: text('Phone', '+1 212 555 0100'),
  business_type: text('What kind of business', 'retail'),
  tax_id: text('Tax number', ''),
  url: nullable(text('Its pages', 'https://facet-street.example')),
  gateway_customer_id: text("The payment gateway's number", ''),
  merchant_settings: inlineObject(
    { margin_mode: oneOf(['weight', 'price'], 'What its margin tiers go by') },
    { description: 'Its settings' },
  ),
  ...address('billing'),
  ...address('shipping'),
  references: list(
    object('MerchantReference', {
      business_phone: text('Phone', '+1 212 555 0101'),
      company_name: text('Company', 'Girdle & Sons'),
      email: text('Address', 'office@girdle.example'),
      first_name: text('First name', ''),
      last_name: text('Last name', ''),
      position: integer('Rank', 0),
      upload_urls: list(text('A file', 'https://files.example/1'), 'Files'),
    }),
    'Who vouches for it',
  ),
} satisfies Record<keyof MerchantCopy, TSchema>

/** The merchant as it was when it ordered. */
export const OrderMerchantSchema = Type.Unsafe<MerchantCopy>(object('OrderMerchant', fields))
