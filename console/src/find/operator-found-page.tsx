import { useRead } from '../api/hooks.ts'
import { searchOperatorOrders } from '../api/operator/orders.ts'
import { listStock } from '../api/stock.ts'
import { t } from '../language/language.ts'
import { plural } from '../lib/format.ts'
import { useLocation } from '../lib/router.ts'
import { STOCK_SORTS, StockTable } from '../operator/stock/list-page.tsx'
import { ORDER_SORTS, OrderTable } from '../orders/table.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { sortParams, useSort } from '../parts/table/sort.tsx'

const LIMIT = 25

/** What the operator's market has under a number: stones in every state, and orders. */
export function OperatorFoundPage() {
  const q = useLocation().params.get('q') ?? ''
  // A column of one table does not sort the other.
  const stockSort = sortParams(useSort(STOCK_SORTS))
  const orderSort = sortParams(useSort(ORDER_SORTS))
  const reading = useRead(JSON.stringify({ q, stockSort, orderSort }), (signal) =>
    Promise.all([
      listStock({ q, ...stockSort, limit: LIMIT, offset: 0 }, signal),
      searchOperatorOrders({ q, ...orderSort, limit: LIMIT, offset: 0 }, signal),
    ]),
  )
  const [stones, orders] = reading.value ?? []
  const isEmpty = stones?.total === 0 && orders?.total === 0
  return (
    <>
      <div class="page-head">
        <h1>{t('Found: {text}', { text: q })}</h1>
      </div>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {isEmpty && (
        <Empty title={t('Nothing found')}>
          <p>
            {t('Stones are found by SKU, stock number and certificate.')}{' '}
            {t('Orders are found by anything in them.')}
          </p>
        </Empty>
      )}
      <div class="stack">
        {stones && stones.total > 0 && (
          <section class="stack">
            <FoundHead
              text={plural(stones.total, 'stone')}
              href={`/operator/stock?q=${encodeURIComponent(q)}`}
            />
            <StockTable gems={stones.gems} />
          </section>
        )}
        {orders && orders.total > 0 && (
          <section class="stack">
            <FoundHead
              text={plural(orders.total, 'order')}
              href={`/operator/orders?q=${encodeURIComponent(q)}`}
            />
            <OrderTable
              orders={orders.orders}
              href={(order) => `/operator/orders/${order.uuid}`}
              showMerchant
            />
          </section>
        )}
      </div>
    </>
  )
}

/** How many there are, and the list that has all of them with its filters and files. */
function FoundHead({ text, href }: { text: string; href: string }) {
  return (
    <div class="row">
      <h2>{text}</h2>
      <a class="button is-small" href={href}>
        {t('Show in the list')}
        <span class="visually-hidden"> – {text}</span>
      </a>
    </div>
  )
}
