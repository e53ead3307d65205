import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { numberEvents } from '../../src/events/number-changes.ts'
import { addStone, type OrderMarket, openOrderMarket } from '../orders/order-support.ts'

let market: OrderMarket
beforeAll(async () => {
  market = await openOrderMarket()
})
afterAll(() => market.close())

/** Resolves when a statement of the market waits for a lock. */
async function someoneWaits(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(market.database.db)
      return rows[0].waiting
    })
    .toBeGreaterThan(0)
}

it('an order is placed although a webhook is removed while its event is numbered', async () => {
  const { key: token, merchant } = market.buyer
  const { db } = market.database
  const body = { url: 'https://hooks.shop.example/pavilion' }
  const created = await market.call('POST', '/api/v3/webhooks', { token, body })
  expect(created.status, created.text).toBe(201)
  await market.place([await addStone(db)])
  const sku = await addStone(db)
  let placing: ReturnType<OrderMarket['place']> | undefined
  await db.transaction().execute(async (tx) => {
    await sql`select from event_clock where merchant_uuid = ${merchant.uuid} for update`.execute(tx)
    placing = market.place([sku])
    // The event is committed, and numbering waits for the clock.
    await someoneWaits()
    const path = `/api/v3/webhooks/${created.body.uuid}`
    expect((await market.call('DELETE', path, { token })).status).toBe(204)
  })
  const placed = await placing
  expect(placed?.status, placed?.text).toBe(200)
  await numberEvents(db)
  const unnumbered = db.selectFrom('event').select('uuid').where('sequence', 'is', null)
  expect(await unnumbered.execute()).toEqual([])
})
