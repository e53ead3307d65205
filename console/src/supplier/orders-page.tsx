import { PAGE_ROWS_MAX } from '../api/client.ts'
import { useRead } from '../api/hooks.ts'
import {
  confirmLines,
  listSupplierOrders,
  type SupplierLine,
  type SupplierOrder,
} from '../api/supplier.ts'
import { t } from '../language/language.ts'
import { dateTime, plural } from '../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../lib/router.ts'
import type { Cell } from '../lib/workbook.ts'
import { ExportButton } from '../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Checkbox } from '../parts/fields.tsx'
import { Pager } from '../parts/pager.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { BulkButton } from '../parts/table/bulk-button.tsx'
import {
  SelectAll,
  SelectedNote,
  type Selection,
  SelectRow,
  useSelection,
} from '../parts/table/selection.tsx'
import { SortHead, sortParams, useSort } from '../parts/table/sort.tsx'
import { TextSearch } from '../parts/table/text-search.tsx'
import { waitsForAnswer } from './decline-dialog.tsx'
import { SupplierOrderTags } from './order-tags.tsx'

const LIMIT = 25

/** What orders can be sorted by, in the names of the interface. */
const SORTS = ['ordered_on', 'line_items'] as const

type Row = SupplierOrder & { line: SupplierLine }
const COLUMNS: readonly (readonly [string, (row: Row) => Cell])[] = [
  [t('Order'), ({ uuid }) => uuid],
  [t('Ordered'), ({ ordered_on }) => ordered_on],
  [t('Type'), ({ order_type }) => order_type],
  [t('Stock number'), ({ line }) => line.vendor_sku],
  [t('SKU'), ({ line }) => line.sku],
  [t('Item'), ({ line }) => line.description],
  [t('Quantity'), ({ line }) => line.quantity],
  [t('Shipped'), ({ line }) => line.fulfilled_quantity],
  [t('Your answer'), ({ line }) => line.confirmation],
  [t('Your price in USD'), ({ line }) => line.price],
]

/** The orders that have lines of the supplier, newest first. */
export function SupplierOrdersPage() {
  const { params } = useLocation()
  const offset = useOffset()
  const filters = {
    q: params.get('q') || undefined,
    unconfirmed: params.get('waiting') === 'yes' ? true : undefined,
    has_unfulfilled: params.get('unshipped') === 'yes' ? true : undefined,
  }
  const search = { ...filters, ...sortParams(useSort(SORTS)) }
  const query = { ...search, limit: LIMIT, offset }
  const reading = useRead(JSON.stringify(query), (signal) => listSupplierOrders(query, signal))
  const { orders = [], total = 0 } = reading.value ?? {}
  const selection = useSelection(JSON.stringify(filters), orders, ({ uuid }) => uuid)
  return (
    <>
      <div class="page-head">
        <h1>{t('Orders')}</h1>
        {reading.value && <span class="muted">{plural(total, 'order')}</span>}
        <div class="page-tools">
          <FilterBox name="waiting" label={t('Waiting for your answer')} />
          <FilterBox name="unshipped" label={t('Not shipped')} />
          <ExportButton
            name={t('orders.csv')}
            columns={COLUMNS}
            read={exportOf(search)}
            selected={rowsOf(selection.rows)}
          />
        </div>
      </div>
      <TextSearch label={t('Search orders by stock number or SKU')} />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && (
        <Empty title={t('No orders found')}>
          <p class="muted">{t('Orders of your stones appear here as soon as they are placed.')}</p>
        </Empty>
      )}
      <SelectedOrders selection={selection} onDone={reading.reload} />
      {total > 0 && <OrderTable orders={orders} selection={selection} />}
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}

/** One row of the file for each line; the list is paged by orders. */
function exportOf(search: object) {
  let begun = 0
  let written = 0
  return async (offset: number) => {
    if (offset === 0) begun = written = 0
    const query = { ...search, limit: PAGE_ROWS_MAX, offset: begun }
    const { orders, total } = await listSupplierOrders(query)
    begun += orders.length
    const rows = rowsOf(orders)
    written += rows.length
    return { rows, total: written + (begun < total ? 1 : 0) }
  }
}

function rowsOf(orders: readonly SupplierOrder[]): Row[] {
  return orders.flatMap((order) => order.line_items.map((line) => ({ ...order, line })))
}

/** Confirms all lines of several orders that wait for an answer. */
function SelectedOrders(props: { selection: Selection<SupplierOrder>; onDone: () => void }) {
  const waiting = props.selection.rows.filter(({ line_items }) => line_items.some(waitsForAnswer))
  return (
    <SelectedNote selection={props.selection}>
      <BulkButton
        {...props}
        scope="orders:write"
        rows={waiting}
        label={t('Confirm {orders}', { orders: plural(waiting.length, 'order') })}
        text={t('You promise to deliver every line of them that waits for your answer.')}
        step={({ uuid }) => confirmLines(uuid, {})}
      />
    </SelectedNote>
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

function OrderTable(props: {
  orders: readonly SupplierOrder[]
  selection: Selection<SupplierOrder>
}) {
  const { orders, selection } = props
  return (
    <ScrollArea label={t('Orders')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={selection} rows={orders} />
            <SortHead by="ordered_on">{t('Ordered')}</SortHead>
            <SortHead by="line_items" first="desc">
              {t('Your stones')}
            </SortHead>
            <th scope="col">{t('Status')}</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.uuid}>
              <SelectRow selection={selection} row={order} name={dateTime(order.ordered_on)} />
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
  const n = line_items.length - names.length
  return n > 0 ? `${names.join(', ')} ${t('and {n} more', { n })}` : names.join(', ')
}
