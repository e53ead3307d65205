import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addParcel } from '../order-support.ts'
import { eventsOf } from '../quotes/quote-support.ts'
import { openReturnMarket, type ReturnMarket } from './return-support.ts'

let market: ReturnMarket
beforeAll(async () => {
  market = await openReturnMarket()
})
afterAll(() => market.close())

/** Sends calls to both nodes in turn, all at once. */
function atOnce(calls: { url: string; token: string; payload?: object }[]) {
  return Promise.all(
    calls.map(async ({ url, token, payload }, index) => {
      const response = await [market.app, market.node][index % 2].inject({
        method: 'POST',
        url,
        headers: { authorization: `Bearer ${token}` },
        ...(payload && { payload }),
      })
      return { status: response.statusCode, body: response.json<{ code: string; uuid: string }>() }
    }),
  )
}

describe('at the same time, on two nodes', () => {
  it('no unit is asked for twice', async () => {
    const sku = await addParcel(market.database.db, 500, { returnable: true, days_to_return: 9 })
    const order = await market.shipped([], { line_items: [{ sku, quantity: 10 }] })
    const [{ uuid }] = order.line_items
    const responses = await atOnce(
      Array.from({ length: 12 }, () => ({
        url: `/api/v3/orders/${order.uuid}/returns`,
        token: market.buyer.key,
        payload: { line_items: [{ uuid, quantity: 3 }], reason: 'too small' },
      })),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3)
    const refused = responses.filter(({ status }) => status !== 201)
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['not_returnable']))
  })

  it('a return is received or rejected once, and its stone comes back once', async () => {
    for (let round = 0; round < 5; round++) {
      const sku = await market.stone()
      const order = await market.shipped([sku])
      const { uuid } = await market.asked(order)
      await market.decide(uuid, 'approve')
      const verbs = ['receive', 'reject', 'receive', 'reject', 'receive', 'reject']
      const responses = await atOnce(
        verbs.map((verb) => ({
          url: `/api/operator/returns/${uuid}/${verb}`,
          token: market.adminKey,
        })),
      )
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
      const { body } = await market.call('GET', `/api/v3/returns/${uuid}`, {
        token: market.buyer.key,
      })
      const isBack = body.status === 'received'
      expect((await market.stateOf(sku)).state).toBe(isBack ? 'available' : 'sold')
      const { body: after } = await market.call('GET', `/api/v3/orders/${order.uuid}`, {
        token: market.buyer.key,
      })
      expect(after.balance).toBe(isBack ? 0 : 1700)
      const events = await eventsOf(market, 'order.return.')
      const own = events.filter(({ event_data }) => event_data.return_uuid === uuid)
      expect(own).toHaveLength(3)
    }
  })

  it('returns of the same stones by several orders never cause a deadlock', async () => {
    const { db } = market.database
    const fields = { returnable: true, days_to_return: 9 }
    const skus = [await addParcel(db, 1_000, fields), await addParcel(db, 1_000, fields)]
    const uuids: string[] = []
    for (let count = 0; count < 8; count++) {
      const order = await market.shipped(count % 2 === 0 ? skus : skus.toReversed())
      const { uuid } = await market.asked(order)
      await market.decide(uuid, 'approve')
      uuids.push(uuid)
    }
    const responses = await atOnce(
      uuids.map((uuid) => ({
        url: `/api/operator/returns/${uuid}/receive`,
        token: market.adminKey,
      })),
    )
    expect(responses.map(({ status }) => status)).toEqual(uuids.map(() => 200))
    for (const sku of skus) expect((await market.stateOf(sku)).quantity).toBe(1_000)
  })
})
