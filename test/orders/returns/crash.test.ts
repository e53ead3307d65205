import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { withMarket } from '../crash-support.ts'
import { PARCEL_QUANTITY, runStories, type StoryCall } from '../stories-support.ts'

const QUANTITY = 3
const OFFER = 1.5

/** From an offer to the receipt of what was returned. */
async function story(call: StoryCall, sku: string): Promise<void> {
  const line_items = [{ sku, quantity: QUANTITY }]
  const quote = await call('buyer', '/api/v3/quotes', {
    line_items: [{ ...line_items[0], offer_price: OFFER }],
  })
  await call('operator', `/api/operator/quotes/${quote.uuid}/accept`, {})
  const order = await call('buyer', '/api/v2/orders/place', {
    order_type: 'invoice',
    line_items,
    quote_uuid: quote.uuid,
  })
  await call('operator', `/api/operator/orders/${order.uuid}/fulfill`, {
    tracking_company: 'Facet Express',
    tracking_number: 'FX-1',
  })
  const asked = await call('buyer', `/api/v3/orders/${order.uuid}/returns`, {
    line_items: [{ uuid: order.line_items[0].uuid, quantity: 1 }],
    reason: 'too small',
  })
  await call('operator', `/api/operator/returns/${asked.uuid}/approve`, {})
  await call('operator', `/api/operator/returns/${asked.uuid}/receive`, {})
}

interface Figures {
  quotes: number
  orders: number
  received: number
  left: number
  out: number
  credited: string
  events: number
}

/** Counts what there is, and what must add up. */
function examine(folder: string): Promise<Figures> {
  return withMarket(folder, async ({ db }) => {
    const { rows } = await sql<Figures>`
      select (select count(*) from quote where status = 'ordered') as quotes,
        (select count(*) from orders) as orders,
        (select count(*) from order_return where status = 'received') as received,
        (select quantity from gem) as left,
        (select sum(quantity - returned_quantity)::int from order_line where sku <> '') as out,
        (select sum(amount)::text from ledger_entry where kind = 'credit') as credited,
        (select count(*) from event) as events`.execute(db)
    return rows[0]
  })
}

it('every quote, order and return happens once when the API and PostgreSQL are killed', async () => {
  const { folder, finished, repeated } = await runStories({
    prepare: (db) => sql`update gem set returnable = true, days_to_return = 14`.execute(db),
    story,
  })
  const found = await examine(folder)
  expect(repeated).toBeGreaterThan(0)
  expect([found.quotes, found.orders, found.received]).toEqual([finished, finished, finished])
  expect(found.left + found.out).toBe(PARCEL_QUANTITY)
  expect(found.out).toBe(finished * (QUANTITY - 1))
  // Three stones cost 4.50 and two of them 3.00.
  expect(Number(found.credited)).toBe(-OFFER * finished)
  // One each for: offer, accept, create, fulfil, request, approve, receive.
  expect(found.events).toBe(finished * 7)
}, 600_000)
