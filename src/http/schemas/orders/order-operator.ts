import { Type } from 'typebox'
import { LINES_MAX, QUANTITY_MAX } from '../../../orders/order.ts'
import {
  flag,
  inlineObject,
  integer,
  list,
  nullable,
  number,
  ONE_LINE,
  ONE_LINE_NOT_BLANK,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../fields.ts'
import { operatorMoneyFields } from './money.ts'
import { confirmation, documentsField, LineItemSchema, orderFields } from './order.ts'
import { operatorOrderQuery } from './order-request.ts'

/** Where the units of a line are, and what its supplier answered. */
export const lineProgress = {
  open_quantity: integer('Units that are not yet shipped, cancelled or returned', 1),
  cancelled_quantity: integer('Units that were cancelled or declined', 0),
  returned_quantity: integer('Units that were returned', 0),
  confirmation: nullable(
    oneOf(['confirmed', 'declined'], 'What its supplier answered; null while there is no answer'),
  ),
  confirmed_on: nullable(timestamp('When it was confirmed')),
  confirmed_by: nullable(
    oneOf(
      ['placement', 'supplier', 'operator'],
      'Who confirmed it; placement when its supplier needs no confirmation',
    ),
  ),
  declined_on: nullable(timestamp('When it was declined')),
}

const OperatorLineSchema = object('OperatorLineItem', {
  ...LineItemSchema.properties,
  ...lineProgress,
})

export const OperatorOrderSchema = object('OperatorOrder', {
  ...orderFields,
  line_items: list(OperatorLineSchema, 'By position'),
  confirmation,
  debug: flag('Whether it is an order of the sandbox or of a test merchant', false),
  total: number('Sum of price x quantity over all lines, in US dollars', 1700),
  open_quantity: integer('Units that are not yet shipped, cancelled or returned', 1),
  documents: documentsField,
  ...operatorMoneyFields,
})

export const OperatorOrderQuery = operatorOrderQuery({
  merchant_uuid: Type.Optional(uuid('Only orders of this merchant')),
  overdue: Type.Optional(flag('Only memos that are overdue', true)),
  unconfirmed: Type.Optional(
    flag('Only orders with lines that wait for the answer of their supplier', true),
  ),
})

const units = Type.Optional(
  list(
    inlineObject({
      uuid: uuid('UUID of the line'),
      quantity: integer('Quantity of the line', 1, { minimum: 1, maximum: QUANTITY_MAX }),
    }),
    'Lines and quantities; everything that is possible unless given',
    { minItems: 1, maxItems: LINES_MAX },
  ),
)

export const line = (description: string, example: string, more = {}) =>
  text(`${description}; one line`, example, {
    maxLength: 200,
    pattern: ONE_LINE,
    ...more,
  })

export const FulfillBody = inlineObject(
  {
    line_items: units,
    tracking_company: line('Carrier', 'Facet Express', { minLength: 1 }),
    tracking_number: line('Tracking number', 'FX-2201', { minLength: 1 }),
    tracking_url: Type.Optional(
      text(
        'Tracking address, such as https://track.example/FX-2201',
        'https://track.example/FX-2201',
        {
          maxLength: 2000,
          pattern: '^(https?://[^\\s\\u0000]+)?$',
        },
      ),
    ),
  },
  { title: 'NewFulfillment' },
)

// The body of these operations may be left out; an unknown name in it is refused.
export const CancelBody = nullable(
  inlineObject(
    { line_items: units, reason: Type.Optional(line('Reason', 'ordered twice')) },
    { title: 'NewCancellation' },
  ),
)

const lineUuids = Type.Optional(
  list(uuid('UUID of a line'), 'Lines; every line that is possible unless given', {
    minItems: 1,
    maxItems: LINES_MAX,
  }),
)

export const ConfirmBody = nullable(
  inlineObject({ line_item_uuids: lineUuids }, { title: 'NewConfirmation' }),
)

export const DeclineBody = inlineObject(
  {
    line_item_uuids: lineUuids,
    reason: line('Why it cannot be delivered', 'sold elsewhere', {
      minLength: 1,
      pattern: ONE_LINE_NOT_BLANK,
    }),
  },
  { title: 'NewDecline' },
)

export const ReturnBody = nullable(inlineObject({ line_items: units }, { title: 'NewReturn' }))

export const NothingBody = nullable(inlineObject({}, { title: 'Nothing' }))
