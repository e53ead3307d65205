import { randomBytes } from 'node:crypto'
import type { NewEvent } from '../events/events.ts'
import { millisecondsOf } from '../lib/timestamps.ts'
import { newUuid } from '../lib/uuid.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { type Buyer, billingPlaceOf } from './buyer.ts'
import type { Order, OrderLine } from './order.ts'
import { wordsOf } from './order-words.ts'
import type { OrderRequest } from './place-order.ts'
import type { Taking } from './product.ts'

/** An order that is ready to be written, with the words it will be found by. */
export interface OrderDraft {
  order: Order
  words: string[]
  vendorWords: string[]
  created: NewEvent
}

/** Writes the order down as it was agreed at this moment. */
export function draftOrder(
  request: OrderRequest,
  buyer: Buyer,
  takings: readonly Taking[],
  memoId: string | null,
): OrderDraft {
  const uuid = newUuid()
  const { merchant, now } = buyer
  const lines = takings.map((taking, position) => draftLine(uuid, taking, position, now))
  const order: Order = {
    uuid,
    merchant_uuid: merchant.uuid,
    order_id: request.order_id ?? newOrderId(),
    order_reference: request.order_reference ?? '',
    order_type: request.order_type,
    order_channel: request.order_channel,
    order_status: null,
    payment_status: null,
    fulfillment_status: null,
    shipping_status: null,
    notes: request.notes ?? '',
    debug: request.debug || merchant.test,
    memo_id: memoId,
    memo_due_date: request.order_type === 'memo' ? dueDateOf(takings, now) : null,
    ordered_on: now,
    updated_on: now,
    total: totalOf(takings),
    open_quantity: takings.reduce((total, { quantity }) => total + quantity, 0),
    merchant: copyMerchant(merchant),
    merchant_legal_dba: merchant.legal_dba,
    billing_address: billingPlaceOf(merchant),
    shipping_address: buyer.shippingAddress,
    margins: buyer.margins,
    lines,
    fulfillments: [],
    cancellations: [],
    events: [],
  }
  return { order, created: createdEvent(order), ...draftWords(order, takings) }
}

function draftLine(
  order_uuid: string,
  { product, quantity, taken_quantity }: Taking,
  position: number,
  now: string,
): OrderLine {
  return {
    uuid: newUuid(),
    order_uuid,
    position,
    name: product.name,
    description: product.description,
    sku: product.sku,
    product_id: product.product_id,
    product_type: product.product_type,
    product: product.fields,
    supplier_cost: product.supplier_cost,
    properties: null,
    vendor: product.vendor,
    quantity,
    price: digitsOf(BigInt(product.unit_price)),
    fulfilled_quantity: 0,
    cancelled_quantity: 0,
    returned_quantity: 0,
    open_quantity: quantity,
    stock_kind: product.kind,
    stock_id: product.stock_id,
    taken_quantity,
    taken_from: product.state,
    created_on: now,
    updated_on: now,
  }
}

/** In BigInt: a long order of dear stones outgrows what a double counts exactly. */
function totalOf(takings: readonly Taking[]): string {
  const sum = takings.reduce(
    (total, { product, quantity }) => total + BigInt(product.unit_price) * BigInt(quantity),
    0n,
  )
  return digitsOf(sum)
}

/** 1/10,000 dollars as digits: 16250 is `1.6250`. */
function digitsOf(scaled: bigint): string {
  const digits = String(scaled).padStart(5, '0')
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`
}

const DAY_MS = 86_400_000

/** The first of its stones that must be back decides for the memo. */
function dueDateOf(takings: readonly Taking[], now: string): string | null {
  const days = takings.flatMap(({ product }) => product.memo_days_to_return ?? [])
  if (days.length === 0) return null
  const due = new Date(millisecondsOf(now) + Math.min(...days) * DAY_MS).toISOString()
  // The microseconds of the order's own moment, which a Date does not keep.
  const fraction = /\.\d+/.exec(now)?.[0] ?? ''
  return `${due.slice(0, 10)} ${due.slice(11, 19)}${fraction}+00`
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ID_LENGTH = 10

/** `ORD-` and fifty random bits: it tells nothing of how many orders there are. */
function newOrderId(): string {
  const digits = [...randomBytes(ID_LENGTH)].map((byte) => CROCKFORD[byte & 31])
  return `ORD-${digits.join('')}`
}

function createdEvent(order: Order): NewEvent {
  return {
    merchant_uuid: order.merchant_uuid,
    order_uuid: order.uuid,
    event_type: 'order.create',
    event_data: {
      order_uuid: order.uuid,
      order_id: order.order_id,
      order_reference: order.order_reference,
      order_type: order.order_type,
      memo_id: order.memo_id,
      line_items: order.lines.map(({ uuid, sku, quantity }) => ({ uuid, sku, quantity })),
    },
  }
}

function draftWords(
  order: Order,
  takings: readonly Taking[],
): Pick<OrderDraft, 'words' | 'vendorWords'> {
  const { first_name, last_name } = order.merchant as { first_name: string; last_name: string }
  const fields = [
    order.order_id,
    order.order_reference,
    order.memo_id ?? '',
    order.merchant_legal_dba,
    first_name,
    last_name,
    ...takings.flatMap(({ product }) => product.words),
  ]
  const codes = takings.flatMap(({ product }) => product.vendor_codes)
  return {
    words: [...new Set(fields.flatMap(wordsOf))],
    vendorWords: [...new Set(codes.flatMap(wordsOf))],
  }
}

/** The merchant as an order shows it, with the countries in two letters. */
function copyMerchant(merchant: Merchant): Record<string, unknown> {
  const { country_code: _c, currency_code: _u, api_enabled: _a, test: _t, ...shown } = merchant
  const { margin_mode, created_on: _o, updated_on: _p, ...fields } = shown
  return { ...fields, provider: 'pavilion', merchant_settings: { margin_mode } }
}
