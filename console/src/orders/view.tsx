import type { ComponentChildren } from 'preact'
import { type Order, type OrderAddress, orderTotal } from '../api/orders.ts'
import { dateTime, fromNow, isPast, money } from '../lib/format.ts'
import { OrderTags } from './tags.tsx'
import { OrderTimeline } from './timeline.tsx'

/** An order as merchant and operator both see it. */
export function OrderView({ order, tools }: { order: Order; tools?: ComponentChildren }) {
  return (
    <>
      <div class="page-head">
        <h1>Order {order.order_id}</h1>
        <OrderTags order={order} />
        {tools && <div class="page-tools">{tools}</div>}
        <p class="page-lead">
          Placed {dateTime(order.ordered_on)} by {order.merchant.legal_dba}
          {order.order_reference && ` · reference ${order.order_reference}`}
        </p>
      </div>
      {order.memo_due_date && (
        <p class={isPast(order.memo_due_date) ? 'note is-bad' : 'note is-warn'}>
          The memo is due back {fromNow(order.memo_due_date)} ({dateTime(order.memo_due_date)}).
        </p>
      )}
      <Lines order={order} />
      <div class="columns" style={{ marginTop: '16px' }}>
        <section class="panel">
          <div class="panel-head">
            <h2>What happened</h2>
          </div>
          <OrderTimeline order={order} />
        </section>
        <section class="panel stack">
          <div>
            <h2>Ships to</h2>
            <Address address={order.shipping_address} />
          </div>
          <div>
            <h2>Billed to</h2>
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

function Lines({ order }: { order: Order }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by key
    <section class="panel wide-scroll" tabIndex={0} aria-label="Lines of the order">
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Shipped</th>
            <th scope="col" class="number">
              Each
            </th>
            <th scope="col" class="number">
              Sum
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
              Sum
            </th>
            <td class="number">
              <strong>{money(orderTotal(order), 'USD')}</strong>
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

function Address({ address }: { address: OrderAddress }) {
  const lines = [
    address.address_1,
    address.address_2,
    [address.postal_code, address.city, address.region].filter(Boolean).join(' '),
    address.country_code,
  ].filter(Boolean)
  if (lines.length === 0) return <p class="muted">not known</p>
  return (
    <address>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </address>
  )
}
