import { Type } from 'typebox'
import { integer, nullable, number, text, timestamp } from './fields.ts'
import { GemSchema } from './gem.ts'

const product = Type.Partial(
  Type.Object({
    ...GemSchema.properties,
    id: Type.Unsafe<number | string>({
      type: ['integer', 'string'],
      description: "A gem's number, or a variant's uuid",
      examples: [4711],
    }),
    type: text('Where a stone comes from', 'mined'),
    off_rap_price: nullable(number('The reference list price in US dollars', 2518.5)),
    cost: number('What the caller pays in US dollars; in lists and searches only', 1700),
    created_on: timestamp('When it came to the market'),
    updated_on: timestamp('When it was last changed before the order'),
    supplier_id: integer('Whose it is', 3),
    vendor_sku: text("The supplier's number", 'NL-100482'),
  }),
  { title: 'OrderProduct', additionalProperties: true },
)

/**
 * The product as it was when it was ordered. A certificate has none of these fields, and jewelry
 * has those of a variant, so each of them may be absent.
 */
export const OrderProductSchema = Type.Unsafe<Record<string, unknown>>(product)
