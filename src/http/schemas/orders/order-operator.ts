import { Type } from 'typebox'
import { LINES_MAX, QUANTITY_MAX } from '../../../orders/order.ts'
import {
  flag,
  inlineObject,
  integer,
  list,
  nullable,
  number,
  object,
  text,
  uuid,
} from '../fields.ts'
import { operatorMoneyFields } from './money.ts'
import { orderFields } from './order.ts'
import { operatorOrderQuery } from './order-request.ts'

export const OperatorOrderSchema = object('OperatorOrder', {
  ...orderFields,
  debug: flag('Whether it is an order of the sandbox or of a test merchant', false),
  total: number('Sum of price x quantity over all lines, in US dollars', 1700),
  open_quantity: integer('Units that are not yet shipped, cancelled or returned', 1),
  ...operatorMoneyFields,
})

export const OperatorOrderQuery = operatorOrderQuery({
  merchant_uuid: Type.Optional(uuid('Only orders of this merchant')),
  overdue: Type.Optional(flag('Only memos that are overdue', true)),
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

const line = (description: string, example: string, more = {}) =>
  text(`${description}; one line`, example, {
    maxLength: 200,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
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

export const ReturnBody = nullable(inlineObject({ line_items: units }, { title: 'NewReturn' }))

export const NothingBody = nullable(inlineObject({}, { title: 'Nothing' }))
