/** What the commands that change an order share. */
import type { Tx } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { renderForOperator } from '../../http/shared/operator-order-rendering.ts'
import { dollarText } from '../../orders/ledger/ledger-entry.ts'
import type { Order } from '../../orders/order.ts'
import type { ChargeKind } from '../../reference/charges.ts'
import { type CommonOptions, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'

export const EXAMPLE_UUID = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'

/** An order that a command is about. */
export const ORDER = ['<uuid|order-id>', 'Order, by UUID or by its own number'] as const

export function change(options: CommonOptions, verb: (tx: Tx) => Promise<Order>): Promise<void> {
  return onMarket(
    options,
    async ({ database, publicUrl }) =>
      renderForOperator(await inTransaction(database.db, verb), await publicUrl()),
    showOrder,
  )
}

export function showOrder(order: ReturnType<typeof renderForOperator>): string {
  const { order_type, order_id, merchant, total } = order
  const head = `${order_type} ${order_id} of ${merchant.legal_dba}, $${total}`
  const states = [order.order_status, order.payment_status, order.fulfillment_status]
    .filter((state) => state !== null)
    .join(', ')
  const due = order.memo_due_date === null ? '' : `\n${order.memo_id}, due ${order.memo_due_date}`
  const lines = tableOf(
    order.line_items,
    {
      uuid: 'Line',
      name: 'Product',
      quantity: 'Quantity',
      confirmation: 'Answer',
      fulfilled_quantity: 'Shipped',
      cancelled_quantity: 'Cancelled',
      returned_quantity: 'Returned',
      price: 'Price (USD)',
    },
    'No lines.',
  )
  const shipments = order.fulfillments.map(
    ({ tracking_company, tracking_number }) => `\nShipped: ${tracking_company} ${tracking_number}`,
  )
  const below = `${shipments.join('')}${moneyLines(order)}`
  return `${head}\n${order.uuid}: ${states || 'placed'}${due}\n\n${lines}${below}`
}

interface Priced {
  balance: number
  due_on: string | null
  charges: { label: string; kind: ChargeKind; amount: number }[]
  credits: { label: string; amount: number }[]
  payments: { amount: number; paid_on: string; method: string }[]
}

/** The money of an order for people, below its lines: with the total it adds up to the balance. */
function moneyLines({ balance, due_on, charges, credits, payments }: Priced): string {
  const text = (amount: number) => dollarText(BigInt(Math.round(amount * 100)))
  const lines = [
    ...charges.map(({ label, kind, amount }) => {
      return `${label}: ${kind === 'discount' ? '-' : ''}${text(amount)}`
    }),
    ...credits.map(({ label, amount }) => `Credit (${label}): ${text(-amount)}`),
    ...payments.map(({ amount, paid_on, method }) => {
      return `Paid on ${paid_on}${method && ` by ${method}`}: ${text(amount)}`
    }),
    `Balance: ${text(balance)}${due_on === null ? '' : `, due on ${due_on}`}`,
  ]
  return lines.map((line) => `\n${line}`).join('')
}
