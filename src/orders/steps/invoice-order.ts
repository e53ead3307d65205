import type { Tx } from '../../database/open.ts'
import type { Order } from '../order.ts'
import { refuseUnless } from '../order-life.ts'
import { lockOrder } from '../order-store.ts'
import { saveChange } from './order-change.ts'

/**
 * Issues the invoice before anything ships; without this it is issued with the first shipment. An
 * order that has its invoice keeps it.
 */
export async function invoiceOrder(tx: Tx, uuid: string): Promise<Order> {
  const { order, now } = await lockOrder(tx, uuid)
  if (order.documents.some(({ kind }) => kind === 'invoice')) return order
  const isMemo = order.order_type === 'memo'
  const why = isMemo
    ? 'A memo is invoiced when it is converted'
    : 'Nothing of it is left to invoice'
  // An order from before documents were kept may have been invoiced without one.
  refuseUnless({ ...order, invoiced_on: null }, 'invoice', why)
  const columns = { invoiced_on: order.invoiced_on ?? now }
  return saveChange(
    tx,
    order,
    { step: 'invoice', columns, event_type: 'order.invoice', event_data: {} },
    now,
  )
}
