import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '../../src/http/app.ts'
import { addStone, type OrderMarket, openOrderMarket } from '../orders/order-support.ts'
import { openReceiver, type Receiver } from './webhook-support.ts'

let receiver: Receiver
let market: OrderMarket
beforeAll(async () => {
  receiver = await openReceiver()
  const webhooks = { allowedHosts: [receiver.host] }
  market = await openOrderMarket({ outgoing: false, webhooks })
})
afterAll(async () => {
  await market.close()
  await receiver.close()
})

it('a silent market sends no webhook, which waits for a node that is not', async () => {
  const body = { url: receiver.url }
  const created = await market.call('POST', '/api/v3/webhooks', { token: market.buyer.key, body })
  expect(created.status, created.text).toBe(201)
  const placed = await market.place([await addStone(market.database.db)])
  expect(placed.status, placed.text).toBe(200)
  // Another node sends within a part of this.
  await sleep(3_000)
  expect(receiver.received).toEqual([])
  const other = await buildApp({ ...market.deps, outgoing: true })
  await other.ready()
  await receiver.until(1)
  await other.close()
})
