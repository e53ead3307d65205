import { Type } from 'typebox'
import { LINES_MAX, QUANTITY_MAX } from '../../../orders/order.ts'
import { RETURN_STATUSES } from '../../../orders/returns/return.ts'
import { RETURN_SORTS } from '../../../orders/returns/return-store.ts'
import {
  inlineObject,
  integer,
  list,
  nullable,
  number,
  ONE_LINE_NOT_BLANK,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../fields.ts'
import { listLimit, offsetField, sortFields } from '../page.ts'
import { line } from './order-operator.ts'
import { several } from './order-request.ts'

export const ReturnRequestBody = inlineObject(
  {
    line_items: list(
      inlineObject({
        uuid: uuid('UUID of the line'),
        quantity: integer('Quantity to return', 1, { minimum: 1, maximum: QUANTITY_MAX }),
      }),
      'Lines that have shipped; each at most once',
      { minItems: 1, maxItems: LINES_MAX },
    ),
    reason: line('Why it goes back', 'the customer chose another stone', {
      minLength: 1,
      pattern: ONE_LINE_NOT_BLANK,
    }),
  },
  { title: 'ReturnRequest' },
)

export const OrderReturnSchema = object('OrderReturn', {
  uuid: uuid('UUID of the return'),
  order_uuid: uuid('Order that the goods were invoiced by'),
  external_order_id: text("The caller's own order number", 'PO-2026-17'),
  merchant_uuid: uuid('Merchant that returns the goods'),
  status: oneOf(RETURN_STATUSES, 'requested until the operator has decided'),
  reason: text('Why the merchant returns them', 'the customer chose another stone'),
  reject_reason: nullable(text('Why the operator rejected them', 'the seal is broken')),
  currency_code: text('Currency of the prices', 'USD'),
  total: number('Sum of price x quantity over its lines', 1700),
  line_items: list(
    object('ReturnLine', {
      uuid: uuid('UUID of the line of the order'),
      sku: text('SKU', 'K7Q2M4X9TB'),
      name: text('Name', 'Gem K7Q2M4X9TB'),
      description: text('Description', '1.52 ct round brilliant cut, mined, F VS1'),
      product_type: text('gem, jewelry or watch', 'gem'),
      quantity: integer('Quantity to return', 1),
      price: number('Price of one unit in US dollars', 1700),
    }),
    'In the order of the lines of the order',
  ),
  created_on: timestamp('When it was requested'),
  updated_on: timestamp('When its status last changed'),
})

const listFields = {
  limit: listLimit,
  offset: offsetField,
  status: several(RETURN_STATUSES, 'Only returns with these statuses'),
  order_uuid: Type.Optional(uuid('Only returns of this order')),
  ...sortFields(RETURN_SORTS, { col: 'created_on', order: 'desc' }),
}
export const ReturnListQuery = inlineObject(listFields)
export const OperatorReturnQuery = inlineObject({
  ...listFields,
  merchant_uuid: Type.Optional(uuid('Only returns of this merchant')),
})

// The body may be left out; an unknown name in it is refused.
export const RejectReturnBody = nullable(
  inlineObject(
    { reason: Type.Optional(line('Reason', 'the seal is broken')) },
    { title: 'ReturnRejection' },
  ),
)
