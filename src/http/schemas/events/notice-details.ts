import { Type } from 'typebox'
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
} from '../fields.ts'

const optional = Type.Optional

const OrderSchema = inlineObject(
  {
    order_type: oneOf(['invoice', 'memo'], 'Whether the number is that of an order or of a memo'),
    number: nullable(text('Number of the order or memo; null for suppliers', 'PO-2026-17')),
    ordered_on: timestamp('When it was ordered'),
  },
  { description: 'The order that the notice is about' },
)

const StoneSchema = inlineObject(
  {
    weight: nullable(number('Weight in carats', 1.52)),
    shape: nullable(text('Shape', 'round')),
    type: nullable(text('`mined` or `lab grown`', 'mined')),
    species: nullable(text('What a gemstone is', 'sapphire')),
    color: nullable(text('Color; of a parcel its qualities', 'F')),
    clarity: nullable(text('Clarity', 'VS1')),
    lab: nullable(text('Laboratory of the certificate', 'GIA')),
    cert_num: nullable(text('Number of the certificate', '2201234567')),
  },
  { description: 'What a stone is; not for jewelry' },
)

const ProductSchema = inlineObject({
  sku: text('SKU', 'K7Q2M9X4TB'),
  vendor_sku: optional(text('Your stock number; for suppliers only', 'A-1')),
  quantity: integer('How many', 1),
  description: optional(text('As the order describes it, in English', '1.52 ct round, F VS1')),
  stone: optional(StoneSchema),
  price: optional(number('Price of one', 1700)),
  offer_price: optional(number('Price of one that the merchant offers', 1500)),
  change: optional(text('What happened to a watched stone', 'price_down')),
})

/** Everything that a text names, so that a program can write it in a language of its own. */
export const NoticeDetailsSchema = object(
  'NoticeDetails',
  {
    event_type: text('Type of the event that the notice tells of', 'order.create'),
    order: optional(OrderSchema),
    merchant: optional(text('Name of the merchant; for the operator only', 'Facet Street')),
    suppliers: optional(list(text('Name', 'Kimber Stones'), 'Suppliers; for the operator only')),
    quantity: optional(integer('Units, lines or stones that the notice is about', 1)),
    amount: optional(number('Total of the order', 1700)),
    currency_code: optional(text('Currency of all amounts', 'USD')),
    due_on: optional(timestamp('When a memo is due back')),
    ends_on: optional(timestamp('When a quote or a hold ends')),
    reason: optional(text('Why, as somebody wrote it', 'broken')),
    tracking_company: optional(text('Carrier', 'Facet Express')),
    tracking_number: optional(text('Tracking number', 'FX-1001')),
    by: optional(text('`merchant` or `operator`: who cancelled', 'merchant')),
    awaits_confirmation: optional(flag('Whether a supplier has to confirm', true)),
    has_substitutes: optional(flag('Whether the order shows similar stones', false)),
    name: optional(text('Name of a saved search, or of a visitor', 'Rounds')),
    email: optional(text('Where to answer a visitor', 'visitor@example.com')),
    message: optional(text('What a visitor asks', 'Is it available in June?')),
    feed_url: optional(text('Where a feed is fetched from', 'https://stones.example/stock.csv')),
    failure: optional(text('Why a feed failed, in English', 'The server answered 404')),
    items: list(ProductSchema, 'What `items` of the notice are written from'),
  },
  {
    description:
      'What the text was written from, to write it in another language: fields that do not apply ' +
      'are left out. Null for notices of versions that wrote none',
  },
)
