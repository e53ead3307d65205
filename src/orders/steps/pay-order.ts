import type { Tx } from '../../database/open.ts'
import { balanceOf } from '../ledger/ledger-entry.ts'
import type { Order } from '../order.ts'
import { wrongState } from '../order-life.ts'
import { lockOrder } from '../order-store.ts'
import { saveChange } from './order-change.ts'

/** Records that the order was paid. A memo must become an invoice first. */
export async function payOrder(tx: Tx, uuid: string): Promise<Order> {
  const { order, now } = await lockOrder(tx, uuid)
  const refused = whyNotPayable(order)
  if (refused) throw wrongState(order, refused)
  return saveChange(
    tx,
    order,
    {
      step: 'pay',
      entries: [{ kind: 'payment', cents: -balanceOf(order.entries) }],
      event_type: 'order.pay',
      event_data: {},
    },
    now,
  )
}

function whyNotPayable(order: Order): string | undefined {
  if (order.payment_status === 'paid') return 'The order is paid already'
  if (order.order_status !== null) return `The order is ${order.order_status}`
  if (order.order_type === 'memo')
    return 'A memo must be converted into an invoice before it is paid'
  return undefined
}
