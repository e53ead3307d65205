import type { NoticeDetails, NoticeProduct } from '../../database/tables/mail.ts'
import type { Side } from '../../reference/notice-kinds.ts'
import {
  orderCancelled,
  orderConfirmed,
  orderDeclined,
  orderPlaced,
  orderShipped,
} from './order-texts.ts'
import {
  enquirySent,
  feedFailing,
  feedRecovered,
  holdEnding,
  quoteAccepted,
  quoteCountered,
  quoteDeclined,
  quoteRequested,
  searchMatched,
  watchedChanged,
  watchedText,
} from './other-texts.ts'
import { amountOf, counted, say, type Text, type Value } from './phrase.ts'
import {
  memoDueSoon,
  memoOverdue,
  returnApproved,
  returnReceived,
  returnRejected,
  returnRequested,
} from './return-texts.ts'

/** The text of a notice, before it is in a language. */
interface NoticeText {
  subject: Value
  sentences: Value[]
  items: { title: Value; details: Value[] }[]
}

const TEXTS: ReadonlyMap<string, (details: NoticeDetails, side: Side) => Text> = new Map([
  ['order.create', orderPlaced],
  ['order.confirm', orderConfirmed],
  ['order.line.decline', orderDeclined],
  ['order.fulfillments.create', orderShipped],
  ['order.cancel', orderCancelled],
  ['order.return.request', returnRequested],
  ['order.return.approve', returnApproved],
  ['order.return.reject', returnRejected],
  ['order.return.receive', returnReceived],
  ['order.memo.due_soon', memoDueSoon],
  ['order.memo.overdue', memoOverdue],
  ['quote.request', quoteRequested],
  ['quote.accept', quoteAccepted],
  ['quote.counter', quoteCountered],
  ['quote.decline', quoteDeclined],
  ['hold.ending', holdEnding],
  ['search.match', searchMatched],
  ['watch.change', watchedChanged],
  ['enquiry.create', enquirySent],
  ['source.fail', feedFailing],
  ['source.recover', feedRecovered],
])

/** Undefined for an event that this version does not know: a newer node wrote the notice. */
export function noticeText(details: NoticeDetails, side: Side): NoticeText | undefined {
  const text = TEXTS.get(details.event_type)?.(details, side)
  if (!text) return undefined
  return {
    subject: text.subject,
    sentences: text.sentences.filter((each) => each !== undefined && each !== false),
    items: details.items.map((product) => ({
      title: titleOf(product, side),
      details: detailsOf(product, details, side),
    })),
  }
}

/** A supplier knows its products by its own numbers. */
function titleOf({ sku, vendor_sku, quantity, change }: NoticeProduct, side: Side): Value {
  const name = side === 'supplier' ? (vendor_sku ?? sku) : sku
  const changed = watchedText(sku, change)
  if (changed) return changed
  return quantity === 1
    ? name
    : say('{name} ({pieces})', { name, pieces: counted(quantity, 'piece') })
}

function detailsOf(product: NoticeProduct, details: NoticeDetails, side: Side): Value[] {
  const { sku, description, stone, price, offer_price } = product
  const { event_type, currency_code } = details
  const found: Value[] = description || stone ? [{ kind: 'product', product }] : []
  if (side === 'supplier') found.push(say('SKU {sku}', { sku }))
  const isQuote = event_type.startsWith('quote.')
  if (price !== undefined) {
    const amount = amountOf(price, currency_code)
    found.push(isQuote ? say('price {amount}', { amount }) : say('{amount} each', { amount }))
  }
  if (offer_price !== undefined) {
    found.push(say('offered {amount}', { amount: amountOf(offer_price, currency_code) }))
  }
  return found
}
