import type { Tx } from '../database/open.ts'
import { type Order, unitsReturnable } from './order.ts'
import { refuseUnless, saveChange } from './order-change.ts'
import { lockOrder } from './order-store.ts'
import { sellStock } from './stock.ts'

/** Turns a memo into an invoice for what was not returned: the same order, no longer due back. */
export async function convertMemo(tx: Tx, uuid: string): Promise<Order> {
  const { order, now } = await lockOrder(tx, uuid)
  const why = order.order_type === 'memo' ? 'Nothing of the memo is out' : 'It is an invoice'
  refuseUnless(order, 'convert', why)
  const kept = order.lines.filter((line) => unitsReturnable(line) > 0)
  const stock = await sellStock(tx, kept)
  return saveChange(
    tx,
    order,
    {
      columns: { order_type: 'invoice', memo_due_date: null },
      event_type: 'order.memo.convert',
      event_data: {},
      stock,
    },
    now,
  )
}
