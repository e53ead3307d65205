import { Type } from 'typebox'
import { SCOPES, TOKEN_TYPES } from '../../merchants/token.ts'
import { GRADE_NAMES } from '../../reference/default-templates.ts'
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
} from './fields.ts'
import { clarityField, colorField, MarginSchema } from './settings.ts'

/** A line of text that a person types; bounded, so that no field can hold a book. */
const line = (description: string, example: string, more = {}) =>
  text(description, example, { maxLength: 200, ...more })
const required = { minLength: 1 }
const country = line('Two letters (three are understood)', 'US', { pattern: '^[A-Za-z]{2,3}$' })
const currency = line('Three letters', 'USD', { pattern: '^[A-Z]{3}$' })
const email = line('Names the merchant; unique', 'buyer@shop.example', { format: 'email' })

/** What an operator may say of a merchant. */
const merchantFields = {
  external_id: line("The operator's own number", 'C-1001'),
  first_name: line('First name of the contact', ''),
  last_name: line('Last name of the contact', ''),
  internal_email: line("The operator's contact for it", ''),
  business_phone: line('Phone', '+1 212 555 0100'),
  business_type: line('What kind of business', 'retail'),
  tax_id: line('Tax number', ''),
  gateway_customer_id: line("The payment gateway's number", ''),
  onboarding_status: line('Onboarding status', 'complete'),
  subscription_status: line('Subscription status', 'active'),
  billing_address_1: line('Street and number', '12 Facet Street'),
  billing_address_2: line('Second line', ''),
  billing_city: line('City', 'New York'),
  billing_country_code: line('Two letters', 'US'),
  billing_postal_code: line('Postal code', '10036'),
  billing_region: line('State or region', 'NY'),
  shipping_address_1: line('Street and number', '12 Facet Street'),
  shipping_address_2: line('Second line', ''),
  shipping_city: line('City', 'New York'),
  shipping_country_code: line('Two letters', 'US'),
  shipping_postal_code: line('Postal code', '10036'),
  shipping_region: line('State or region', 'NY'),
  activated: flag('False: its tokens are refused', true),
  api_enabled: flag('False: its tokens are refused', true),
  test: flag('True: its orders carry the debug flag', false),
}

export const MerchantBody = Type.Object(
  {
    email,
    legal_dba: line('The name it trades under', 'Facet Street Jewelers', required),
    country_code: country,
    currency_code: Type.Optional(currency),
    ...Type.Partial(Type.Object(merchantFields)).properties,
  },
  { additionalProperties: false, title: 'NewMerchant' },
)

export const MerchantPatch = Type.Partial(
  Type.Object({
    email,
    legal_dba: line('The name it trades under', 'Facet Street Jewelers', required),
    country_code: country,
    currency_code: currency,
    ...merchantFields,
  }),
  { additionalProperties: false, minProperties: 1, title: 'MerchantChange' },
)

export const OperatorMerchantSchema = object('OperatorMerchant', {
  uuid: uuid('The merchant'),
  email,
  legal_dba: text('The name it trades under', 'Facet Street Jewelers'),
  country_code: text('Two letters; US has its own price list', 'US'),
  currency_code: text('What it sees prices in', 'USD'),
  margin_mode: oneOf(['weight', 'price'], 'What its margin tiers go by'),
  price_list: oneOf(['default', 'us'], 'The wholesale price list it buys from'),
  ...merchantFields,
  created_on: timestamp('When it was created'),
  updated_on: timestamp('When it was last changed'),
})

export const TokenBody = inlineObject(
  {
    type: oneOf(TOKEN_TYPES, 'Who will call with it'),
    merchant_uuid: Type.Optional(uuid('Whose token it is; not for admin')),
    name: Type.Optional(line('What it is for', 'shop software')),
    scopes: Type.Optional(
      list(oneOf(SCOPES, 'A scope'), 'All when not given', { minItems: 1, uniqueItems: true }),
    ),
    expires_on: Type.Optional(
      text('When it ends', '2027-01-31T00:00:00Z', { format: 'date-time' }),
    ),
    rate_limit_per_minute: Type.Optional(
      integer('Its own rate limit; 0 is none', 600, { minimum: 0, maximum: 1_000_000_000 }),
    ),
  },
  { title: 'NewToken' },
)

const tokenFields = {
  uuid: uuid('The token, for lists and revocation'),
  merchant_uuid: nullable(uuid('Null for an admin token')),
  type: oneOf(TOKEN_TYPES, 'Who calls with it'),
  name: text('What it is for', 'shop software'),
  scopes: list(text('A scope', 'search'), 'What it may do'),
  hint: text('Its last four characters', 'x7Qa'),
  rate_limit_per_minute: nullable(integer('Its own rate limit', 600)),
  created_on: timestamp('When it was made'),
  expires_on: nullable(timestamp('When it ends')),
  revoked_on: nullable(timestamp('When it was revoked')),
  last_used_on: nullable(timestamp('When it was last used')),
}
export const TokenSchema = object('Token', tokenFields)
export const CreatedTokenSchema = object('CreatedToken', {
  ...tokenFields,
  token: text('The token itself, shown this once', 'pav_live_…'),
})

export const AddressBody = inlineObject(
  {
    name: line('Who or what is there', 'Main store', required),
    address_1: line('Street and number', '12 Facet Street', required),
    address_2: Type.Optional(line('Second line', '')),
    city: line('City', 'New York', required),
    postal_code: line('Postal code', '10036'),
    region: Type.Optional(line('State or region', 'NY')),
    country_code: country,
    phone: Type.Optional(line('Phone', '+1 212 555 0100')),
    is_default: Type.Optional(flag('Orders go here unless they name another', true)),
  },
  { title: 'NewAddress' },
)

export const TemplateBody = inlineObject(
  {
    group: line('Templates of one group answer together', 'BRIDAL', required),
    label: line('What the merchant calls it', 'SIGNATURE', required),
    color: colorField,
    clarity: clarityField,
    grade_name: oneOf(GRADE_NAMES, 'The make it looks for'),
    position: Type.Optional(integer('Rank within the group', 1, { minimum: 1, maximum: 10_000 })),
  },
  { title: 'NewTemplate' },
)

export const percent = (description: string, example: number) =>
  number(description, example, { minimum: 0, maximum: 10_000, multipleOf: 0.01 })

export const MarginsBody = inlineObject(
  {
    mode: oneOf(['weight', 'price'], 'What the bounds measure', { default: 'weight' }),
    product_type: oneOf(['diamond', 'gemstone'], 'The kind of product', { default: 'diamond' }),
    tiers: list(
      object('NewTier', {
        min: number('From here, in carats or US dollars', 0, { minimum: 0, maximum: 1e9 }),
        max: number('To here, inclusive', 0.75, { minimum: 0, maximum: 1e9 }),
        mined_percent: percent('Added to mined stones', 35),
        lab_percent: percent('Added to lab grown stones', 50),
      }),
      'Must not overlap; gaps are allowed. Empty: back to the default tiers',
      { maxItems: 50 },
    ),
  },
  { title: 'NewMargins' },
)

export const MarginsSchema = object('OperatorMargins', {
  margin_mode: oneOf(['weight', 'price'], 'What the tiers go by'),
  profit_margins: list(MarginSchema, 'From low to high'),
})
