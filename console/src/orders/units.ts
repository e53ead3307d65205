import type { LineItem, Order } from '../api/orders.ts'

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
  const returns = (events ?? []).filter(({ event_type }) => RETURNS.includes(event_type))
  const lines = returns.flatMap(({ event_data }) => {
    const { line_items } = event_data as { line_items?: { uuid: string; quantity: number }[] }
    return line_items ?? []
  })
  return lines.reduce((sum, line) => sum + (line.uuid === uuid ? line.quantity : 0), 0)
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
