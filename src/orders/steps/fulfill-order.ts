import type { Tx } from '../../database/open.ts'
import { recordEvent } from '../../events/events.ts'
import { Refusal } from '../../lib/refusal.ts'
import { newUuid } from '../../lib/uuid.ts'
import { balanceOf, dollarsFrom, dollarText } from '../ledger/ledger-entry.ts'
import { invoiceColumns } from '../ledger/terms.ts'
import type { Order, OrderLine } from '../order.ts'
import { OPERATOR, type OrderActor, refuseUnless, unitsFor, waitingState } from '../order-life.ts'
import { insertLines, lockOrder } from '../order-store.ts'
import { chooseUnits, saveChange, type Units, type UnitsRequest, unitsOf } from './order-change.ts'

interface FulfillmentRequest {
  /** Undefined: everything that has not shipped yet. */
  line_items?: readonly UnitsRequest[] | undefined
  tracking_company: string
  tracking_number: string
  tracking_url?: string | undefined
}

/** Ships units of an order; the certificate of a stone becomes a line of its own. */
export async function fulfillOrder(
  tx: Tx,
  uuid: string,
  request: FulfillmentRequest,
  actor: Exclude<OrderActor, { role: 'merchant' }> = OPERATOR,
): Promise<Order> {
  if (actor.role === 'supplier' && !actor.ships) {
    throw new Refusal('forbidden', 'The operator ships the orders of this supplier.')
  }
  const { order, now } = await lockOrder(tx, uuid, actor)
  refuseUnless(order, 'fulfill', 'Nothing of the order is left to ship', actor)
  refuseUnpaid(order, actor)
  const leftOf = unitsFor('fulfill', order, actor)
  const units = chooseUnits(order, request.line_items, leftOf, 'ship', actor)
  await recordConfirmation(tx, order, units, actor.role)
  const certificates = certificatesOf(order, units, now)
  if (certificates.length > 0) await insertLines(tx, certificates)
  const shipped = [...units, ...certificates.map((line) => ({ line, quantity: 1 }))]
  await insertFulfillment(tx, order, request, shipped, now)
  const lines = units.map(({ line, quantity }) => ({
    ...line,
    fulfilled_quantity: line.fulfilled_quantity + quantity,
    open_quantity: line.open_quantity - quantity,
    ...confirmationOf(line, actor.role, now),
  }))
  return saveChange(
    tx,
    order,
    {
      step: 'fulfill',
      by: actor.role,
      lines,
      columns: invoiceColumns(order, now),
      shipment: { ...request, units: shipped },
      event_type: 'order.fulfillments.create',
      event_data: {
        tracking_company: request.tracking_company,
        tracking_number: request.tracking_number,
        line_items: unitsOf(shipped),
      },
    },
    now,
  )
}

/** Shipping confirms a line that nobody has confirmed yet. */
function confirmationOf(line: OrderLine, by: 'supplier' | 'operator', now: string) {
  if (waitingState(line) === 'confirmed') return {}
  return { confirmed_on: line.confirmed_on ?? now, confirmed_by: by }
}

/** Shipping is also the answer for lines that waited for one. */
async function recordConfirmation(
  tx: Tx,
  order: Order,
  units: readonly Units[],
  by: 'supplier' | 'operator',
): Promise<void> {
  const unconfirmed = units.filter(({ line }) => line.confirmed_by === null)
  if (unconfirmed.length === 0) return
  const line_items = unconfirmed.map(({ line }) => ({
    uuid: line.uuid,
    quantity: line.open_quantity,
  }))
  await recordEvent(tx, {
    merchant_uuid: order.merchant_uuid,
    order_uuid: order.uuid,
    event_type: 'order.confirm',
    event_data: { order_uuid: order.uuid, by, line_items },
  })
}

/** With terms of 0 days an order is paid before anything of it ships. */
function refuseUnpaid(order: Order, { role }: OrderActor): void {
  const isPrepaid = order.order_type === 'invoice' && order.payment_terms_days === 0
  if (!isPrepaid || order.payment_status === 'paid') return
  if (role === 'supplier') {
    // What the merchant owes is not the supplier's to know.
    const detail = 'The order is prepaid and not paid yet; it can ship once the operator is paid.'
    throw new Refusal('unpaid', detail)
  }
  const balance = balanceOf(order.entries)
  const detail =
    `The order is prepaid, and ${dollarText(balance)} is not paid yet; ` +
    'record the payment, then ship it.'
  throw new Refusal('unpaid', detail, { extra: { balance: dollarsFrom(balance) } })
}

/** One certificate line for each stone that ships for the first time and has a certificate. */
function certificatesOf(order: Order, units: readonly Units[], now: string): OrderLine[] {
  return units
    .filter(({ line }) => line.fulfilled_quantity === 0 && certificateOf(line) !== undefined)
    .map(({ line }, index) => certificateLine(line, order.lines.length + index, now))
}

function certificateOf(line: OrderLine): string | undefined {
  const { cert_num } = line.product
  return line.product_type === 'gem' && typeof cert_num === 'string' ? cert_num : undefined
}

function certificateLine(line: OrderLine, position: number, now: string): OrderLine {
  const { lab, type } = line.product as { lab: string | null; type: string }
  const number = certificateOf(line) ?? ''
  return {
    ...line,
    uuid: newUuid(),
    position,
    name: `Certificate ${number}`,
    description: `${lab ?? 'Laboratory'} certificate of ${line.sku}`,
    sku: '',
    product_id: null,
    product_type: 'cert',
    product: {},
    supplier_cost: null,
    unit_cost: null,
    properties: [
      { name: 'cert_num', value: number },
      { name: 'lab', value: lab ?? '' },
      { name: 'type', value: type },
    ],
    vendor: null,
    quantity: 1,
    price: '0',
    fulfilled_quantity: 1,
    cancelled_quantity: 0,
    returned_quantity: 0,
    open_quantity: 0,
    stock_kind: null,
    stock_id: null,
    taken_quantity: 0,
    taken_from: null,
    confirmed_on: now,
    confirmed_by: 'operator',
    declined_on: null,
    created_on: now,
    updated_on: now,
  }
}

async function insertFulfillment(
  tx: Tx,
  order: Order,
  request: FulfillmentRequest,
  shipped: readonly Units[],
  now: string,
): Promise<void> {
  const fulfillment_uuid = newUuid()
  await tx
    .insertInto('fulfillment')
    .values({
      uuid: fulfillment_uuid,
      order_uuid: order.uuid,
      tracking_company: request.tracking_company,
      tracking_number: request.tracking_number,
      tracking_url: request.tracking_url ?? '',
      created_on: now,
      updated_on: now,
    })
    .execute()
  await tx
    .insertInto('fulfillment_line')
    .values(
      shipped.map(({ line, quantity }) => ({ fulfillment_uuid, line_uuid: line.uuid, quantity })),
    )
    .execute()
}
