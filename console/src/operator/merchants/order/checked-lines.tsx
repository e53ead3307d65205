import type { OrderCheck } from '../../../api/operator/orders.ts'
import { t } from '../../../language/language.ts'
import { count, humanize, money, plural } from '../../../lib/format.ts'
import { Goods } from '../../../orders/goods.tsx'
import { ScrollArea } from '../../../parts/scroll-area.tsx'
import type { CheckedLine } from './check.ts'

const SUBSTITUTES_SHOWN = 3

/** What the check said: the merchant's price of each line, or why it cannot be ordered. */
export function CheckedLines(props: {
  lines: readonly CheckedLine[]
  order: OrderCheck | undefined
  isFresh: boolean
  busy: boolean
  /** Takes another SKU instead, or none. */
  onReplace: (sku: string, other: string | undefined) => void
  onPlace: () => void
}) {
  const { lines, order, isFresh } = props
  const orderable = lines.filter(({ price }) => price !== undefined).length
  const refused = lines.filter(({ refusal }) => refusal !== undefined).length
  return (
    <section class="stack" aria-label={t('Result of the check')} style={{ marginTop: '16px' }}>
      <h2>{t('Result of the check')}</h2>
      {!isFresh && <p class="note is-warn">{t('The order was changed: check it again.')}</p>}
      <ScrollArea label={t('Lines')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Item')}</th>
              <th scope="col" class="number">
                {t('Quantity')}
              </th>
              <th scope="col" class="number">
                {t('Unit price')}
              </th>
              <th scope="col" class="number">
                {t('Total')}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <LineRow key={line.sku} line={line} onReplace={props.onReplace} />
            ))}
          </tbody>
          {order && <Totals order={order} />}
        </table>
      </ScrollArea>
      {order && (
        <div class="row">
          <button
            type="button"
            class="button is-main"
            disabled={props.busy || !isFresh || orderable === 0}
            onClick={props.onPlace}
          >
            {t('Place order')}
          </button>
          {refused > 0 && (
            <span class="is-gone">
              {t('Without {lines} that cannot be ordered.', { lines: plural(refused, 'line') })}
            </span>
          )}
        </div>
      )}
    </section>
  )
}

function LineRow(props: {
  line: CheckedLine
  onReplace: (sku: string, other: string | undefined) => void
}) {
  const { sku, quantity, description, price, refusal, substitutes } = props.line
  return (
    <tr>
      <td>
        <span class="mono">{sku}</span>
        {description && (
          <div>
            <Goods line={{ description }} />
          </div>
        )}
        {refusal && (
          <div class="stack">
            <span class="is-gone">{refusal}</span>
            <div class="row">
              {substitutes.slice(0, SUBSTITUTES_SHOWN).map((other) => (
                <button
                  key={other}
                  type="button"
                  class="button is-small"
                  onClick={() => props.onReplace(sku, other)}
                >
                  {t('Take {sku} instead', { sku: other })}
                </button>
              ))}
              <button
                type="button"
                class="button is-small is-quiet"
                onClick={() => props.onReplace(sku, undefined)}
              >
                {t('Remove')}
                <span class="visually-hidden"> {sku}</span>
              </button>
            </div>
          </div>
        )}
      </td>
      <td class="number">{count(quantity)}</td>
      <td class="number">{price === undefined ? '' : money(price, 'USD', 4)}</td>
      <td class="number">{price === undefined ? '' : money(price * quantity, 'USD')}</td>
    </tr>
  )
}

function Totals({ order }: { order: OrderCheck }) {
  const sum = order.charges.reduce(
    (total, { kind, amount }) => total + (kind === 'discount' ? -amount : amount),
    order.total,
  )
  return (
    <tfoot>
      {order.charges.map(({ kind, label, amount }, at) => (
        <tr key={at}>
          <th scope="row" colSpan={3}>
            {label} <span class="muted small">{humanize(kind)}</span>
          </th>
          <td class="number">{money(kind === 'discount' ? -amount : amount, 'USD')}</td>
        </tr>
      ))}
      <tr>
        <th scope="row" colSpan={3}>
          {t('Total')}
        </th>
        <td class="number">
          <strong>{money(sum, 'USD')}</strong>
        </td>
      </tr>
    </tfoot>
  )
}
