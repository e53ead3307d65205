import { type TProperties, Type } from 'typebox'
import type { EventType } from '../../../events/events.ts'
import { WATCH_CHANGES } from '../../../saved-searches/selections/watch-changes.ts'
import {
  inlineObject,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../fields.ts'

/** What the data of each type of event has: of webhooks, of the list of events, of orders. */
interface EventDescription {
  when: string
  data: TProperties
}

const sku = text('SKU', 'K7Q2M4X9TB')
const quantity = integer('Units', 1)
const lineUuid = uuid('UUID of the order line')
const line = inlineObject({ uuid: lineUuid, quantity })
const productLine = inlineObject({ uuid: lineUuid, sku, quantity })
const lines = list(line, 'The lines, with the units that it is about')
const productLines = list(productLine, 'The lines, with the units that it is about')
const order_uuid = uuid('UUID of the order')
const reason = text('The reason that was given; may be empty', 'the customer chose another stone')
const memo_id = nullable(text('Number of the memo', 'M-2026-0017'))
const memo_due_date = timestamp('When the memo is due')

const ofReturn = {
  order_uuid,
  return_uuid: uuid('UUID of the return'),
  line_items: lines,
}
const returnReason = { ...ofReturn, reason }
const ofMemo = { order_uuid, memo_id, memo_due_date }

const ofQuote = {
  quote_uuid: uuid('UUID of the quote'),
  status: text('Status of the quote after it', 'open'),
  reason: nullable(text('The reason that the operator gave', 'below our cost')),
  currency_code: text('Currency of the prices', 'USD'),
  expires_on: timestamp('When the quote ends'),
  line_items: list(
    inlineObject({
      sku,
      quantity,
      wholesale_price: number('Price of one unit', 1650),
      offer_price: nullable(number('What the merchant offered for one unit', 1600)),
    }),
    'The lines of the quote',
  ),
}

const ofHold = {
  hold_uuid: uuid('UUID of the hold'),
  sku,
  created_on: timestamp('When the stone was held'),
  expires_on: timestamp('When the hold ends or ended'),
}

/** Every type of event. A type without a description does not compile. */
const EVENTS: Record<EventType, EventDescription> = {
  'order.create': {
    when: 'An order is placed',
    data: {
      order_uuid,
      order_id: text("The merchant's order number, or a generated one", 'PO-2026-17'),
      order_reference: nullable(text("The merchant's own reference", 'Ring 17')),
      order_type: oneOf(['invoice', 'memo'], 'Bought, or taken on memo'),
      memo_id,
      quote_uuid: Type.Optional(uuid('The quote that it was placed by, if any')),
      line_items: productLines,
    },
  },
  'order.fulfillments.create': {
    when: 'Units ship',
    data: {
      order_uuid,
      tracking_company: Type.Optional(nullable(text('Carrier', 'Facet Express'))),
      tracking_number: Type.Optional(nullable(text('Tracking number', 'FX-1001'))),
      line_items: lines,
    },
  },
  'order.pay': {
    when: 'A payment is recorded',
    data: {
      order_uuid,
      amount: number('Amount in US dollars', 1700),
      balance: number('What is left to pay', 0),
      method: Type.Optional(nullable(text('How it was paid', 'wire'))),
      reference: Type.Optional(nullable(text('Reference of the payment', 'TRX-4711'))),
      paid_on: Type.Optional(nullable(text('Day of the payment', '2026-01-31'))),
    },
  },
  'order.charge': {
    when: 'The operator sets the charges of an order',
    data: {
      order_uuid,
      charges: list(
        inlineObject({
          kind: text('Kind of charge', 'shipping'),
          label: text('What the documents say', 'Insured shipping'),
          amount: number('Amount in US dollars', 45),
        }),
        'All charges of the order',
      ),
    },
  },
  'order.confirm': {
    when: 'Lines are confirmed, or ship before they were',
    data: { order_uuid, by: oneOf(['supplier', 'operator'], 'Who confirmed'), line_items: lines },
  },
  'order.line.decline': {
    when: 'Lines are declined and thereby cancelled',
    data: {
      order_uuid,
      reason,
      by: oneOf(['supplier', 'operator'], 'Who declined'),
      line_items: productLines,
      substitutes: list(
        Type.Object({ sku }, { additionalProperties: true, description: 'Of one declined stone' }),
        "Similar stones (`stones`) of each declined one, at the merchant's prices",
      ),
    },
  },
  'order.cancel': {
    when: 'Units are cancelled',
    data: {
      order_uuid,
      reason,
      by: oneOf(['merchant', 'operator'], 'Who cancelled'),
      line_items: lines,
    },
  },
  'order.memo.return': {
    when: 'Units of a memo come back',
    data: { order_uuid, line_items: lines },
  },
  'order.memo.convert': { when: 'A memo becomes an invoice', data: { order_uuid } },
  'order.memo.extend': {
    when: 'A memo gets more time',
    data: { order_uuid, days: integer('How many days', 14), memo_due_date },
  },
  'order.memo.due_soon': { when: 'A memo is due in three days', data: ofMemo },
  'order.memo.overdue': { when: 'The due date of a memo has passed', data: ofMemo },
  'order.return.request': { when: 'The merchant asks to return goods', data: returnReason },
  'order.return.approve': { when: 'The merchant may send the goods', data: ofReturn },
  'order.return.reject': { when: 'The merchant keeps the goods', data: returnReason },
  'order.return.receive': { when: 'The goods are back', data: returnReason },
  'quote.request': { when: 'The merchant offers a price', data: ofQuote },
  'quote.accept': { when: 'The operator accepts an offer', data: ofQuote },
  'quote.decline': { when: 'The operator declines an offer', data: ofQuote },
  'quote.counter': { when: 'The operator names other prices', data: ofQuote },
  'order.invoice': {
    when: 'The operator issues the invoice before anything ships',
    data: { order_uuid, number: text('Number of the invoice', 'INV-2026-000017') },
  },
  'hold.create': { when: 'A stone is held', data: ofHold },
  'hold.ending': { when: 'A hold ends in ten minutes', data: ofHold },
  'hold.release': { when: 'A hold is released', data: ofHold },
  'hold.expire': { when: 'A hold expires', data: ofHold },
  'enquiry.create': {
    when: "A visitor of the merchant's shop window asks about a product",
    data: {
      enquiry_uuid: uuid('UUID of the enquiry'),
      sku,
      email: text('Where to answer', 'visitor@example.com'),
      name: text('Who asks', 'A visitor'),
      message: text('What is asked', 'Is it available in June?'),
    },
  },
  'search.match': {
    when: 'Stones start to match a saved search with alerts',
    data: {
      saved_search_uuid: uuid('UUID of the saved search'),
      name: text('Name of the search', 'Rounds'),
      skus: list(sku, 'The stones'),
      more: integer('How many more start to match and are not named', 0),
    },
  },
  'watch.change': {
    when: 'Something happens to stones that the merchant watches',
    data: {
      stones: list(
        inlineObject({ sku, change: oneOf(WATCH_CHANGES, 'What happened to it') }),
        'The stones',
      ),
    },
  },
}

/** Every type of event with the schema of its message, as a webhook sends it. */
export function eventMessages() {
  return Object.entries(EVENTS).map(([type, { when, data }]) => {
    const name = type.replaceAll(/(^|[._])(\w)/g, (_match, _dot, letter: string) => {
      return letter.toUpperCase()
    })
    const schema = object(`${name}Event`, {
      type: Type.Literal(type, { description: 'Type of the event', examples: [type] }),
      timestamp: timestamp('When it happened'),
      data: Type.Object(data, {
        title: `${name}Data`,
        additionalProperties: true,
        description: 'What happened; further fields may be added',
      }),
    })
    return { type, when, schema }
  })
}
