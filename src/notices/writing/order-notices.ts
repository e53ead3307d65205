/** What is told about orders: to the merchant, to the operator, and to the lines' suppliers. */
import { type Facts, type LineFacts, type NoticeEvent, type OrderFacts, textOf } from './facts.ts'
import {
  forMerchant,
  forOperator,
  forSupplier,
  itemsOf,
  type NoticeDraft,
  supplierItemsOf,
} from './notice.ts'
import { count, day, dollars } from './words.ts'

export interface OrderEvent {
  event: NoticeEvent
  order: OrderFacts
  merchantUuid: string
  /** The lines that the event names, and of how many units; all lines when it names none. */
  lines: LineFacts[]
  units: ReadonlyMap<string, number> | undefined
}

export function orderEventOf(event: NoticeEvent, facts: Facts): OrderEvent | undefined {
  const { merchant_uuid: merchantUuid, order_uuid, event_data } = event
  const order = order_uuid === null ? undefined : facts.orders.get(order_uuid)
  if (!order || merchantUuid === null) return undefined
  const { line_items } = event_data
  if (!Array.isArray(line_items)) {
    return { event, order, merchantUuid, lines: order.lines, units: undefined }
  }
  const units = new Map(
    (line_items as { uuid: string; quantity: number }[]).map(({ uuid, quantity }) => [
      uuid,
      quantity,
    ]),
  )
  const lines = order.lines.filter(({ uuid }) => units.has(uuid))
  return { event, order, merchantUuid, lines, units }
}

/** The pages of an order in the console. A merchant's page is named by its own order number. */
export const merchantPath = ({ order_id }: OrderFacts) => `/orders/${encodeURIComponent(order_id)}`
export const operatorPath = ({ uuid }: OrderFacts) => `/operator/orders/${uuid}`
const supplierPath = ({ uuid }: OrderFacts) => `/supplier/orders/${uuid}`

export function nameOf({ order_type, order_id, memo_id }: OrderFacts): string {
  return order_type === 'memo' && memo_id !== null ? `memo ${memo_id}` : `order ${order_id}`
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

const unitsIn = ({ lines, units }: OrderEvent) =>
  lines.reduce((sum, { uuid, quantity }) => sum + (units?.get(uuid) ?? quantity), 0)

export function orderPlaced(placed: OrderEvent): NoticeDraft[] {
  const { order, merchantUuid } = placed
  const items = itemsOf(order.lines, undefined)
  const goods = `${count(unitsIn(placed), 'item')}, ${dollars(order.total)}`
  const due = order.memo_due_date !== null && `It is due back on ${day(order.memo_due_date)}.`
  const waits = order.lines.some(({ confirmed_by }) => confirmed_by !== 'placement')
  return [
    forMerchant(merchantUuid, {
      kind: 'order_placed',
      subject: `${capital(nameOf(order))} was placed`,
      path: merchantPath(placed.order),
      lead: [
        `We received ${nameOf(order)}: ${goods}.`,
        due,
        waits && 'Its suppliers have to confirm it; you will hear from us when they do.',
      ],
      items,
    }),
    forOperator({
      kind: 'order_placed',
      subject: `${order.merchant} placed ${nameOf(order)}`,
      path: operatorPath(placed.order),
      lead: [`${order.merchant} placed ${nameOf(order)}: ${goods}.`, due],
      items,
    }),
    ...bySupplier(order.lines).map(([supplierUuid, lines]) =>
      placedAtSupplier(supplierUuid, lines, placed),
    ),
  ]
}

/** Without the merchant, its number of the order, and any price. */
function placedAtSupplier(
  supplierUuid: string,
  lines: readonly LineFacts[],
  { order }: OrderEvent,
): NoticeDraft {
  const open = lines.filter(({ confirmed_by }) => confirmed_by !== 'placement')
  const [verb, request] =
    open.length > 0
      ? ['to confirm', 'Please confirm or decline them.']
      : ['sold', 'You need not confirm them.']
  return forSupplier(supplierUuid, {
    kind: 'order_placed',
    subject: `New order: ${count(lines.length, 'line')} ${verb}`,
    path: supplierPath(order),
    lead: [`Order ${order.uuid} has ${count(lines.length, 'line')} of yours.`, request],
    items: supplierItemsOf(lines, undefined),
  })
}

/** Each supplier of some lines, with its own. Lines of the operator's own stock have none. */
function bySupplier(lines: readonly LineFacts[]): [string, LineFacts[]][] {
  const found = new Map<string, LineFacts[]>()
  for (const line of lines) {
    if (line.supplier_uuid === null) continue
    found.set(line.supplier_uuid, [...(found.get(line.supplier_uuid) ?? []), line])
  }
  return [...found]
}

export function orderConfirmed(confirmed: OrderEvent): NoticeDraft[] {
  const { order, merchantUuid, lines, units } = confirmed
  const goods = count(unitsIn(confirmed), 'item')
  return [
    forMerchant(merchantUuid, {
      kind: 'order_confirmed',
      subject: `${capital(nameOf(order))}: ${goods} confirmed`,
      path: merchantPath(confirmed.order),
      lead: [`${goods} of ${nameOf(order)} will be delivered as ordered.`],
      items: itemsOf(lines, units),
    }),
  ]
}

export function orderDeclined(declined: OrderEvent): NoticeDraft[] {
  const { event, order, merchantUuid, lines, units } = declined
  const goods = count(unitsIn(declined), 'item')
  const reason = textOf(event, 'reason')
  const because = reason && `Reason: ${reason}.`
  const items = itemsOf(lines, units)
  const suppliers = [...new Set(lines.flatMap(({ supplier }) => supplier ?? []))].join(', ')
  return [
    forMerchant(merchantUuid, {
      kind: 'order_declined',
      subject: `${capital(nameOf(order))}: ${goods} declined`,
      path: merchantPath(declined.order),
      lead: [
        `${goods} of ${nameOf(order)} cannot be delivered and cost you nothing.`,
        because,
        hasSubstitutes(event) && 'The order shows similar stones that are available.',
      ],
      items,
    }),
    forOperator({
      kind: 'order_declined',
      subject: `${order.merchant}, ${nameOf(order)}: ${goods} declined`,
      path: operatorPath(declined.order),
      lead: [
        `${goods} of ${nameOf(order)} by ${order.merchant} cannot be delivered.`,
        suppliers !== '' && `Supplier: ${suppliers}.`,
        because,
      ],
      items,
    }),
  ]
}

function hasSubstitutes({ event_data }: NoticeEvent): boolean {
  const { substitutes } = event_data
  if (!Array.isArray(substitutes)) return false
  return (substitutes as { stones?: unknown[] }[]).some(({ stones }) => (stones?.length ?? 0) > 0)
}

export function orderShipped(shipped: OrderEvent): NoticeDraft[] {
  const { event, order, merchantUuid, lines, units } = shipped
  const goods = count(unitsIn(shipped), 'item')
  const company = textOf(event, 'tracking_company')
  const number = textOf(event, 'tracking_number')
  return [
    forMerchant(merchantUuid, {
      kind: 'order_shipped',
      subject: `${capital(nameOf(order))}: ${goods} shipped`,
      path: merchantPath(shipped.order),
      lead: [
        `${goods} of ${nameOf(order)} ${unitsIn(shipped) === 1 ? 'is' : 'are'} on the way` +
          `${company ? ` with ${company}` : ''}.`,
        number && `Tracking number: ${number}.`,
      ],
      items: itemsOf(lines, units),
    }),
  ]
}

export function orderCancelled(cancelled: OrderEvent): NoticeDraft[] {
  const { event, order, merchantUuid, lines, units } = cancelled
  const goods = count(unitsIn(cancelled), 'item')
  const reason = textOf(event, 'reason')
  const byMerchant = textOf(event, 'by') === 'merchant'
  const text = {
    kind: 'order_cancelled',
    lead: [
      `${goods} of ${nameOf(order)} ${unitsIn(cancelled) === 1 ? 'was' : 'were'} cancelled` +
        `${byMerchant ? ' by the merchant' : ''}.`,
      reason && `Reason: ${reason}.`,
    ],
    items: itemsOf(lines, units),
  } as const
  const notices = [
    forMerchant(merchantUuid, {
      ...text,
      subject: `${capital(nameOf(order))}: ${goods} cancelled`,
      path: merchantPath(cancelled.order),
    }),
    ...bySupplier(lines).map(([supplierUuid, own]) =>
      cancelledAtSupplier(supplierUuid, own, cancelled),
    ),
  ]
  // The operator knows what it has done itself.
  if (!byMerchant) return notices
  const subject = `${order.merchant}, ${nameOf(order)}: ${goods} cancelled`
  return [...notices, forOperator({ ...text, subject, path: operatorPath(cancelled.order) })]
}

/** Without the reason, in which a merchant may have written anything. */
function cancelledAtSupplier(
  supplierUuid: string,
  lines: readonly LineFacts[],
  { order, units }: OrderEvent,
): NoticeDraft {
  return forSupplier(supplierUuid, {
    kind: 'order_cancelled',
    subject: `Order cancelled: ${count(lines.length, 'line')}`,
    path: supplierPath(order),
    lead: [`These units of order ${order.uuid} were cancelled. Please do not ship them.`],
    items: supplierItemsOf(lines, units),
  })
}
