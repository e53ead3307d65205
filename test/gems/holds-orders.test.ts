import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listEvents } from '../../src/events/events.ts'
import { expireHolds } from '../../src/gems/holds/end-holds.ts'
import { lastNumber, listChanges } from '../support/change-log.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'

let market: TestMarket
let holder: TestMerchant
let buyer: TestMerchant

const ADDRESS = {
  name: 'Store',
  address_1: '1 Facet Street',
  city: 'New York',
  postal_code: '10036',
  country_code: 'US',
}

beforeAll(async () => {
  market = await openTestMarket()
  holder = await market.merchant()
  buyer = await market.merchant()
  for (const { key } of [holder, buyer]) {
    await market.call('POST', '/api/v3/merchant_addresses', { token: key, body: ADDRESS })
  }
})
afterAll(() => market.close())

const HOLDS = '/api/v3/inventory/holds'
const hold = (sku: string, minutes = 60, { key: token } = holder) =>
  market.call('POST', HOLDS, { token, body: { sku, minutes } })
const order = (sku: string, { key: token } = buyer) =>
  market.call('POST', '/api/v2/orders/place', {
    token,
    body: { order_type: 'invoice', line_items: [{ sku, quantity: 1 }] },
  })
const live = async () => (await market.call('GET', HOLDS, { token: holder.key })).body.holds
const events = async (sku: string) => {
  const all = await listEvents(market.database.db, holder.merchant.uuid, 0, 1000)
  return all.filter(({ event_data }) => event_data.sku === sku).map(({ event_type }) => event_type)
}

describe('a hold and an order', () => {
  it('of different merchants: the order is refused while the hold is live', async () => {
    const [{ sku }] = await stockStones(market, {})
    const { body: held } = await hold(sku)
    const refused = await order(sku)
    expect(refused).toMatchObject({ status: 409, body: { code: 'sku_on_hold' } })
    await market.call('DELETE', `${HOLDS}/${held.uuid}`, { token: holder.key })
    expect((await order(sku)).status).toBe(200)
    expect(await events(sku)).toEqual(['hold.create', 'hold.release'])
  })

  it('of the same merchant: the order consumes the hold in its own transaction', async () => {
    const [{ sku }] = await stockStones(market, {})
    const { body: held } = await hold(sku)
    const before = await lastNumber(market.database.db)
    expect((await order(sku, holder)).status).toBe(200)
    expect((await live()).map((row: { sku: string }) => row.sku)).not.toContain(sku)
    const [change] = await listChanges(market.database.db, before, 10)
    expect(change).toMatchObject({ sku, kind: 'sold' })
    const token = holder.key
    expect((await market.call('DELETE', `${HOLDS}/${held.uuid}`, { token })).status).toBe(404)
    expect((await hold(sku)).body.code).toBe('sku_unavailable')
  })

  it('at the same time: exactly one of them gets the stone, twenty times', async () => {
    const stones = await stockStones(market, ...Array.from({ length: 20 }, () => ({})))
    for (const { sku } of stones) {
      const [held, ordered] = await Promise.all([hold(sku, 1), order(sku)])
      const outcome = [held.status, held.body.code, ordered.status, ordered.body.code]
      expect([
        [201, undefined, 409, 'sku_on_hold'],
        [409, 'sku_unavailable', 200, undefined],
      ]).toContainEqual(outcome)
    }
    for (const { uuid } of await live()) {
      await market.call('DELETE', `${HOLDS}/${uuid}`, { token: holder.key })
    }
  })

  it('at the end of the hold: the order is accepted from that instant on, and not before', async () => {
    let refusals = 0
    // On a machine that stands still the shortest hold may be over before the first order.
    for (let hours = 0.006; refusals === 0; hours *= 4) {
      const [{ sku }] = await stockStones(market, {})
      const { body: held } = await hold(sku, hours)
      let placed = await order(sku)
      for (; placed.status !== 200; placed = await order(sku)) {
        expect(placed.body.code).toBe('sku_on_hold')
        refusals++
      }
      expect(placed.body.ordered_on >= held.expires_on).toBe(true)
    }
  })
})

describe('the events of holds', () => {
  it('record its creation and its end', async () => {
    const [{ sku }] = await stockStones(market, {})
    const { body } = await hold(sku, 1e-6)
    while (!(await events(sku)).includes('hold.expire')) {
      await expireHolds(market.database.db)
    }
    expect(await events(sku)).toEqual(['hold.create', 'hold.expire'])
    const all = await listEvents(market.database.db, holder.merchant.uuid, 0, 1000)
    expect(all.at(-1)?.event_data).toEqual({
      hold_uuid: body.uuid,
      sku,
      created_on: body.created_on,
      expires_on: body.expires_on,
    })
  })
})
