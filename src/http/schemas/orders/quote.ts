import { Type } from 'typebox'
import { HOLD_MINUTES_MAX } from '../../../gems/holds/place-hold.ts'
import { LINES_MAX, QUANTITY_MAX } from '../../../orders/order.ts'
import {
  OFFER_MAX,
  QUOTE_MINUTES_DEFAULT,
  QUOTE_MINUTES_MAX,
  QUOTE_STATUSES,
} from '../../../orders/quotes/quote.ts'
import { QUOTE_SORTS } from '../../../orders/quotes/quote-store.ts'
import {
  flag,
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
import { listLimit, offsetField, sortFields } from '../page.ts'
import { line } from './order-operator.ts'
import { name, several } from './order-request.ts'

const sku = name('SKU', 'K7Q2M4X9TB', { minLength: 1 })
const amount = (description: string, example: number) =>
  number(description, example, { exclusiveMinimum: 0, maximum: OFFER_MAX })
const minutes = (description: string, more = {}) =>
  number(`${description}; fractions are allowed`, 60, {
    exclusiveMinimum: 0,
    maximum: QUOTE_MINUTES_MAX,
    ...more,
  })

export const QuoteBody = inlineObject(
  {
    line_items: list(
      inlineObject({
        sku,
        quantity: integer('Quantity', 1, { minimum: 1, maximum: QUANTITY_MAX }),
        offer_price: Type.Optional(
          amount('What the merchant offers for one unit, in the currency of the quote', 1600),
        ),
      }),
      'Each SKU at most once',
      { minItems: 1, maxItems: LINES_MAX },
    ),
    minutes: minutes('How long the quote stands', { default: QUOTE_MINUTES_DEFAULT }),
    hold: flag(
      `Whether to hold the stones as well, for as long but at most ${HOLD_MINUTES_MAX} minutes`,
      true,
      { default: false },
    ),
    currency_code: Type.Optional(
      text("Currency of the prices; the merchant's own unless given", 'EUR', {
        pattern: '^[A-Z]{3}$',
      }),
    ),
    merchant_uuid: Type.Optional(uuid('Merchant that is quoted; required with an admin token')),
  },
  { title: 'NewQuote' },
)

const QuoteLineSchema = object('QuoteLine', {
  sku: text('SKU', 'K7Q2M4X9TB'),
  quantity: integer('Quantity', 1),
  name: text('Name', 'Gem K7Q2M4X9TB'),
  description: text('Description', '1.52 ct round brilliant cut, mined, F VS1'),
  product_type: oneOf(['gem', 'jewelry', 'watch'], 'Kind of product'),
  wholesale_price: number('What one unit costs while the quote is open', 1650),
  retail_price: number("One unit at the merchant's own margin, when the quote was made", 2227.5),
  market_price: number('What one unit cost when the quote was made', 1700),
  offer_price: nullable(number('What the merchant offered for one unit', 1600)),
})

export const QuoteSchema = object('Quote', {
  uuid: uuid('UUID of the quote'),
  merchant_uuid: uuid('Merchant that was quoted'),
  status: oneOf(
    QUOTE_STATUSES,
    'Only an open quote can be ordered; requested while an offer waits for its answer',
  ),
  currency_code: text('Currency of the prices', 'EUR'),
  exchange_rate: number('Units of the currency for one US dollar, as long as it stands', 0.92),
  total: number('Sum of wholesale_price x quantity, in its currency', 1650),
  line_items: list(QuoteLineSchema, 'In the order of the request'),
  hold: flag('Whether its stones were held when it was made', false),
  held_until: nullable(timestamp('When the first of these holds ends by itself')),
  reason: nullable(text('Why it was declined', 'below our cost')),
  order_uuid: nullable(uuid('Order that was placed by it')),
  created_on: timestamp('When it was made'),
  updated_on: timestamp('When it was answered or ordered; otherwise when it was made'),
  expires_on: timestamp('Until when it stands', '2026-02-01T09:15:00.123456+00:00'),
})

const listFields = {
  limit: listLimit,
  offset: offsetField,
  status: several(QUOTE_STATUSES, 'Only quotes with these statuses'),
  ...sortFields(QUOTE_SORTS, { col: 'created_on', order: 'desc' }),
}
export const QuoteListQuery = inlineObject(listFields)
export const OperatorQuoteQuery = inlineObject({
  ...listFields,
  merchant_uuid: Type.Optional(uuid('Only quotes of this merchant')),
})

const newEnd = Type.Optional(
  minutes('The quote stands for so long from now; as before unless given'),
)

// The body of these operations may be left out; an unknown name in it is refused.
export const AcceptQuoteBody = nullable(inlineObject({ minutes: newEnd }, { title: 'Acceptance' }))

export const DeclineQuoteBody = nullable(
  inlineObject({ reason: Type.Optional(line('Reason', 'below our cost')) }, { title: 'Decline' }),
)

export const CounterQuoteBody = inlineObject(
  {
    line_items: list(
      inlineObject({
        sku,
        price: amount('Price of one unit in the currency of the quote', 1650),
      }),
      'Lines that are not named keep their wholesale_price',
      { minItems: 1, maxItems: LINES_MAX },
    ),
    minutes: newEnd,
  },
  { title: 'Counteroffer' },
)
