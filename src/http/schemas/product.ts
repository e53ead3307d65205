import { Type } from 'typebox'
import type { FilterOptions, VariantOptions } from '../../database/tables/jewelry.ts'
import { PRODUCT_TYPES } from '../../jewelry/attributes.ts'
import {
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
  timestamp,
  tradeOnly,
} from './fields.ts'

/** Extensions of the specified shapes, returned only to callers who include `details`. */
const detail = Type.Optional

const mediumSchema = object('ProductMedium', {
  kind: oneOf(['image', 'video'], 'Kind of medium'),
  url: text('Address', 'https://media.example/ring-1.jpg'),
})

const variantOptions = Type.Unsafe<VariantOptions>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Options that a buyer chooses from',
  examples: [{ metal: '18k yellow gold', size: '6.5' }],
})

/** A list of types serialises faster than a union. The string is last, because it accepts all. */
const filterOptions = Type.Unsafe<FilterOptions>({
  type: 'object',
  additionalProperties: { type: ['array', 'string'], items: { type: 'string' } },
  description: 'Attributes for filters, each a string or a list of strings',
  examples: [{ jewelry_type: 'ring', metal: '18k yellow gold', stone: ['diamond', 'sapphire'] }],
})

export const VariantSchema = object('Variant', {
  id: text('Id of the variant', '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'),
  sku: text('SKU, for orders', 'JK4T9M2XQ7B'),
  product_type: oneOf(PRODUCT_TYPES, 'Type of the product', { examples: ['jewelry'] }),
  wholesale_price: tradeOnly(number("Wholesale price in the caller's price list", 1240.5)),
  retail_price: number('Retail price of the supplier', 2480),
  quantity: integer('Quantity in stock', 3),
  variant_options: variantOptions,
  filter_variant_options: filterOptions,
  currency_code: detail(text('Extension: currency of both prices', 'USD')),
  product_id: detail(text('Extension: id of the product', '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f00')),
  returnable: detail(flag('Extension: whether it can be returned', true)),
  delivery_days_min: detail(nullable(integer('Extension: fastest delivery in business days', 2))),
  delivery_days_max: detail(nullable(integer('Extension: slowest delivery in business days', 6))),
  media: detail(list(mediumSchema, 'Extension: pictures and videos')),
  created_on: detail(timestamp('Extension: when it was added')),
  updated_on: detail(timestamp('Extension: when it last changed')),
})

const vendor = tradeOnly(
  object(
    'Vendor',
    {
      id: text('Id of the vendor', '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f11'),
      name: text('Name of the vendor', 'Amberfold Atelier'),
    },
    { description: 'Who supplies it' },
  ),
)
const title = text('Title', 'Halo ring with oval sapphire')
const description = text('Description; may be empty', 'An oval sapphire in a halo of diamonds.')

/** A variant by itself, with what a shop shows of its product. */
export const VariantListingSchema = object('VariantListing', {
  ...VariantSchema.properties,
  title,
  description,
  vendor,
})

export const ProductSchema = object('Product', {
  id: text('Id of the product', '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f00'),
  title,
  description,
  type: oneOf(PRODUCT_TYPES, 'Type of product', { examples: ['jewelry'] }),
  vendor,
  variants: list(VariantSchema, 'All variants, including those that are sold out'),
  created_on: detail(timestamp('Extension: when it was added')),
  updated_on: detail(timestamp('Extension: when it last changed')),
})

export const ProductFiltersSchema = object('ProductFilters', {
  product_type: oneOf(PRODUCT_TYPES, 'Type of product', { examples: ['jewelry'] }),
  filters: list(
    object('ProductFilter', {
      key: text('Key in filter_variant_options', 'metal'),
      label: text('Label for people', 'Metal'),
      values: list(
        object('ProductFilterValue', {
          value: text('A value to filter by', '18k yellow gold'),
          count: integer('Number of variants in stock that the caller can see', 42),
        }),
        'Values that occur',
      ),
    }),
    'Attributes of this type of product',
  ),
})
