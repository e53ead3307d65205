import { type TSchema, Type } from 'typebox'
import type { MerchantCopy } from '../../../database/tables/orders.ts'
import {
  flag,
  inlineObject,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../fields.ts'
import { GemSchema } from '../gem.ts'
import { MerchantReferenceSchema } from '../merchant.ts'

/**
 * The copies that an order keeps of its merchant and its products, as they were when the order was
 * placed.
 */
const addressParts = {
  address_1: text('Street and number', '12 Facet Street'),
  address_2: text('Second line; may be empty', ''),
  city: text('City', 'New York'),
  country_code: text('Three letters when placed, two in lists', 'US'),
  postal_code: text('Postal code', '10036'),
  region: text('State or region', 'NY'),
}

function address<Prefix extends 'billing' | 'shipping'>(prefix: Prefix) {
  const named = Object.entries(addressParts).map(([part, schema]) => [`${prefix}_${part}`, schema])
  return Object.fromEntries(named) as Record<`${Prefix}_${keyof typeof addressParts}`, TSchema>
}

/** Does not compile unless it names exactly the fields that an order keeps of its merchant. */
const merchantFields = {
  uuid: uuid('UUID of the merchant'),
  external_id: text("The operator's own number for the merchant", 'C-1001'),
  activated: flag('Whether the merchant may trade', true),
  deleted: flag('Whether the account was closed', false),
  approval_status: nullable(text('Approval status', 'approved')),
  onboarding_status: text('Onboarding status', 'complete'),
  subscription_status: text('Subscription status', 'active'),
  provider: text('Provider of the account', 'pavilion'),
  first_name: text('First name of the contact', ''),
  last_name: text('Last name of the contact', ''),
  legal_dba: text('Name that the merchant trades under', 'Facet Street Jewelers'),
  email: text('Email address', 'buying@facet-street.example'),
  internal_email: text("Email of the operator's contact for the merchant", ''),
  cc_emails: nullable(text('Further recipients of emails', 'office@facet-street.example')),
  business_phone: text('Phone', '+1 212 555 0100'),
  business_type: text('Kind of business', 'retail'),
  tax_id: text('Tax number', ''),
  url: nullable(text('Website', 'https://facet-street.example')),
  gateway_customer_id: text("The payment gateway's number for the merchant", ''),
  merchant_settings: inlineObject(
    { margin_mode: oneOf(['weight', 'price'], 'What the margin tiers are based on') },
    { description: 'Settings' },
  ),
  ...address('billing'),
  ...address('shipping'),
  references: list(MerchantReferenceSchema, 'Business references'),
} satisfies Record<keyof MerchantCopy, TSchema>

export const OrderMerchantSchema = Type.Unsafe<MerchantCopy>(
  object('OrderMerchant', merchantFields),
)

const NOT_IN_DRY_RUN = "not in a merchant's dry run"

/**
 * The product is stored as JSON. Every field is optional: a certificate has none of them, and a
 * piece of jewelry has those of a variant.
 */
const product = Type.Partial(
  Type.Object({
    ...GemSchema.properties,
    id: Type.Unsafe<number | string>({
      type: ['integer', 'string'],
      description: 'Number of a gem, or UUID of a variant',
      examples: [4711],
    }),
    type: text('Origin of a stone', 'mined'),
    off_rap_price: nullable(
      number(`The reference list price in US dollars; ${NOT_IN_DRY_RUN}`, 2518.5),
    ),
    cost: number('What the caller pays in US dollars; only in lists and searches', 1700),
    created_on: timestamp('When it was added to the market'),
    updated_on: timestamp('When it was last changed before the order'),
    supplier_id: integer(`Supplier; ${NOT_IN_DRY_RUN}`, 3),
    vendor_sku: text(`The supplier's SKU; ${NOT_IN_DRY_RUN}`, 'NL-100482'),
  }),
  { title: 'OrderProduct', additionalProperties: true },
)

export const OrderProductSchema = Type.Unsafe<Record<string, unknown>>(product)
