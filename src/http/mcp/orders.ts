import type { Static } from 'typebox'
import type { OrderSummarySchema, PlacedOrderV3Schema } from '../schemas/orders/order.ts'
import type { QuoteSchema } from '../schemas/orders/quote.ts'

export type PlacedOrder = Static<typeof PlacedOrderV3Schema>
export type OrderSummary = Static<typeof OrderSummarySchema>
type Quote = Static<typeof QuoteSchema>

/** Of an order of hundreds of lines a model reads the first ones, and how many there are. */
const LINES_MAX = 20

/** An order with what matters to a buyer, without addresses and copies of products. */
export function orderOf(order: PlacedOrder): Record<string, unknown> {
  const { total, currency_code, charges, balance, due_on, tracking, documents } = order
  return filled({
    ...stateOf(order),
    total,
    currency_code,
    ...linesOf(order.line_items),
    charges: charges.map(({ kind, label, amount }) => ({ kind, label, amount })),
    balance,
    due_on,
    notes: order.notes,
    confirmation: order.confirmation,
    tracking,
    documents: documents.map(({ kind, number, url }) => ({ kind, number, url })),
    skipped: order.skipped?.map(({ sku, code, substitutes }) => ({
      sku,
      code,
      substitutes: substitutes.map(substituteOf),
    })),
  })
}

/** What an order would be; its UUID, its time and its suppliers' answers do not exist yet. */
export function dryRunOf(order: PlacedOrder): object {
  const { uuid: _, ordered_on: __, confirmation: ___, ...plan } = orderOf(order)
  return { dry_run: true, ...plan }
}

export function summaryOf(order: OrderSummary): object {
  return filled({ ...stateOf(order), ...linesOf(order.line_items) })
}

export function quoteOf(quote: Quote): object {
  const { uuid, status, currency_code, total, line_items, held_until, reason, expires_on } = quote
  return filled({
    uuid,
    status,
    total,
    currency_code,
    line_items: line_items.slice(0, LINES_MAX).map((line) =>
      filled({
        sku: line.sku,
        quantity: line.quantity,
        description: line.description,
        wholesale_price: line.wholesale_price,
        retail_price: line.retail_price,
        offer_price: line.offer_price,
      }),
    ),
    ...moreOf(line_items),
    held_until,
    reason,
    expires_on,
  })
}

/** A stone that could be ordered instead. */
export function substituteOf(stone: Record<string, unknown>): object {
  const { product_type: _, ...fields } = stone
  return filled(fields)
}

function stateOf(order: OrderSummary | PlacedOrder) {
  return {
    uuid: order.uuid,
    external_order_id: order.external_order_id,
    order_reference: order.order_reference,
    order_type: order.order_type,
    ordered_on: order.ordered_on,
    payment_status: order.payment_status,
    fulfillment_status: order.fulfillment_status,
  }
}

function linesOf(lines: OrderSummary['line_items']) {
  return {
    line_items: lines
      .slice(0, LINES_MAX)
      .map(({ sku, quantity, price, description, fulfilled_quantity }) =>
        filled({
          sku,
          quantity,
          price,
          description,
          fulfilled_quantity: fulfilled_quantity || null,
        }),
      ),
    ...moreOf(lines),
  }
}

function moreOf(lines: readonly unknown[]) {
  return lines.length > LINES_MAX ? { more_lines: lines.length - LINES_MAX } : {}
}

/** Leaves out what is null, empty or unknown. */
function filled(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) =>
        value !== null &&
        value !== undefined &&
        value !== '' &&
        !(Array.isArray(value) && value.length === 0),
    ),
  )
}
