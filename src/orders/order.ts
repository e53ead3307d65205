import type { Selectable } from 'kysely'
import type { EventTable } from '../database/tables/events.ts'
import type {
  CancellationTable,
  DocumentTable,
  FulfillmentTable,
  LedgerEntryTable,
  OrderLineTable,
  OrderTable,
} from '../database/tables/orders.ts'
import type { JsonObjectText } from '../lib/json-text.ts'

/** An order with everything that belongs to it. */
export type Order = OrderWith<OrderLine>

export interface OrderWith<Line> extends OrderRow {
  lines: Line[]
  fulfillments: Fulfillment[]
  cancellations: Cancellation[]
  /** What happened after placement, oldest first. */
  events: OrderEvent[]
  /** What the order costs and what was paid, oldest first; nothing while it is a memo. */
  entries: LedgerEntry[]
  /** What was issued on paper, oldest first. */
  documents: OrderDocument[]
}

/** The order itself; the words of text search never leave the database. */
export type OrderRow = Omit<Selectable<OrderTable>, 'words' | 'step' | 'step_by'>
export type OrderLine = Omit<Selectable<OrderLineTable>, 'step' | 'step_by'>
/** A line of a page of whole orders: its product is only passed on, and is not parsed. */
export interface PageLine extends Omit<OrderLine, 'product'> {
  /** Without `cost`, which depends on the reader. */
  product: JsonObjectText
  /** What the cost is read from. */
  stone_type: string | null
  base_wholesale_price: string | null
}
export interface Fulfillment extends Selectable<FulfillmentTable> {
  lines: { line_uuid: string; quantity: number }[]
}
export type LedgerEntry = Selectable<LedgerEntryTable>
export type OrderDocument = Pick<
  Selectable<DocumentTable>,
  'order_uuid' | 'kind' | 'number' | 'created_on'
>
type Cancellation = Selectable<CancellationTable>
type OrderEvent = Pick<
  Selectable<EventTable>,
  'order_uuid' | 'event_type' | 'event_data' | 'created_on'
>

// biome-ignore format: a list of columns
export const LINE_SUMMARY = [
  'uuid', 'order_uuid', 'name', 'description', 'position', 'sku', 'product_type', 'quantity',
  'fulfilled_quantity', 'open_quantity', 'price', 'created_on',
] as const satisfies (keyof OrderLine)[]
export type LineSummary = Pick<OrderLine, (typeof LINE_SUMMARY)[number]>

// biome-ignore format: a list of columns
export const ORDER_SUMMARY = [
  'uuid', 'order_id', 'order_type', 'merchant_uuid', 'order_reference', 'payment_status',
  'fulfillment_status', 'ordered_on',
] as const satisfies (keyof OrderRow)[]

/** As much of an order as the v3 lists show. */
export interface OrderSummary extends Pick<OrderRow, (typeof ORDER_SUMMARY)[number]> {
  lines: LineSummary[]
}

/** An order with more lines would hold its locks for too long. */
export const LINES_MAX = 200
export const QUANTITY_MAX = 1_000_000

/** Units that the merchant has: shipped, and not returned. */
export function unitsWithBuyer(line: OrderLine): number {
  const { quantity, open_quantity, cancelled_quantity, returned_quantity } = line
  return quantity - open_quantity - cancelled_quantity - returned_quantity
}

/** Units of a memo that can still come back, shipped or not. */
export function unitsReturnable(line: OrderLine): number {
  return line.quantity - line.cancelled_quantity - line.returned_quantity
}

export function isCertificate(line: Pick<OrderLine, 'product_type'>): boolean {
  return line.product_type === 'cert'
}

/** Null until everything that was not cancelled has shipped. */
export function lineFulfillmentStatus(
  line: Pick<OrderLine, 'open_quantity' | 'fulfilled_quantity'>,
): 'fulfilled' | null {
  return line.open_quantity === 0 && line.fulfilled_quantity > 0 ? 'fulfilled' : null
}

/** The answer of a line's supplier; null while there is none. */
export function lineConfirmation(
  line: Pick<OrderLine, 'confirmed_by' | 'declined_on'>,
): 'confirmed' | 'declined' | null {
  if (line.declined_on !== null) return 'declined'
  return line.confirmed_by === null ? null : 'confirmed'
}

/**
 * The answers of the suppliers: null while there is none, `confirmed` or `declined` when all agree,
 * `partial` otherwise. A line that was cancelled before an answer needs none.
 */
export function confirmationOf(
  lines: readonly Pick<
    OrderLine,
    'product_type' | 'confirmed_by' | 'declined_on' | 'open_quantity'
  >[],
): 'partial' | 'confirmed' | 'declined' | null {
  const answers = lines
    .filter((line) => !isCertificate(line))
    .filter((line) => lineConfirmation(line) !== null || line.open_quantity > 0)
    .map(lineConfirmation)
  const first = answers.at(0) ?? null
  return answers.every((answer) => answer === first) ? first : 'partial'
}

interface Progress {
  order_status: OrderRow['order_status']
  fulfillment_status: OrderRow['fulfillment_status']
  shipping_status: OrderRow['shipping_status']
  open_quantity: number
}

/** How far an order has come, read from its lines and its payment. */
export function progressOf(
  order: Pick<OrderRow, 'order_type' | 'payment_status'>,
  lines: readonly OrderLine[],
): Progress {
  const sum = (count: (line: OrderLine) => number) =>
    lines.filter((line) => !isCertificate(line)).reduce((total, line) => total + count(line), 0)
  const open_quantity = sum((line) => line.open_quantity)
  const shipped = sum((line) => line.fulfilled_quantity)
  const returned = sum((line) => line.returned_quantity)
  const kept = sum(unitsReturnable)
  const isShipped = open_quantity === 0 && shipped > 0
  return {
    open_quantity,
    fulfillment_status: isShipped ? 'fulfilled' : shipped > 0 ? 'partial' : null,
    shipping_status: isShipped ? 'shipped' : shipped > 0 ? 'partially_shipped' : null,
    order_status: statusOf(),
  }

  function statusOf(): OrderRow['order_status'] {
    if (kept === 0) return returned > 0 ? 'returned' : 'cancelled'
    return isShipped && order.order_type === 'invoice' && order.payment_status === 'paid'
      ? 'closed'
      : null
  }
}
