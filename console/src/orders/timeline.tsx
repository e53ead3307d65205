import type { ComponentChildren } from 'preact'
import type { Fulfillment, Order, OrderEvent } from '../api/orders.ts'
import { dateTime } from '../lib/format.ts'
import { isDue } from './units.ts'

const EVENT_LABELS: Record<string, string> = {
  'order.fulfillments.create': 'Shipped',
  'order.pay': 'Paid',
  'order.charge': 'Charges set',
  'order.confirm': 'Confirmed',
  'order.line.decline': 'Declined by the supplier',
  'order.cancel': 'Cancelled',
  'order.memo.return': 'Returned from memo',
  'order.memo.convert': 'Memo converted to an invoice',
  'order.memo.extend': 'Memo extended',
  'order.memo.due_soon': 'Reminder: the memo is due soon',
  'order.memo.overdue': 'The memo is overdue',
  'order.return.request': 'Return requested',
  'order.return.approve': 'Return approved',
  'order.return.reject': 'Return rejected',
  'order.return.receive': 'Returned goods received',
}

const CHANNEL_LABELS: Record<Order['order_channel'], string> = {
  api: 'Through the API',
  console: 'In the console',
  operator: 'By the operator',
}

/** The history of an order, oldest first. */
export function OrderTimeline({ order }: { order: Order }) {
  return (
    <ol class="timeline">
      <Entry title="Placed" at={order.ordered_on}>
        {CHANNEL_LABELS[order.order_channel]}
      </Entry>
      {(order.events ?? []).map((event) => (
        <Entry
          key={event.event_type + event.created_on}
          title={EVENT_LABELS[event.event_type] ?? event.event_type}
          at={event.created_on}
        >
          <EventDetail event={event} order={order} />
        </Entry>
      ))}
      {order.memo_due_date && isDue(order) && <Entry title="Due back" at={order.memo_due_date} />}
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

function EventDetail({ event, order }: { event: OrderEvent; order: Order }) {
  if (event.event_type === 'order.fulfillments.create') {
    const number = textIn(event, 'tracking_number')
    const fulfillment = order.fulfillments.find((each) => each.tracking_number === number)
    return (
      <Tracking
        company={textIn(event, 'tracking_company')}
        number={number}
        fulfillment={fulfillment}
      />
    )
  }
  const reason = textIn(event, 'reason')
  return reason ? <span>{reason}</span> : null
}

function textIn({ event_data }: OrderEvent, name: string): string {
  const value = (event_data as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

function Tracking(props: {
  company: string
  number: string
  fulfillment: Fulfillment | undefined
}) {
  const text = `${props.company} ${props.number}`
  const url = props.fulfillment?.tracking_url
  if (!url) return <span>{text}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {text}
    </a>
  )
}
