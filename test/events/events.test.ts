import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addStone, type OrderMarket, openOrderMarket } from '../orders/order-support.ts'
import { lastNumber } from '../support/change-log.ts'

let market: OrderMarket
beforeAll(async () => {
  market = await openOrderMarket()
})
afterAll(() => market.close())

const events = (query = '', token = market.buyer.key) =>
  market.call('GET', `/api/v3/events${query}`, { token })

describe('GET /api/v3/events', () => {
  it('lists what happened after a number, in order and without gaps', async () => {
    const placed = []
    for (let count = 0; count < 3; count++) {
      placed.push((await market.place([await addStone(market.database.db)])).body)
    }
    const pay = `/api/operator/orders/${placed[0].uuid}/pay`
    await market.call('POST', pay, { token: market.adminKey })
    const all = await events()
    expect(all.body).toMatchObject({ next: 4, more: false })
    expect(all.body.events.map((event: { sequence: number }) => event.sequence)).toEqual([
      1, 2, 3, 4,
    ])
    expect(all.body.events[3]).toMatchObject({
      event_type: 'order.pay',
      event_data: { order_uuid: placed[0].uuid },
    })
    const page = await events('?after=1&limit=2')
    expect(page.body).toMatchObject({ next: 3, more: true })
    expect(page.body.events.map((event: { sequence: number }) => event.sequence)).toEqual([2, 3])
    expect((await events('?after=4')).body).toEqual({
      events: [],
      next: 4,
      more: false,
      last: 4,
    })
  })

  it('shows only the merchant’s own events, and misses none of orders placed at the same time', async () => {
    const { key } = await market.merchant()
    expect((await events('', key)).body.events).toEqual([])
    expect((await events('', market.adminKey)).status).toBe(403)
    const skus = await Promise.all(Array.from({ length: 20 }, () => addStone(market.database.db)))
    const placing = Promise.all(skus.map((sku) => market.place([sku], { by: key })))
    const seen: number[] = []
    let after = 0
    while (seen.length < skus.length) {
      const { body } = await events(`?after=${after}`, key)
      seen.push(...body.events.map((event: { sequence: number }) => event.sequence))
      after = body.next
    }
    await placing
    expect(seen).toEqual(skus.map((_, index) => index + 1))
  })

  it('waits for the next event of the merchant, and for no other', async () => {
    const { key } = await market.merchant()
    const waiting = events('?after=0&wait=30', key)
    const other = events('?after=0&wait=1', (await market.merchant()).key)
    await market.place([await addStone(market.database.db)], { by: key })
    expect((await waiting).body).toMatchObject({
      events: [{ sequence: 1, event_type: 'order.create' }],
      last: 1,
    })
    expect((await other).body).toEqual({ events: [], next: 0, more: false, last: 0 })
    expect((await events('?wait=31', key)).status).toBe(422)
  })

  it('lets twenty requests of a merchant wait, and refuses one more', async () => {
    const { key } = await market.merchant()
    const waiting = Array.from({ length: 21 }, () => events('?wait=30', key))
    const refused = await Promise.race(waiting)
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_waits' } })
    await market.place([await addStone(market.database.db)], { by: key })
    const found = (await Promise.all(waiting)).filter(({ status }) => status === 200)
    expect(found.map(({ body }) => body.events.length)).toEqual(Array(20).fill(1))
  })
})

describe('a call whose key ends while it waits', () => {
  const paths = async () => {
    const after = await lastNumber(market.database.db)
    return ['/api/v3/events?wait=20', `/api/v3/inventory/changes?after=${after}&wait=20`]
  }

  it('is refused, whether the key was revoked or expired', async () => {
    const { merchant, key } = await market.merchant()
    const of = { merchant_uuid: merchant.uuid }
    const revoked = await market.token(of)
    const soon = new Date(Date.now() + 1_000)
    const expiring = await market.token({ ...of, expires_on: soon })
    const waiting = (await paths()).flatMap((path) =>
      [revoked, expiring].map(({ token }) => market.call('GET', path, { token })),
    )
    await sleep(200)
    const path = `/api/operator/tokens/${revoked.uuid}`
    await market.call('DELETE', path, { token: market.adminKey })
    await sleep(1_000)
    await market.place([await addStone(market.database.db)], { by: key })
    const answers = await Promise.all(waiting)
    expect(answers.map(({ status, body }) => [status, body.detail])).toEqual([
      [401, 'The token was revoked.'],
      [401, 'The token has expired.'],
      [401, 'The token was revoked.'],
      [401, 'The token has expired.'],
    ])
  })
})
