import type { ComponentChildren } from 'preact'
import {
  merchantName,
  type Order,
  type OrderAddress,
  type OrderDocument,
  orderTotal,
} from '../api/orders.ts'
import { dateTime, fromNow, isPast, money } from '../lib/format.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { OrderDocuments } from './documents.tsx'
import { OrderTags } from './table.tsx'
import { OrderTimeline } from './timeline.tsx'

/** One order, for the merchant and for the operator. */
export function OrderView(props: {
  order: Order
  documents: readonly OrderDocument[]
  tools?: ComponentChildren
}) {
  const { order, documents, tools } = props
  return (
    <>
      <div class="page-head">
        <h1>Order {order.order_id}</h1>
        <OrderTags order={order} />
        {tools && <div class="page-tools">{tools}</div>}
        <p class="page-lead">
          Placed {dateTime(order.ordered_on)} by {merchantName(order)}
          {order.order_reference && ` · reference ${order.order_reference}`}
        </p>
      </div>
      {order.memo_due_date && (
        <p class={isPast(order.memo_due_date) ? 'note is-bad' : 'note is-warn'}>
          The memo is due back {fromNow(order.memo_due_date)} ({dateTime(order.memo_due_date)}).
        </p>
      )}
      <Items order={order} />
      <div class="columns" style={{ marginTop: '16px' }}>
        <section class="panel">
          <div class="panel-head">
            <h2>History</h2>
          </div>
          <OrderTimeline order={order} />
        </section>
        <section class="panel stack">
          <div>
            <h2>Documents</h2>
            <OrderDocuments documents={documents} />
          </div>
          <div>
            <h2>Shipping address</h2>
            <Address address={order.shipping_address} />
          </div>
          <div>
            <h2>Billing address</h2>
            <Address address={order.billing_address} />
          </div>
          {order.notes && (
            <div>
              <h2>Notes</h2>
              <p>{order.notes}</p>
            </div>
          )}
        </section>
      </div>
    </>
  )
}

function Items({ order }: { order: Order }) {
  return (
    <ScrollArea label="Order items">
      <table>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Shipped</th>
            <th scope="col" class="number">
              Unit price
            </th>
            <th scope="col" class="number">
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {order.line_items.map((line) => (
            <tr key={line.uuid}>
              <td>
                {line.description || line.name}
                {line.sku && <div class="muted small mono">{line.sku}</div>}
              </td>
              <td>
                {line.fulfilled_quantity} of {line.quantity}
              </td>
              <td class="number">{money(line.price, 'USD')}</td>
              <td class="number">{money(line.price * line.quantity, 'USD')}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              Total
            </th>
            <td class="number">
              <strong>{money(orderTotal(order), 'USD')}</strong>
            </td>
          </tr>
        </tfoot>
      </table>
    </ScrollArea>
  )
}

export function Address({ address }: { address: OrderAddress }) {
  const lines = [
    address.address_1,
    address.address_2,
    [address.postal_code, address.city, address.region].filter(Boolean).join(' '),
    address.country_code,
  ].filter(Boolean)
  if (lines.length === 0) return <p class="muted">Not known</p>
  return (
    <address>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </address>
  )
}
