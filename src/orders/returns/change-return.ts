import type { Tx } from '../../database/open.ts'
import { newUuid } from '../../lib/uuid.ts'
import { type Order, type OrderLine, QUANTITY_MAX } from '../order.ts'
import { lockOrder } from '../order-store.ts'
import {
  chooseUnits,
  saveChange,
  type Units,
  type UnitsRequest,
  unitsOf,
} from '../steps/order-change.ts'
import { restock } from '../stock/stock.ts'
import { type OrderReturn, type ReturnStatus, refuseStep, refuseUnreturnable } from './return.ts'
import { getReturn, insertReturn, readRequestedUnits, saveStatus } from './return-store.ts'

interface ReturnRequest {
  line_items: readonly UnitsRequest[]
  reason: string
}

/**
 * Asks to send invoiced goods back. Every step of a return locks its order, so that two requests
 * cannot be for the same units.
 */
export async function requestReturn(
  tx: Tx,
  orderUuid: string,
  merchantUuid: string,
  { line_items, reason }: ReturnRequest,
): Promise<OrderReturn> {
  const actor = { role: 'merchant', merchant_uuid: merchantUuid } as const
  const { order, now } = await lockOrder(tx, orderUuid, actor)
  const units = chooseUnits(order, line_items, () => QUANTITY_MAX, 'return', actor)
  refuseUnreturnable(order, units, await readRequestedUnits(tx, order.uuid), now)
  const uuid = newUuid()
  const row = { uuid, order_uuid: order.uuid, merchant_uuid: order.merchant_uuid, reason }
  await insertReturn(tx, { ...row, created_on: now }, units)
  const event_data = { return_uuid: uuid, reason, line_items: unitsOf(units) }
  await saveChange(
    tx,
    order,
    { step: 'request_return', by: 'merchant', event_type: 'order.return.request', event_data },
    now,
  )
  return getReturn(tx, uuid)
}

/** Tells the merchant to send the goods. */
export async function approveReturn(tx: Tx, uuid: string): Promise<OrderReturn> {
  const { found, order, units, now } = await lockReturn(tx, uuid, 'approved')
  await saveStatus(tx, found.uuid, 'approved', now)
  const event_data = { return_uuid: found.uuid, line_items: unitsOf(units) }
  await saveChange(
    tx,
    order,
    { step: 'approve_return', event_type: 'order.return.approve', event_data },
    now,
  )
  return getReturn(tx, found.uuid)
}

/** Refuses the goods, also when they have arrived: the merchant keeps them. */
export async function rejectReturn(
  tx: Tx,
  uuid: string,
  { reason = '' }: { reason?: string | undefined },
): Promise<OrderReturn> {
  const { found, order, units, now } = await lockReturn(tx, uuid, 'rejected')
  await saveStatus(tx, found.uuid, 'rejected', now, reason)
  const event_data = { return_uuid: found.uuid, reason, line_items: unitsOf(units) }
  await saveChange(
    tx,
    order,
    { step: 'reject_return', event_type: 'order.return.reject', event_data },
    now,
  )
  return getReturn(tx, found.uuid)
}

/** The goods are back: they go to where a return puts them, and the merchant is credited. */
export async function receiveReturn(tx: Tx, uuid: string): Promise<OrderReturn> {
  const { found, order, units, now } = await lockReturn(tx, uuid, 'received')
  const stock = await restock(tx, units)
  const lines = units.map(({ line, quantity }) => ({
    ...line,
    returned_quantity: line.returned_quantity + quantity,
  }))
  await saveStatus(tx, found.uuid, 'received', now)
  const event_data = {
    return_uuid: found.uuid,
    reason: found.reason,
    line_items: unitsOf(units),
  }
  await saveChange(
    tx,
    order,
    { step: 'receive_return', lines, event_type: 'order.return.receive', event_data, stock },
    now,
  )
  return getReturn(tx, found.uuid)
}

interface LockedReturn {
  found: OrderReturn
  order: Order
  units: Units[]
  now: string
}

/** Locks the order of a return and reads the return after that; refuses a step out of turn. */
async function lockReturn(tx: Tx, uuid: string, to: ReturnStatus): Promise<LockedReturn> {
  const { order_uuid } = await getReturn(tx, uuid)
  const { order, now } = await lockOrder(tx, order_uuid)
  const found = await getReturn(tx, uuid)
  refuseStep(found, to)
  const lineFor = new Map(order.lines.map((line) => [line.uuid, line]))
  const units = found.lines.map(({ line_uuid, quantity }) => {
    return { line: lineFor.get(line_uuid) as OrderLine, quantity }
  })
  return { found, order, units, now }
}
