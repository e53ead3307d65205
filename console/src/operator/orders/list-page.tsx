import { useRead } from '../../api/hooks.ts'
import { searchOperatorOrders } from '../../api/operator-orders.ts'
import { plural } from '../../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../../lib/router.ts'
import { OrderSearchBar, orderFilters } from '../../orders/search-bar.tsx'
import { OrderTable } from '../../orders/table.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Checkbox } from '../../parts/fields.tsx'
import { Pager } from '../../parts/pager.tsx'

const LIMIT = 25

/** The orders of all merchants. */
export function OperatorOrdersPage() {
  const { params } = useLocation()
  const offset = useOffset()
  const search = {
    q: params.get('q') || undefined,
    limit: LIMIT,
    offset,
    ...orderFilters(params),
    overdue: params.get('overdue') === 'yes' ? true : undefined,
  }
  const reading = useRead(JSON.stringify(search), (signal) => searchOperatorOrders(search, signal))
  const total = reading.value?.total ?? 0
  return (
    <>
      <div class="page-head">
        <h1>Orders</h1>
        {reading.value && <span class="muted">{plural(total, 'order')}</span>}
        <div class="page-tools">
          <Checkbox
            checked={search.overdue === true}
            onChange={(on) =>
              go(withParams({ overdue: on ? 'yes' : undefined, offset: undefined }))
            }
          >
            Only overdue memos
          </Checkbox>
        </div>
      </div>
      <OrderSearchBar />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && <Empty title="No orders found" />}
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
