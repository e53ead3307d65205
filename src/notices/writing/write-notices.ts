import type { Facts, NoticeEvent } from './facts.ts'
import type { NoticeDraft } from './notice.ts'
import {
  type OrderEvent,
  orderCancelled,
  orderConfirmed,
  orderDeclined,
  orderEventOf,
  orderPlaced,
  orderShipped,
} from './order-notices.ts'
import {
  enquirySent,
  feedFailing,
  holdEnding,
  quoteAnswered,
  quoteRequested,
  searchMatched,
  watchedChanged,
} from './other-notices.ts'
import { memoDue, returnStep } from './return-notices.ts'

type Write = (event: NoticeEvent, facts: Facts) => NoticeDraft[]

/** Events that are not listed here are told to nobody by e-mail. */
const WRITERS: ReadonlyMap<string, Write> = new Map([
  ['order.create', aboutOrder(orderPlaced)],
  ['order.confirm', aboutOrder(orderConfirmed)],
  ['order.line.decline', aboutOrder(orderDeclined)],
  ['order.fulfillments.create', aboutOrder(orderShipped)],
  ['order.cancel', aboutOrder(orderCancelled)],
  ['order.return.request', aboutOrder(returnStep)],
  ['order.return.approve', aboutOrder(returnStep)],
  ['order.return.reject', aboutOrder(returnStep)],
  ['order.return.receive', aboutOrder(returnStep)],
  ['order.memo.due_soon', aboutOrder(memoDue)],
  ['order.memo.overdue', aboutOrder(memoDue)],
  ['quote.request', quoteRequested],
  ['quote.accept', quoteAnswered],
  ['quote.counter', quoteAnswered],
  ['quote.decline', quoteAnswered],
  ['hold.ending', holdEnding],
  ['search.match', searchMatched],
  ['watch.change', watchedChanged],
  ['enquiry.create', enquirySent],
  ['source.fail', feedFailing],
  ['source.recover', feedFailing],
])

export const TOLD_EVENT_TYPES: readonly string[] = [...WRITERS.keys()]

/** Returns what the merchant, its suppliers and the operator are told of an event. */
export function writeNotices(event: NoticeEvent, facts: Facts): NoticeDraft[] {
  return WRITERS.get(event.event_type)?.(event, facts) ?? []
}

function aboutOrder(write: (event: OrderEvent) => NoticeDraft[]): Write {
  return (event, facts) => {
    const found = orderEventOf(event, facts)
    return found ? write(found) : []
  }
}
