import { PAGE_ROWS_MAX } from '../api/client.ts'
import { useRead } from '../api/hooks.ts'
import { type Order, searchOrders } from '../api/orders.ts'
import { t } from '../language/language.ts'
import { plural } from '../lib/format.ts'
import { useLocation, useOffset } from '../lib/router.ts'
import type { Cell } from '../lib/workbook.ts'
import { ExportButton } from '../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Pager } from '../parts/pager.tsx'
import { SelectedNote, useSelection } from '../parts/table/selection.tsx'
import { sortParams, useSort } from '../parts/table/sort.tsx'
import { TradeHead } from './head.tsx'
import { OrderSearchBar, orderFilters } from './search-bar.tsx'
import { ORDER_SORTS, OrderTable } from './table.tsx'
import { keptTotal } from './units.ts'

const LIMIT = 25

const COLUMNS: readonly (readonly [string, (order: Order) => Cell])[] = [
  [t('Order'), ({ order_id }) => order_id],
  [t('Reference'), ({ order_reference }) => order_reference],
  [t('Placed'), ({ ordered_on }) => ordered_on],
  [t('Type'), ({ order_type }) => order_type],
  [t('Status'), ({ order_status }) => order_status],
  [t('Shipping'), ({ fulfillment_status }) => fulfillment_status],
  [t('Payment'), ({ payment_status }) => payment_status],
  [t('SKUs'), ({ line_items }) => line_items.map(({ sku }) => sku).join(' ')],
  [t('Total in USD'), keptTotal],
  [t('Due back'), ({ memo_due_date }) => memo_due_date],
]

/** The merchant's orders, newest first unless sorted otherwise. */
export function OrdersPage() {
  const { params } = useLocation()
  const offset = useOffset()
  const filters = { query: params.get('q') || undefined, ...orderFilters(params) }
  const search = { ...filters, ...sortParams(useSort(ORDER_SORTS)) }
  const query = { ...search, limit: LIMIT, offset }
  const reading = useRead(JSON.stringify(query), (signal) => searchOrders(query, signal))
  const total = reading.value?.metadata.total_count ?? 0
  const orders = reading.value?.orders ?? []
  const selection = useSelection(JSON.stringify(filters), orders, ({ uuid }) => uuid)
  return (
    <>
      <TradeHead>
        {reading.value && <span class="muted">{plural(total, 'order')}</span>}
        <div class="page-tools">
          <ExportButton
            name={t('orders.csv')}
            columns={COLUMNS}
            read={async (from) => {
              const page = await searchOrders({ ...search, limit: PAGE_ROWS_MAX, offset: from })
              return { rows: page.orders, total: page.metadata.total_count }
            }}
            selected={selection.rows}
          />
        </div>
      </TradeHead>
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
      <SelectedNote selection={selection} />
      {total > 0 && <OrderTable orders={orders} href={hrefOf} selection={selection} />}
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}

function hrefOf(order: Order): string {
  return `/orders/${encodeURIComponent(order.order_id)}`
}
