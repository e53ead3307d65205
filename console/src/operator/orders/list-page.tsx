import { useRead } from '../../api/hooks.ts'
import { searchOperatorOrders } from '../../api/operator-orders.ts'
import { plural } from '../../lib/format.ts'
import { go, usePlace, withQuery } from '../../lib/router.ts'
import { OrderSearchBar, OrderTable } from '../../orders/list-page.tsx'
import { Check } from '../../parts/fields.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/notes.tsx'
import { Pager } from '../../parts/pager.tsx'

const LIMIT = 25

/** The orders of all merchants. */
export function OperatorOrdersPage() {
  const { query } = usePlace()
  const offset = Number(query.get('offset') ?? 0) || 0
  const one = (name: string) => (query.get(name) ? [query.get(name) ?? ''] : undefined)
  const search = {
    q: query.get('q') || undefined,
    limit: LIMIT,
    offset,
    order_type: one('type'),
    payment_status: one('payment'),
    fulfillment_status: one('shipping'),
    overdue: query.get('overdue') === 'yes' ? true : undefined,
  }
  const reading = useRead(JSON.stringify(search), (signal) => searchOperatorOrders(search, signal))
  const total = reading.value?.total ?? 0
  return (
    <>
      <div class="page-head">
        <h1>Orders</h1>
        {reading.value && <span class="muted">{plural(total, 'order')}</span>}
        <div class="page-tools">
          <Check
            checked={search.overdue === true}
            onChange={(on) => go(withQuery({ overdue: on ? 'yes' : undefined, offset: undefined }))}
          >
            Only memos that should be back
          </Check>
        </div>
      </div>
      <OrderSearchBar />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && <Empty title="No order is like this" />}
      {reading.value && total > 0 && (
        <OrderTable
          orders={reading.value.orders}
          href={(order) => `/operator/orders/${order.uuid}`}
          showMerchant
        />
      )}
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}
