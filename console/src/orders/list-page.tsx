import { useState } from 'preact/hooks'
import { useRead } from '../api/hooks.ts'
import { type Order, orderTotal, searchOrders } from '../api/orders.ts'
import { date, isPast, money, plural } from '../lib/format.ts'
import { go, useLocation, withParams } from '../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { SelectField } from '../parts/fields.tsx'
import { Pager } from '../parts/pager.tsx'
import { OrderTags } from './tags.tsx'

const LIMIT = 25

/** The merchant's orders, newest first, found by any word in them. */
export function OrdersPage() {
  const { params } = useLocation()
  const offset = Number(params.get('offset') ?? 0) || 0
  const search = {
    query: params.get('q') || undefined,
    limit: LIMIT,
    offset,
    order_type: listOf(params.get('type')),
    payment_status: listOf(params.get('payment')),
    fulfillment_status: listOf(params.get('shipping')),
  }
  const reading = useRead(JSON.stringify(search), (signal) => searchOrders(search, signal))
  const total = reading.value?.metadata.total_count ?? 0
  return (
    <>
      <div class="page-head">
        <h1>Orders</h1>
        {reading.value && <span class="muted">{plural(total, 'order')}</span>}
      </div>
      <OrderSearchBar />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && (
        <Empty title="No order is like this">
          <a class="button" href="/orders">
            Show all
          </a>
        </Empty>
      )}
      {reading.value && total > 0 && <OrderTable orders={reading.value.orders} href={hrefOf} />}
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}

function listOf(text: string | null): string[] | undefined {
  return text ? [text] : undefined
}

function hrefOf(order: Order): string {
  return `/orders/${encodeURIComponent(order.order_id)}`
}

const CHOICES = [
  [
    'type',
    'Type',
    [
      ['', 'Every type'],
      ['invoice', 'Invoices'],
      ['memo', 'Memos'],
    ],
  ],
  [
    'payment',
    'Payment',
    [
      ['', 'Paid or not'],
      ['paid', 'Paid'],
      ['unpaid', 'Unpaid'],
    ],
  ],
  [
    'shipping',
    'Shipping',
    [
      ['', 'Shipped or not'],
      ['unfulfilled', 'Not shipped'],
      ['partial', 'In part'],
      ['fulfilled', 'Shipped'],
    ],
  ],
] as const

export function OrderSearchBar() {
  const { params } = useLocation()
  const [text, setText] = useState(params.get('q') ?? '')
  const submit = (event: Event) => {
    event.preventDefault()
    go(withParams({ q: text, offset: undefined }))
  }
  return (
    <form class="row panel" onSubmit={submit} style={{ marginBottom: '16px' }}>
      <label class="field" style={{ flex: '1 1 220px' }}>
        <span class="visually-hidden">Search orders</span>
        <input
          class="input"
          type="search"
          placeholder="Number, reference, SKU, certificate, weight …"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {CHOICES.map(([name, label, options]) => (
        <SelectField<string>
          key={name}
          label={label}
          hideLabel
          value={params.get(name) ?? ''}
          options={options}
          onChange={(value) => go(withParams({ [name]: value, offset: undefined }))}
        />
      ))}
      <button type="submit" class="button">
        Search
      </button>
    </form>
  )
}

export function OrderTable<Row extends Order>(props: {
  orders: Row[]
  href: (order: Row) => string
  showMerchant?: boolean
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by key
    <section class="panel wide-scroll" tabIndex={0} aria-label="Orders">
      <table>
        <thead>
          <tr>
            <th scope="col">Order</th>
            {props.showMerchant && <th scope="col">Merchant</th>}
            <th scope="col">Placed</th>
            <th scope="col">Lines</th>
            <th scope="col">State</th>
            <th scope="col">Due back</th>
            <th scope="col" class="number">
              Sum
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
              {props.showMerchant && <td>{order.merchant.legal_dba}</td>}
              <td>{date(order.ordered_on)}</td>
              <td>{order.line_items.filter(({ sku }) => sku !== '').length}</td>
              <td>
                <OrderTags order={order} />
              </td>
              <td>{dueText(order)}</td>
              <td class="number">{money(orderTotal(order), 'USD')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function dueText({ memo_due_date }: Order) {
  if (!memo_due_date) return ''
  if (!isPast(memo_due_date)) return date(memo_due_date)
  return <span class="tag is-bad">{date(memo_due_date)}</span>
}
