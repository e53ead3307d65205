/** What is said about orders. A supplier knows an order by its time. */
import type { NoticeDetails } from '../../database/tables/mail.ts'
import type { Side } from '../../reference/notice-kinds.ts'
import { amountOf, counted, dayOf, type Phrase, say, type Text, timeOf, typed } from './phrase.ts'

export function orderPlaced(details: NoticeDetails, side: Side): Text {
  if (side === 'supplier') return placedAtSupplier(details)
  const { merchant = '', quantity, amount, currency_code, due_on } = details
  const order = orderIn(details)
  const goods = counted(quantity, 'item')
  const total = amountOf(amount, currency_code)
  const due = due_on !== undefined && say('It is due back on {day}.', { day: dayOf(due_on) })
  if (side === 'operator') {
    return {
      subject: say('{merchant} placed {order}', { merchant, order }),
      sentences: [
        say('{merchant} placed {order}: {goods}, {total}.', { merchant, order, goods, total }),
        due,
      ],
    }
  }
  return {
    subject: say('{order} was placed', { order: orderFirst(details) }),
    sentences: [
      say('We received {order}: {goods}, {total}.', { order, goods, total }),
      due,
      details.awaits_confirmation &&
        say('Its suppliers have to confirm it; you will hear from us when they do.'),
    ],
  }
}

function placedAtSupplier({ order, quantity, awaits_confirmation }: NoticeDetails): Text {
  const lines = counted(quantity, 'line')
  const time = timeOf(order?.ordered_on ?? '')
  return {
    subject: awaits_confirmation
      ? say('New order: {lines} to confirm', { lines })
      : say('New order: {lines} sold', { lines }),
    sentences: [
      say('The order of {time} has {lines} of yours.', { time, lines }),
      awaits_confirmation
        ? say('Please confirm or decline them.')
        : say('You need not confirm them.'),
    ],
  }
}

export function orderConfirmed(details: NoticeDetails): Text {
  const goods = counted(details.quantity, 'item')
  return {
    subject: say('{order}: {goods} confirmed', { order: orderFirst(details), goods }),
    sentences: [
      say('{goods} of {order} will be delivered as ordered.', { goods, order: orderIn(details) }),
    ],
  }
}

export function orderDeclined(details: NoticeDetails, side: Side): Text {
  const { merchant = '', suppliers = [], quantity, has_substitutes } = details
  const goods = counted(quantity, 'item')
  const order = orderIn(details)
  if (side === 'operator') {
    return {
      subject: say('{merchant}, {order}: {goods} declined', { merchant, order, goods }),
      sentences: [
        say('{goods} of {order} by {merchant} cannot be delivered.', { goods, order, merchant }),
        suppliers.length > 0 && say('Supplier: {suppliers}.', { suppliers: suppliers.join(', ') }),
        because(details),
      ],
    }
  }
  return {
    subject: say('{order}: {goods} declined', { order: orderFirst(details), goods }),
    sentences: [
      say('{goods} of {order} cannot be delivered and cost you nothing.', { goods, order }),
      because(details),
      has_substitutes && say('The order shows similar stones that are available.'),
    ],
  }
}

export function orderShipped(details: NoticeDetails): Text {
  const { quantity, tracking_number: number } = details
  const goods = counted(quantity, 'item')
  return {
    subject: say('{order}: {goods} shipped', { order: orderFirst(details), goods }),
    sentences: [
      onTheWay(details),
      number !== undefined && say('Tracking number: {number}.', { number }),
    ],
  }
}

function onTheWay(details: NoticeDetails): Phrase {
  const { quantity, tracking_company: company } = details
  const goods = counted(quantity, 'item')
  const order = orderIn(details)
  if (company === undefined) {
    return quantity === 1
      ? say('{goods} of {order} is on the way.', { goods, order })
      : say('{goods} of {order} are on the way.', { goods, order })
  }
  return quantity === 1
    ? say('{goods} of {order} is on the way with {company}.', { goods, order, company })
    : say('{goods} of {order} are on the way with {company}.', { goods, order, company })
}

export function orderCancelled(details: NoticeDetails, side: Side): Text {
  const { merchant = '', quantity, order: named } = details
  const goods = counted(quantity, 'item')
  const order = orderIn(details)
  if (side === 'supplier') {
    const time = timeOf(named?.ordered_on ?? '')
    return {
      subject: say('Order cancelled: {lines}', { lines: counted(quantity, 'line') }),
      sentences: [
        say('These units of the order of {time} were cancelled. Please do not ship them.', {
          time,
        }),
      ],
    }
  }
  return {
    subject:
      side === 'operator'
        ? say('{merchant}, {order}: {goods} cancelled', { merchant, order, goods })
        : say('{order}: {goods} cancelled', { order: orderFirst(details), goods }),
    sentences: [wereCancelled(details), because(details)],
  }
}

function wereCancelled(details: NoticeDetails): Phrase {
  const { quantity, by } = details
  const values = { goods: counted(quantity, 'item'), order: orderIn(details) }
  if (by !== 'merchant') {
    return quantity === 1
      ? say('{goods} of {order} was cancelled.', values)
      : say('{goods} of {order} were cancelled.', values)
  }
  return quantity === 1
    ? say('{goods} of {order} was cancelled by the merchant.', values)
    : say('{goods} of {order} were cancelled by the merchant.', values)
}

export function because({ reason }: NoticeDetails): Phrase | undefined {
  return reason === undefined ? undefined : say('Reason: {reason}.', { reason: typed(reason) })
}

/** How a sentence names an order or a memo. */
export function orderIn({ order }: NoticeDetails): Phrase {
  const number = order?.number ?? ''
  return order?.order_type === 'memo'
    ? say('memo {number}', { number })
    : say('order {number}', { number })
}

/** How a sentence names an order or a memo at its beginning. */
export function orderFirst({ order }: NoticeDetails): Phrase {
  const number = order?.number ?? ''
  return order?.order_type === 'memo'
    ? say('Memo {number}', { number })
    : say('Order {number}', { number })
}
