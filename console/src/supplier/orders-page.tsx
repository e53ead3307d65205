import { useState } from 'preact/hooks'
import { useRead } from '../api/hooks.ts'
import { listSupplierOrders, type SupplierOrder } from '../api/supplier.ts'
import { dateTime, plural } from '../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Checkbox } from '../parts/fields.tsx'
import { Pager } from '../parts/pager.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { SupplierOrderTags } from './order-tags.tsx'

const LIMIT = 25

/** The orders that have lines of the supplier, newest first. */
export function SupplierOrdersPage() {
  const { params } = useLocation()
  const offset = useOffset()
  const search = {
    q: params.get('q') || undefined,
    unconfirmed: params.get('waiting') === 'yes' ? true : undefined,
    has_unfulfilled: params.get('unshipped') === 'yes' ? true : undefined,
    limit: LIMIT,
    offset,
  }
  const reading = useRead(JSON.stringify(search), (signal) => listSupplierOrders(search, signal))
  const total = reading.value?.total ?? 0
  return (
    <>
      <div class="page-head">
        <h1>Orders</h1>
        {reading.value && <span class="muted">{plural(total, 'order')}</span>}
        <div class="page-tools">
          <FilterBox name="waiting" label="Waiting for your answer" />
          <FilterBox name="unshipped" label="Not shipped" />
        </div>
      </div>
      <NumberSearch label="Search orders by stock number or SKU" />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && (
        <Empty title="No orders found">
          <p class="muted">Orders of your stones appear here as soon as they are placed.</p>
        </Empty>
      )}
      {reading.value && total > 0 && <OrderTable orders={reading.value.orders} />}
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}

function FilterBox({ name, label }: { name: string; label: string }) {
  const { params } = useLocation()
  return (
    <Checkbox
      checked={params.get(name) === 'yes'}
      onChange={(on) => go(withParams({ [name]: on ? 'yes' : undefined, offset: undefined }))}
    >
      {label}
    </Checkbox>
  )
}

/** A text that is kept in the address. */
export function NumberSearch({ label }: { label: string }) {
  const { params } = useLocation()
  const [text, setText] = useState(params.get('q') ?? '')
  const submit = (event: Event) => {
    event.preventDefault()
    go(withParams({ q: text.trim() || undefined, offset: undefined }))
  }
  return (
    <form class="row panel" onSubmit={submit} style={{ marginBottom: '16px' }}>
      <label class="field" style={{ flex: '1 1 220px' }}>
        <span class="visually-hidden">{label}</span>
        <input
          class="input"
          type="search"
          placeholder={label}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button">
        Search
      </button>
    </form>
  )
}

function OrderTable({ orders }: { orders: SupplierOrder[] }) {
  return (
    <ScrollArea label="Orders">
      <table>
        <thead>
          <tr>
            <th scope="col">Ordered</th>
            <th scope="col">Your stones</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.uuid}>
              <td>
                <a href={`/supplier/orders/${order.uuid}`}>{dateTime(order.ordered_on)}</a>
              </td>
              <td>{stonesText(order)}</td>
              <td>
                <SupplierOrderTags order={order} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

const NAMED_MAX = 3

/** The stock numbers of the first lines, and how many more there are. */
function stonesText({ line_items }: SupplierOrder): string {
  const names = line_items.slice(0, NAMED_MAX).map(({ vendor_sku, sku }) => vendor_sku ?? sku)
  const more = line_items.length - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}
