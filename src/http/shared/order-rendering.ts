import type { MerchantCopy } from '../../database/tables/orders.ts'
import { roundedAmount } from '../../lib/money.ts'
import { isoOrNull, isoWithOffset, isoWithoutOffset } from '../../lib/timestamps.ts'
import {
  confirmationOf,
  type LineSummary,
  lineConfirmation,
  lineFulfillmentStatus,
  type Order,
  type OrderLine,
  type OrderSummary,
} from '../../orders/order.ts'
import { BASE_CURRENCY } from '../../pricing/exchange-rates.ts'
import { threeLetterCountry, twoLetterCountry } from '../../reference/countries.ts'
import { renderDocuments } from './documents.ts'
import { renderMoney, renderMoneyForOperator } from './order-money.ts'

/** The points in which the renderings of an order differ between the interfaces. */
interface OrderForm {
  country(code: string): string
  orderedOn(timestamp: string): string
  /** Whose price is shown as `cost`, if any. */
  cost: 'none' | 'buyer' | 'supplier'
}

export const PLACED: OrderForm = {
  country: threeLetterCountry,
  orderedOn: isoWithOffset,
  cost: 'none',
}
export const listedFor = (caller: 'buyer' | 'supplier'): OrderForm => ({
  country: twoLetterCountry,
  orderedOn: isoWithoutOffset,
  cost: caller,
})
/** A single order is as in a list, with the timestamps of a placement. */
export const singleFor = (caller: 'buyer' | 'supplier'): OrderForm => ({
  ...listedFor(caller),
  orderedOn: isoWithOffset,
})

/**
 * Renders the whole order, for v2 and for the operator. The fields are listed one by one, here and
 * below: in Node 20, each field that follows a spread in an object literal takes 3 microseconds,
 * which was most of the rendering of a page.
 */
export function renderOrder(order: Order, form: OrderForm) {
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

function renderLine(line: OrderLine, form: OrderForm) {
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
    product_data: { fields: withCost(line, form) },
    properties: line.properties,
    vendor: line.vendor,
    updated_on: isoWithOffset(line.updated_on),
  }
}

/** What tells a buyer where a product comes from, and the list price that its price goes by. */
const SUPPLIER_FIELDS: ReadonlySet<string> = new Set(['supplier_id', 'vendor_sku', 'off_rap_price'])

/**
 * The order as a merchant's dry run shows it. A merchant learns these fields of a product by
 * ordering it; a dry run must not show them for any SKU at no cost.
 */
export function withoutSupplierFields(order: Order): Order {
  const lines = order.lines.map((line) => {
    const shown = Object.entries(line.product).filter(([name]) => !SUPPLIER_FIELDS.has(name))
    return { ...line, product: Object.fromEntries(shown) }
  })
  return { ...order, lines }
}

function withCost(line: OrderLine, form: OrderForm): OrderLine['product'] {
  if (form.cost === 'none' || line.sku === '') return line.product
  return { ...line.product, cost: costOf(line, form) }
}

function costOf(line: OrderLine, { cost }: OrderForm): number {
  if (cost === 'supplier') return Number(line.supplier_cost ?? line.price)
  // The base price of melee is that of a carat, but the buyer pays for stones.
  const { product_type, base_wholesale_price } = line.product
  const isByTheStone = product_type !== 'melee' && base_wholesale_price !== undefined
  return Number(isByTheStone ? base_wholesale_price : line.price)
}

function renderAddress<A extends { country_code: string }>(address: A, form: OrderForm): A {
  return { ...address, country_code: form.country(address.country_code) }
}

function renderMerchant(merchant: MerchantCopy, form: OrderForm): MerchantCopy {
  return {
    ...merchant,
    billing_country_code: form.country(merchant.billing_country_code),
    shipping_country_code: form.country(merchant.shipping_country_code),
  }
}

/** A line of a fulfillment has the quantities of that fulfillment. */
function renderFulfillments<T extends object>(order: Order, render: (line: OrderLine) => T) {
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

function cancellationsOf({ cancellations }: Order) {
  if (cancellations.length === 0) return null
  return cancellations.map(({ line_uuid, quantity, reason, created_on }) => ({
    line_item_uuid: line_uuid,
    quantity,
    reason,
    created_on: isoWithOffset(created_on),
  }))
}

function eventsOf({ events }: Order) {
  if (events.length === 0) return null
  return events.map(({ event_type, event_data, created_on }) => {
    const happenedOn = isoWithOffset(created_on)
    return { event_type, event_data, created_on: happenedOn, updated_on: happenedOn }
  })
}

/** Where the latest shipment is. */
function trackingOf({ fulfillments }: Order) {
  const latest = fulfillments.at(-1)
  if (!latest) return null
  const { tracking_company: company, tracking_number: number, tracking_url: url } = latest
  return { company, number, url }
}

export function renderForOperator(order: Order, publicUrl: string) {
  const { line_items, ...rendered } = renderOrder(order, singleFor('supplier'))
  const money = renderMoneyForOperator(order)
  return {
    line_items: line_items.map((line, at) => withProgress(line, order.lines[at])),
    confirmation: confirmationOf(order.lines),
    debug: order.debug,
    total: roundedAmount(order.total),
    open_quantity: order.open_quantity,
    charges: money.charges,
    balance: money.balance,
    due_on: money.due_on,
    payment_terms_days: money.payment_terms_days,
    invoiced_on: money.invoiced_on,
    payments: money.payments,
    credits: money.credits,
    documents: renderDocuments(order.documents, publicUrl, '/api/operator'),
    ...rendered,
  }
}

function withProgress(rendered: ReturnType<typeof renderLine>, line: OrderLine) {
  const progress = renderProgress(line)
  return {
    open_quantity: progress.open_quantity,
    cancelled_quantity: progress.cancelled_quantity,
    returned_quantity: progress.returned_quantity,
    confirmation: progress.confirmation,
    confirmed_on: progress.confirmed_on,
    confirmed_by: progress.confirmed_by,
    declined_on: progress.declined_on,
    ...rendered,
  }
}

type Progress =
  | 'open_quantity'
  | 'cancelled_quantity'
  | 'returned_quantity'
  | 'confirmed_on'
  | 'confirmed_by'
  | 'declined_on'

/** Where the units of a line are, and what its supplier answered. */
export function renderProgress(line: Pick<OrderLine, Progress>) {
  return {
    open_quantity: line.open_quantity,
    cancelled_quantity: line.cancelled_quantity,
    returned_quantity: line.returned_quantity,
    confirmation: lineConfirmation(line),
    confirmed_on: isoOrNull(line.confirmed_on),
    confirmed_by: line.confirmed_by,
    declined_on: isoOrNull(line.declined_on),
  }
}
