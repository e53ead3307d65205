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
} from '../fields.ts'
import { OrderDocumentSchema } from './documents.ts'
import { moneyFields } from './money.ts'
import { OrderMerchantSchema, OrderProductSchema } from './order-copies.ts'

export const OrderAddressSchema = object('OrderAddress', {
  address_1: text('Street and number', '12 Facet Street'),
  address_2: text('Second line; may be empty', 'Floor 3'),
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
  uuid: uuid('UUID of the line'),
  name: text('Name', 'Gem K7Q2M4X9TB'),
  description: text('Description', '1.52 ct round brilliant cut, mined, F VS1'),
  position: integer('Position in the order, from 0', 0),
  sku: text('SKU; empty for a certificate', 'K7Q2M4X9TB'),
  product_type: oneOf(['gem', 'jewelry', 'watch', 'cert'], 'Kind of product'),
  quantity: integer('Quantity ordered', 1),
  fulfilled_quantity: integer('Quantity shipped', 0),
  fulfillment_status: nullable(text('fulfilled once all of it has shipped', 'fulfilled')),
  price: number('Wholesale price of one unit in US dollars', 1700),
  created_on: timestamp('When it was ordered'),
}

export const LineItemSchema = object('LineItem', {
  ...lineFields,
  product_id: nullable(text('Id of the product; null for a certificate', '4711')),
  product_data: inlineObject(
    { fields: OrderProductSchema },
    { description: 'The product as it was when it was ordered' },
  ),
  properties: nullable(
    list(
      object('LineProperty', {
        name: text('cert_num, lab or type', 'cert_num'),
        value: text('Value', 'LG598312345'),
      }),
      'Properties of a certificate',
    ),
  ),
  vendor: nullable(text('Vendor', 'Girdle & Sons')),
  updated_on: timestamp('When it was last changed'),
})

/** A line of the v3 interface. */
const LineSummarySchema = object('LineItemSummary', lineFields)

const tracking = {
  tracking_company: text('Carrier', 'Facet Express'),
  tracking_number: text('Tracking number', 'FX-2201'),
  tracking_url: text('Tracking address; may be empty', 'https://track.example/FX-2201'),
}

const fulfillmentFields = {
  uuid: uuid('UUID of the fulfillment'),
  created_on: timestamp('When it was made'),
  updated_on: timestamp('When it was last changed'),
  status: text('Status', 'success'),
  ...tracking,
}

export const FulfillmentSchema = object('Fulfillment', {
  ...fulfillmentFields,
  line_items: list(
    LineItemSchema,
    'Lines that were shipped, with the quantities of this fulfillment',
  ),
})

const FulfillmentSummarySchema = object('FulfillmentSummary', {
  ...fulfillmentFields,
  line_items: list(
    LineSummarySchema,
    'Lines that were shipped, with the quantities of this fulfillment',
  ),
})

export const OrderEventSchema = object('OrderEvent', {
  event_type: text('Type of the event', 'order.fulfillments.create'),
  event_data: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'Depends on the type of event',
      examples: [{ order_uuid: '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90' }],
    },
  ),
  created_on: timestamp('When it happened'),
  updated_on: timestamp('The same as created_on'),
})

const CancellationSchema = object('OrderCancellation', {
  line_item_uuid: uuid('UUID of the line'),
  quantity: integer('Quantity that was cancelled', 1),
  reason: text('Reason; may be empty', 'ordered twice'),
  created_on: timestamp('When it happened'),
})

export const orderFields = {
  uuid: uuid('UUID of the order'),
  order_id: text("The caller's own order number, or a generated one", 'PO-2026-17'),
  order_reference: text("The caller's own reference; may be empty", 'Ring for Ms Lane'),
  order_type: oneOf(['invoice', 'memo'], 'invoice when bought, memo when taken on memo'),
  order_channel: oneOf(['api', 'console', 'operator'], 'Where the order came from'),
  order_status: nullable(oneOf(['cancelled', 'returned', 'closed'], 'Null until it is closed')),
  payment_status: nullable(oneOf(['paid', 'unpaid'], 'Null until it is paid')),
  fulfillment_status: nullable(
    oneOf(['partial', 'fulfilled', 'unfulfilled'], 'Null until something ships'),
  ),
  shipping_status: nullable(oneOf(['partially_shipped', 'shipped'], 'Null until something ships')),
  ordered_on: timestamp('When it was ordered; without an offset in the v2 lists'),
  merchant_uuid: uuid('Merchant that ordered'),
  merchant: OrderMerchantSchema,
  provider: text('Provider of the order', 'pavilion'),
  notes: text('Notes; may be empty', 'Please call before delivery'),
  memo_id: nullable(text('Number of the memo; null for an invoice', 'M-000123')),
  memo_due_date: nullable(timestamp('When the memo is due back')),
  billing_address: OrderAddressSchema,
  shipping_address: OrderAddressSchema,
  line_items: list(LineItemSchema, 'By position'),
  products: inlineObject(
    { data: list(OrderProductSchema, 'One entry for each product') },
    { description: 'The products as they were when they were ordered' },
  ),
  skus: list(text('A SKU', 'K7Q2M4X9TB'), 'All SKUs of the order'),
  fulfillments: list(FulfillmentSchema, 'Oldest first'),
  cancellations: nullable(list(CancellationSchema, 'Oldest first')),
  events: nullable(
    list(OrderEventSchema, 'What happened after the order was placed, oldest first'),
  ),
  margins: inlineObject(
    { mined: tiers('For mined stones'), 'lab grown': tiers('For lab grown stones') },
    { description: "The merchant's weight tiers when it ordered" },
  ),
  tracking: nullable(
    object('OrderTracking', {
      company: text('Carrier', 'Facet Express'),
      number: text('Tracking number', 'FX-2201'),
      url: text('Tracking address', 'https://track.example/FX-2201'),
    }),
  ),
}

export const OrderSchema = object('Order', orderFields)

const SubstituteSchema = object('Substitute', {
  sku: text('SKU', 'K7Q2M4X9TC'),
  product_type: text('Kind of product', 'diamond'),
  type: text('Origin of the stone', 'mined'),
  shape: text('Shape', 'round'),
  weight: number('Carats', 1.51),
  color: nullable(text('Colour', 'F')),
  clarity: nullable(text('Clarity', 'VS1')),
  cut_grade: nullable(text('Cut grade', 'EX')),
  lab: nullable(text('Laboratory', 'GIA')),
  cert_num: nullable(text('Number of the certificate', '2231234567')),
  base_wholesale_price: number("In the caller's price list, in US dollars", 1650),
})

export const confirmation = nullable(
  oneOf(
    ['partial', 'confirmed', 'declined'],
    'What the suppliers answered: null while none has, partial while some have or when they differ',
  ),
)

const dryRun = {
  dry_run: Type.Optional(flag('Whether this was a dry run, which places no order', true)),
}

export const PlacedOrderSchema = object('PlacedOrder', { ...orderFields, ...dryRun })

export const documentsField = list(
  OrderDocumentSchema,
  'Invoice, packing slips, memo and credit notes, oldest first',
)

export const PlacedOrderV3Schema = object('PlacedOrder', {
  uuid: uuid('UUID of the order'),
  billing_address: OrderAddressSchema,
  fulfillments: list(FulfillmentSummarySchema, 'Oldest first'),
  line_items: list(LineSummarySchema, 'By position'),
  merchant_uuid: uuid('Merchant that ordered'),
  notes: text('Notes; may be empty', ''),
  order_reference: text("The caller's own reference; may be empty", 'Ring for Ms Lane'),
  external_order_id: text("The caller's own order number", 'PO-2026-17'),
  order_type: orderFields.order_type,
  ordered_on: timestamp('When it was ordered'),
  payment_status: orderFields.payment_status,
  fulfillment_status: orderFields.fulfillment_status,
  currency_code: text('Currency of the prices', 'USD'),
  total: number('Sum of price x quantity over all lines, as ordered', 1700),
  ...moneyFields,
  confirmation,
  tracking: orderFields.tracking,
  documents: documentsField,
  events: orderFields.events,
  skipped: Type.Optional(
    list(
      object('SkippedLine', {
        sku: text('SKU', 'K7Q2M4X9TB'),
        code: oneOf(['sku_unavailable', 'sku_on_hold', 'not_memoable'], 'Why it was left out'),
        substitutes: list(SubstituteSchema, 'Similar stones that are available, nearest first'),
      }),
      'Lines that were left out; only with on_unavailable: skip',
    ),
  ),
  ...dryRun,
})

export const OrderSummarySchema = object('OrderSummary', {
  uuid: uuid('UUID of the order'),
  order_type: orderFields.order_type,
  merchant_uuid: uuid('Merchant that ordered'),
  order_reference: text("The caller's own reference; may be empty", 'Ring for Ms Lane'),
  external_order_id: text("The caller's own order number", 'PO-2026-17'),
  fulfillment_status: orderFields.fulfillment_status,
  payment_status: orderFields.payment_status,
  ordered_on: timestamp('When it was ordered'),
  created_on: timestamp('When it happened'),
  line_items: list(LineSummarySchema, 'By position'),
})

export const OrderListSchema = object('OrderList', {
  metadata: object('OrderListMetadata', {
    limit: integer('Maximum number of orders on a page', 50),
    offset: integer('Number of orders skipped', 0),
    total_count: integer('Total number of orders', 1),
  }),
  orders: list(OrderSchema, 'The orders of this page'),
})
