import { useRead } from '../../api/hooks.ts'
import { searchOperatorOrders } from '../../api/operator-orders.ts'
import { plural } from '../../lib/format.ts'
import { go, useLocation, withParams } from '../../lib/router.ts'
import { OrderSearchBar, OrderTable } from '../../orders/list-page.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Checkbox } from '../../parts/fields.tsx'
import { Pager } from '../../parts/pager.tsx'

const LIMIT = 25

/** The orders of all merchants. */
export function OperatorOrdersPage() {
  const { params } = useLocation()
  const offset = Number(params.get('offset') ?? 0) || 0
  const one = (name: string) => (params.get(name) ? [params.get(name) ?? ''] : undefined)
  const search = {
    q: params.get('q') || undefined,
    limit: LIMIT,
    offset,
    order_type: one('type'),
    payment_status: one('payment'),
    fulfillment_status: one('shipping'),
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
            Only memos that should be back
          </Checkbox>
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
