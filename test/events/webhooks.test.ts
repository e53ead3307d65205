import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startWebhookDelivery } from '../../src/events/deliver-webhooks.ts'
import { getEndpoint, updateEndpoint } from '../../src/events/webhook-store.ts'
import { addStone, type OrderMarket, openOrderMarket } from '../orders/order-support.ts'
import type { TestMerchant } from '../support/market.ts'
import { eventually, openReceiver, type Receiver } from './webhook-support.ts'

let market: OrderMarket
let receiver: Receiver
let shop: TestMerchant
const allowedHosts: string[] = []

beforeAll(async () => {
  // Receiver and sender share this thread, which on a busy machine may stand still for a while.
  const webhooks = { allowedHosts, firstWaitMs: 30, timeoutMs: 3_000 }
  market = await openOrderMarket({ webhooks })
})
afterAll(() => market.close())

beforeEach(async () => {
  receiver = await openReceiver()
  allowedHosts.splice(0, allowedHosts.length, receiver.host)
  shop = await market.merchant()
})
afterEach(async () => {
  await sql`update webhook_delivery set state = 'failed'`.execute(market.database.db)
  await receiver.close()
})

const call = (method: string, path: string, body?: object, token = shop.key) =>
  market.call(method, `/api/v3/webhooks${path}`, { token, body })

async function register(body: object = {}) {
  const created = await call('POST', '', { url: receiver.url, ...body })
  expect(created.status).toBe(201)
  return created.body as { uuid: string; secret: string }
}

async function order() {
  const sku = await addStone(market.database.db)
  return (await market.place([sku], { by: shop.key })).body
}

const act = (uuid: string, verb: string, body?: object) =>
  market.call('POST', `/api/operator/orders/${uuid}/${verb}`, { token: market.adminKey, body })

async function deliveriesOf(uuid: string) {
  const { body } = await call('GET', `/${uuid}/deliveries`)
  return body.deliveries as {
    uuid: string
    state: string
    event_type: string
    attempts: { status: number | null; error: string | null }[]
  }[]
}

/** The log of the webhook's only delivery, once it has the state. */
const settled = (uuid: string, state: string) =>
  eventually(
    async () => (await deliveriesOf(uuid))[0],
    (delivery) => delivery?.state === state,
  )

describe('a delivery', () => {
  it('is signed so that the public package verifies it', async () => {
    const { secret } = await register()
    const placed = await order()
    await receiver.until(1)
    const [{ headers, text, body }] = receiver.received
    expect(() => new Webhook(secret).verify(text, headers as Record<string, string>)).not.toThrow()
    expect(() =>
      new Webhook(secret).verify(`${text} `, headers as Record<string, string>),
    ).toThrow()
    expect(body).toMatchObject({
      type: 'order.create',
      timestamp: expect.stringMatching(/\+00:00$/),
      data: { order_uuid: placed.uuid, order_id: placed.order_id },
    })
  })

  it('is repeated after failures, with the same id, until it is accepted', async () => {
    const { uuid } = await register()
    receiver.respond = (response) => {
      const status = receiver.received.length < 3 ? 500 : 200
      response.writeHead(status).end('the body does not matter')
    }
    await order()
    const { attempts } = await settled(uuid, 'delivered')
    expect(attempts.map(({ status }) => status)).toEqual([500, 500, 200])
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
  })

  it('is repeated after a receiver that hangs, one that closes the connection, and a redirect', async () => {
    const { uuid } = await register()
    receiver.respond = (response) => {
      const count = receiver.received.length
      if (count === 1) return
      if (count === 2) response.destroy()
      else if (count === 3) response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
      else response.writeHead(200).end()
    }
    await order()
    const { attempts } = await settled(uuid, 'delivered')
    expect(attempts.map(({ status }) => status)).toEqual([null, null, 302, 200])
    expect(attempts[0].error).toContain('no response within')
    expect(attempts[1].error).not.toBeNull()
  })

  it('keeps the events of one order in sequence, whatever fails', async () => {
    await register()
    let failures = 0
    receiver.respond = (response) => {
      const isFirst = receiver.received.at(-1)?.body.type === 'order.create'
      response.writeHead(isFirst && ++failures < 4 ? 503 : 200).end()
    }
    const { uuid } = await order()
    await act(uuid, 'pay')
    await act(uuid, 'fulfill', { tracking_company: 'FX', tracking_number: '1' })
    await receiver.until(6)
    const types = receiver.received.map(({ body }) => body.type)
    expect(types).toEqual([
      ...Array(4).fill('order.create'),
      'order.pay',
      'order.fulfillments.create',
    ])
  })

  it('ends with 410, which disables the webhook', async () => {
    const { uuid } = await register()
    receiver.respond = (response) => response.writeHead(410).end()
    await order()
    await settled(uuid, 'failed')
    await eventually(
      () => call('GET', `/${uuid}`),
      ({ body }) => body.disabled,
    )
    await order()
    expect(await deliveriesOf(uuid)).toHaveLength(1)
  })

  it('is given up after a day', async () => {
    const { uuid } = await register()
    receiver.respond = (response) => response.writeHead(500).end()
    await order()
    await receiver.until(1)
    await sql`update webhook_delivery set started_on = now() - interval '25 hours'`.execute(
      market.database.db,
    )
    await settled(uuid, 'failed')
  })

  it('can be replayed', async () => {
    const { uuid } = await register()
    await order()
    const delivery = await settled(uuid, 'delivered')
    const again = await call('POST', `/${uuid}/deliveries/${delivery.uuid}/replay`)
    expect(again.status).toBe(202)
    await receiver.until(2)
    const [first, second] = receiver.received
    expect(second.text).toBe(first.text)
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
  })

  it('is replayed once for one Idempotency-Key', async () => {
    const { uuid } = await register()
    await order()
    const delivery = await settled(uuid, 'delivered')
    const path = `/api/v3/webhooks/${uuid}/deliveries/${delivery.uuid}/replay`
    const replay = (key: string) =>
      market.call('POST', path, { token: shop.key, headers: { 'idempotency-key': key } })
    expect((await replay('once')).status).toBe(202)
    await receiver.until(2)
    const again = await replay('once')
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([
      202,
      '',
      'true',
    ])
    // Were the repetition sent, it would arrive before this one.
    await replay('twice')
    await receiver.until(3)
    await settled(uuid, 'delivered')
    expect(receiver.received).toHaveLength(3)
  })

  it('is sent once by two nodes', async () => {
    const settings = { allowedHosts, now: Date.now }
    const other = startWebhookDelivery(market.database, market.deps.secrets, settings)
    await register()
    for (let count = 0; count < 8; count++) await order()
    await receiver.until(8)
    await other.stop()
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('is written with its event or not at all', async () => {
    const { uuid } = await register()
    const sku = await addStone(market.database.db, { state: 'sold', quantity: 0 })
    expect((await market.place([sku], { by: shop.key })).status).toBe(409)
    expect(await deliveriesOf(uuid)).toEqual([])
  })
})

describe('/api/v3/webhooks', () => {
  it('sends only the chosen types of events, and nothing while it is disabled', async () => {
    const { uuid } = await register({ event_types: ['order.pay'] })
    const first = await order()
    await act(first.uuid, 'pay')
    await receiver.until(1)
    expect(receiver.received.map(({ body }) => body.type)).toEqual(['order.pay'])
    expect((await call('PATCH', `/${uuid}`, { disabled: true })).body.disabled).toBe(true)
    const second = await order()
    await act(second.uuid, 'pay')
    expect(await deliveriesOf(uuid)).toHaveLength(1)
    expect((await call('PATCH', `/${uuid}`, { disabled: false })).body.disabled).toBe(false)
  })

  it('shows a secret once, and signs with two after a rotation', async () => {
    const { uuid, secret } = await register()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect((await call('GET', `/${uuid}`)).text).not.toContain('whsec_')
    expect((await call('GET', '')).text).not.toContain('whsec_')
    const rotated = await call('POST', `/${uuid}/rotate`)
    expect(rotated.status).toBe(200)
    expect(rotated.body.earlier_secret_until).not.toBeNull()
    await order()
    await receiver.until(1)
    const [{ headers, text }] = receiver.received
    for (const key of [secret, rotated.body.secret]) {
      expect(() => new Webhook(key).verify(text, headers as Record<string, string>)).not.toThrow()
    }
    await sql`update webhook_endpoint set earlier_secret_until = now() where uuid = ${uuid}`.execute(
      market.database.db,
    )
    await order()
    await receiver.until(2)
    const later = receiver.received[1]
    const verify = (key: string) =>
      new Webhook(key).verify(later.text, later.headers as Record<string, string>)
    expect(() => verify(secret)).toThrow()
    expect(() => verify(rotated.body.secret)).not.toThrow()
  })

  it('is visible only to its merchant', async () => {
    const { uuid } = await register()
    const stranger = (await market.merchant()).key
    for (const [method, path, body] of [
      ['GET', `/${uuid}`],
      ['PATCH', `/${uuid}`, { disabled: true }],
      ['DELETE', `/${uuid}`],
      ['POST', `/${uuid}/rotate`],
      ['GET', `/${uuid}/deliveries`],
      ['POST', `/${uuid}/deliveries/${uuid}/replay`],
    ] as const) {
      expect((await call(method, path, body, stranger)).status).toBe(404)
    }
    expect((await call('GET', '', undefined, stranger)).body.total).toBe(0)
    const { token } = await market.token({
      merchant_uuid: shop.merchant.uuid,
      scopes: ['settings:read'],
    })
    expect((await call('DELETE', `/${uuid}`, undefined, token)).status).toBe(403)
    expect((await call('DELETE', `/${uuid}`)).status).toBe(204)
    expect((await call('GET', `/${uuid}`)).status).toBe(404)
  })

  it('calls the ports 443 and 80 only, unless the operator allowed another', async () => {
    const url = 'https://shop.example:8443/hooks'
    const refused = await call('POST', '', { url })
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual([{ field: 'url', message: 'must use port 443 or 80' }])
    const { uuid } = await register({ url: 'https://shop.example/hooks' })
    expect((await call('PATCH', `/${uuid}`, { url })).status).toBe(422)
    allowedHosts.push('shop.example:8443')
    expect((await call('PATCH', `/${uuid}`, { url })).status).toBe(200)
  })

  it('does not call a port that was allowed only when the webhook was registered', async () => {
    const { uuid } = await register({ url: 'https://shop.example/hooks' })
    await sql`update webhook_endpoint set url = 'https://shop.example:8443' where uuid = ${uuid}`.execute(
      market.database.db,
    )
    await order()
    const [{ attempts }] = await eventually(
      () => deliveriesOf(uuid),
      ([delivery]) => delivery?.attempts.length > 0,
    )
    expect(attempts[0]).toMatchObject({
      status: null,
      error: 'the address must use port 443 or 80',
    })
  })

  it('logs that a name has no public address, not whether it exists', async () => {
    const { uuid } = await register({ url: 'https://does-not-exist.pavilion.test/hooks' })
    await order()
    const [{ attempts }] = await eventually(
      () => deliveriesOf(uuid),
      ([delivery]) => delivery?.attempts.length > 0,
    )
    expect(attempts[0]).toMatchObject({ status: null, error: 'the name has no public address' })
  })

  it('is not found by a change that began before it was deleted', async () => {
    const { uuid } = await register()
    const endpoint = await getEndpoint(market.database.db, uuid)
    expect((await call('DELETE', `/${uuid}`)).status).toBe(204)
    const change = updateEndpoint(market.database.db, endpoint, { disabled: true }, [])
    await expect(change).rejects.toMatchObject({ code: 'not_found' })
  })

  it('allows twenty per merchant', async () => {
    const statuses = []
    for (let count = 0; count < 21; count++) {
      statuses.push((await call('POST', '', { url: receiver.url })).status)
    }
    expect(statuses).toEqual([...Array(20).fill(201), 409])
  })
})
