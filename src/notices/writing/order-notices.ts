/** Who is told what about orders: the merchant, the operator, and the lines' suppliers. */
import { roundedAmount } from '../../lib/money.ts'
import { type Facts, type LineFacts, type NoticeEvent, type OrderFacts, textOf } from './facts.ts'
import {
  forMerchant,
  forOperator,
  forSupplier,
  isoOf,
  type NoticeDraft,
  namedOrder,
  productsOf,
  suppliedProducts,
  supplierOrder,
} from './notice.ts'

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

const unitsIn = ({ lines, units }: OrderEvent) =>
  lines.reduce((sum, { uuid, quantity }) => sum + (units?.get(uuid) ?? quantity), 0)

/** What every step of an order is told with. */
function detailsOf(step: OrderEvent) {
  const { event, order, lines, units } = step
  return {
    event_type: event.event_type,
    order: namedOrder(order),
    quantity: unitsIn(step),
    reason: textOf(event, 'reason'),
    currency_code: 'USD',
    items: productsOf(lines, units),
  }
}

const isOpen = ({ confirmed_by }: LineFacts) => confirmed_by !== 'placement'

export function orderPlaced(placed: OrderEvent): NoticeDraft[] {
  const { order, merchantUuid } = placed
  const details = {
    ...detailsOf({ ...placed, lines: order.lines, units: undefined }),
    quantity: unitsIn(placed),
    amount: roundedAmount(order.total),
    ...(order.memo_due_date !== null && { due_on: isoOf(order.memo_due_date) }),
  }
  return [
    forMerchant(merchantUuid, {
      kind: 'order_placed',
      path: merchantPath(order),
      details: { ...details, awaits_confirmation: order.lines.some(isOpen) },
    }),
    forOperator({
      kind: 'order_placed',
      path: operatorPath(order),
      details: { ...details, merchant: order.merchant },
    }),
    ...bySupplier(order.lines).map(([supplierUuid, lines]) =>
      // Without the merchant, its number of the order, and any price.
      forSupplier(supplierUuid, {
        kind: 'order_placed',
        path: supplierPath(order),
        details: {
          event_type: placed.event.event_type,
          order: supplierOrder(order),
          quantity: lines.length,
          awaits_confirmation: lines.some(isOpen),
          items: suppliedProducts(lines, undefined),
        },
      }),
    ),
  ]
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
  const { order, merchantUuid } = confirmed
  const details = detailsOf(confirmed)
  return [
    forMerchant(merchantUuid, { kind: 'order_confirmed', path: merchantPath(order), details }),
  ]
}

export function orderDeclined(declined: OrderEvent): NoticeDraft[] {
  const { event, order, merchantUuid, lines } = declined
  const details = detailsOf(declined)
  const suppliers = [...new Set(lines.flatMap(({ supplier }) => supplier ?? []))]
  return [
    forMerchant(merchantUuid, {
      kind: 'order_declined',
      path: merchantPath(order),
      details: { ...details, has_substitutes: hasSubstitutes(event) },
    }),
    forOperator({
      kind: 'order_declined',
      path: operatorPath(order),
      details: { ...details, merchant: order.merchant, suppliers },
    }),
  ]
}

function hasSubstitutes({ event_data }: NoticeEvent): boolean {
  const { substitutes } = event_data
  if (!Array.isArray(substitutes)) return false
  return (substitutes as { stones?: unknown[] }[]).some(({ stones }) => (stones?.length ?? 0) > 0)
}

export function orderShipped(shipped: OrderEvent): NoticeDraft[] {
  const { event, order, merchantUuid } = shipped
  const details = {
    ...detailsOf(shipped),
    tracking_company: textOf(event, 'tracking_company'),
    tracking_number: textOf(event, 'tracking_number'),
  }
  return [forMerchant(merchantUuid, { kind: 'order_shipped', path: merchantPath(order), details })]
}

export function orderCancelled(cancelled: OrderEvent): NoticeDraft[] {
  const { event, order, merchantUuid, lines, units } = cancelled
  const kind = 'order_cancelled'
  const by = textOf(event, 'by')
  const details = { ...detailsOf(cancelled), by }
  const notices = [
    forMerchant(merchantUuid, { kind, path: merchantPath(order), details }),
    ...bySupplier(lines).map(([supplierUuid, own]) =>
      // Without the reason, in which a merchant may have written anything.
      forSupplier(supplierUuid, {
        kind,
        path: supplierPath(order),
        details: {
          event_type: event.event_type,
          order: supplierOrder(order),
          quantity: own.length,
          items: suppliedProducts(own, units),
        },
      }),
    ),
  ]
  // The operator knows what it has done itself.
  if (by !== 'merchant') return notices
  const named = { ...details, merchant: order.merchant }
  return [...notices, forOperator({ kind, path: operatorPath(order), details: named })]
}
