import { Type } from 'typebox'
import { PRODUCT_TYPES } from '../../jewelry/attributes.ts'
import { PRODUCT_ORDERS, VARIANT_ORDERS } from '../../jewelry/showroom/query.ts'
import { flag, inlineObject, list, number, oneOf, text } from './fields.ts'
import { limitField, offsetField } from './page.ts'

const LIMIT_MAX = 500
const IDS_MAX = 500

const ids = (description: string) =>
  list(text('An id', '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90', { maxLength: 100 }), description, {
    minItems: 1,
    maxItems: IDS_MAX,
  })
const price = (description: string, example: number) =>
  Type.Optional(number(description, example, { minimum: 0, maximum: 1e10 }))

const wholesaleRange = {
  wholesale_price_min: price("Lowest wholesale price, in the caller's currency", 100),
  wholesale_price_max: price("Highest wholesale price, in the caller's currency", 5000),
}

const attributeValue = { type: 'string', maxLength: 200 }
const attributes = Type.Unsafe<Record<string, string | string[]>>({
  type: 'object',
  description: 'One or several values for each attribute; attributes are combined with AND',
  examples: [{ jewelry_type: 'ring', metal: ['18k yellow gold', 'platinum 950'] }],
  maxProperties: 30,
  additionalProperties: {
    type: ['string', 'array'],
    maxLength: 200,
    items: attributeValue,
    minItems: 1,
    maxItems: 100,
  },
})

const order = oneOf(['asc', 'desc'], 'Sort direction', { default: 'desc' })
const productOrder = oneOf(
  PRODUCT_ORDERS,
  'Column to sort by; category groups by jewelry type and subtype',
  {
    default: 'updated_on',
  },
)
const includeUnavailable = flag('Whether to include what is sold or out of stock', false, {
  default: false,
})

const q = Type.Optional(
  text('Words that must all be found, whole or as a prefix', 'oval sapphire', { maxLength: 200 }),
)

const updatedSince = Type.Optional(
  text(
    'Extension: what changed at or after this time, stock included, or what you see since then',
    '2026-01-31T00:00:00Z',
    { maxLength: 40 },
  ),
)

/** Without it, a response has exactly the specified fields. */
const include = Type.Optional(
  list(
    oneOf(['details'], 'A part'),
    'Extension: details adds media, delivery, currency and timestamps',
    { maxItems: 1 },
  ),
)

export const ProductQuery = inlineObject(
  {
    q,
    id: Type.Optional(ids('Only these products')),
    type: Type.Optional(
      list(oneOf(PRODUCT_TYPES, 'A type'), 'Only these types', { minItems: 1, maxItems: 10 }),
    ),
    filter_variant_options: Type.Optional(attributes),
    updated_since: updatedSince,
    order_by: productOrder,
    order,
    limit: limitField(100, LIMIT_MAX),
    offset: offsetField,
    include_unavailable: includeUnavailable,
    include,
  },
  { title: 'ProductQuery' },
)

export const JewelryQuery = inlineObject(
  {
    q,
    id: Type.Optional(ids('Only these products')),
    type: Type.Optional(
      Type.Unsafe<unknown>({
        description: 'Accepted and ignored: the response contains jewelry only',
        examples: [['jewelry']],
      }),
    ),
    filter_variant_options: Type.Optional(attributes),
    ...wholesaleRange,
    delivery_days_max: Type.Optional(
      number('Slowest delivery in business days', 7, { minimum: 0, maximum: 10_000 }),
    ),
    updated_since: updatedSince,
    order_by: productOrder,
    order,
    limit: limitField(100, LIMIT_MAX),
    offset: offsetField,
    include_unavailable: includeUnavailable,
    include,
  },
  { title: 'JewelryQuery' },
)

export const VariantQuery = inlineObject(
  {
    q,
    filter_variant_options: Type.Optional(attributes),
    product_id: Type.Optional(ids('Only variants of these products')),
    id: Type.Optional(ids('Only these variants, including those that are sold out')),
    vendor_id: Type.Optional(
      list(
        text('A vendor', '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f11', { maxLength: 100 }),
        'Only these vendors; for admin tokens only',
        { maxItems: IDS_MAX },
      ),
    ),
    has_media: Type.Optional(flag('Whether it has a picture or a video', true)),
    returnable: Type.Optional(flag('Whether it can be returned', true)),
    ...wholesaleRange,
    retail_price_min: price('Lowest retail price, in the same currency', 200),
    retail_price_max: price('Highest retail price, in the same currency', 10_000),
    updated_since: updatedSince,
    include_unavailable: includeUnavailable,
    include,
    currency_code: Type.Optional(
      text("Currency of all prices; the caller's own unless given", 'EUR', { maxLength: 20 }),
    ),
    offset: offsetField,
    limit: limitField(50, LIMIT_MAX),
    order_by: oneOf(VARIANT_ORDERS, 'Column to sort by', { default: 'created_on' }),
    order,
  },
  { title: 'VariantQuery' },
)

export const FilterQuery = inlineObject({
  product_type: oneOf(PRODUCT_TYPES, 'Type of product', { examples: ['jewelry'] }),
})
