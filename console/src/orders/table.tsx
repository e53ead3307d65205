import { merchantName, type Order } from '../api/orders.ts'
import { t } from '../language/language.ts'
import { date, humanize, isPast, money } from '../lib/format.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { SelectAll, type Selection, SelectRow } from '../parts/table/selection.tsx'
import { SortHead } from '../parts/table/sort.tsx'
import { Typed } from './typed.tsx'
import { isDue, keptTotal } from './units.ts'

/** What a list of orders can be sorted by, in the names of the interface. */
export const ORDER_SORTS = ['ordered_on', 'merchant_legal_dba', 'total'] as const

/** A list of orders, for the merchant and for the operator. */
export function OrderTable<Row extends Order>(props: {
  orders: Row[]
  href: (order: Row) => string
  showMerchant?: boolean
  selection?: Selection<Row>
}) {
  const { orders, selection } = props
  return (
    <ScrollArea label={t('Orders')}>
      <table>
        <thead>
          <tr>
            {selection && <SelectAll selection={selection} rows={orders} />}
            <th scope="col">{t('Order')}</th>
            {props.showMerchant && <SortHead by="merchant_legal_dba">{t('Merchant')}</SortHead>}
            <SortHead by="ordered_on">{t('Placed')}</SortHead>
            <th scope="col">{t('Items')}</th>
            <th scope="col">{t('Status')}</th>
            <th scope="col">{t('Due back')}</th>
            <SortHead by="total" first="desc" class="number">
              {t('Total')}
            </SortHead>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.uuid}>
              {selection && <SelectRow selection={selection} row={order} name={order.order_id} />}
              <td>
                <a href={props.href(order)}>{order.order_id}</a>
                {order.order_reference && (
                  <div class="muted small">
                    <Typed text={order.order_reference} />
                  </div>
                )}
              </td>
              {props.showMerchant && <td>{merchantName(order)}</td>}
              <td>{date(order.ordered_on)}</td>
              <td>{order.line_items.filter(({ sku }) => sku !== '').length}</td>
              <td>
                <OrderTags order={order} />
              </td>
              <td>{dueText(order)}</td>
              <td class="number">{money(keptTotal(order), 'USD')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function dueText(order: Order) {
  const { memo_due_date } = order
  if (!memo_due_date || !isDue(order)) return ''
  if (!isPast(memo_due_date)) return date(memo_due_date)
  return <span class="tag is-bad">{date(memo_due_date)}</span>
}

/** The type and the status of an order as tags. */
export function OrderTags({ order }: { order: Order }) {
  const { order_type, memo_id, order_status, fulfillment_status, payment_status } = order
  return (
    <span class="row">
      <span class="tag">{order_type === 'memo' ? memoName(memo_id) : t('Invoice')}</span>
      {order_status && (
        <span class={order_status === 'closed' ? 'tag is-good' : 'tag is-warn'}>
          {humanize(order_status)}
        </span>
      )}
      {fulfillment_status === 'fulfilled' && <span class="tag is-good">{humanize('shipped')}</span>}
      {fulfillment_status === 'partial' && (
        <span class="tag is-accent">{humanize('partially_shipped')}</span>
      )}
      {payment_status === 'paid' && <span class="tag is-good">{humanize('paid')}</span>}
    </span>
  )
}

function memoName(number: string | null): string {
  return number ? t('Memo {number}', { number }) : t('Memo')
}
