import { type TProperties, Type } from 'typebox'
import { LINES_MAX, QUANTITY_MAX } from '../../orders/order.ts'
import { flag, inlineObject, integer, list, oneOf, text, uuid } from './fields.ts'
import { limitField, offsetField } from './page.ts'

/** A name that a caller gives: one line, bounded. */
const name = (description: string, example: string, more = {}) =>
  text(`${description}; one line`, example, {
    maxLength: 200,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    ...more,
  })

const placementFields = {
  order_type: oneOf(['invoice', 'memo'], 'Bought, or taken on memo'),
  merchant_uuid: Type.Optional(uuid('Who orders; an admin must say it')),
  order_reference: Type.Optional(name("The caller's reference, unique unless empty", 'Ring 17')),
  notes: Type.Optional(
    text('For a person; no null characters', 'Please call before delivery', {
      maxLength: 2000,
      pattern: '^[^\\u0000]*$',
    }),
  ),
  allow_unavailable: Type.Optional(
    flag('An admin orders what is out of stock all the same; ignored from others', false),
  ),
  shipping_address_uuid: Type.Optional(uuid("One of the merchant's; otherwise its default")),
  dry_run: Type.Optional(flag('Check and price everything, write nothing', false)),
  line_items: list(
    inlineObject({
      sku: name('What is ordered', 'K7Q2M4X9TB', { minLength: 1 }),
      quantity: integer('How many', 1, { minimum: 1, maximum: QUANTITY_MAX }),
    }),
    'Each SKU once',
    { minItems: 1, maxItems: LINES_MAX },
  ),
}

const orderId = name("The caller's own number, unique per merchant", 'PO-2026-17', {
  minLength: 1,
  pattern: '\\S',
})

export const PlaceOrderBody = inlineObject({
  ...placementFields,
  order_id: Type.Optional(orderId),
})

export const PlaceOrderV3Body = inlineObject({ ...placementFields, external_order_id: orderId })

const several = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Optional(list(oneOf(values, 'One of them'), description, { minItems: 1, maxItems: 10 }))

const filters = {
  payment_status: several(['paid', 'unpaid'], 'Only orders that are so; unpaid: not paid yet'),
  fulfillment_status: several(
    ['partial', 'fulfilled', 'unfulfilled'],
    'Only orders that are so; unfulfilled: nothing has shipped yet',
  ),
  order_type: several(['invoice', 'memo'], 'Only orders of these types'),
}

const sortOrder = ['asc', 'desc'] as const
const text200 = Type.Optional(
  text('Every word must be found, whole or as a prefix; no null characters', '1.52 GIA', {
    maxLength: 200,
    pattern: '^[^\\u0000]*$',
  }),
)

const v2Fields = {
  limit: limitField(50, 500),
  offset: offsetField,
  ...filters,
  sort_col: oneOf(['ordered_on', 'total', 'merchant_legal_dba'], 'What to sort by', {
    default: 'ordered_on',
  }),
  sort_order: oneOf(sortOrder, 'Which way', { default: 'asc' }),
}
export const OrderListQuery = inlineObject(v2Fields)
export const OrderSearchQuery = inlineObject({ ...v2Fields, query: text200 })

export const V3_SORTS = ['created_on', 'ordered_on', 'total', 'merchant_legal_dba'] as const

/** Without defaults in the schema: an alias must be told from a parameter that was not given. */
const v3Fields = {
  limit: limitField(100, 500),
  offset: offsetField,
  ...filters,
  has_unfulfilled: Type.Optional(
    flag('True: only orders with something left to ship; false: all', true),
  ),
  debug: Type.Optional(flag('Only orders with, or only without, the debug flag', false)),
  sort_col: Type.Optional(oneOf(V3_SORTS, 'What to sort by; created_on unless given')),
  sort_order: Type.Optional(oneOf(sortOrder, 'Which way; asc unless given')),
  order_by: Type.Optional(oneOf(V3_SORTS, 'The same as sort_col')),
  order: Type.Optional(oneOf(sortOrder, 'The same as sort_order')),
}
export const OrderListV3Query = inlineObject(v3Fields)
export const OrderSearchV3Query = inlineObject({ ...v3Fields, q: text200 })

export function operatorOrderQuery<Own extends TProperties>(own: Own) {
  return inlineObject({ ...v3Fields, q: text200, ...own })
}
