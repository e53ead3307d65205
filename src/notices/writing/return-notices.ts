/** Who is told what about returns of invoiced goods, and about memos that are due. */
import { textOf } from './facts.ts'
import {
  forMerchant,
  forOperator,
  isoOf,
  type NoticeDraft,
  namedOrder,
  productsOf,
} from './notice.ts'
import { merchantPath, type OrderEvent, operatorPath } from './order-notices.ts'

/** The operator, who decides about the others, hears of the first step. */
export function returnStep(step: OrderEvent): NoticeDraft[] {
  const { event, order, merchantUuid, lines, units } = step
  const kind = 'return_steps'
  const details = {
    event_type: event.event_type,
    order: namedOrder(order),
    quantity: lines.length,
    reason: textOf(event, 'reason'),
    currency_code: 'USD',
    items: productsOf(lines, units),
  }
  const merchant = forMerchant(merchantUuid, { kind, path: merchantPath(order), details })
  if (event.event_type !== 'order.return.request') return [merchant]
  const named = { ...details, merchant: order.merchant }
  return [merchant, forOperator({ kind, path: operatorPath(order), details: named })]
}

/** The operator hears of a memo when it is overdue, the merchant before that, too. */
export function memoDue({ event, order, merchantUuid, lines }: OrderEvent): NoticeDraft[] {
  const kind = 'memo_due'
  const details = {
    event_type: event.event_type,
    order: namedOrder(order),
    due_on: isoOf(textOf(event, 'memo_due_date') ?? event.created_on),
    currency_code: 'USD',
    items: productsOf(lines, undefined),
  }
  const merchant = forMerchant(merchantUuid, { kind, path: merchantPath(order), details })
  if (event.event_type !== 'order.memo.overdue') return [merchant]
  const named = { ...details, merchant: order.merchant }
  return [merchant, forOperator({ kind, path: operatorPath(order), details: named })]
}
