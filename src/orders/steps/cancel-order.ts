import type { Tx } from '../../database/open.ts'
import { type FieldError, Refusal } from '../../lib/refusal.ts'
import { newUuid } from '../../lib/uuid.ts'
import type { Order } from '../order.ts'
import {
  hasShipped,
  OPERATOR,
  type OrderActor,
  refuseUnless,
  unitsFor,
  waitingState,
  wrongState,
} from '../order-life.ts'
import { lockOrder } from '../order-store.ts'
import { restock } from '../stock/stock.ts'
import { chooseUnits, saveChange, type Units, type UnitsRequest, unitsOf } from './order-change.ts'

interface CancelRequest {
  /** Undefined: the whole order, which is refused when part of it has shipped. */
  line_items?: readonly UnitsRequest[] | undefined
  reason?: string | undefined
}

/** Cancels units that have not shipped, and puts them back into stock. */
export async function cancelOrder(
  tx: Tx,
  uuid: string,
  request: CancelRequest,
  actor: Exclude<OrderActor, { role: 'supplier' }> = OPERATOR,
): Promise<Order> {
  const { order, now } = await lockOrder(tx, uuid, actor)
  if (actor.role === 'merchant') refuseWhenLate(order, request)
  refuseUnless(order, 'cancel', 'Nothing of the order is left to cancel', actor)
  if (request.line_items === undefined && order.fulfillment_status !== null) {
    throw wrongState(order, 'Part of the order has shipped: name the lines to cancel')
  }
  const leftOf = unitsFor('cancel', order, actor)
  const units = chooseUnits(order, request.line_items, leftOf, 'cancel', actor)
  const reason = request.reason ?? ''
  await insertCancellations(tx, order, units, reason, now)
  const stock = await restock(tx, units)
  const lines = units.map(({ line, quantity }) => ({
    ...line,
    cancelled_quantity: line.cancelled_quantity + quantity,
    open_quantity: line.open_quantity - quantity,
  }))
  const event_data = { reason, by: actor.role, line_items: unitsOf(units) }
  return saveChange(
    tx,
    order,
    { step: 'cancel', by: actor.role, lines, event_type: 'order.cancel', event_data, stock },
    now,
  )
}

/**
 * A merchant cancels until something of the order has shipped, and a line until its supplier has
 * confirmed it.
 */
function refuseWhenLate(order: Order, { line_items }: CancelRequest): void {
  if (hasShipped(order)) {
    const detail = 'Part of the order has shipped; ask the seller to take it back.'
    throw new Refusal('too_late_to_cancel', detail)
  }
  const confirmed = new Map(
    order.lines
      .filter((line) => line.open_quantity > 0 && waitingState(line) === 'confirmed')
      .map((line) => [line.uuid, line]),
  )
  const named = line_items?.map(({ uuid }) => uuid.toLowerCase()) ?? [...confirmed.keys()]
  const errors = named.flatMap((uuid, position): FieldError[] => {
    const line = confirmed.get(uuid)
    const field = line_items === undefined ? 'line_items' : `line_items[${position}].uuid`
    return line ? [{ field, message: `${line.sku} is confirmed` }] : []
  })
  if (errors.length === 0) return
  const others = order.lines.some((line) => line.open_quantity > 0 && !confirmed.has(line.uuid))
  const advice = others ? ' Other lines can still be cancelled: name them in line_items.' : ''
  const detail = `${errors[0].message}; ask the seller to cancel it.${advice}`
  throw new Refusal('too_late_to_cancel', detail, { errors })
}

/** Records units that were cancelled or declined, with the reason. */
export async function insertCancellations(
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
