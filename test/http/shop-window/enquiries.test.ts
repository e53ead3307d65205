import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { numberEvents } from '../../../src/events/number-changes.ts'
import { openTestMarket, type TestMarket } from '../../support/market.ts'
import { stockStones } from '../../support/stocked.ts'

const ORIGIN = 'https://shop.example'
const PATH = '/api/v3/enquiries'
let market: TestMarket
let sku: string

beforeAll(async () => {
  market = await openTestMarket()
  sku = (await stockStones(market, {}))[0].sku
})
afterAll(() => market.close())

/** A merchant with a publishable key of its own, so that the limits of one test are not another's. */
async function shop() {
  const { merchant, key } = await market.merchant()
  const merchant_uuid = merchant.uuid
  const token = { type: 'publishable', merchant_uuid, origins: [ORIGIN] } as const
  const publishable = (await market.token(token)).token
  const send = (change: object = {}, headers: Record<string, string> = {}) =>
    market.call('POST', PATH, {
      token: publishable,
      headers: { origin: ORIGIN, ...headers },
      body: { ...enquiry(), ...change },
    })
  const events = async () => {
    const { body } = await market.call('GET', '/api/v3/events?after=0', { token: key })
    return body.events
  }
  return { merchant, key, publishable, send, events }
}

function enquiry() {
  const message = 'May I see it on Saturday?\nThe ring is size 6.'
  return { sku, email: 'visitor@mail.example', name: 'A Visitor', message }
}

describe('POST /api/v3/enquiries', () => {
  it('arrives as the event enquiry.create, as a webhook and in the audit', async () => {
    const { merchant, key, send, events } = await shop()
    const { db } = market.database
    const hook = { url: 'https://hooks.shop.example/in', event_types: ['enquiry.create'] }
    const subscribed = await market.call('POST', '/api/v3/webhooks', { token: key, body: hook })
    expect(subscribed.status).toBe(201)
    const { status, body } = await send()
    expect([status, body.sku]).toEqual([201, sku])
    const [event] = await events()
    expect(event).toMatchObject({
      event_type: 'enquiry.create',
      event_data: { enquiry_uuid: body.uuid, ...enquiry() },
    })
    await numberEvents(db)
    const deliveries = await db
      .selectFrom('webhook_delivery')
      .select('event_uuid')
      .where('endpoint_uuid', '=', subscribed.body.uuid)
      .execute()
    expect(deliveries).toEqual([{ event_uuid: event.uuid }])
    const entry = await db
      .selectFrom('audit_entry')
      .select(['actor_name', 'subject_kind', 'subject_id'])
      .where('action', '=', 'enquiry.create')
      .where('merchant_uuid', '=', merchant.uuid)
      .executeTakeFirst()
    expect(entry).toEqual({
      actor_name: 'publishable',
      subject_kind: 'enquiry',
      subject_id: body.uuid,
    })
  })

  it('is accepted from a full key, too, for a form that posts to the shop itself', async () => {
    const { key, events } = await shop()
    const { status } = await market.call('POST', PATH, { token: key, body: enquiry() })
    expect(status).toBe(201)
    expect(await events()).toHaveLength(1)
  })

  it('refuses what cannot be answered, and says which field', async () => {
    const { send, events } = await shop()
    const wrong = {
      email: 'not an address',
      name: '   ',
      message: 'x'.repeat(2_001),
      sku: 'UNKNOWN-1',
      phone: '1234',
    }
    for (const [field, value] of Object.entries(wrong)) {
      const { status, body } = await send({ [field]: value })
      expect([status, body.errors[0].field], field).toEqual([422, field])
    }
    expect(await events()).toEqual([])
  })

  it('accepts what a program fills into the hidden field, and passes it on to nobody', async () => {
    const { send, events } = await shop()
    const { status, body } = await send({ website: 'https://spam.example' })
    expect([status, body.sku]).toEqual([201, sku])
    expect(await events()).toEqual([])
    expect((await send({ website: '' })).status).toBe(201)
    expect(await events()).toHaveLength(1)
  })

  it('takes ten in ten minutes from one address, also at the same time, and then returns 429', async () => {
    const { send, events, key } = await shop()
    const sent = await Promise.all(Array.from({ length: 14 }, () => send()))
    const statuses = sent.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(4)
    const refused = sent.find(({ status }) => status === 429)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect(await events()).toHaveLength(10)
    // The shop's own server is not a visitor.
    expect((await market.call('POST', PATH, { token: key, body: enquiry() })).status).toBe(201)
  })

  it('has Idempotency-Keys of its own, which take none from the merchant', async () => {
    const { key, send, events } = await shop()
    const headers = { 'idempotency-key': 'order-1' }
    const first = await send({}, headers)
    const second = await send({}, headers)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.text).toBe(first.text)
    expect(await events()).toHaveLength(1)
    const other = { ...enquiry(), message: 'From the shop itself.' }
    const own = await market.call('POST', PATH, { token: key, headers, body: other })
    expect(own.status).toBe(201)
  })
})

describe('a publishable key', () => {
  const create = (path: string, token: string, body: object) =>
    market.call('POST', path, { token, body })

  it('is created by the operator and by the merchant, and looks like one', async () => {
    const { merchant, key } = await shop()
    const origins = ['https://Shop.example/', 'http://localhost:3000', 'http://127.0.0.1:8080']
    const asOperator = await create('/api/operator/tokens', market.adminKey, {
      type: 'publishable',
      merchant_uuid: merchant.uuid,
      origins,
    })
    expect(asOperator.status).toBe(201)
    expect(asOperator.body.token).toMatch(/^pav_pub_live_[0-9A-Za-z]{42}$/)
    expect(asOperator.body).toMatchObject({
      type: 'publishable',
      scopes: ['search', 'inventory:read', 'enquiries:write'],
      origins: ['https://shop.example', 'http://localhost:3000', 'http://127.0.0.1:8080'],
    })
    const maker = await market.token({
      merchant_uuid: merchant.uuid,
      scopes: ['search', 'inventory', 'keys:write', 'settings:read'],
    })
    const body = { name: 'shop', type: 'publishable', origins: [ORIGIN] }
    const asMerchant = await create('/api/v3/tokens', maker.token, body)
    expect(asMerchant.status).toBe(201)
    // No more than its maker has: this one cannot order, and so cannot pass on enquiries.
    expect(asMerchant.body.scopes).toEqual(['search', 'inventory:read'])
    const { body: list } = await market.call('GET', '/api/v3/tokens', { token: key })
    const listed = list.tokens.find(({ uuid }: { uuid: string }) => uuid === asMerchant.body.uuid)
    expect(listed).toMatchObject({ type: 'publishable', origins: [ORIGIN] })
    const rotated = await create(
      `/api/operator/tokens/${asMerchant.body.uuid}/rotate`,
      market.adminKey,
      {},
    )
    expect(rotated.body).toMatchObject({ type: 'publishable', origins: [ORIGIN] })
    expect(rotated.body.token).toMatch(/^pav_pub_live_/)
  })

  it('needs origins, which other types cannot have', async () => {
    const { merchant } = await shop()
    const of = { merchant_uuid: merchant.uuid }
    const wrong: [body: object, field: string][] = [
      [{ type: 'publishable' }, 'origins'],
      [{ type: 'publishable', origins: [] }, 'origins'],
      [{ type: 'api_key', origins: [ORIGIN] }, 'origins'],
      [{ type: 'publishable', origins: ['https://shop.example/path'] }, 'origins[0]'],
      [{ type: 'publishable', origins: [ORIGIN, 'https://*.example'] }, 'origins[1]'],
      [{ type: 'publishable', origins: ['*'] }, 'origins[0]'],
      [{ type: 'publishable', origins: ['null'] }, 'origins[0]'],
      [{ type: 'publishable', origins: ['file:///index.html'] }, 'origins[0]'],
      [{ type: 'publishable', origins: ['https://user@shop.example'] }, 'origins[0]'],
      [{ type: 'publishable', origins: [ORIGIN], scopes: ['orders:write'] }, 'scopes'],
      [
        {
          type: 'publishable',
          origins: Array.from({ length: 21 }, (_, n) => `https://s${n}.example`),
        },
        'origins',
      ],
    ]
    for (const [body, field] of wrong) {
      const response = await create('/api/operator/tokens', market.adminKey, { ...of, ...body })
      const what = JSON.stringify(body)
      expect([response.status, response.body.errors[0].field], what).toEqual([422, field])
    }
  })
})
