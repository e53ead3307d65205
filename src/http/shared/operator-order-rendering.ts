import type { JsonTexts } from '../../lib/json-text.ts'
import { roundedAmount } from '../../lib/money.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import {
  confirmationOf,
  lineConfirmation,
  type Order,
  type OrderLine,
  type OrderWith,
  type PageLine,
} from '../../orders/order.ts'
import { renderDocuments } from './documents.ts'
import { renderMoneyForOperator } from './order-money.ts'
import {
  type BareLine,
  listedFor,
  type OrderForm,
  renderOrder,
  singleFor,
} from './order-rendering.ts'

export function renderForOperator(order: Order, publicUrl: string) {
  return withProgressAndMoney(order, singleFor('supplier'), publicUrl)
}

/** An order of a page, which is written with its texts. */
export function renderListedForOperator(
  order: OrderWith<PageLine>,
  publicUrl: string,
  texts: JsonTexts,
) {
  const form = { ...listedFor('supplier', texts), orderedOn: isoWithOffset }
  return withProgressAndMoney(order, form, publicUrl)
}

function withProgressAndMoney<Line extends BareLine, Fields>(
  order: OrderWith<Line>,
  form: OrderForm<Line, Fields>,
  publicUrl: string,
) {
  const { line_items, ...rendered } = renderOrder(order, form)
  const money = renderMoneyForOperator(order)
  return {
    line_items: line_items.map((line, at) => withProgress(line, order.lines[at])),
    confirmation: confirmationOf(order.lines),
    debug: order.debug,
    total: roundedAmount(order.total),
    open_quantity: order.open_quantity,
    charges: money.charges,
    balance: money.balance,
    due_on: money.due_on,
    payment_terms_days: money.payment_terms_days,
    invoiced_on: money.invoiced_on,
    payments: money.payments,
    credits: money.credits,
    documents: renderDocuments(order.documents, publicUrl, '/api/operator'),
    ...rendered,
  }
}

function withProgress<Rendered extends object>(rendered: Rendered, line: BareLine) {
  const progress = renderProgress(line)
  return {
    open_quantity: progress.open_quantity,
    cancelled_quantity: progress.cancelled_quantity,
    returned_quantity: progress.returned_quantity,
    confirmation: progress.confirmation,
    confirmed_on: progress.confirmed_on,
    confirmed_by: progress.confirmed_by,
    declined_on: progress.declined_on,
    ...rendered,
  }
}

type Progress =
  | 'open_quantity'
  | 'cancelled_quantity'
  | 'returned_quantity'
  | 'confirmed_on'
  | 'confirmed_by'
  | 'declined_on'

/** Where the units of a line are, and what its supplier answered. */
export function renderProgress(line: Pick<OrderLine, Progress>) {
  return {
    open_quantity: line.open_quantity,
    cancelled_quantity: line.cancelled_quantity,
    returned_quantity: line.returned_quantity,
    confirmation: lineConfirmation(line),
    confirmed_on: isoOrNull(line.confirmed_on),
    confirmed_by: line.confirmed_by,
    declined_on: isoOrNull(line.declined_on),
  }
}
