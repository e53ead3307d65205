import { randomBytes } from 'node:crypto'
import { MERCHANT_COPY_COLUMNS, type MerchantCopy } from '../../database/tables/orders.ts'
import type { NewEvent } from '../../events/events.ts'
import { roundedAmount } from '../../lib/money.ts'
import { daysAfter } from '../../lib/timestamps.ts'
import { newUuid } from '../../lib/uuid.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { invoiceDrafts } from '../ledger/charge-rules.ts'
import { entriesFrom, paymentStatusOf } from '../ledger/ledger-entry.ts'
import type { LedgerEntry, Order, OrderLine } from '../order.ts'
import type { Allocation } from '../product.ts'
import { wordsOf } from '../search-orders.ts'
import { type Buyer, billingAddressOf } from './buyer.ts'
import { type OrderRequest, takesStock } from './plan-order.ts'

/** An order that is ready to be written, with the words that a text search finds it by. */
export interface OrderDraft {
  order: Order
  words: string[]
  created: NewEvent
}

/** Makes the order as it is agreed at this moment; nothing is written to the database. */
export function draftOrder(
  request: OrderRequest,
  buyer: Buyer,
  allocations: readonly Allocation[],
  memoId: string | null,
): OrderDraft {
  const uuid = newUuid()
  const { merchant, now } = buyer
  const lines = allocations.map((allocation, position) =>
    draftLine(
      { uuid, takes: takesStock(request, allocation.product.sku), now },
      allocation,
      position,
    ),
  )
  const entries = draftEntries(uuid, request, buyer, lines)
  const order: Order = {
    uuid,
    merchant_uuid: merchant.uuid,
    order_id: request.order_id ?? newOrderId(),
    order_reference: request.order_reference ?? '',
    order_type: request.order_type,
    order_channel: request.order_channel,
    order_status: null,
    payment_status: paymentStatusOf(request.order_type, entries, lines),
    fulfillment_status: null,
    shipping_status: null,
    notes: request.notes ?? '',
    debug: request.debug || merchant.test,
    memo_id: memoId,
    memo_due_date: request.order_type === 'memo' ? dueDateOf(allocations, now) : null,
    memo_reminder: null,
    ordered_on: now,
    updated_on: now,
    total: totalOf(allocations),
    open_quantity: allocations.reduce((total, { quantity }) => total + quantity, 0),
    payment_terms_days: merchant.payment_terms_days,
    invoiced_on: null,
    merchant: copyMerchant(merchant),
    merchant_legal_dba: merchant.legal_dba,
    billing_address: billingAddressOf(merchant),
    shipping_address: buyer.shippingAddress,
    margins: buyer.margins,
    lines,
    fulfillments: [],
    cancellations: [],
    events: [],
    entries,
    documents: [],
  }
  return {
    order,
    created: createdEvent(order, request.quote_uuid),
    words: draftWords(order, allocations),
  }
}

/** A memo owes nothing before it is converted. */
function draftEntries(
  uuid: string,
  { order_type, order_channel }: OrderRequest,
  { merchant, shippingAddress, chargeRules, now }: Buyer,
  lines: readonly OrderLine[],
): LedgerEntry[] {
  if (order_type === 'memo') return []
  const drafts = invoiceDrafts(lines, chargeRules, shippingAddress.country_code)
  const by = order_channel === 'operator' ? 'operator' : 'merchant'
  return entriesFrom({ uuid, merchant_uuid: merchant.uuid }, drafts, { by, now, first: 0 })
}

/** Nothing is put back when such a line is cancelled or returned. */
const NOT_FROM_STOCK = { stock_kind: null, stock_id: null, taken_quantity: 0, taken_from: null }

function draftLine(
  { uuid: order_uuid, takes, now }: { uuid: string; takes: boolean; now: string },
  { product, quantity, taken_quantity }: Allocation,
  position: number,
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
    unit_cost: product.unit_cost === null ? null : digitsOf(BigInt(product.unit_cost)),
    properties: null,
    vendor: product.vendor,
    quantity,
    price: digitsOf(BigInt(product.unit_price)),
    fulfilled_quantity: 0,
    cancelled_quantity: 0,
    returned_quantity: 0,
    open_quantity: quantity,
    ...(takes
      ? {
          stock_kind: product.kind,
          stock_id: product.stock_id,
          taken_quantity,
          taken_from: product.state,
        }
      : NOT_FROM_STOCK),
    supplier_id: product.supplier_id,
    confirmed_on: product.confirms ? null : now,
    confirmed_by: product.confirms ? null : 'placement',
    declined_on: null,
    created_on: now,
    updated_on: now,
  }
}

/** In BigInt, because the total of a long order can exceed what a double holds exactly. */
function totalOf(allocations: readonly Allocation[]): string {
  const sum = allocations.reduce(
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

/** A memo is due when the first of its stones must be back. */
function dueDateOf(allocations: readonly Allocation[], now: string): string | null {
  const days = allocations.flatMap(({ product }) => product.memo_days_to_return ?? [])
  return days.length === 0 ? null : daysAfter(now, Math.min(...days))
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ID_LENGTH = 10

/** `ORD-` and fifty random bits: the id does not tell how many orders there are. */
function newOrderId(): string {
  const digits = [...randomBytes(ID_LENGTH)].map((byte) => CROCKFORD[byte & 31])
  return `ORD-${digits.join('')}`
}

function createdEvent(order: Order, quote_uuid: string | undefined): NewEvent {
  const event_data = {
    order_uuid: order.uuid,
    order_id: order.order_id,
    order_reference: order.order_reference,
    order_type: order.order_type,
    memo_id: order.memo_id,
    ...(quote_uuid !== undefined && { quote_uuid }),
    line_items: order.lines.map(({ uuid, sku, quantity }) => ({ uuid, sku, quantity })),
  }
  return {
    merchant_uuid: order.merchant_uuid,
    order_uuid: order.uuid,
    event_type: 'order.create',
    event_data,
    after: { ...event_data, total: roundedAmount(order.total) },
  }
}

function draftWords(order: Order, allocations: readonly Allocation[]): string[] {
  const { first_name, last_name } = order.merchant
  const fields = [
    order.order_id,
    order.order_reference,
    order.memo_id ?? '',
    order.merchant_legal_dba,
    first_name,
    last_name,
    ...allocations.flatMap(({ product }) => product.words),
  ]
  return [...new Set([order.uuid, ...fields.flatMap(wordsOf)])]
}

/** The merchant as an order shows it: the listed columns, and never one that was added since. */
function copyMerchant(merchant: Merchant): MerchantCopy {
  const copy = MERCHANT_COPY_COLUMNS.map((column) => [column, merchant[column]])
  return {
    ...(Object.fromEntries(copy) as Pick<Merchant, (typeof MERCHANT_COPY_COLUMNS)[number]>),
    provider: 'pavilion',
    merchant_settings: { margin_mode: merchant.margin_mode },
  }
}
