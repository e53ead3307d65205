import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addParcel } from '../order-support.ts'
import { openReturnMarket, type ReturnMarket } from './return-support.ts'

let market: ReturnMarket
beforeAll(async () => {
  market = await openReturnMarket()
})
afterAll(() => market.close())

describe('the window of a return', () => {
  it('ends so many times 24 hours after the goods were shipped, and not ordered', async () => {
    const order = (await market.place([await market.stone({ days_to_return: 2 })])).body
    await market.advance('5 days')
    await market.ship(order.uuid)
    await market.advance('47 hours 59 minutes')
    const inTime = await market.asked(order)
    await market.decide(inTime.uuid, 'reject')
    await market.advance('1 minute')
    const late = await market.ask(order)
    expect([late.status, late.body.code]).toEqual([409, 'return_window_over'])
    expect(late.body.detail).toContain('for 2 days after it was shipped')
    expect(late.body.window_ended_on).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}\+00:00$/)
  })

  it('of 0 days is over at once', async () => {
    const order = await market.shipped([await market.stone({ days_to_return: 0 })])
    const { status, body } = await market.ask(order)
    expect([status, body.code]).toEqual([409, 'return_window_over'])
  })

  it('does not end what was requested in time', async () => {
    const sku = await market.stone({ days_to_return: 1 })
    const { uuid } = await market.asked(await market.shipped([sku]))
    await market.advance('3 days')
    expect((await market.decide(uuid, 'approve')).status).toBe(200)
    await market.advance('30 days')
    expect((await market.decide(uuid, 'receive')).status).toBe(200)
    expect((await market.stateOf(sku)).state).toBe('available')
  })

  it('counts for each shipment of a line', async () => {
    const sku = await addParcel(market.database.db, 100, { returnable: true, days_to_return: 3 })
    const line_items = [{ sku, quantity: 30 }]
    const order = (await market.place([], { body: { line_items } })).body
    const [{ uuid: line }] = order.line_items
    await market.ship(order.uuid, { line_items: [{ uuid: line, quantity: 10 }] })
    await market.advance('2 days')
    await market.ship(order.uuid, { line_items: [{ uuid: line, quantity: 5 }] })
    await market.advance('2 days')
    const tooMany = await market.ask(order, [{ uuid: line, quantity: 6 }])
    expect([tooMany.status, tooMany.body.code]).toEqual([409, 'return_window_over'])
    expect(tooMany.body.detail).toContain('has 5 left to return')
    const notShipped = await market.ask(order, [{ uuid: line, quantity: 16 }])
    expect([notShipped.status, notShipped.body.code]).toEqual([409, 'not_returnable'])
    await market.asked(order, [{ uuid: line, quantity: 5 }])
  })

  it('is not passed by asking for the units of the last shipment first', async () => {
    const { order, units } = await shippedTwice()
    await market.advance('2 days')
    expect((await market.ask(order, units(7))).body.code).toBe('return_window_over')
    const { uuid } = await market.asked(order, units(6))
    const refusedMore = async () => {
      const more = await market.ask(order, units(1))
      expect([more.status, more.body.code]).toEqual([409, 'return_window_over'])
    }
    await refusedMore()
    await market.decide(uuid, 'approve')
    await refusedMore()
    await market.decide(uuid, 'receive')
    await refusedMore()
  })

  it('is open for the last shipment when the first was asked for in time', async () => {
    const { order, units } = await shippedTwice()
    const first = await market.asked(order, units(2))
    await market.advance('2 days')
    expect((await market.ask(order, units(7))).body.code).toBe('return_window_over')
    const second = await market.asked(order, units(5))
    await market.decide(first.uuid, 'reject')
    const tooMany = await market.ask(order, units(2))
    expect([tooMany.status, tooMany.body.code]).toEqual([409, 'return_window_over'])
    await market.decide(second.uuid, 'reject')
    await market.asked(order, units(6))
  })
})

/** Ten units that may be returned for 30 days: four shipped 29 days ago, and six now. */
async function shippedTwice() {
  const sku = await addParcel(market.database.db, 100, { returnable: true, days_to_return: 30 })
  const body = { line_items: [{ sku, quantity: 10 }] }
  const order = (await market.place([], { body })).body
  const units = (quantity: number) => [{ uuid: order.line_items[0].uuid, quantity }]
  await market.ship(order.uuid, { line_items: units(4) })
  await market.advance('29 days')
  await market.ship(order.uuid, { line_items: units(6) })
  return { order, units }
}
