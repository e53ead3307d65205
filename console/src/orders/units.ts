import type { LineItem, Order, OrderEvent } from '../api/orders.ts'

/** What became of the units of a line. */
export interface LineUnits {
  cancelled: number
  returned: number
  /** Those that the merchant has or will get, and that it pays for. */
  kept: number
}

/** The operator is told it line by line; for a merchant it follows from the history. */
export function unitsOf(order: Order, line: LineItem): LineUnits {
  const known = line as LineItem & { cancelled_quantity?: number; returned_quantity?: number }
  const cancelled = known.cancelled_quantity ?? cancelledIn(order, line.uuid)
  const returned = known.returned_quantity ?? returnedIn(order, line.uuid)
  return { cancelled, returned, kept: Math.max(0, line.quantity - cancelled - returned) }
}

function cancelledIn({ cancellations }: Order, uuid: string): number {
  const own = (cancellations ?? []).filter(({ line_item_uuid }) => line_item_uuid === uuid)
  return own.reduce((sum, { quantity }) => sum + quantity, 0)
}

const RETURNS = ['order.memo.return', 'order.return.receive']

function returnedIn({ events }: Order, uuid: string): number {
  const lines = (events ?? [])
    .filter(({ event_type }) => RETURNS.includes(event_type))
    .flatMap(linesIn)
  return lines.reduce((sum, line) => sum + (line.uuid === uuid ? line.quantity : 0), 0)
}

/** The lines that an event names, with the units that it is about. */
export function linesIn({ event_data }: OrderEvent): { uuid: string; quantity: number }[] {
  const { line_items } = event_data as { line_items?: { uuid: string; quantity: number }[] }
  return Array.isArray(line_items) ? line_items : []
}

/** What the kept units cost, in US dollars. */
export function keptTotal(order: Order): number {
  const cents = order.line_items.reduce(
    (sum, line) => sum + Math.round(line.price * unitsOf(order, line).kept * 100),
    0,
  )
  return cents / 100
}

/** Whether goods of the memo are still out, so that its due date counts. */
export function isDue(order: Order): boolean {
  return order.memo_due_date !== null && order.order_status === null
}

/** The lines that were ordered; certificates follow their stones. */
export function goodsOf({ line_items }: Order): LineItem[] {
  return line_items.filter(({ product_type }) => product_type !== 'cert')
}

/**
 * How many units of a line the merchant may still cancel: none once something of the order has
 * shipped, or once somebody has confirmed the line.
 */
export function cancellableUnits(order: Order): (line: LineItem) => number {
  const hasShipped = order.line_items.some(({ fulfilled_quantity }) => fulfilled_quantity > 0)
  const confirmed = new Set(
    (order.events ?? [])
      .filter(({ event_type }) => event_type === 'order.confirm')
      .flatMap((event) => linesIn(event).map(({ uuid }) => uuid)),
  )
  return (line) =>
    hasShipped || order.order_status !== null || confirmed.has(line.uuid)
      ? 0
      : unitsOf(order, line).kept
}
