import { describe, expect, it } from 'vitest'
import type { Order } from '../../console/src/api/orders.ts'
import { returnableLines } from '../../console/src/orders/returns/returnable.ts'

const fields = { returnable: true, days_to_return: 7 }
const line = (uuid: string, fulfilled_quantity: number) => ({
  ...{ uuid, sku: uuid, quantity: 1, fulfilled_quantity, product_type: 'gem' },
  product_data: { fields },
})
const created_on = new Date().toISOString()
const order = {
  line_items: [line('shipped', 1), line('waiting', 0), line('declined', 0)],
  cancellations: [{ line_item_uuid: 'declined', quantity: 1, reason: 'chipped', created_on }],
  fulfillments: [{ created_on, line_items: [{ uuid: 'shipped', quantity: 1 }] }],
  events: [],
} as unknown as Order

describe('what may be returned', () => {
  it('says of a line that was declined or cancelled that it was', () => {
    const found = returnableLines(order, []).map(({ line: { uuid }, most, whyNot }) => {
      return [uuid, most, whyNot]
    })
    expect(found).toEqual([
      ['shipped', 1, undefined],
      ['waiting', 0, 'It has not shipped yet.'],
      ['declined', 0, 'It was cancelled.'],
    ])
  })
})
