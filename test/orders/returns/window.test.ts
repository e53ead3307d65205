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
})
