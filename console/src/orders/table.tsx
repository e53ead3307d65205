import { merchantName, type Order } from '../api/orders.ts'
import { date, isPast, money } from '../lib/format.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { isDue, keptTotal } from './units.ts'

/** A list of orders, for the merchant and for the operator. */
export function OrderTable<Row extends Order>(props: {
  orders: Row[]
  href: (order: Row) => string
  showMerchant?: boolean
}) {
  return (
    <ScrollArea label="Orders">
      <table>
        <thead>
          <tr>
            <th scope="col">Order</th>
            {props.showMerchant && <th scope="col">Merchant</th>}
            <th scope="col">Placed</th>
            <th scope="col">Items</th>
            <th scope="col">Status</th>
            <th scope="col">Due back</th>
            <th scope="col" class="number">
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {props.orders.map((order) => (
            <tr key={order.uuid}>
              <td>
                <a href={props.href(order)}>{order.order_id}</a>
                {order.order_reference && <div class="muted small">{order.order_reference}</div>}
              </td>
              {props.showMerchant && <td>{merchantName(order)}</td>}
              <td>{date(order.ordered_on)}</td>
              <td>{order.line_items.filter(({ sku }) => sku !== '').length}</td>
              <td>
                <OrderTags order={order} />
              </td>
              <td>{dueText(order)}</td>
              <td class="number">{money(keptTotal(order), 'USD')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function dueText(order: Order) {
  const { memo_due_date } = order
  if (!memo_due_date || !isDue(order)) return ''
  if (!isPast(memo_due_date)) return date(memo_due_date)
  return <span class="tag is-bad">{date(memo_due_date)}</span>
}

/** The type and the status of an order as tags. */
export function OrderTags({ order }: { order: Order }) {
  return (
    <span class="row">
      <span class="tag">
        {order.order_type === 'memo' ? `Memo ${order.memo_id ?? ''}` : 'Invoice'}
      </span>
      {order.order_status && (
        <span class={order.order_status === 'closed' ? 'tag is-good' : 'tag is-warn'}>
          {order.order_status}
        </span>
      )}
      {order.fulfillment_status === 'fulfilled' && <span class="tag is-good">shipped</span>}
      {order.fulfillment_status === 'partial' && (
        <span class="tag is-accent">partially shipped</span>
      )}
      {order.payment_status === 'paid' && <span class="tag is-good">paid</span>}
    </span>
  )
}
