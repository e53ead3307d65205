import { PAGE_ROWS_MAX } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import { readMerchant } from '../../api/operator/merchants.ts'
import {
  type OperatorOrder,
  type OperatorOrderSearch,
  searchOperatorOrders,
} from '../../api/operator/orders.ts'
import { merchantName } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { plural } from '../../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { OrderSearchBar, orderFilters } from '../../orders/search-bar.tsx'
import { ORDER_SORTS, OrderTable } from '../../orders/table.tsx'
import { keptTotal } from '../../orders/units.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Checkbox } from '../../parts/fields.tsx'
import { Pager } from '../../parts/pager.tsx'
import { SelectedNote, useSelection } from '../../parts/table/selection.tsx'
import { sortParams, useSort } from '../../parts/table/sort.tsx'
import { totalProfit } from './profit.ts'

const LIMIT = 25

/** Filters that the operator alone has, by their names in the address. */
const FLAGS = [
  ['unconfirmed', t('Waiting for a supplier')],
  ['unshipped', t('Something left to ship')],
  ['overdue', t('Only overdue memos')],
  ['past_due', t('Only overdue invoices')],
] as const

const COLUMNS: readonly (readonly [string, (order: OperatorOrder) => Cell])[] = [
  [t('Order'), ({ order_id }) => order_id],
  [t('Reference'), ({ order_reference }) => order_reference],
  [t('Merchant'), merchantName],
  [t('Placed'), ({ ordered_on }) => ordered_on],
  [t('Type'), ({ order_type }) => order_type],
  [t('Status'), ({ order_status }) => order_status],
  [t('Shipping'), ({ fulfillment_status }) => fulfillment_status],
  [t('Payment'), ({ payment_status }) => payment_status],
  [t('SKUs'), ({ skus }) => skus.join(' ')],
  [t('Total in USD'), keptTotal],
  [t('Profit in USD'), (order) => totalProfit(order)?.profit],
  [t('Balance in USD'), ({ balance }) => balance],
  [t('Due on'), ({ due_on }) => due_on],
  [t('Due back'), ({ memo_due_date }) => memo_due_date],
]

/** The orders of all merchants. */
export function OperatorOrdersPage() {
  const { params } = useLocation()
  const offset = useOffset()
  const filters = searchIn(params)
  const search = { ...filters, ...sortParams(useSort(ORDER_SORTS)) }
  const reading = useRead(JSON.stringify({ ...search, offset }), (signal) =>
    searchOperatorOrders({ ...search, limit: LIMIT, offset }, signal),
  )
  const total = reading.value?.total ?? 0
  const orders = reading.value?.orders ?? []
  const selection = useSelection(JSON.stringify(filters), orders, ({ uuid }) => uuid)
  return (
    <>
      <div class="page-head">
        <h1>{t('Orders')}</h1>
        {reading.value && <span class="muted">{plural(total, 'order')}</span>}
        <div class="page-tools">
          {FLAGS.map(([name, label]) => (
            <Checkbox
              key={name}
              checked={params.get(name) === 'yes'}
              onChange={(on) =>
                go(withParams({ [name]: on ? 'yes' : undefined, offset: undefined }))
              }
            >
              {label}
            </Checkbox>
          ))}
          <ExportButton
            name="orders.csv"
            columns={COLUMNS}
            read={async (from) => {
              const page = { ...search, limit: PAGE_ROWS_MAX, offset: from }
              const found = await searchOperatorOrders(page)
              return { rows: found.orders, total: found.total }
            }}
            selected={selection.rows}
          />
        </div>
      </div>
      <OrderSearchBar />
      {search.merchant_uuid && <MerchantNote uuid={search.merchant_uuid} />}
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && <Empty title={t('No orders found')} />}
      <SelectedNote selection={selection} />
      {total > 0 && (
        <OrderTable
          orders={orders}
          href={(order) => `/operator/orders/${order.uuid}`}
          showMerchant
          selection={selection}
        />
      )}
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}

function searchIn(params: URLSearchParams): Omit<OperatorOrderSearch, 'limit' | 'offset'> {
  const isOn = (name: (typeof FLAGS)[number][0]) => params.get(name) === 'yes' || undefined
  return {
    q: params.get('q') || undefined,
    merchant_uuid: params.get('merchant') || undefined,
    ...orderFilters(params),
    unconfirmed: isOn('unconfirmed'),
    has_unfulfilled: isOn('unshipped'),
    overdue: isOn('overdue'),
    past_due: isOn('past_due'),
  }
}

/** Whose orders are listed, and the way back to all of them. */
function MerchantNote({ uuid }: { uuid: string }) {
  const name = useRead(uuid, (signal) => readMerchant(uuid, signal)).value?.legal_dba ?? ''
  return (
    <p class="row">
      <span>{t('Only orders of {merchant}', { merchant: name })}</span>
      <a class="button is-small" href={withParams({ merchant: undefined, offset: undefined })}>
        {t('Show all merchants')}
      </a>
    </p>
  )
}
