import type { ComponentChildren } from 'preact'
import type { Order } from '../api/orders.ts'
import { t } from '../language/language.ts'
import { dateTime } from '../lib/format.ts'
import { EventDetail } from './event-detail.tsx'
import { isDue } from './units.ts'

const EVENT_LABELS: Record<string, string> = {
  'order.fulfillments.create': t('Shipped'),
  'order.pay': t('Paid'),
  'order.charge': t('Charges set'),
  'order.invoice': t('Invoice issued'),
  'order.confirm': t('Confirmed'),
  'order.line.decline': t('Declined by the supplier'),
  'order.cancel': t('Cancelled'),
  'order.memo.return': t('Returned from memo'),
  'order.memo.convert': t('Memo converted to an invoice'),
  'order.memo.extend': t('Memo extended'),
  'order.memo.due_soon': t('Reminder: the memo is due soon'),
  'order.memo.overdue': t('The memo is overdue'),
  'order.return.request': t('Return requested'),
  'order.return.approve': t('Return approved'),
  'order.return.reject': t('Return rejected'),
  'order.return.receive': t('Returned goods received'),
}

const CHANNEL_LABELS: Record<Order['order_channel'], string> = {
  api: t('Through the API'),
  console: t('In the console'),
  operator: t('By the operator'),
}

/** The history of an order, oldest first. */
export function OrderTimeline({ order }: { order: Order }) {
  return (
    <ol class="timeline">
      <Entry title={t('Placed')} at={order.ordered_on}>
        {CHANNEL_LABELS[order.order_channel]}
      </Entry>
      {(order.events ?? []).map((event, index) => (
        <Entry
          key={index}
          title={EVENT_LABELS[event.event_type] ?? event.event_type}
          at={event.created_on}
        >
          <EventDetail event={event} order={order} />
        </Entry>
      ))}
      {order.memo_due_date && isDue(order) && (
        <Entry title={t('Due back')} at={order.memo_due_date} />
      )}
    </ol>
  )
}

function Entry(props: { title: string; at: string; children?: ComponentChildren }) {
  return (
    <li>
      <strong>{props.title}</strong>
      <div class="muted small">{dateTime(props.at)}</div>
      {props.children && <div class="small">{props.children}</div>}
    </li>
  )
}
