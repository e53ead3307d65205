import { Type } from 'typebox'
import { MERCHANT_SORTS } from '../../merchants/merchant-store.ts'
import { RATE_LIMIT_MAX } from '../../merchants/token.ts'
import { ADJUSTED_PERCENT_MAX } from '../../pricing/price-adjustment.ts'
import {
  flag,
  inlineObject,
  integer,
  line,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
  WITHOUT_NULL,
} from './fields.ts'
import { LimitsChange, LimitsSchema, UsageSchema } from './merchant-limits.ts'
import { termsChange, termsFields } from './orders/account.ts'
import { PageQuery, sortFields } from './page.ts'

/** The merchant as the operator sees and changes it. */
const required = { minLength: 1 }
export const countryField = line('Country code of two letters; three are converted', 'US', {
  pattern: '^[A-Za-z]{2,3}$',
})
const currency = line('Currency code of three letters', 'USD', { pattern: '^[A-Z]{3}$' })
const email = line('Email address, which identifies the merchant; unique', 'buyer@shop.example', {
  format: 'email',
})

const REFERENCES_MAX = 50
const FILES_MAX = 50
const ADDRESS_CHARS_MAX = 2048

/** A business that vouches for the merchant, as orders and the operator see it. */
export const MerchantReferenceSchema = object('MerchantReference', {
  business_phone: text('Phone', '+1 212 555 0101'),
  company_name: text('Company', 'Girdle & Sons'),
  email: text('Email address', 'office@girdle.example'),
  first_name: text('First name', ''),
  last_name: text('Last name', ''),
  position: integer('Rank', 0),
  upload_urls: list(text('A file', 'https://files.example/1'), 'Files'),
})

const referencesField = list(
  inlineObject({
    business_phone: Type.Optional(line('Phone', '+1 212 555 0101')),
    company_name: line('Company', 'Girdle & Sons', required),
    email: Type.Optional(line('Email address', 'office@girdle.example')),
    first_name: Type.Optional(line('First name', '')),
    last_name: Type.Optional(line('Last name', '')),
    position: Type.Optional(integer('Rank; the place in the list unless given', 0)),
    upload_urls: Type.Optional(
      list(text('A file', 'https://files.example/1', { maxLength: ADDRESS_CHARS_MAX }), 'Files', {
        maxItems: FILES_MAX,
      }),
    ),
  }),
  'Business references; they replace those that were there',
  { maxItems: REFERENCES_MAX },
)

const merchantFields = {
  approval_status: nullable(line('Approval status', 'approved')),
  cc_emails: nullable(
    text('Further recipients of emails, separated by commas', 'office@facet-street.example', {
      maxLength: ADDRESS_CHARS_MAX,
    }),
  ),
  url: nullable(text('Website', 'https://facet-street.example', { maxLength: ADDRESS_CHARS_MAX })),
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
      { minimum: 0, maximum: RATE_LIMIT_MAX },
    ),
  ),
  test: flag('If true, orders of the merchant have the debug flag', false),
}

/** The terms that the operator agreed on with the merchant; see docs/price-adjustment.md. */
const ADJUSTMENT =
  'Percentages by which the wholesale prices that the merchant sees and pays differ from its ' +
  'price list, before margins; null when it pays the prices of its list'

const adjustmentFields = (more: object) => {
  const percent = (goods: string, example: number) =>
    number(`Percent added to the wholesale prices of ${goods}; negative is a discount`, example, {
      minimum: -ADJUSTED_PERCENT_MAX,
      maximum: ADJUSTED_PERCENT_MAX,
      ...more,
    })
  return {
    mined_percent: percent('mined diamonds and parcels', -2.5),
    lab_percent: percent('lab grown diamonds and parcels', 4),
    gemstone_percent: percent('gemstones', 0),
    jewelry_percent: percent('jewelry and watches', 0),
  }
}

const PriceAdjustmentSchema = nullable(
  object('PriceAdjustment', adjustmentFields({}), { description: ADJUSTMENT }),
)

const newPercents = adjustmentFields({ multipleOf: 0.01 })

/** Replaces the whole adjustment: a percentage that is absent or null is 0. */
const PriceAdjustmentChange = nullable(
  Type.Partial(
    Type.Object({
      mined_percent: nullable(newPercents.mined_percent),
      lab_percent: nullable(newPercents.lab_percent),
      gemstone_percent: nullable(newPercents.gemstone_percent),
      jewelry_percent: nullable(newPercents.jewelry_percent),
    }),
    {
      additionalProperties: false,
      title: 'PriceAdjustmentChange',
      description: `${ADJUSTMENT}. The whole of it is replaced: an absent percentage is 0`,
    },
  ),
)

const name = 'Name that the merchant trades under'

export const MerchantBody = Type.Object(
  {
    email,
    legal_dba: line(name, 'Facet Street Jewelers', required),
    country_code: countryField,
    currency_code: Type.Optional(currency),
    ...Type.Partial(Type.Object({ ...merchantFields, ...termsChange })).properties,
    price_adjustment: Type.Optional(PriceAdjustmentChange),
    references: Type.Optional(referencesField),
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
    ...termsChange,
    price_adjustment: PriceAdjustmentChange,
    references: referencesField,
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
  ...termsFields,
  price_adjustment: PriceAdjustmentSchema,
  references: list(MerchantReferenceSchema, 'Business references'),
  limits: LimitsSchema,
  created_on: timestamp('When the merchant was created'),
  updated_on: timestamp('When the merchant was last changed'),
}

export const MerchantListQuery = inlineObject({
  ...PageQuery.properties,
  q: Type.Optional(
    text('Only merchants whose name, e-mail or external_id contains this', 'Facet', {
      maxLength: 200,
      pattern: WITHOUT_NULL,
    }),
  ),
  api_enabled: Type.Optional(flag('Only merchants with access, or only those without', true)),
  ...sortFields(MERCHANT_SORTS, { col: 'created_on', order: 'asc' }),
})

export const OperatorMerchantSchema = object('OperatorMerchant', operatorMerchant)

/** One merchant, with what it has of everything that is limited. */
export const MerchantWithUsageSchema = object('OperatorMerchantWithUsage', {
  ...operatorMerchant,
  usage: UsageSchema,
})
