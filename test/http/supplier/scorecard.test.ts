import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvOf, stones } from '../../feeds/import-support.ts'
import { addStone, type OrderMarket, openOrderMarket } from '../../orders/order-support.ts'
import { openSupplier, type TestSupplier } from './supplier-support.ts'

let market: OrderMarket
let own: TestSupplier
beforeAll(async () => {
  market = await openOrderMarket()
  own = await openSupplier(market, 'Scored Stones', { confirms: true, ships: true })
})
afterAll(() => market.close())

const card = async () => {
  const { status, body } = await own.call('GET', '/scorecard')
  expect(status).toBe(200)
  return body
}

/** Moves the lines of an order into the past, and with them what happened to them. */
async function makeOlder(uuid: string, hours: number): Promise<void> {
  const { db } = market.database
  await sql`update order_line set created_on = created_on - make_interval(hours => ${hours})
    where order_uuid = ${uuid}`.execute(db)
}

describe('a score card', () => {
  it('of a new supplier has nothing to count', async () => {
    const body = await card()
    expect(body).toMatchObject({ hours_since_import: null, stones: 0, share_with_media: null })
    expect(body.periods.map(({ days }: { days: number }) => days)).toEqual([7, 30, 90])
    expect(body.periods[0]).toEqual({
      days: 7,
      rows: 0,
      share_rejected: null,
      rejections: [],
      order_lines: 0,
      share_declined: null,
      share_cancelled: null,
      hours_to_confirm: null,
      hours_to_ship: null,
      price_changes_per_day: 0,
      share_dead_media: null,
    })
  })

  it('counts rows, answers, shipments and price changes, for supplier and operator alike', async () => {
    const rows = stones(4).map((row, at) => (at === 0 ? { ...row, weight: 'x' as never } : row))
    const imported = await own.upload('', csvOf(rows))
    expect(imported.body).toMatchObject({ rows: 4, rejected: 1, added: 3 })
    const dearer = csvOf(stones(4, (stone) => ({ ...stone, perCarat: stone.perCarat + 1 })))
    expect((await own.upload('', dearer)).status).toBe(200)
    const { db } = market.database
    const order = async () => {
      const sku = await addStone(db, { supplier_id: own.id, image_top_url: 'https://m.example/a' })
      const { body } = await market.place([sku], { version: 'v3' })
      return body.uuid as string
    }
    const [shipped, declined, old] = [await order(), await order(), await order()]
    await makeOlder(shipped, 10)
    await makeOlder(old, 24 * 20)
    const tracking = { tracking_company: 'Facet Express', tracking_number: 'FX-1' }
    await own.call('POST', `/orders/${shipped}/confirm`)
    await own.call('POST', `/orders/${shipped}/fulfill`, tracking)
    await own.call('POST', `/orders/${declined}/decline`, { reason: 'sold elsewhere' })
    await addStone(db, { supplier_id: own.id, image_top_url: 'https://m.example/a' })
    const body = await card()
    const [week, month] = body.periods
    expect(week).toMatchObject({ rows: 8, share_rejected: 0.125, order_lines: 2 })
    expect(week.rejections).toEqual([{ reason: expect.any(String), rows: 1 }])
    expect(week).toMatchObject({ share_declined: 0.5, share_cancelled: 0 })
    expect(Math.round(week.hours_to_confirm)).toBe(10)
    expect(Math.round(week.hours_to_ship)).toBe(10)
    expect(week.price_changes_per_day).toBeGreaterThan(0)
    expect(month.order_lines).toBe(3)
    expect(body.hours_since_import).toBeLessThan(1)
    expect(body.share_with_media).toBeGreaterThan(0)
    expect(body.share_with_media).toBeLessThan(1)
    const path = `/api/operator/suppliers/${own.uuid}/scorecard`
    const operator = await market.call('GET', path, { token: market.adminKey })
    expect(operator.body.periods).toEqual(body.periods)
  })
})
