import type { ComponentChildren } from 'preact'
import {
  type LineItem,
  merchantName,
  type Order,
  type OrderDocument,
  orderTotal,
} from '../api/orders.ts'
import { session } from '../api/session-store.ts'
import { t, withElements } from '../language/language.ts'
import { count, dateTime, fromNow, isPast, money } from '../lib/format.ts'
import { AddressLines } from '../parts/addresses.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { BothCurrencies, RateNote, useOwnRate } from '../stones/own-rate.tsx'
import { type OrderMoney, PaymentPanel } from './account/payment-panel.tsx'
import { OrderDocuments } from './documents.tsx'
import { Goods } from './goods.tsx'
import { productHref } from './links.tsx'
import { OrderTags } from './table.tsx'
import { OrderTimeline } from './timeline.tsx'
import { Typed } from './typed.tsx'
import { isDue, keptTotal, unitsOf } from './units.ts'

/** One order, for the merchant and for the operator. */
export function OrderView(props: {
  order: Order
  documents: readonly OrderDocument[]
  /** What is left to pay; not shown for a memo, of which nothing is. */
  payment?: OrderMoney
  tools?: ComponentChildren
  /** What stands below the items. */
  children?: ComponentChildren
}) {
  const { order, documents, payment, tools, children } = props
  return (
    <>
      <OrderHead order={order} tools={tools} />
      <Items order={order} />
      {children}
      <div class="columns" style={{ marginTop: '16px' }}>
        <section class="panel">
          <div class="panel-head">
            <h2>{t('History')}</h2>
          </div>
          <OrderTimeline order={order} />
        </section>
        <section class="panel stack">
          {payment && order.order_type === 'invoice' && <PaymentPanel order={payment} />}
          <div>
            <h2>{t('Documents')}</h2>
            <OrderDocuments documents={documents} isCancelled={keptTotal(order) === 0} />
          </div>
          <div>
            <h2>{t('Shipping address')}</h2>
            <AddressLines address={order.shipping_address} />
          </div>
          <div>
            <h2>{t('Billing address')}</h2>
            <AddressLines address={order.billing_address} />
          </div>
          {order.notes && (
            <div>
              <h2>{t('Notes')}</h2>
              <p>
                <Typed text={order.notes} />
              </p>
            </div>
          )}
        </section>
      </div>
    </>
  )
}

function OrderHead({ order, tools }: { order: Order; tools: ComponentChildren }) {
  const { order_id: number, ordered_on, order_reference: reference } = order
  const values = { date: dateTime(ordered_on), merchant: merchantName(order) }
  return (
    <>
      <div class="page-head">
        <h1>{t('Order {number}', { number })}</h1>
        <OrderTags order={order} />
        {tools && <div class="page-tools">{tools}</div>}
        <p class="page-lead">
          {t('Placed {date} by {merchant}', values)}
          {reference && ' · '}
          {reference &&
            withElements('reference {reference}', { reference: <Typed text={reference} /> })}
        </p>
      </div>
      <MemoDueNote order={order} />
    </>
  )
}

function Items({ order }: { order: Order }) {
  return (
    <ScrollArea label={t('Order items')} isStacked>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Item')}</th>
            <th scope="col">{t('Shipped')}</th>
            <th scope="col" class="number">
              {t('Unit price')}
            </th>
            <th scope="col" class="number">
              {t('Total')}
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

function ItemRow({ order, line }: { order: Order; line: LineItem }) {
  const { cancelled, returned, kept } = unitsOf(order, line)
  const gone = [
    cancelled > 0 ? t('{count} cancelled', { count: count(cancelled) }) : [],
    returned > 0 ? t('{count} returned', { count: count(returned) }) : [],
  ].flat()
  const href = session.get()?.role === 'merchant' ? productHref(line) : undefined
  const shipped = { count: count(line.fulfilled_quantity), total: count(line.quantity) }
  return (
    <tr>
      <td>
        {href ? (
          <a href={href}>
            <Goods line={line} />
          </a>
        ) : (
          <Goods line={line} />
        )}
        {line.sku && <div class="muted small mono">{line.sku}</div>}
      </td>
      <td>
        {t('{count} of {total}', shipped)}
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

/** Prices are in US dollars, as ordered. */
function Totals({ order }: { order: Order }) {
  const [ordered, kept] = [orderTotal(order), keptTotal(order)]
  const rate = useOwnRate()
  const rows: [string, number][] = [
    [t('Ordered'), ordered],
    [t('Cancelled or returned'), kept - ordered],
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
          {t('Total')}
        </th>
        <td class="number">
          <strong>
            <BothCurrencies amount={kept} rate={rate} />
          </strong>
          <RateNote rate={rate} text={t('At today’s rate; the order is in US dollars.')} />
        </td>
      </tr>
    </tfoot>
  )
}

/** When goods on memo must come back, or had to. */
export function MemoDueNote({ order }: { order: Order }) {
  const { memo_due_date } = order
  if (memo_due_date === null || !isDue(order)) return null
  const values = { when: fromNow(memo_due_date), date: dateTime(memo_due_date) }
  return isPast(memo_due_date) ? (
    <p class="note is-bad">{t('The memo was due back {when} ({date}).', values)}</p>
  ) : (
    <p class="note is-warn">{t('The memo is due back {when} ({date}).', values)}</p>
  )
}
