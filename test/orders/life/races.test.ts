import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getSupplier } from '../../../src/gems/supplier-store.ts'
import { buildApp } from '../../../src/http/app.ts'
import type { App } from '../../../src/http/route.ts'
import { addStone, type OrderMarket, openOrderMarket } from '../order-support.ts'

/** Two steps at the same moment on two nodes: one of them wins, and the other is told so. */
let market: OrderMarket
let second: App
let supplierId: number
beforeAll(async () => {
  market = await openOrderMarket()
  second = await buildApp(market.deps)
  await second.ready()
  const body = { name: 'Answering Stones', confirms: true }
  await market.call('POST', '/api/operator/suppliers', { token: market.adminKey, body })
  supplierId = (await getSupplier(market.database.db, body.name)).id
})
afterAll(async () => {
  await second.close()
  await market.close()
})

const TIMES = 12
const tracking = { tracking_company: 'FX', tracking_number: '1' }

async function post(node: App, path: string, token: string, body: object) {
  const response = await node.inject({
    method: 'POST',
    url: path,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  })
  return { status: response.statusCode, code: response.json().code as string | undefined }
}

async function placed(type: 'invoice' | 'memo' = 'invoice') {
  const sku = await addStone(market.database.db, { supplier_id: supplierId, cert_num: null })
  const { body } = await market.place([sku], { body: { order_type: type } })
  return { sku, uuid: String(body.uuid) }
}

const cancel = (uuid: string) =>
  post(market.app, `/api/v3/orders/${uuid}/cancel`, market.buyer.key, {})
const operator = (uuid: string, verb: string, body: object = {}) =>
  post(second, `/api/operator/orders/${uuid}/${verb}`, market.adminKey, body)
const shown = async (uuid: string) =>
  (await market.call('GET', `/api/operator/orders/${uuid}`, { token: market.adminKey })).body

describe('at the same moment', () => {
  it('a merchant cancels or the operator ships, never both', async () => {
    for (let time = 0; time < TIMES; time++) {
      const { sku, uuid } = await placed()
      const [cancelled, shipped] = await Promise.all([
        cancel(uuid),
        operator(uuid, 'fulfill', tracking),
      ])
      const order = await shown(uuid)
      if (cancelled.status === 200) {
        expect(shipped).toEqual({ status: 409, code: 'wrong_state' })
        expect(order).toMatchObject({ order_status: 'cancelled', fulfillments: [] })
        expect(await market.stateOf(sku)).toEqual({ state: 'available', quantity: 1 })
      } else {
        expect([cancelled.code, shipped.status]).toEqual(['too_late_to_cancel', 200])
        expect(order).toMatchObject({ fulfillment_status: 'fulfilled', cancellations: null })
        expect(await market.stateOf(sku)).toEqual({ state: 'sold', quantity: 0 })
      }
    }
  })

  it('a merchant cancels or the supplier confirms, never both', async () => {
    for (let time = 0; time < TIMES; time++) {
      const { uuid } = await placed()
      const [cancelled, confirmed] = await Promise.all([cancel(uuid), operator(uuid, 'confirm')])
      const won = cancelled.status === 200 ? confirmed : cancelled
      const code = cancelled.status === 200 ? 'wrong_state' : 'too_late_to_cancel'
      expect(won).toEqual({ status: 409, code })
      expect(cancelled.status + confirmed.status).toBe(609)
    }
  })

  it('a line is declined, shipped or cancelled once, by the one who comes first', async () => {
    for (let time = 0; time < TIMES; time++) {
      const { sku, uuid } = await placed()
      const answers = await Promise.all([
        operator(uuid, 'decline', { reason: 'sold' }),
        operator(uuid, 'fulfill', tracking),
        operator(uuid, 'cancel'),
        cancel(uuid),
      ])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const { line_items, events } = await shown(uuid)
      const { open_quantity, cancelled_quantity, fulfilled_quantity } = line_items[0]
      expect([open_quantity, cancelled_quantity + fulfilled_quantity]).toEqual([0, 1])
      const kinds = events.map(({ event_type }: { event_type: string }) => event_type)
      expect(kinds.filter((kind: string) => kind !== 'order.confirm')).toHaveLength(1)
      const states = ['gone', 'sold', 'available', 'available']
      const first = answers.findIndex(({ status }) => status === 200)
      expect((await market.stateOf(sku)).state).toBe(states[first])
    }
  })

  it('a memo is converted or returned, never both', async () => {
    for (let time = 0; time < TIMES; time++) {
      const { sku, uuid } = await placed('memo')
      const [converted, returned] = await Promise.all([
        operator(uuid, 'convert'),
        post(market.app, `/api/operator/orders/${uuid}/return`, market.adminKey, {}),
      ])
      expect(converted.status + returned.status).toBe(609)
      const { state } = await market.stateOf(sku)
      expect(state).toBe(converted.status === 200 ? 'sold' : 'available')
    }
  })
})
