import type { ComponentChildren } from 'preact'
import { useRead } from '../../api/hooks.ts'
import { listSuppliers } from '../../api/imports.ts'
import type { OperatorLine, OperatorOrder } from '../../api/operator/orders.ts'
import { orderTotal } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { count, date, money, percent } from '../../lib/format.ts'
import { Goods } from '../../orders/goods.tsx'
import { keptTotal, unitsOf } from '../../orders/units.ts'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { profitOf, totalProfit, unitCost } from './profit.ts'
import { StockLink } from './stock-link.tsx'

const COLUMNS: [label: string, class_?: string][] = [
  [t('Item')],
  [t('Supplier')],
  [t('Answer')],
  [t('Shipped')],
  [t('Unit cost'), 'number'],
  [t('Unit price'), 'number'],
  [t('Profit'), 'number'],
  [t('Total'), 'number'],
]

/** The lines of an order with what the operator alone sees: supplier, cost and profit. */
export function OrderLines({ order }: { order: OperatorOrder }) {
  const suppliers = useRead('suppliers', (signal) => listSuppliers(signal)).value
  const supplierOf = (line: OperatorLine) => {
    const { supplier_id } = line.product_data.fields
    const found = suppliers?.find((each) => each.supplier_id === supplier_id)
    return found ? <a href={`/operator/suppliers/${found.uuid}`}>{found.name}</a> : line.vendor
  }
  return (
    <ScrollArea label={t('Order items')} isStacked>
      <table>
        <thead>
          <tr>
            {COLUMNS.map(([label, class_]) => (
              <th key={label} scope="col" class={class_}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {order.line_items.map((line) => (
            <LineRow key={line.uuid} order={order} line={line} supplier={supplierOf(line)} />
          ))}
        </tbody>
        <Totals order={order} />
      </table>
    </ScrollArea>
  )
}

function LineRow(props: { order: OperatorOrder; line: OperatorLine; supplier: ComponentChildren }) {
  const { order, line, supplier } = props
  const { cancelled, returned, kept } = unitsOf(order, line)
  const { vendor_sku } = line.product_data.fields
  const isGoods = line.sku !== ''
  return (
    <tr>
      <td>
        <Goods line={line} />
        {isGoods && (
          <div class="small mono">
            <StockLink line={line} />
          </div>
        )}
      </td>
      <td>
        {supplier}
        {typeof vendor_sku === 'string' && <div class="muted small mono">{vendor_sku}</div>}
      </td>
      <td>{isGoods && <Answer line={line} />}</td>
      <td>
        {t('{shipped} of {ordered}', {
          shipped: count(line.fulfilled_quantity),
          ordered: count(line.quantity),
        })}
        {cancelled > 0 && (
          <div class="small is-gone">{t('{count} cancelled', { count: count(cancelled) })}</div>
        )}
        {returned > 0 && (
          <div class="small is-gone">{t('{count} returned', { count: count(returned) })}</div>
        )}
      </td>
      <td class="number">{isGoods ? money(unitCost(line), 'USD', 4) : ''}</td>
      <td class="number">{isGoods ? money(line.price, 'USD', 4) : ''}</td>
      <td class="number">{isGoods ? money(profitOf(order, line), 'USD') : ''}</td>
      <td class="number">{isGoods ? money(line.price * kept, 'USD') : ''}</td>
    </tr>
  )
}

/** What the supplier answered, or who spoke for it. */
function Answer({ line }: { line: OperatorLine }) {
  const { confirmation, confirmed_by, confirmed_on, declined_on, open_quantity } = line
  if (confirmation === 'declined') {
    return <span class="tag is-bad">{t('Declined {date}', { date: date(declined_on) })}</span>
  }
  if (confirmed_by === 'placement') return <span class="muted">{t('Not needed')}</span>
  if (confirmation === 'confirmed') {
    const text = t('Confirmed {date}', { date: date(confirmed_on) })
    const by = confirmed_by === 'operator' ? t('by the operator') : t('by the supplier')
    return (
      <>
        <span class="tag is-good">{text}</span>
        <div class="muted small">{by}</div>
      </>
    )
  }
  return open_quantity > 0 ? <span class="tag is-warn">{t('Waiting')}</span> : null
}

function Totals({ order }: { order: OperatorOrder }) {
  const [ordered, kept] = [orderTotal(order), keptTotal(order)]
  const earned = totalProfit(order)
  return (
    <tfoot>
      {ordered !== kept && (
        <tr>
          <th scope="row" colSpan={7}>
            {t('Ordered')}
          </th>
          <td class="number">{money(ordered, 'USD')}</td>
        </tr>
      )}
      <tr>
        <th scope="row" colSpan={6}>
          {ordered === kept ? t('Goods') : t('Goods after cancellations and returns')}
        </th>
        <td class="number">
          <strong>{money(earned?.profit, 'USD')}</strong>
          {earned?.share !== undefined && (
            <div class="muted small">
              {t('{percent} of the price', { percent: percent(earned.share * 100) })}
            </div>
          )}
        </td>
        <td class="number">
          <strong>{money(kept, 'USD')}</strong>
        </td>
      </tr>
    </tfoot>
  )
}
