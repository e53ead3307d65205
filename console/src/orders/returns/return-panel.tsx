import type { ComponentChildren } from 'preact'
import type { OrderReturn } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { count, date, dateTime, humanize, money } from '../../lib/format.ts'
import { Goods } from '../goods.tsx'
import { ReasonText } from '../typed.tsx'

const TAGS: Record<OrderReturn['status'], string> = {
  requested: 'tag is-warn',
  approved: 'tag is-accent',
  rejected: 'tag is-bad',
  received: 'tag is-good',
}

/** One return: what goes back, how far it is, and what happens next. */
export function ReturnPanel(props: {
  found: OrderReturn
  showOrder?: boolean
  /** Before the heading. */
  children?: ComponentChildren
}) {
  const { found, showOrder } = props
  const { status, external_order_id: number, line_items, total, currency_code } = found
  return (
    <section class="panel" style={{ marginTop: '16px' }}>
      <div class="panel-head">
        {props.children}
        <h2>{t('Return of {date}', { date: date(found.created_on) })}</h2>
        <span class={TAGS[status]}>{humanize(status)}</span>
        {showOrder && (
          <a href={`/orders/${encodeURIComponent(number)}`}>{t('Order {number}', { number })}</a>
        )}
      </div>
      <div class="columns">
        <div class="stack">
          <ul>
            {line_items.map((line) => (
              <li key={line.uuid}>
                {line.quantity > 1 && `${count(line.quantity)} × `}
                <Goods line={line} />{' '}
                <span class="muted small">{money(line.price, currency_code, 4)}</span>
              </li>
            ))}
          </ul>
          <p>
            {t('Value')} <strong class="number">{money(total, currency_code)}</strong>
          </p>
          <p class="muted small">
            <ReasonText reason={found.reason} />
          </p>
        </div>
        <Steps found={found} />
      </div>
    </section>
  )
}

interface Step {
  title: string
  /** Undefined when the interface does not say when it was. */
  at: string | undefined
  text?: string
  reason?: string
}

/** What has happened, and below it what is to happen next. */
function Steps({ found }: { found: OrderReturn }) {
  const { done, next } = stepsOf(found)
  return (
    <ol class="timeline">
      {done.map(({ title, at, text, reason }) => (
        <li key={title}>
          <strong>{title}</strong>
          {at && <div class="muted small">{dateTime(at)}</div>}
          {text && <div class="small">{text}</div>}
          {reason && (
            <div class="small">
              <ReasonText reason={reason} />
            </div>
          )}
        </li>
      ))}
      {next && <li class="muted">{next}</li>}
    </ol>
  )
}

function stepsOf(found: OrderReturn): { done: Step[]; next: string | undefined } {
  const { status, created_on, updated_on, reject_reason: reason } = found
  const requested = { title: t('Return requested'), at: created_on }
  if (status === 'requested') {
    return { done: [requested], next: t('Next: the seller approves or rejects it.') }
  }
  if (status === 'rejected') {
    const rejected = {
      title: t('Return rejected'),
      at: updated_on,
      ...(reason && { reason }),
    }
    return { done: [requested, rejected], next: t('The goods stay yours.') }
  }
  const approved = { title: t('Return approved'), at: updated_on }
  if (status === 'approved') {
    const next = t('Next: send the goods back. They are credited when they have arrived.')
    return { done: [requested, approved], next }
  }
  const text = t('Their value is credited; the credit note is with the order.')
  const received = { title: t('Returned goods received'), at: updated_on, text }
  return { done: [requested, { ...approved, at: undefined }, received], next: undefined }
}
