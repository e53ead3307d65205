import type { Substitutes } from '../../../src/orders/placing/substitutes.ts'
import type { Order, OrderEvent, OrderWithMoney } from '../api/orders.ts'
import { mayDo, session } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { count, dateTime, humanize, money, plural } from '../lib/format.ts'
import { showToast } from '../parts/toast.tsx'
import { dayText } from './account/days.ts'
import { addToBasket } from './basket-store.ts'
import { Goods } from './goods.tsx'
import { StoneLink } from './links.tsx'
import { ReasonText, Typed } from './typed.tsx'
import { goodsOf, linesIn } from './units.ts'

/** What an event of an order says beyond its name. */
export function EventDetail({ event, order }: { event: OrderEvent; order: Order }) {
  const reason = textIn(event, 'reason')
  return (
    <>
      <Facts event={event} order={order} />
      <EventLines event={event} order={order} />
      {reason && (
        <div>
          <ReasonText reason={reason} />
        </div>
      )}
      {event.event_type === 'order.line.decline' && <InPlace event={event} />}
    </>
  )
}

function Facts({ event, order }: { event: OrderEvent; order: Order }) {
  switch (event.event_type) {
    case 'order.fulfillments.create':
      return <Tracking event={event} order={order} />
    case 'order.pay':
      return <Payment event={event} />
    case 'order.charge':
      return <Charges event={event} />
    case 'order.memo.extend':
      return <Extension event={event} />
    case 'order.cancel':
      return <div>{byText(textIn(event, 'by'))}</div>
    default:
      return null
  }
}

const BY: Record<string, string> = {
  merchant: t('By the merchant'),
  supplier: t('By the supplier'),
  operator: t('By the operator'),
}

function byText(role: string): string {
  const isOwn = role === 'merchant' && session.get()?.role === 'merchant'
  return isOwn ? t('By you') : (BY[role] ?? '')
}

/** The goods that it is about; an event about the whole order names none. */
function EventLines({ event, order }: { event: OrderEvent; order: Order }) {
  const goods = new Map(goodsOf(order).map((line) => [line.uuid, line]))
  const lines = linesIn(event).flatMap(({ uuid, quantity }) => {
    const line = goods.get(uuid)
    return line ? [{ line, quantity }] : []
  })
  // Where the order has one line only, there is no doubt.
  if (lines.length === 0 || (goods.size === 1 && lines[0].quantity === lines[0].line.quantity)) {
    return null
  }
  return (
    <ul>
      {lines.map(({ line, quantity }) => (
        <li key={line.uuid}>
          {quantity > 1 && `${count(quantity)} × `}
          <Goods line={line} />
        </li>
      ))}
    </ul>
  )
}

function textIn({ event_data }: OrderEvent, name: string): string {
  const value = (event_data as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

function numberIn({ event_data }: OrderEvent, name: string): number | undefined {
  const value = (event_data as Record<string, unknown>)[name]
  return typeof value === 'number' ? value : undefined
}

function Tracking({ event, order }: { event: OrderEvent; order: Order }) {
  const number = textIn(event, 'tracking_number')
  const text = `${textIn(event, 'tracking_company')} ${number}`
  const url = order.fulfillments.find((each) => each.tracking_number === number)?.tracking_url
  if (!url) return <div>{text}</div>
  return (
    <div>
      <a href={url} target="_blank" rel="noreferrer noopener">
        {text}
      </a>
    </div>
  )
}

function Payment({ event }: { event: OrderEvent }) {
  const [amount, balance] = [numberIn(event, 'amount'), numberIn(event, 'balance')]
  const [method, reference] = [textIn(event, 'method'), textIn(event, 'reference')]
  const day = textIn(event, 'paid_on')
  if (amount === undefined) return null
  const how = [method, reference].filter(Boolean).join(' ')
  return (
    <>
      <div>
        {day
          ? t('{amount} on {date}', { amount: money(amount, 'USD'), date: dayText(day) })
          : money(amount, 'USD')}
        {how && (
          <span class="muted">
            {' '}
            <Typed text={how} />
          </span>
        )}
      </div>
      {balance !== undefined && balance > 0 && (
        <div>{t('{amount} is left to pay.', { amount: money(balance, 'USD') })}</div>
      )}
    </>
  )
}

function Charges({ event }: { event: OrderEvent }) {
  const { charges } = event.event_data as Partial<Pick<OrderWithMoney, 'charges'>>
  return (
    <ul>
      {(charges ?? []).map(({ kind, label, amount }) => (
        <li key={kind + label}>
          {label ? <Typed text={label} /> : humanize(kind)}{' '}
          {money(kind === 'discount' ? -amount : amount, 'USD')}
        </li>
      ))}
    </ul>
  )
}

function Extension({ event }: { event: OrderEvent }) {
  const [days, until] = [numberIn(event, 'days'), textIn(event, 'memo_due_date')]
  if (days === undefined || !until) return null
  const values = { days: plural(days, 'day'), date: dateTime(until) }
  return <div>{t('By {days}, until {date}', values)}</div>
}

/** Stones that are available in place of those that were declined. */
function InPlace({ event }: { event: OrderEvent }) {
  const { substitutes } = event.event_data as { substitutes?: Substitutes[] }
  const stones = (substitutes ?? []).flatMap((each) => each.stones)
  if (stones.length === 0) return null
  const mayOrder = session.get()?.role === 'merchant' && mayDo('orders:write')
  const add = (sku: string) => {
    addToBasket({ sku, quantity: 1 })
    showToast(t('{sku} is in the basket.', { sku }))
  }
  return (
    <>
      <div>{t('Similar stones:')}</div>
      <ul class="stack">
        {stones.map((stone) => (
          <li key={stone.sku} class="row">
            <StoneLink stone={stone} />
            {mayOrder && (
              <button type="button" class="button is-small" onClick={() => add(stone.sku)}>
                {t('Add to basket')}
                <span class="visually-hidden"> {stone.sku}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
