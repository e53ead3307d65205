import { Type } from 'typebox'
import { flag, integer, line, nullable, object, oneOf, text, timestamp, uuid } from './fields.ts'
import { LimitsChange, LimitsSchema, UsageSchema } from './merchant-limits.ts'

/** The merchant as the operator sees and changes it. */
const required = { minLength: 1 }
export const countryField = line('Country code of two letters; three are converted', 'US', {
  pattern: '^[A-Za-z]{2,3}$',
})
const currency = line('Currency code of three letters', 'USD', { pattern: '^[A-Z]{3}$' })
const email = line('Email address, which identifies the merchant; unique', 'buyer@shop.example', {
  format: 'email',
})

const merchantFields = {
  external_id: line("The operator's own number for the merchant", 'C-1001'),
  first_name: line('First name of the contact', ''),
  last_name: line('Last name of the contact', ''),
  internal_email: line("Email of the operator's contact for the merchant", ''),
  business_phone: line('Phone', '+1 212 555 0100'),
  business_type: line('Kind of business', 'retail'),
  tax_id: line('Tax number', ''),
  gateway_customer_id: line("The payment gateway's number for the merchant", ''),
  onboarding_status: line('Onboarding status', 'complete'),
  subscription_status: line('Subscription status', 'active'),
  billing_address_1: line('Street and number', '12 Facet Street'),
  billing_address_2: line('Second line', ''),
  billing_city: line('City', 'New York'),
  billing_country_code: line('Country code of two letters', 'US'),
  billing_postal_code: line('Postal code', '10036'),
  billing_region: line('State or region', 'NY'),
  shipping_address_1: line('Street and number', '12 Facet Street'),
  shipping_address_2: line('Second line', ''),
  shipping_city: line('City', 'New York'),
  shipping_country_code: line('Country code of two letters', 'US'),
  shipping_postal_code: line('Postal code', '10036'),
  shipping_region: line('State or region', 'NY'),
  activated: flag('If false, all tokens of the merchant are refused', true),
  api_enabled: flag('If false, all tokens of the merchant are refused', true),
  rate_limit_per_minute: nullable(
    integer(
      'What all tokens of the merchant may use together in a minute, whatever their own limits; ' +
        '0 means no limit, null the limit of the installation',
      9000,
      { minimum: 0, maximum: 1_000_000_000 },
    ),
  ),
  test: flag('If true, orders of the merchant have the debug flag', false),
}

const name = 'Name that the merchant trades under'

export const MerchantBody = Type.Object(
  {
    email,
    legal_dba: line(name, 'Facet Street Jewelers', required),
    country_code: countryField,
    currency_code: Type.Optional(currency),
    ...Type.Partial(Type.Object(merchantFields)).properties,
    limits: Type.Optional(LimitsChange),
  },
  { additionalProperties: false, title: 'NewMerchant' },
)

export const MerchantPatch = Type.Partial(
  Type.Object({
    email,
    legal_dba: line(name, 'Facet Street Jewelers', required),
    country_code: countryField,
    currency_code: currency,
    ...merchantFields,
    limits: LimitsChange,
  }),
  { additionalProperties: false, minProperties: 1, title: 'MerchantChange' },
)

const operatorMerchant = {
  uuid: uuid('UUID of the merchant'),
  email,
  legal_dba: text(name, 'Facet Street Jewelers'),
  country_code: text('Country code of two letters; US has its own price list', 'US'),
  currency_code: text('Currency in which the merchant sees prices', 'USD'),
  margin_mode: oneOf(['weight', 'price'], 'What the margin tiers are based on'),
  price_list: oneOf(['default', 'us'], 'Wholesale price list that the merchant buys from'),
  ...merchantFields,
  limits: LimitsSchema,
  created_on: timestamp('When the merchant was created'),
  updated_on: timestamp('When the merchant was last changed'),
}

export const OperatorMerchantSchema = object('OperatorMerchant', operatorMerchant)

/** One merchant, with what it has of everything that is limited. */
export const MerchantWithUsageSchema = object('OperatorMerchantWithUsage', {
  ...operatorMerchant,
  usage: UsageSchema,
})
