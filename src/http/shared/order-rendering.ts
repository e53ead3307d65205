import type { MerchantCopy } from '../../database/tables/orders.ts'
import type { JsonTexts, KeptText } from '../../lib/json-text.ts'
import { roundedAmount } from '../../lib/money.ts'
import { isoOrNull, isoWithOffset, isoWithoutOffset } from '../../lib/timestamps.ts'
import {
  confirmationOf,
  type LineSummary,
  lineFulfillmentStatus,
  type Order,
  type OrderLine,
  type OrderSummary,
  type OrderWith,
  type PageLine,
} from '../../orders/order.ts'
import { BASE_CURRENCY } from '../../pricing/exchange-rates.ts'
import { threeLetterCountry, twoLetterCountry } from '../../reference/countries.ts'
import { renderDocuments } from './documents.ts'
import { renderMoney } from './order-money.ts'
import { type CostReader, keepWithCost, withCost } from './order-products.ts'

/** The points in which the renderings of an order differ between the interfaces. */
export interface OrderForm<Line, Fields> {
  country(code: string): string
  orderedOn(timestamp: string): string
  /** The product as it was ordered, with the price that its reader sees as `cost`, if any. */
  fieldsOf(line: Line): Fields
}
type ObjectForm = OrderForm<OrderLine, OrderLine['product']>

export const PLACED: ObjectForm = {
  country: threeLetterCountry,
  orderedOn: isoWithOffset,
  fieldsOf: ({ product }) => product,
}
/** A single order is as in a list, with the timestamps of a placement. */
export const singleFor = (reader: CostReader): ObjectForm => ({
  country: twoLetterCountry,
  orderedOn: isoWithOffset,
  fieldsOf: (line) => withCost(line, reader),
})

type PageForm = OrderForm<PageLine, KeptText>

export const listedFor = (reader: CostReader, texts: JsonTexts): PageForm => ({
  country: twoLetterCountry,
  orderedOn: isoWithoutOffset,
  fieldsOf: (line) => keepWithCost(line, reader, texts),
})

/**
 * Renders the whole order, for v2 and for the operator. The fields are listed one by one, here and
 * below: in Node 20, each field that follows a spread in an object literal takes 3 microseconds,
 * which was most of the rendering of a page.
 */
export function renderOrder<Line extends BareLine, Fields>(
  order: OrderWith<Line>,
  form: OrderForm<Line, Fields>,
) {
  const lines = order.lines.map((line) => renderLine(line, form))
  return {
    uuid: order.uuid,
    order_type: order.order_type,
    merchant_uuid: order.merchant_uuid,
    order_reference: order.order_reference,
    payment_status: order.payment_status,
    fulfillment_status: order.fulfillment_status,
    order_id: order.order_id,
    order_channel: order.order_channel,
    order_status: order.order_status,
    shipping_status: order.shipping_status,
    ordered_on: form.orderedOn(order.ordered_on),
    merchant: renderMerchant(order.merchant, form),
    provider: 'pavilion',
    notes: order.notes,
    memo_id: order.memo_id,
    memo_due_date: isoOrNull(order.memo_due_date),
    billing_address: renderAddress(order.billing_address, form),
    shipping_address: renderAddress(order.shipping_address, form),
    line_items: lines,
    products: {
      data: lines.filter(({ sku }) => sku !== '').map(({ product_data }) => product_data.fields),
    },
    skus: lines.flatMap(({ sku }) => (sku === '' ? [] : [sku])),
    fulfillments: renderFulfillments(order, (line) => renderLine(line, form)),
    cancellations: cancellationsOf(order),
    events: eventsOf(order),
    tracking: trackingOf(order),
    margins: order.margins,
  }
}

export function renderPlacedV3(order: Order, publicUrl: string) {
  const { charges, balance, due_on } = renderMoney(order)
  return {
    uuid: order.uuid,
    order_type: order.order_type,
    merchant_uuid: order.merchant_uuid,
    order_reference: order.order_reference,
    payment_status: order.payment_status,
    fulfillment_status: order.fulfillment_status,
    external_order_id: order.order_id,
    billing_address: renderAddress(order.billing_address, PLACED),
    fulfillments: renderFulfillments(order, renderLineSummary),
    line_items: order.lines.map(renderLineSummary),
    notes: order.notes,
    ordered_on: isoWithOffset(order.ordered_on),
    currency_code: BASE_CURRENCY,
    total: roundedAmount(order.total),
    charges,
    balance,
    due_on,
    confirmation: confirmationOf(order.lines),
    tracking: trackingOf(order),
    documents: renderDocuments(order.documents, publicUrl, '/api/v3'),
    events: eventsOf(order),
  }
}

export function renderSummary(order: OrderSummary) {
  return {
    uuid: order.uuid,
    order_type: order.order_type,
    merchant_uuid: order.merchant_uuid,
    order_reference: order.order_reference,
    payment_status: order.payment_status,
    fulfillment_status: order.fulfillment_status,
    external_order_id: order.order_id,
    ordered_on: isoWithOffset(order.ordered_on),
    created_on: isoWithOffset(order.ordered_on),
    line_items: order.lines.map(renderLineSummary),
  }
}

function renderLineSummary(line: LineSummary) {
  const { uuid, name, description, position, sku, product_type, quantity } = line
  return {
    uuid,
    name,
    description,
    position,
    sku,
    product_type,
    quantity,
    fulfilled_quantity: line.fulfilled_quantity,
    fulfillment_status: lineFulfillmentStatus(line),
    price: Number(line.price),
    created_on: isoWithOffset(line.created_on),
  }
}

export type BareLine = Omit<OrderLine, 'product'>

function renderLine<Line extends BareLine, Fields>(line: Line, form: OrderForm<Line, Fields>) {
  return {
    uuid: line.uuid,
    name: line.name,
    description: line.description,
    position: line.position,
    sku: line.sku,
    product_type: line.product_type,
    quantity: line.quantity,
    fulfilled_quantity: line.fulfilled_quantity,
    fulfillment_status: lineFulfillmentStatus(line),
    price: Number(line.price),
    created_on: isoWithOffset(line.created_on),
    product_id: line.product_id,
    product_data: { fields: form.fieldsOf(line) },
    properties: line.properties,
    vendor: line.vendor,
    updated_on: isoWithOffset(line.updated_on),
  }
}

type Countries = Pick<ObjectForm, 'country'>

function renderAddress<A extends { country_code: string }>(address: A, form: Countries): A {
  return { ...address, country_code: form.country(address.country_code) }
}

function renderMerchant(merchant: MerchantCopy, form: Countries): MerchantCopy {
  return {
    ...merchant,
    billing_country_code: form.country(merchant.billing_country_code),
    shipping_country_code: form.country(merchant.shipping_country_code),
  }
}

/** A line of a fulfillment has the quantities of that fulfillment. */
function renderFulfillments<Line extends BareLine, T extends object>(
  order: OrderWith<Line>,
  render: (line: Line) => T,
) {
  const lines = new Map(order.lines.map((line) => [line.uuid, line]))
  return order.fulfillments.map(({ lines: held, order_uuid: _, ...fulfillment }) => ({
    ...fulfillment,
    created_on: isoWithOffset(fulfillment.created_on),
    updated_on: isoWithOffset(fulfillment.updated_on),
    line_items: held.flatMap(({ line_uuid, quantity }) => {
      const line = lines.get(line_uuid)
      return line ? [{ ...render(line), quantity, fulfilled_quantity: quantity }] : []
    }),
  }))
}

function cancellationsOf({ cancellations }: Pick<Order, 'cancellations'>) {
  if (cancellations.length === 0) return null
  return cancellations.map(({ line_uuid, quantity, reason, created_on }) => ({
    line_item_uuid: line_uuid,
    quantity,
    reason,
    created_on: isoWithOffset(created_on),
  }))
}

function eventsOf({ events }: Pick<Order, 'events'>) {
  if (events.length === 0) return null
  return events.map(({ event_type, event_data, created_on }) => {
    const happenedOn = isoWithOffset(created_on)
    return { event_type, event_data, created_on: happenedOn, updated_on: happenedOn }
  })
}

/** Where the latest shipment is. */
function trackingOf({ fulfillments }: Pick<Order, 'fulfillments'>) {
  const latest = fulfillments.at(-1)
  if (!latest) return null
  const { tracking_company: company, tracking_number: number, tracking_url: url } = latest
  return { company, number, url }
}
