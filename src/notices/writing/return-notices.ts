/** What is told about returns of invoiced goods, and about memos that are due. */
import { type NoticeEvent, textOf } from './facts.ts'
import { forMerchant, forOperator, itemsOf, type NoticeDraft } from './notice.ts'
import { merchantPath, nameOf, type OrderEvent, operatorPath } from './order-notices.ts'
import { count, day } from './words.ts'

const STEPS = new Map([
  ['order.return.request', { word: 'requested', next: 'We will tell you whether to send them.' }],
  ['order.return.approve', { word: 'approved', next: 'Please send the goods back.' }],
  ['order.return.reject', { word: 'rejected', next: 'The goods stay yours.' }],
  ['order.return.receive', { word: 'received', next: 'Their value was credited to your account.' }],
])

export function returnStep(step: OrderEvent): NoticeDraft[] {
  const { event, order, merchantUuid, lines, units } = step
  const found = STEPS.get(event.event_type)
  if (!found) return []
  const items = itemsOf(lines, units)
  const goods = count(items.length, 'line')
  const reason = textOf(event, 'reason')
  const because = reason && `Reason: ${reason}.`
  const merchant = forMerchant(merchantUuid, {
    kind: 'return_steps',
    subject: `Return for ${nameOf(order)} was ${found.word}`,
    path: merchantPath(order),
    lead: [`The return of ${goods} of ${nameOf(order)} was ${found.word}.`, because, found.next],
    items,
  })
  if (event.event_type !== 'order.return.request') return [merchant]
  const operator = forOperator({
    kind: 'return_steps',
    subject: `${order.merchant} asks for a return of ${nameOf(order)}`,
    path: operatorPath(order),
    lead: [`${order.merchant} wants to return ${goods}.`, because, 'Please approve or reject it.'],
    items,
  })
  return [merchant, operator]
}

/** The operator hears of a memo when it is overdue, the merchant before that, too. */
export function memoDue({ event, order, merchantUuid, lines }: OrderEvent): NoticeDraft[] {
  const memo = nameOf(order)
  const isOverdue = event.event_type === 'order.memo.overdue'
  const on = dueDayOf(event)
  const subject = isOverdue ? `${memo} is overdue` : `${memo} is due on ${on}`
  const items = itemsOf(lines, undefined)
  const merchant = forMerchant(merchantUuid, {
    kind: 'memo_due',
    subject: subject.slice(0, 1).toUpperCase() + subject.slice(1),
    path: merchantPath(order),
    lead: [
      isOverdue ? `${memo} was due back on ${on}.` : `${memo} is due back on ${on}.`,
      'Please return the goods, or ask for an invoice or more time.',
    ],
    items,
  })
  if (!isOverdue) return [merchant]
  const operator = forOperator({
    kind: 'memo_due',
    subject: `${order.merchant}: ${memo} is overdue`,
    path: operatorPath(order),
    lead: [`${memo} of ${order.merchant} was due back on ${on}.`],
    items,
  })
  return [merchant, operator]
}

function dueDayOf(event: NoticeEvent): string {
  return day(textOf(event, 'memo_due_date') ?? event.created_on)
}
