import type { Figures } from '../../api/operator.ts'
import { t } from '../../language/language.ts'
import { money, percent, plural } from '../../lib/format.ts'
import { MEASURES, valueText } from './measures.ts'

/** The sums of the range, and how they compare with the period before. */
export function Totals({ totals, before }: { totals: Figures['totals']; before?: Figures }) {
  return (
    <dl class="tiles">
      {MEASURES.slice(0, 6).map(({ name, label, unit, part }) => (
        <div key={name} class="tile">
          <dt>{label}</dt>
          <dd>{valueText(totals[name], unit)}</dd>
          {part && (
            <dd class="tile-note">
              {part.label}: {valueText(totals[part.name], unit)} (
              {shareText(totals[part.name], totals[name])})
            </dd>
          )}
          {name === 'margin' && totals.sold_without_cost > 0 && (
            <dd class="tile-note">
              {t('Without {amount} whose cost is not known', {
                amount: money(totals.sold_without_cost, 'USD'),
              })}
            </dd>
          )}
          {before && (
            <dd class="tile-note">{changeText(totals[name], before.totals[name], unit)}</dd>
          )}
        </div>
      ))}
    </dl>
  )
}

function shareText(part: number, all: number): string {
  return percent(all === 0 ? 0 : (part / all) * 100)
}

function changeText(now: number, before: number, unit: 'USD' | 'count'): string {
  const value = valueText(before, unit)
  if (before <= 0) return t('Before: {value}', { value })
  const change = ((now - before) / before) * 100
  const sign = change > 0 ? '+' : change < 0 ? '−' : '±'
  return t('{change} (before: {value})', { change: `${sign}${percent(Math.abs(change))}`, value })
}

/** What the market is owed, whatever days are chosen. */
export function Exposure({ exposure }: { exposure: Figures['exposure'] }) {
  const rows: [string, number, string, string][] = [
    [
      t('Unpaid invoices'),
      exposure.unpaid,
      plural(exposure.unpaid_orders, 'order'),
      '/operator/orders?payment=unpaid&type=invoice',
    ],
    [
      t('Overdue invoices'),
      exposure.overdue,
      plural(exposure.overdue_orders, 'order'),
      '/operator/orders?past_due=yes',
    ],
    [t('On memo'), exposure.on_memo, plural(exposure.memos, 'order'), '/operator/memos'],
    [
      t('Overdue memos'),
      exposure.memo_overdue,
      plural(exposure.overdue_memos, 'order'),
      '/operator/memos?overdue=yes',
    ],
  ]
  return (
    <section class="panel" aria-labelledby="exposure">
      <div class="panel-head">
        <h2 id="exposure">{t('Outstanding now')}</h2>
      </div>
      <dl class="tiles is-plain">
        {rows.map(([label, amount, orders, href]) => (
          <div key={label}>
            <dt>
              <a href={href}>{label}</a>
            </dt>
            <dd>{money(amount, 'USD')}</dd>
            <dd class="tile-note">{orders}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
