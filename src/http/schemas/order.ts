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
  uuid,
} from './fields.ts'
import { OrderMerchantSchema } from './order-merchant.ts'
import { OrderProductSchema } from './order-product.ts'

export const OrderAddressSchema = object('OrderAddress', {
  address_1: text('Street and number', '12 Facet Street'),
  address_2: text('Empty when there is none', 'Floor 3'),
  city: text('City', 'New York'),
  country_code: text('Three letters when placed, two in lists', 'USA'),
  postal_code: text('Postal code', '10036'),
  region: text('State or region', 'NY'),
})

const tiers = (description: string) =>
  list(
    object('OrderMarginTier', {
      percent: number('Added to the wholesale price', 35),
      weight_min: number('From this weight in carats', 0),
      weight_max: number('To this weight in carats', 0.75),
    }),
    description,
  )

const lineFields = {
  uuid: uuid('The line'),
  name: text('What it is', 'Gem K7Q2M4X9TB'),
  description: text('The same at more length', '1.52 ct round brilliant cut, mined, F VS1'),
  position: integer('Place in the order, from 0', 0),
  sku: text('Empty for a certificate', 'K7Q2M4X9TB'),
  product_type: oneOf(['gem', 'jewelry', 'watch', 'cert'], 'The kind of product'),
  quantity: integer('Ordered', 1),
  fulfilled_quantity: integer('Shipped', 0),
  fulfillment_status: nullable(text('fulfilled once all of it has shipped', 'fulfilled')),
  price: number('Wholesale price of one in US dollars', 1700),
  created_on: timestamp('When it was ordered'),
}

export const LineItemSchema = object('LineItem', {
  ...lineFields,
  product_id: nullable(text('The product; null for a certificate', '4711')),
  product_data: inlineObject(
    { fields: OrderProductSchema },
    { description: 'The product as it was when it was ordered' },
  ),
  properties: nullable(
    list(
      object('LineProperty', {
        name: text('cert_num, lab or type', 'cert_num'),
        value: text('Its value', 'LG598312345'),
      }),
      'What a certificate says',
    ),
  ),
  vendor: nullable(text('Who makes it', 'Girdle & Sons')),
  updated_on: timestamp('When it was last changed'),
})

/** A line of the v3 interface. */
export const LineSummarySchema = object('LineItemSummary', lineFields)

const tracking = {
  tracking_company: text('Carrier', 'Facet Express'),
  tracking_number: text("The carrier's number", 'FX-2201'),
  tracking_url: text('Where to follow it; may be empty', 'https://track.example/FX-2201'),
}

const fulfillmentFields = {
  uuid: uuid('The fulfillment'),
  created_on: timestamp('When it was made'),
  updated_on: timestamp('When it was last changed'),
  status: text('How it went', 'success'),
  ...tracking,
}

export const FulfillmentSchema = object('Fulfillment', {
  ...fulfillmentFields,
  line_items: list(LineItemSchema, 'What it holds; quantities are those of this fulfillment'),
})

export const FulfillmentSummarySchema = object('FulfillmentSummary', {
  ...fulfillmentFields,
  line_items: list(LineSummarySchema, 'What it holds; quantities are those of this fulfillment'),
})

export const OrderEventSchema = object('OrderEvent', {
  event_type: text('What happened', 'order.fulfillments.create'),
  event_data: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'What it says depends on the type',
      examples: [{ order_uuid: '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90' }],
    },
  ),
  created_on: timestamp('When it happened'),
  updated_on: timestamp('When it happened'),
})

export const CancellationSchema = object('OrderCancellation', {
  line_item_uuid: uuid('The line'),
  quantity: integer('How many of it', 1),
  reason: text('May be empty', 'ordered twice'),
  created_on: timestamp('When'),
})

export const orderFields = {
  uuid: uuid('The order'),
  order_id: text("The caller's own number, or one that was made", 'PO-2026-17'),
  order_reference: text("The caller's reference; may be empty", 'Ring for Ms Lane'),
  order_type: oneOf(['invoice', 'memo'], 'Bought, or taken on memo'),
  order_channel: oneOf(['api', 'console', 'operator'], 'How it came in'),
  order_status: nullable(oneOf(['cancelled', 'returned', 'closed'], 'Null until it is closed')),
  payment_status: nullable(oneOf(['paid', 'unpaid'], 'Null until it is paid')),
  fulfillment_status: nullable(
    oneOf(['partial', 'fulfilled', 'unfulfilled'], 'Null until something ships'),
  ),
  shipping_status: nullable(oneOf(['partially_shipped', 'shipped'], 'Null until something ships')),
  ordered_on: timestamp('When; without an offset in the v2 lists'),
  merchant_uuid: uuid('Who ordered'),
  merchant: OrderMerchantSchema,
  provider: text('Who keeps the order', 'pavilion'),
  notes: text('May be empty', 'Please call before delivery'),
  memo_id: nullable(text('Of a memo', 'M-000123')),
  memo_due_date: nullable(timestamp('When the memo must be back')),
  billing_address: OrderAddressSchema,
  shipping_address: OrderAddressSchema,
  line_items: list(LineItemSchema, 'By position'),
  products: inlineObject(
    { data: list(OrderProductSchema, 'One entry per product') },
    { description: 'The products as they were when they were ordered' },
  ),
  skus: list(text('A SKU', 'K7Q2M4X9TB'), 'All of the order'),
  fulfillments: list(FulfillmentSchema, 'Oldest first'),
  cancellations: nullable(list(CancellationSchema, 'Oldest first')),
  events: nullable(list(OrderEventSchema, 'What happened after placement, oldest first')),
  margins: inlineObject(
    { mined: tiers('For mined stones'), 'lab grown': tiers('For lab grown stones') },
    { description: "The merchant's weight tiers when it ordered" },
  ),
  tracking: nullable(
    object('OrderTracking', {
      company: text('Carrier', 'Facet Express'),
      number: text("The carrier's number", 'FX-2201'),
      url: text('Where to follow it', 'https://track.example/FX-2201'),
    }),
  ),
}

export const OrderSchema = object('Order', orderFields)

const dryRun = { dry_run: Type.Optional(flag('Nothing was written', true)) }

export const PlacedOrderSchema = object('PlacedOrder', { ...orderFields, ...dryRun })

export const PlacedOrderV3Schema = object('PlacedOrder', {
  uuid: uuid('The order'),
  billing_address: OrderAddressSchema,
  fulfillments: list(FulfillmentSummarySchema, 'Oldest first'),
  line_items: list(LineSummarySchema, 'By position'),
  merchant_uuid: uuid('Who ordered'),
  notes: text('May be empty', ''),
  order_reference: text('May be empty', 'Ring for Ms Lane'),
  external_order_id: text("The caller's own number", 'PO-2026-17'),
  order_type: orderFields.order_type,
  ordered_on: timestamp('When'),
  payment_status: orderFields.payment_status,
  fulfillment_status: orderFields.fulfillment_status,
  ...dryRun,
})

export const OrderSummarySchema = object('OrderSummary', {
  uuid: uuid('The order'),
  order_type: orderFields.order_type,
  merchant_uuid: uuid('Who ordered'),
  order_reference: text('May be empty', 'Ring for Ms Lane'),
  external_order_id: text("The caller's own number", 'PO-2026-17'),
  fulfillment_status: orderFields.fulfillment_status,
  payment_status: orderFields.payment_status,
  ordered_on: timestamp('When'),
  created_on: timestamp('When'),
  line_items: list(LineSummarySchema, 'By position'),
})

export const OrderListSchema = object('OrderList', {
  metadata: object('OrderListMetadata', {
    limit: integer('Most orders on a page', 50),
    offset: integer('Orders skipped', 0),
    total_count: integer('Orders in all', 1),
  }),
  orders: list(OrderSchema, 'The orders of this page'),
})
