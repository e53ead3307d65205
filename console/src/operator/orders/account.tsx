import type { ComponentChildren } from 'preact'
import type { OperatorOrder } from '../../api/operator/orders.ts'
import { t } from '../../language/language.ts'
import { date, humanize, money, plural } from '../../lib/format.ts'

/** What the merchant owes for the order: goods, charges, credits, payments and what is left. */
export function OrderAccount({ order }: { order: OperatorOrder }) {
  return (
    <section class="panel stack" aria-label={t('Account')}>
      <h2>{t('Account')}</h2>
      {order.order_type === 'memo' ? (
        <p class="muted">{t('A memo owes nothing until it is converted to an invoice.')}</p>
      ) : (
        <>
          <Steps order={order} />
          <Terms order={order} />
        </>
      )}
    </section>
  )
}

function Steps({ order }: { order: OperatorOrder }) {
  const { charges, credits, payments, balance } = order
  return (
    <div class="price-steps">
      <Step label={t('Goods')}>{goodsInvoiced(order)}</Step>
      {charges.map((charge, at) => (
        <Step key={`charge ${at}`} label={charge.label} note={humanize(charge.kind)}>
          {signed(charge)}
        </Step>
      ))}
      {credits.map(({ label, reason, amount }, at) => (
        <Step key={`credit ${at}`} label={CREDIT_LABELS[label] ?? label} note={reason}>
          {-amount}
        </Step>
      ))}
      {payments.map(({ uuid, paid_on, method, reference, amount }) => (
        <Step
          key={uuid}
          label={t('Paid on {date}', { date: date(paid_on) })}
          note={[method, reference].filter(Boolean).join(' · ')}
        >
          {-amount}
        </Step>
      ))}
      <Step label={t('Balance')} isTotal>
        {balance}
      </Step>
    </div>
  )
}

const CREDIT_LABELS: Record<string, string> = {
  'Cancelled goods': t('Cancelled goods'),
  'Returned goods': t('Returned goods'),
}

const signed = ({ kind, amount }: OperatorOrder['charges'][number]) =>
  kind === 'discount' ? -amount : amount

/** What came back from a memo before it was converted was never owed: not the whole total is. */
function goodsInvoiced({ balance, charges, credits, payments }: OperatorOrder): number {
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  const others =
    sum(charges.map(signed)) -
    sum(credits.map(({ amount }) => amount)) -
    sum(payments.map(({ amount }) => amount))
  return Math.round((balance - others) * 100) / 100
}

function Step(props: {
  label: ComponentChildren
  note?: string
  isTotal?: boolean
  children: number
}) {
  return (
    <div class={props.isTotal ? 'is-total' : undefined}>
      <span>
        {props.label} {props.note && <span class="muted small">{props.note}</span>}
      </span>
      <span>{money(props.children, 'USD')}</span>
    </div>
  )
}

function Terms({ order }: { order: OperatorOrder }) {
  const { due_on, invoiced_on, payment_terms_days: days } = order
  const facts = [
    days === 0
      ? t('Prepaid: it ships once it is paid.')
      : t('Terms: {days}.', { days: plural(days, 'day') }),
    invoiced_on === null
      ? t('Not invoiced yet.')
      : t('Invoiced on {date}.', { date: date(invoiced_on) }),
    due_on === null ? '' : t('Due on {date}.', { date: date(due_on) }),
  ]
  return <p class="muted small">{facts.filter(Boolean).join(' ')}</p>
}
