import { useRead } from '../api/hooks.ts'
import { type Order, searchOrders } from '../api/orders.ts'
import { t } from '../language/language.ts'
import { plural } from '../lib/format.ts'
import { useLocation, useOffset } from '../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Pager } from '../parts/pager.tsx'
import { sortParams, useSort } from '../parts/table/sort.tsx'
import { TradeHead } from './head.tsx'
import { OrderSearchBar, orderFilters } from './search-bar.tsx'
import { ORDER_SORTS, OrderTable } from './table.tsx'

const LIMIT = 25

/** The merchant's orders, newest first unless sorted otherwise. */
export function OrdersPage() {
  const { params } = useLocation()
  const offset = useOffset()
  const search = {
    query: params.get('q') || undefined,
    limit: LIMIT,
    offset,
    ...orderFilters(params),
    ...sortParams(useSort(ORDER_SORTS)),
  }
  const reading = useRead(JSON.stringify(search), (signal) => searchOrders(search, signal))
  const total = reading.value?.metadata.total_count ?? 0
  return (
    <>
      <TradeHead>{reading.value && <span class="muted">{plural(total, 'order')}</span>}</TradeHead>
      <OrderSearchBar />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && (
        <Empty title={t('No orders found')}>
          <a class="button" href="/orders">
            {t('Show all orders')}
          </a>
        </Empty>
      )}
      {reading.value && total > 0 && <OrderTable orders={reading.value.orders} href={hrefOf} />}
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}

function hrefOf(order: Order): string {
  return `/orders/${encodeURIComponent(order.order_id)}`
}
