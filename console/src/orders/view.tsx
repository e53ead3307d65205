import type { ComponentChildren } from 'preact'
import {
  type LineItem,
  merchantName,
  type Order,
  type OrderAddress,
  type OrderDocument,
  orderTotal,
} from '../api/orders.ts'
import { session } from '../api/session-store.ts'
import { count, dateTime, fromNow, isPast, money } from '../lib/format.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { BothCurrencies, RateNote, useOwnRate } from '../stones/own-rate.tsx'
import { OrderDocuments } from './documents.tsx'
import { OrderTags } from './table.tsx'
import { OrderTimeline } from './timeline.tsx'
import { isDue, keptTotal, unitsOf } from './units.ts'

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
      {order.memo_due_date && isDue(order) && (
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
            <ItemRow key={line.uuid} order={order} line={line} />
          ))}
        </tbody>
        <Totals order={order} />
      </table>
    </ScrollArea>
  )
}

/** The page of a product. Prices are in US dollars, as ordered. */
export function productHref({ sku, product_type, product_id }: ProductOfLine): string | undefined {
  if (product_type === 'gem' && sku !== '') return `/stones/${encodeURIComponent(sku)}`
  if (product_type === 'cert' || !product_id) return undefined
  return `/jewelry/${encodeURIComponent(product_id)}`
}

type ProductOfLine = Pick<LineItem, 'sku' | 'product_type' | 'product_id'>

function ItemRow({ order, line }: { order: Order; line: LineItem }) {
  const { cancelled, returned, kept } = unitsOf(order, line)
  const gone = [
    cancelled > 0 ? `${count(cancelled)} cancelled` : [],
    returned > 0 ? `${count(returned)} returned` : [],
  ].flat()
  const href = session.get()?.role === 'merchant' ? productHref(line) : undefined
  const name = line.description || line.name
  return (
    <tr>
      <td>
        {href ? <a href={href}>{name}</a> : name}
        {line.sku && <div class="muted small mono">{line.sku}</div>}
      </td>
      <td>
        {count(line.fulfilled_quantity)} of {count(line.quantity)}
        {gone.length > 0 && <div class="small is-gone">{gone.join(', ')}</div>}
      </td>
      <td class="number">{money(line.price, 'USD', 4)}</td>
      <td class="number">
        {kept < line.quantity && (
          <>
            <s class="muted">{money(line.price * line.quantity, 'USD')}</s>{' '}
          </>
        )}
        {money(line.price * kept, 'USD')}
      </td>
    </tr>
  )
}

function Totals({ order }: { order: Order }) {
  const [ordered, kept] = [orderTotal(order), keptTotal(order)]
  const rate = useOwnRate()
  const rows: [string, number][] = [
    ['Ordered', ordered],
    ['Cancelled or returned', kept - ordered],
  ]
  return (
    <tfoot>
      {ordered !== kept &&
        rows.map(([label, amount]) => (
          <tr key={label}>
            <th scope="row" colSpan={3}>
              {label}
            </th>
            <td class="number">{money(amount, 'USD')}</td>
          </tr>
        ))}
      <tr>
        <th scope="row" colSpan={3}>
          Total
        </th>
        <td class="number">
          <strong>
            <BothCurrencies amount={kept} rate={rate} />
          </strong>
          <RateNote rate={rate} text="At today’s rate; the order is in US dollars." />
        </td>
      </tr>
    </tfoot>
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
