import type { OrderWithMoney } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { humanize, money } from '../../lib/format.ts'
import { Typed } from '../typed.tsx'
import { dayFromNow, daysUntil, dayText } from './days.ts'

/** What is charged beside the goods, what is left to pay, and until when. */
export type OrderMoney = Pick<OrderWithMoney, 'charges' | 'balance' | 'due_on'>

export function PaymentPanel({ order }: { order: OrderMoney }) {
  const { charges, balance, due_on } = order
  return (
    <div>
      <h2>{t('Payment')}</h2>
      <dl class="price-steps">
        {charges.map(({ kind, label, amount }) => (
          <div key={kind + label}>
            <dt>{label ? <Typed text={label} /> : humanize(kind)}</dt>
            <dd class="number">{money(kind === 'discount' ? -amount : amount, 'USD')}</dd>
          </div>
        ))}
        <div class="is-total">
          <dt>{t('Balance')}</dt>
          <dd class="number">{money(balance, 'USD')}</dd>
        </div>
      </dl>
      <p class="small">{balanceText(balance, due_on)}</p>
    </div>
  )
}

function balanceText(balance: number, dueOn: string | null): string {
  if (balance < 0) return t('More was paid than is owed.')
  if (balance === 0) return t('Nothing is left to pay.')
  if (dueOn === null) return t('The invoice is not issued yet; it says when to pay.')
  const values = { date: dayText(dueOn), when: dayFromNow(dueOn) }
  return daysUntil(dueOn) < 0
    ? t('Overdue: it was due on {date} ({when}).', values)
    : t('Due on {date} ({when}).', values)
}

/** The due date of an invoice as a tag; red when it has passed. */
export function DueTag({ due_on }: { due_on: string | null }) {
  if (due_on === null) return <span class="muted small">{t('not invoiced yet')}</span>
  const when = dayFromNow(due_on)
  return (
    <>
      {dayText(due_on)}{' '}
      <span class={daysUntil(due_on) < 0 ? 'tag is-bad' : 'muted small'}>{when}</span>
    </>
  )
}
