import { sql } from 'kysely'
import type { Tx } from '../../database/open.ts'
import { logChanges, type StockChange } from '../../events/change-log.ts'
import { type EventType, recordEvent } from '../../events/events.ts'
import { type FieldError, Refusal } from '../../lib/refusal.ts'
import {
  isCertificate,
  type Order,
  type OrderLine,
  type OrderRow,
  progressOf,
  unitsReturnable,
} from '../order.ts'
import { getOrder } from '../order-store.ts'

/** The units of an order that a change is about; all possible ones when no line is named. */
export interface UnitsRequest {
  uuid: string
  quantity: number
}

export interface Units {
  line: OrderLine
  quantity: number
}

type Verb = 'fulfill' | 'pay' | 'cancel' | 'return' | 'convert'

/** What can be done to an order in its present state. */
function allowedVerbs(order: Order): Verb[] {
  const kept = order.lines.some((line) => !isCertificate(line) && unitsReturnable(line) > 0)
  const isMemo = order.order_type === 'memo'
  const verbs: [Verb, boolean][] = [
    ['fulfill', order.open_quantity > 0],
    ['pay', !isMemo && order.payment_status === null && kept],
    ['cancel', order.open_quantity > 0],
    ['return', isMemo && kept],
    ['convert', isMemo && kept],
  ]
  return verbs.flatMap(([verb, allowed]) => (allowed ? [verb] : []))
}

/** Refuses a change, and names the ones that the order's state allows. */
export function wrongState(order: Order, why: string, errors?: FieldError[]): Refusal {
  const allowed = allowedVerbs(order)
  const hint = allowed.length > 0 ? `possible: ${allowed.join(', ')}` : 'nothing is left to do'
  return new Refusal('wrong_state', `${why}; ${hint}.`, {
    ...(errors && { errors }),
    extra: { allowed },
  })
}

export function refuseUnless(order: Order, verb: Verb, why: string): void {
  if (!allowedVerbs(order).includes(verb)) throw wrongState(order, why)
}

/** Returns the requested units, or all of them; refuses more of a line than `leftOf` returns. */
export function chooseUnits(
  order: Order,
  requested: readonly UnitsRequest[] | undefined,
  leftOf: (line: OrderLine) => number,
  verb: string,
): Units[] {
  const lines = order.lines.filter((line) => !isCertificate(line))
  if (requested === undefined) {
    return lines
      .map((line) => ({ line, quantity: leftOf(line) }))
      .filter(({ quantity }) => quantity > 0)
  }
  const known = new Map(lines.map((line) => [line.uuid, line]))
  refuseUnknownLines(requested, known)
  const units = requested.map(({ uuid, quantity }) => {
    return { line: known.get(uuid.toLowerCase()) as OrderLine, quantity }
  })
  const errors = units.flatMap(({ line, quantity }, position) => {
    const left = leftOf(line)
    const message = `${line.sku} has ${left} left to ${verb}, ${quantity} were asked for`
    return quantity > left ? [{ field: `line_items[${position}].quantity`, message }] : []
  })
  if (errors.length > 0) throw wrongState(order, errors[0].message, errors)
  return units
}

function refuseUnknownLines(
  requested: readonly UnitsRequest[],
  known: ReadonlyMap<string, OrderLine>,
): void {
  const seen = new Set<string>()
  const errors = requested.flatMap(({ uuid }, position) => {
    const line = uuid.toLowerCase()
    const message = seen.has(line)
      ? 'is named twice'
      : known.has(line)
        ? undefined
        : 'is not a line of this order'
    seen.add(line)
    return message ? [{ field: `line_items[${position}].uuid`, message }] : []
  })
  if (errors.length === 0) return
  throw new Refusal('invalid_request', `${errors[0].field} ${errors[0].message}.`, { errors })
}

interface OrderChange {
  /** The lines whose counters changed, with their new counters. */
  lines?: readonly OrderLine[]
  columns?: Partial<Pick<OrderRow, 'order_type' | 'payment_status' | 'memo_due_date'>>
  event_type: EventType
  event_data: Record<string, unknown>
  stock?: readonly StockChange[]
}

/** Saves a change: the lines, the order's progress, the event, and last the change log. */
export async function saveChange(
  tx: Tx,
  order: Order,
  change: OrderChange,
  now: string,
): Promise<Order> {
  const changed = new Map((change.lines ?? []).map((line) => [line.uuid, line]))
  const lines = order.lines.map((line) => changed.get(line.uuid) ?? line)
  await saveCounters(tx, [...changed.values()], now)
  const columns = change.columns ?? {}
  const progress = progressOf({ ...order, ...columns }, lines)
  await tx
    .updateTable('orders')
    .set({ ...columns, ...progress, updated_on: now })
    .where('uuid', '=', order.uuid)
    .execute()
  await recordEvent(tx, {
    merchant_uuid: order.merchant_uuid,
    order_uuid: order.uuid,
    event_type: change.event_type,
    event_data: { order_uuid: order.uuid, ...change.event_data },
  })
  await logChanges(tx, change.stock ?? [])
  return getOrder(tx, order.uuid)
}

async function saveCounters(tx: Tx, lines: readonly OrderLine[], now: string): Promise<void> {
  if (lines.length === 0) return
  await sql`
    update order_line as line set
      fulfilled_quantity = counted.fulfilled, cancelled_quantity = counted.cancelled,
      returned_quantity = counted.returned, open_quantity = counted.open,
      updated_on = ${now}::timestamptz
    from unnest(${lines.map(({ uuid }) => uuid)}::uuid[],
      ${lines.map(({ fulfilled_quantity }) => fulfilled_quantity)}::int[],
      ${lines.map(({ cancelled_quantity }) => cancelled_quantity)}::int[],
      ${lines.map(({ returned_quantity }) => returned_quantity)}::int[],
      ${lines.map(({ open_quantity }) => open_quantity)}::int[])
      as counted (uuid, fulfilled, cancelled, returned, open)
    where line.uuid = counted.uuid`.execute(tx)
}

/** The line items of an event. */
export function unitsOf(units: readonly Units[]): UnitsRequest[] {
  return units.map(({ line, quantity }) => ({ uuid: line.uuid, quantity }))
}
