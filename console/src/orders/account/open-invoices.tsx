import { useRead } from '../../api/hooks.ts'
import { listUnpaid, type OrderWithMoney, readOrderWithMoney } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { date, money } from '../../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Checkbox } from '../../parts/fields.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import {
  SelectAll,
  SelectedNote,
  type Selection,
  SelectRow,
  useSelection,
} from '../../parts/table/selection.tsx'
import { SortHead, sortParams, useSort } from '../../parts/table/sort.tsx'
import { OrderDocuments } from '../documents.tsx'
import { Typed } from '../typed.tsx'
import { DueTag } from './payment-panel.tsx'

/** Lists of orders are summaries: what is left to pay is read order by order. */
const LIMIT = 20

/** What invoices can be sorted by, in the names of the interface. */
const SORTS = ['ordered_on', 'due_on', 'total', 'balance'] as const

const COLUMNS: readonly (readonly [string, (order: OrderWithMoney) => Cell])[] = [
  [t('Order'), ({ external_order_id }) => external_order_id],
  [t('Reference'), ({ order_reference }) => order_reference],
  [t('Placed'), ({ ordered_on }) => ordered_on],
  [t('Due on'), ({ due_on }) => due_on],
  [t('Total in USD'), ({ total }) => total],
  [t('Balance in USD'), ({ balance }) => balance],
]

/** The invoices that are not paid yet, the oldest first, with their papers. */
export function OpenInvoices() {
  const offset = useOffset()
  const isOverdue = useLocation().params.get('overdue') === 'yes'
  const search = { ...sortParams(useSort(SORTS)), ...(isOverdue && { past_due: true }) }
  const reading = useRead(JSON.stringify({ ...search, offset }), (signal) =>
    readUnpaid({ ...search, offset }, signal),
  )
  const { value } = reading
  const owed = value?.rows ?? []
  const selection = useSelection(String(isOverdue), owed, ({ uuid }) => uuid)
  return (
    <div class="stack" style={{ marginTop: '16px' }}>
      <div class="row">
        <h2>{t('To be paid')}</h2>
        <Checkbox
          checked={isOverdue}
          onChange={(on) => go(withParams({ overdue: on ? 'yes' : '', offset: undefined }))}
        >
          {t('Only what is overdue')}
        </Checkbox>
        {owed.length > 0 && (
          <ExportButton
            name={t('invoices.csv')}
            columns={COLUMNS}
            read={(from) => readUnpaid({ ...search, offset: from })}
            selected={selection.rows}
          />
        )}
      </div>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!value && !reading.problem && <Loading />}
      {value && owed.length === 0 && <Empty title={t('There is nothing to pay here')} />}
      <SelectedNote selection={selection} />
      {owed.length > 0 && <InvoiceTable orders={owed} selection={selection} />}
      <Pager total={value?.total ?? 0} limit={LIMIT} offset={offset} />
    </div>
  )
}

type Page = Omit<Parameters<typeof listUnpaid>[0], 'limit'>

async function readUnpaid(page: Page, signal?: AbortSignal) {
  const { orders, total } = await listUnpaid({ ...page, limit: LIMIT }, signal)
  const rows = await Promise.all(orders.map(({ uuid }) => readOrderWithMoney(uuid, signal)))
  return { rows, total }
}

function InvoiceTable(props: {
  orders: readonly OrderWithMoney[]
  selection: Selection<OrderWithMoney>
}) {
  const { orders, selection } = props
  return (
    <ScrollArea label={t('To be paid')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={selection} rows={orders} />
            <th scope="col">{t('Order')}</th>
            <SortHead by="ordered_on">{t('Placed')}</SortHead>
            <SortHead by="due_on">{t('Due')}</SortHead>
            <SortHead by="total" first="desc" class="number">
              {t('Total')}
            </SortHead>
            <SortHead by="balance" first="desc" class="number">
              {t('Balance')}
            </SortHead>
            <th scope="col">{t('Documents')}</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.uuid}>
              <SelectRow selection={selection} row={order} name={order.external_order_id} />
              <td>
                <a href={`/orders/${encodeURIComponent(order.external_order_id)}`}>
                  {order.external_order_id}
                </a>
                {order.order_reference && (
                  <div class="muted small">
                    <Typed text={order.order_reference} />
                  </div>
                )}
              </td>
              <td>{date(order.ordered_on)}</td>
              <td>
                <DueTag due_on={order.due_on} />
              </td>
              <td class="number">{money(order.total, order.currency_code)}</td>
              <td class="number">{money(order.balance, order.currency_code)}</td>
              <td>
                <OrderDocuments
                  documents={order.documents.filter(({ kind }) => kind !== 'packing_slip')}
                  isShort
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
