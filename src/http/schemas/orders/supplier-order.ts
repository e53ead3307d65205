import { Type } from 'typebox'
import { SUPPLIER_ORDER_SORTS } from '../../../orders/supplier-orders.ts'
import {
  flag,
  inlineObject,
  integer,
  list,
  NOT_BLANK,
  nullable,
  number,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../fields.ts'
import { listLimit, offsetField, pageOf, sortFields } from '../page.ts'
import { OrderAddressSchema } from './order.ts'
import { lineProgress } from './order-operator.ts'
import { orderTimes } from './order-request.ts'

/** Orders as a supplier sees them. */
const SupplierLineSchema = object('SupplierOrderLine', {
  uuid: uuid('UUID of the line, for confirm, decline and fulfill'),
  sku: text('SKU of the market', 'K7Q2M9X4TB'),
  vendor_sku: nullable(text('Your stock number', 'A-1')),
  description: text('What was ordered', '1.52 ct round brilliant cut, mined, F VS1'),
  product_type: text('gem, jewelry or watch', 'gem'),
  quantity: integer('Units that were ordered', 1),
  fulfilled_quantity: integer('Units that have shipped', 0),
  ...lineProgress,
  price: nullable(
    number('Your price in US dollars when it was ordered; of a parcel per carat', 4000),
  ),
  created_on: timestamp('When it was ordered'),
  updated_on: timestamp('When the line last changed'),
})

const ShipmentSchema = object('SupplierShipment', {
  uuid: uuid('UUID of the shipment'),
  tracking_company: text('Carrier', 'Facet Express'),
  tracking_number: text('Tracking number', 'FX-2201'),
  tracking_url: text('Tracking address; may be empty', 'https://track.example/FX-2201'),
  created_on: timestamp('When it shipped'),
  line_items: list(
    inlineObject({
      uuid: uuid('UUID of your line'),
      quantity: integer('Units of it in the shipment', 1),
    }),
    'Your lines in the shipment',
  ),
})

const ShipToSchema = object('ShipToAddress', OrderAddressSchema.properties, {
  description: 'Where to ship to; null unless you ship to merchants yourself',
})

export const SupplierOrderSchema = object('SupplierOrder', {
  uuid: uuid('UUID of the order'),
  order_type: oneOf(['invoice', 'memo'], 'memo: goods on approval, which may come back'),
  ordered_on: timestamp('When it was ordered'),
  confirmation: nullable(
    oneOf(['partial', 'confirmed', 'declined'], 'What was answered for your lines; null: nothing'),
  ),
  fulfillment_status: nullable(
    oneOf(['partial', 'fulfilled'], 'How much of your lines has shipped; null: nothing'),
  ),
  line_items: list(SupplierLineSchema, 'Your lines, and no others'),
  shipping_address: nullable(ShipToSchema),
  fulfillments: list(ShipmentSchema, 'Shipments; empty unless you ship to merchants yourself'),
})

export const SupplierOrderPage = pageOf('SupplierOrderPage', 'orders', SupplierOrderSchema)

export const SupplierOrderQuery = inlineObject({
  q: Type.Optional(
    text('SKU or stock number of a line', 'A-1', {
      minLength: 1,
      maxLength: 200,
      pattern: NOT_BLANK,
    }),
  ),
  unconfirmed: Type.Optional(
    flag('If true, only orders with lines that wait for your answer', true),
  ),
  has_unfulfilled: Type.Optional(flag('If true, only orders with something left to ship', true)),
  ...orderTimes,
  ...sortFields(SUPPLIER_ORDER_SORTS, { col: 'ordered_on', order: 'desc' }),
  limit: listLimit,
  offset: offsetField,
})
