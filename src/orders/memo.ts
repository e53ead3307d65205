import type { Tx } from '../database/open.ts'
import { type Order, unitsReturnable, unitsWithBuyer } from './order.ts'
import {
  chooseUnits,
  refuseUnless,
  saveChange,
  type UnitsRequest,
  unitsOf,
} from './order-change.ts'
import { lockOrder } from './order-store.ts'
import { giveBackStock } from './stock.ts'

export interface ReturnRequest {
  /** Undefined: all that is still out. */
  line_items?: readonly UnitsRequest[] | undefined
}

/** Takes units of a memo back into stock, what has shipped first. */
export async function returnMemo(tx: Tx, uuid: string, request: ReturnRequest): Promise<Order> {
  const { order, now } = await lockOrder(tx, uuid)
  refuseUnless(order, 'return', whyNotReturnable(order))
  const units = chooseUnits(order, request.line_items, unitsReturnable, 'return')
  const stock = await giveBackStock(tx, units)
  const lines = units.map(({ line, quantity }) => ({
    ...line,
    returned_quantity: line.returned_quantity + quantity,
    open_quantity: line.open_quantity - Math.max(0, quantity - unitsWithBuyer(line)),
  }))
  const event_data = { line_items: unitsOf(units) }
  return saveChange(tx, order, { lines, event_type: 'order.memo.return', event_data, stock }, now)
}

function whyNotReturnable(order: Order): string {
  return order.order_type === 'memo' ? 'Nothing of the memo is out' : 'Only a memo is returned'
}
