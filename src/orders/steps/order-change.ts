import { sql } from 'kysely'
import type { Tx } from '../../database/open.ts'
import { logChanges, type StockChange } from '../../events/change-log.ts'
import { type EventType, recordEvent } from '../../events/events.ts'
import { Refusal } from '../../lib/refusal.ts'
import { issueDocuments, type Shipment } from '../documents/issue-document.ts'
import { creditsFor } from '../ledger/credits.ts'
import { type EntryDraft, entriesFrom, paymentStatusOf } from '../ledger/ledger-entry.ts'
import { insertEntries } from '../ledger/ledger-store.ts'
import {
  type LedgerEntry,
  type Order,
  type OrderDocument,
  type OrderLine,
  type OrderRow,
  progressOf,
} from '../order.ts'
import {
  linesOf,
  OPERATOR,
  type OrderActor,
  type OrderStep,
  type Role,
  wrongState,
} from '../order-life.ts'
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

/** Returns the requested units, or all of them; refuses more of a line than `leftOf` returns. */
export function chooseUnits(
  order: Order,
  requested: readonly UnitsRequest[] | undefined,
  leftOf: (line: OrderLine) => number,
  verb: string,
  actor: OrderActor = OPERATOR,
): Units[] {
  const lines = linesOf(order, actor)
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
  if (errors.length > 0) throw wrongState(order, errors[0].message, { errors, actor })
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
  step: OrderStep
  /** The operator unless given. */
  by?: Role
  /** The lines whose counters or confirmation changed, with their new values. */
  lines?: readonly OrderLine[]
  columns?: Partial<
    Pick<OrderRow, 'order_type' | 'memo_due_date' | 'memo_reminder' | 'invoiced_on'>
  >
  /** What the change adds to the ledger; credits of goods come by themselves. */
  entries?: readonly EntryDraft[]
  /** Who made the change, as the ledger says it; the role unless given. */
  made_by?: string
  /** What ships, for the packing slip. */
  shipment?: Shipment
  event_type: EventType
  event_data: Record<string, unknown>
  stock?: readonly StockChange[]
}

/**
 * Saves a change: the lines, the ledger, the documents, the order's progress, the event, and last
 * the change log. An invoice that loses goods is credited their value here, whatever the change is.
 */
export async function saveChange(
  tx: Tx,
  order: Order,
  change: OrderChange,
  now: string,
): Promise<Order> {
  const changed = new Map((change.lines ?? []).map((line) => [line.uuid, line]))
  const lines = order.lines.map((line) => changed.get(line.uuid) ?? line)
  const step = { step: change.step, step_by: change.by ?? 'operator' } as const
  await saveLines(tx, [...changed.values()], step, now)
  const columns = change.columns ?? {}
  const written = await writeEntries(tx, order, change, lines, now)
  const order_type = columns.order_type ?? order.order_type
  const payment_status = paymentStatusOf(order_type, [...order.entries, ...written], lines)
  const progress = progressOf({ order_type, payment_status }, lines)
  const after = { ...order, ...columns, lines, entries: [...order.entries, ...written] }
  const invoice = await issueDocuments(tx, order, after, { ...change, written, now })
  await tx
    .updateTable('orders')
    .set({
      ...columns,
      ...invoicedOn(invoice),
      ...progress,
      ...step,
      payment_status,
      updated_on: now,
    })
    .where('uuid', '=', order.uuid)
    .execute()
  await recordEvent(tx, {
    merchant_uuid: order.merchant_uuid,
    order_uuid: order.uuid,
    event_type: change.event_type,
    event_data: {
      order_uuid: order.uuid,
      ...change.event_data,
      ...(change.step === 'invoice' && { number: invoice?.number }),
    },
    before: auditedFields(order),
    after: {
      ...change.event_data,
      order_uuid: order.uuid,
      ...auditedFields({ ...after, ...progress, payment_status }),
    },
  })
  await logChanges(tx, change.stock ?? [])
  return getOrder(tx, order.uuid)
}

/** What the audit compares, beside the data of the event. */
function auditedFields(order: OrderRow) {
  const { order_type, order_status, payment_status, fulfillment_status, memo_due_date } = order
  return { order_type, order_status, payment_status, fulfillment_status, memo_due_date }
}

/** The terms of an invoice begin when it is issued, which is after the wait for its number. */
function invoicedOn(invoice: OrderDocument | undefined): { invoiced_on?: string } {
  return invoice ? { invoiced_on: invoice.created_on } : {}
}

async function writeEntries(
  tx: Tx,
  order: Order,
  change: OrderChange,
  lines: readonly OrderLine[],
  now: string,
): Promise<LedgerEntry[]> {
  const { reason } = change.event_data
  const credits = creditsFor(order, lines, typeof reason === 'string' ? reason : '')
  const entries = entriesFrom(order, [...(change.entries ?? []), ...credits], {
    by: change.made_by ?? change.by ?? 'operator',
    now,
    first: order.entries.length,
  })
  await insertEntries(tx, entries)
  return entries
}

async function saveLines(
  tx: Tx,
  lines: readonly OrderLine[],
  { step, step_by }: { step: OrderStep; step_by: Role },
  now: string,
): Promise<void> {
  if (lines.length === 0) return
  await sql`
    update order_line as line set
      fulfilled_quantity = changed.fulfilled, cancelled_quantity = changed.cancelled,
      returned_quantity = changed.returned, open_quantity = changed.open,
      confirmed_on = changed.confirmed_on, confirmed_by = changed.confirmed_by,
      declined_on = changed.declined_on,
      step = ${step}, step_by = ${step_by}, updated_on = ${now}::timestamptz
    from unnest(${lines.map(({ uuid }) => uuid)}::uuid[],
      ${lines.map(({ fulfilled_quantity }) => fulfilled_quantity)}::int[],
      ${lines.map(({ cancelled_quantity }) => cancelled_quantity)}::int[],
      ${lines.map(({ returned_quantity }) => returned_quantity)}::int[],
      ${lines.map(({ open_quantity }) => open_quantity)}::int[],
      ${lines.map(({ confirmed_on }) => confirmed_on)}::timestamptz[],
      ${lines.map(({ confirmed_by }) => confirmed_by)}::text[],
      ${lines.map(({ declined_on }) => declined_on)}::timestamptz[])
      as changed (uuid, fulfilled, cancelled, returned, open, confirmed_on, confirmed_by,
        declined_on)
    where line.uuid = changed.uuid`.execute(tx)
}

/** The line items of an event. */
export function unitsOf(units: readonly Units[]): UnitsRequest[] {
  return units.map(({ line, quantity }) => ({ uuid: line.uuid, quantity }))
}
