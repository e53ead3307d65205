/** What the commands that change an order share. */
import type { Tx } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { renderForOperator } from '../../http/shared/order-rendering.ts'
import type { Order } from '../../orders/order.ts'
import { type CommonOptions, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'

export const EXAMPLE_UUID = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'

export function change(options: CommonOptions, verb: (tx: Tx) => Promise<Order>): Promise<void> {
  return onMarket(
    options,
    async ({ database, publicUrl }) =>
      renderForOperator(await inTransaction(database.db, verb), await publicUrl()),
    showOrder,
  )
}

export function showOrder(order: ReturnType<typeof renderForOperator>): string {
  const { order_type, order_id, merchant, total } = order
  const head = `${order_type} ${order_id} of ${merchant.legal_dba}, $${total}`
  const states = [order.order_status, order.payment_status, order.fulfillment_status]
    .filter((state) => state !== null)
    .join(', ')
  const due = order.memo_due_date === null ? '' : `\n${order.memo_id}, due ${order.memo_due_date}`
  const lines = tableOf(
    order.line_items,
    {
      uuid: 'Line',
      name: 'Product',
      quantity: 'Quantity',
      confirmation: 'Answer',
      fulfilled_quantity: 'Shipped',
      cancelled_quantity: 'Cancelled',
      returned_quantity: 'Returned',
      price: 'Price (USD)',
    },
    'No lines.',
  )
  const shipments = order.fulfillments.map(
    ({ tracking_company, tracking_number }) => `\nShipped: ${tracking_company} ${tracking_number}`,
  )
  return `${head}\n${order.uuid}: ${states || 'placed'}${due}\n\n${lines}${shipments.join('')}`
}
