import { type TProperties, Type } from 'typebox'
import { LINES_MAX, QUANTITY_MAX } from '../../../orders/order.ts'
import {
  EMPTY_OR_ONE_LINE,
  flag,
  inlineObject,
  integer,
  list,
  ONE_LINE,
  ONE_LINE_NOT_BLANK,
  oneOf,
  text,
  uuid,
  WITHOUT_NULL,
} from '../fields.ts'
import { limitField, offsetField } from '../page.ts'

/** A short text of a caller: one line, without control characters. */
export const name = (description: string, example: string, more = {}) =>
  text(`${description}; one line`, example, {
    maxLength: 200,
    pattern: ONE_LINE,
    ...more,
  })

const placementFields = {
  order_type: oneOf(['invoice', 'memo'], 'invoice to buy, memo to take on memo'),
  merchant_uuid: Type.Optional(uuid('Merchant that orders; required with an admin token')),
  order_reference: Type.Optional(
    name("The caller's own reference; unique unless empty", 'Ring 17'),
  ),
  notes: Type.Optional(
    text('Notes for a person; no null characters', 'Please call before delivery', {
      maxLength: 2000,
      pattern: WITHOUT_NULL,
    }),
  ),
  allow_unavailable: Type.Optional(
    flag('Whether an admin may order what is out of stock; ignored with other tokens', false),
  ),
  ignore_limits: Type.Optional(
    flag("Whether an admin may exceed the merchant's limits; ignored with other tokens", false),
  ),
  shipping_address_uuid: Type.Optional(
    uuid("One of the merchant's addresses; the default address unless given"),
  ),
  on_unavailable: Type.Optional(
    oneOf(
      ['refuse', 'skip'],
      'Whether a line that cannot be ordered refuses the whole order or is left out',
      { default: 'refuse' },
    ),
  ),
  quote_uuid: Type.Optional(
    uuid('An open quote, whose prices are charged for lines that are in it, or for some of them'),
  ),
  dry_run: Type.Optional(flag('Check and price the order without placing it', false)),
  line_items: list(
    inlineObject({
      sku: name('SKU', 'K7Q2M4X9TB', { minLength: 1 }),
      quantity: integer('Quantity', 1, { minimum: 1, maximum: QUANTITY_MAX }),
    }),
    'Each SKU at most once',
    { minItems: 1, maxItems: LINES_MAX },
  ),
}

const orderId = (description: string, more: object) =>
  name(`The caller's own order number; unique for each merchant${description}`, 'PO-2026-17', more)

export const PlaceOrderBody = inlineObject({
  ...placementFields,
  order_id: Type.Optional(orderId('; generated when it is empty', { pattern: EMPTY_OR_ONE_LINE })),
})

export const PlaceOrderV3Body = inlineObject({
  ...placementFields,
  external_order_id: orderId('', { minLength: 1, pattern: ONE_LINE_NOT_BLANK }),
})

export const several = <const Values extends readonly string[]>(
  values: Values,
  description: string,
) => Type.Optional(list(oneOf(values, 'A value'), description, { minItems: 1, maxItems: 10 }))

const time = (description: string) =>
  Type.Optional(text(description, '2026-01-31T00:00:00Z', { maxLength: 40 }))

export const orderTimes = {
  ordered_from: time('Only orders placed at or after this time'),
  ordered_to: time('Only orders placed up to this time; a day without a time includes all of it'),
  updated_since: time('Only orders that were placed or changed at or after this time'),
}

const filters = {
  payment_status: several(
    ['paid', 'unpaid'],
    'Only orders with these payment statuses; unpaid means not paid yet',
  ),
  fulfillment_status: several(
    ['partial', 'fulfilled', 'unfulfilled'],
    'Only orders with these statuses; unfulfilled means that nothing has shipped yet',
  ),
  order_type: several(['invoice', 'memo'], 'Only orders of these types'),
  ...orderTimes,
}

const sortOrder = ['asc', 'desc'] as const
const text200 = Type.Optional(
  text('Words that must all be found, whole or as a prefix; no null characters', '1.52 GIA', {
    maxLength: 200,
    pattern: WITHOUT_NULL,
  }),
)

const v2Fields = {
  limit: limitField(50, 500),
  offset: offsetField,
  ...filters,
  sort_col: oneOf(['ordered_on', 'total', 'merchant_legal_dba'], 'Column to sort by', {
    default: 'ordered_on',
  }),
  sort_order: oneOf(sortOrder, 'Sort direction', { default: 'asc' }),
}
export const OrderListQuery = inlineObject(v2Fields)
export const OrderSearchQuery = inlineObject({ ...v2Fields, query: text200 })

const V3_SORTS = [
  'created_on',
  'ordered_on',
  'total',
  'merchant_legal_dba',
  'due_on',
  'balance',
] as const

/** Defaults are not in the schema, because an alias applies when a parameter is not given. */
const v3Fields = {
  limit: limitField(100, 500),
  offset: offsetField,
  ...filters,
  has_unfulfilled: Type.Optional(flag('If true, only orders with something left to ship', true)),
  owed: Type.Optional(flag('If true, only invoices with something left to pay', true)),
  past_due: Type.Optional(
    flag('If true, only invoices that are not paid after their due date', false),
  ),
  debug: Type.Optional(flag('Only orders with the debug flag, or only those without', false)),
  sort_col: Type.Optional(
    oneOf(V3_SORTS, 'Column to sort by; created_on unless given. due_on and balance need owed'),
  ),
  sort_order: Type.Optional(oneOf(sortOrder, 'Sort direction; asc unless given')),
  order_by: Type.Optional(oneOf(V3_SORTS, 'The same as sort_col')),
  order: Type.Optional(oneOf(sortOrder, 'The same as sort_order')),
}
export const OrderListV3Query = inlineObject(v3Fields)
export const OrderSearchV3Query = inlineObject({ ...v3Fields, q: text200 })

export function operatorOrderQuery<Own extends TProperties>(own: Own) {
  return inlineObject({ ...v3Fields, q: text200, ...own })
}
