import type { Tx } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { DAY_MS } from '../../lib/timestamps.ts'
import { balanceOf, dayOf, dollarsFrom, dollarText } from '../ledger/ledger-entry.ts'
import type { Order } from '../order.ts'
import { wrongState } from '../order-life.ts'
import { lockOrder } from '../order-store.ts'
import { saveChange } from './order-change.ts'

interface Payment {
  cents: bigint
  method?: string | undefined
  reference?: string | undefined
  /** `2026-01-31`; today unless given. */
  paid_on?: string | undefined
  /** More than the balance is refused otherwise. */
  allow_overpayment?: boolean | undefined
}

/** Records that the whole balance was paid. */
export async function payOrder(tx: Tx, uuid: string, madeBy?: string): Promise<Order> {
  const { order, now } = await lockOrder(tx, uuid)
  const balance = balanceOf(order.entries)
  const refused = whyNotPayable(order) ?? whySettled(order, balance)
  if (refused) throw wrongState(order, refused)
  return savePayment(tx, order, { cents: balance }, madeBy, now)
}

/** Records one payment of a part, of the balance, or of more when that is said. */
export async function recordPayment(
  tx: Tx,
  uuid: string,
  payment: Payment,
  madeBy?: string,
): Promise<Order> {
  const { order, now } = await lockOrder(tx, uuid)
  const refused = whyNotPayable(order)
  if (refused) throw wrongState(order, refused)
  const balance = balanceOf(order.entries)
  if (payment.cents > balance && !payment.allow_overpayment) throw overpaid(payment.cents, balance)
  refuseFuture(payment.paid_on, now)
  return savePayment(tx, order, payment, madeBy, now)
}

function savePayment(
  tx: Tx,
  order: Order,
  payment: Payment,
  made_by: string | undefined,
  now: string,
): Promise<Order> {
  const { cents, method = '', reference = '', paid_on = dayOf(now) } = payment
  const left = balanceOf(order.entries) - cents
  return saveChange(
    tx,
    order,
    {
      step: 'pay',
      entries: [{ kind: 'payment', cents: -cents, method, reference, dated_on: paid_on }],
      ...(made_by !== undefined && { made_by }),
      event_type: 'order.pay',
      event_data: {
        amount: dollarsFrom(cents),
        balance: dollarsFrom(left),
        method,
        reference,
        paid_on,
      },
    },
    now,
  )
}

/** A memo owes nothing, and neither does an order of which nothing was kept or charged. */
function whyNotPayable(order: Order): string | undefined {
  if (order.order_type === 'invoice') return undefined
  if (order.order_status !== null) return `The order is ${order.order_status}`
  return 'A memo must be converted into an invoice before it is paid'
}

function whySettled(order: Order, balance: bigint): string | undefined {
  if (balance > 0n) return undefined
  if (order.payment_status === 'paid') return 'The order is paid already'
  return `The order is ${order.order_status}`
}

function overpaid(cents: bigint, balance: bigint): Refusal {
  const message =
    balance > 0n
      ? `is ${dollarText(cents - balance)} more than the balance of ${dollarText(balance)}`
      : `is more than the balance: nothing is left to pay (${dollarText(balance)})`
  const advice = 'send allow_overpayment: true (--allow-overpayment) if that much was paid'
  return new Refusal('invalid_request', `amount ${message}; ${advice}.`, {
    errors: [{ field: 'amount', message: `${message}; ${advice}` }],
    extra: { balance: dollarsFrom(balance) },
  })
}

/** East of UTC it is tomorrow already. */
function refuseFuture(paidOn: string | undefined, now: string): void {
  if (paidOn === undefined) return
  const today = Date.parse(`${dayOf(now)}T00:00Z`)
  if (Date.parse(`${paidOn}T00:00Z`) <= today + DAY_MS) return
  const message = `is in the future: today is ${dayOf(now)}`
  throw new Refusal('invalid_request', `paid_on ${message}.`, {
    errors: [{ field: 'paid_on', message }],
  })
}
