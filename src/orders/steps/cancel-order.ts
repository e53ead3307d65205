import type { Tx } from '../../database/open.ts'
import { newUuid } from '../../lib/uuid.ts'
import type { Order } from '../order.ts'
import { OPERATOR, refuseUnless, unitsFor, wrongState } from '../order-life.ts'
import { lockOrder } from '../order-store.ts'
import { restock } from '../stock/stock.ts'
import { chooseUnits, saveChange, type Units, type UnitsRequest, unitsOf } from './order-change.ts'

interface CancelRequest {
  /** Undefined: the whole order, which is refused when part of it has shipped. */
  line_items?: readonly UnitsRequest[] | undefined
  reason?: string | undefined
}

/** Cancels units that have not shipped, and puts them back into stock. */
export async function cancelOrder(tx: Tx, uuid: string, request: CancelRequest): Promise<Order> {
  const { order, now } = await lockOrder(tx, uuid)
  refuseUnless(order, 'cancel', 'Nothing of the order is left to cancel')
  if (request.line_items === undefined && order.fulfillment_status !== null) {
    throw wrongState(order, 'Part of the order has shipped: name the lines to cancel')
  }
  const units = chooseUnits(
    order,
    request.line_items,
    unitsFor('cancel', order, OPERATOR),
    'cancel',
  )
  const reason = request.reason ?? ''
  await insertCancellations(tx, order, units, reason, now)
  const stock = await restock(tx, units)
  const lines = units.map(({ line, quantity }) => ({
    ...line,
    cancelled_quantity: line.cancelled_quantity + quantity,
    open_quantity: line.open_quantity - quantity,
  }))
  const event_data = { reason, line_items: unitsOf(units) }
  return saveChange(
    tx,
    order,
    { step: 'cancel', lines, event_type: 'order.cancel', event_data, stock },
    now,
  )
}

async function insertCancellations(
  tx: Tx,
  order: Order,
  units: readonly Units[],
  reason: string,
  created_on: string,
): Promise<void> {
  const rows = units.map(({ line, quantity }) => ({
    uuid: newUuid(),
    order_uuid: order.uuid,
    line_uuid: line.uuid,
    quantity,
    reason,
    created_on,
  }))
  await tx.insertInto('cancellation').values(rows).execute()
}
