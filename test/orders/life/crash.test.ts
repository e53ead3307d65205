import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { withMarket } from '../crash-support.ts'
import { PARCEL_QUANTITY, runStories, type StoryCall } from '../stories-support.ts'

const TRACKING = { tracking_company: 'Facet Express', tracking_number: 'FX-1' }

/** A memo that is extended, returned in part and bought; and orders that end in every other way. */
async function story(call: StoryCall, sku: string): Promise<void> {
  const place = async (order_type: string, quantity: number) => {
    const body = { order_type, line_items: [{ sku, quantity }] }
    return await call('buyer', '/api/v2/orders/place', body)
  }
  const step = (uuid: string, name: string, body: object) =>
    call('operator', `/api/operator/orders/${uuid}/${name}`, body)

  const memo = await place('memo', 5)
  await step(memo.uuid, 'extend', { days: 5 })
  await step(memo.uuid, 'return', { line_items: [{ uuid: memo.line_items[0].uuid, quantity: 2 }] })
  await step(memo.uuid, 'convert', {})
  await step(memo.uuid, 'pay', {})
  const shipped = await place('invoice', 4)
  await step(shipped.uuid, 'confirm', {})
  await step(shipped.uuid, 'fulfill', TRACKING)
  const declined = await place('invoice', 3)
  await step(declined.uuid, 'decline', { reason: 'sold elsewhere' })
  const cancelled = await place('invoice', 2)
  await call('buyer', `/api/v3/orders/${cancelled.uuid}/cancel`, { reason: 'changed my mind' })
}

const EVENTS = {
  'order.create': 4,
  'order.memo.extend': 1,
  'order.memo.return': 1,
  'order.memo.convert': 1,
  'order.pay': 1,
  'order.confirm': 1,
  'order.fulfillments.create': 1,
  'order.line.decline': 1,
  'order.cancel': 1,
}

/** Stones that a story takes out of the parcel for good: bought, shipped, and declined. */
const TAKEN = 3 + 4 + 3

function examine(folder: string) {
  return withMarket(folder, async ({ db }) => {
    const events = await sql<{ event_type: string; count: number }>`
      select event_type, count(*) as count from event group by event_type`.execute(db)
    const figures = await sql<{ left: number; unbalanced: number; balance: string }>`
      select (select quantity from gem) as left,
        (select count(*) from orders where order_status = 'cancelled' and (
          select coalesce(sum(amount), 0) from ledger_entry where order_uuid = orders.uuid) <> 0)
          as unbalanced`.execute(db)
    const counts = events.rows.map(({ event_type, count }) => [event_type, count])
    return { events: Object.fromEntries(counts), ...figures.rows[0] }
  })
}

it('every step of an order happens once when the API and PostgreSQL are killed', async () => {
  const { folder, finished, repeated } = await runStories({
    prepare: async (db) => {
      await sql`update gem set memo = true, memo_days_to_return = 14`.execute(db)
      await sql`update supplier set confirms = true`.execute(db)
    },
    story,
  })
  const found = await examine(folder)
  expect(repeated).toBeGreaterThan(0)
  const once = Object.entries(EVENTS).map(([type, count]) => [type, count * finished])
  expect(found.events).toEqual(Object.fromEntries(once))
  expect(found.left).toBe(PARCEL_QUANTITY - TAKEN * finished)
  expect(found.unbalanced).toBe(0)
}, 600_000)
