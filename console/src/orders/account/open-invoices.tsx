import { useRead } from '../../api/hooks.ts'
import { listUnpaid, type OrderWithMoney, readOrderWithMoney } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { date, money } from '../../lib/format.ts'
import { useOffset } from '../../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { OrderDocuments } from '../documents.tsx'
import { Typed } from '../typed.tsx'
import { DueTag } from './payment-panel.tsx'

/** Lists of orders are summaries: what is left to pay is read order by order. */
const LIMIT = 20

/** The invoices that are not paid yet, the oldest first, with their papers. */
export function OpenInvoices() {
  const offset = useOffset()
  const reading = useRead(`unpaid ${offset}`, async (signal) => {
    const page = await listUnpaid({ limit: LIMIT, offset }, signal)
    const orders = await Promise.all(
      page.orders.map(({ uuid }) => readOrderWithMoney(uuid, signal)),
    )
    return { orders, total: page.total }
  })
  const { value } = reading
  // What was cancelled as a whole is never paid, and owes nothing.
  const owed = value?.orders.filter(({ balance }) => balance > 0) ?? []
  return (
    <div class="stack" style={{ marginTop: '16px' }}>
      <h2>{t('To be paid')}</h2>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!value && !reading.problem && <Loading />}
      {value && owed.length === 0 && <Empty title={t('There is nothing to pay here')} />}
      {owed.length > 0 && <InvoiceTable orders={owed} />}
      <Pager total={value?.total ?? 0} limit={LIMIT} offset={offset} />
    </div>
  )
}

function InvoiceTable({ orders }: { orders: OrderWithMoney[] }) {
  return (
    <ScrollArea label={t('To be paid')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Order')}</th>
            <th scope="col">{t('Placed')}</th>
            <th scope="col">{t('Due')}</th>
            <th scope="col" class="number">
              {t('Balance')}
            </th>
            <th scope="col">{t('Documents')}</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.uuid}>
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
