import { Type } from 'typebox'
import type { FilterOptions, VariantOptions } from '../../database/tables/jewelry.ts'
import { PRODUCT_TYPES } from '../../jewelry/attributes.ts'
import { flag, integer, list, nullable, number, object, oneOf, text, timestamp } from './fields.ts'

/** Extensions of the specified shapes, answered to those who ask for `details`. */
const detail = Type.Optional

const mediumSchema = object('ProductMedium', {
  kind: oneOf(['image', 'video'], 'What it is'),
  url: text('Where it is', 'https://media.example/ring-1.jpg'),
})

const variantOptions = Type.Unsafe<VariantOptions>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'What a buyer picks',
  examples: [{ metal: '18k yellow gold', size: '6.5' }],
})

/** A list of types serialises faster than a union; the text comes last, because it takes all. */
const filterOptions = Type.Unsafe<FilterOptions>({
  type: 'object',
  additionalProperties: { type: ['array', 'string'], items: { type: 'string' } },
  description: 'The attributes it is filtered by, each a text or a list of texts',
  examples: [{ jewelry_type: 'ring', metal: '18k yellow gold', stone: ['diamond', 'sapphire'] }],
})

export const VariantSchema = object('Variant', {
  id: text('The variant', '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'),
  sku: text('The SKU to order it by', 'JK4T9M2XQ7B'),
  product_type: oneOf(PRODUCT_TYPES, 'The type of its product', { examples: ['jewelry'] }),
  wholesale_price: number("What the caller pays, from the caller's price list", 1240.5),
  retail_price: number("The supplier's retail price", 2480),
  quantity: integer('In stock', 3),
  variant_options: variantOptions,
  filter_variant_options: filterOptions,
  currency_code: detail(text('Extension: the currency of both prices', 'USD')),
  product_id: detail(text('Extension: its product', '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f00')),
  returnable: detail(flag('Extension: whether it may be returned', true)),
  delivery_days_min: detail(nullable(integer('Extension: business days at least', 2))),
  delivery_days_max: detail(nullable(integer('Extension: business days at most', 6))),
  media: detail(list(mediumSchema, 'Extension: pictures and films')),
  created_on: detail(timestamp('Extension: when it came')),
  updated_on: detail(timestamp('Extension: when it last changed')),
})

export const ProductSchema = object('Product', {
  id: text('The product', '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f00'),
  title: text('Title', 'Halo ring with oval sapphire'),
  description: text('Description; may be empty', 'An oval sapphire in a halo of diamonds.'),
  type: oneOf(PRODUCT_TYPES, 'What it is', { examples: ['jewelry'] }),
  vendor: object('Vendor', {
    id: text('The vendor', '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f11'),
    name: text('Its name', 'Amberfold Atelier'),
  }),
  variants: list(VariantSchema, 'All its variants, sold out ones too'),
  created_on: detail(timestamp('Extension: when it came')),
  updated_on: detail(timestamp('Extension: when it last changed')),
})

export const ProductFiltersSchema = object('ProductFilters', {
  product_type: oneOf(PRODUCT_TYPES, 'The type that was asked for', { examples: ['jewelry'] }),
  filters: list(
    object('ProductFilter', {
      key: text('The key in filter_variant_options', 'metal'),
      label: text('The same for people', 'Metal'),
      values: list(
        object('ProductFilterValue', {
          value: text('A value to filter by', '18k yellow gold'),
          count: integer('Variants in stock that the caller can see', 42),
        }),
        'The values that occur',
      ),
    }),
    'What products of the type are filtered by',
  ),
})
