import type { renderForOperator } from '../http/shared/order-rendering.ts'
import { roundedAmount } from '../lib/money.ts'
import { isoOrNull, isoWithOffset } from '../lib/timestamps.ts'
import type { Order } from '../orders/order.ts'
import { tableOf } from './output/table.ts'

/** An order as one row of a list. */
export function summaryOf(order: Order) {
  const { uuid, order_id, order_reference, order_type, order_status, memo_id, debug } = order
  const { payment_status, fulfillment_status, merchant_uuid, merchant_legal_dba } = order
  return {
    uuid,
    order_id,
    order_reference,
    order_type,
    order_status,
    payment_status,
    fulfillment_status,
    merchant_uuid,
    merchant_legal_dba,
    memo_id,
    memo_due_date: isoOrNull(order.memo_due_date),
    ordered_on: isoWithOffset(order.ordered_on),
    total: roundedAmount(order.total),
    debug,
  }
}

/** An order for a person to read. */
export function showOrder(order: ReturnType<typeof renderForOperator>): string {
  const head = `${order.order_type} ${order.order_id} of ${order.merchant.legal_dba}, $${order.total}`
  const states = [order.order_status, order.payment_status, order.fulfillment_status]
    .filter((state) => state !== null)
    .join(', ')
  const due = order.memo_due_date === null ? '' : `\n${order.memo_id}, due ${order.memo_due_date}`
  const lines = tableOf(
    order.line_items,
    ['uuid', 'name', 'quantity', 'fulfilled_quantity', 'price'],
    'No lines.',
  )
  const parcels = order.fulfillments.map(
    ({ tracking_company, tracking_number }) => `\nShipped: ${tracking_company} ${tracking_number}`,
  )
  return `${head}\n${order.uuid}: ${states || 'placed'}${due}\n\n${lines}${parcels.join('')}`
}
