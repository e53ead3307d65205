import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ReturnStatus, STEPS } from '../../../src/orders/returns/return.ts'
import { addParcel, errorFieldsOf } from '../order-support.ts'
import { eventsOf } from '../quotes/quote-support.ts'
import { openReturnMarket, type ReturnMarket } from './return-support.ts'

let market: ReturnMarket
beforeAll(async () => {
  market = await openReturnMarket()
})
afterAll(() => market.close())

const orderOf = async (uuid: string) =>
  (await market.call('GET', `/api/v3/orders/${uuid}`, { token: market.buyer.key })).body

const refusalOf = ({ status, body }: { status: number; body: { code: string } }) => [
  status,
  body.code,
]

describe('a return', () => {
  it('is requested, approved and received, and the stone is on sale again', async () => {
    const sku = await market.stone()
    const order = await market.shipped([sku])
    const asked = await market.asked(order)
    expect(asked).toMatchObject({
      status: 'requested',
      order_uuid: order.uuid,
      external_order_id: order.order_id,
      merchant_uuid: market.buyer.merchant.uuid,
      reason: 'the customer chose another stone',
      reject_reason: null,
      currency_code: 'USD',
      total: 1700,
      line_items: [{ uuid: order.line_items[0].uuid, sku, quantity: 1, price: 1700 }],
    })
    expect((await market.decide(asked.uuid, 'approve')).body.status).toBe('approved')
    expect((await market.stateOf(sku)).state).toBe('sold')
    const received = await market.decide(asked.uuid, 'receive')
    expect([received.status, received.body.status]).toEqual([200, 'received'])
    expect(await market.stateOf(sku)).toEqual({ state: 'available', quantity: 1 })
    const { body: whole } = await market.call('GET', `/api/operator/orders/${order.uuid}`, {
      token: market.adminKey,
    })
    expect(whole.order_status).toBe('returned')
    const seen = await market.call('GET', `/api/v3/returns/${asked.uuid}`, {
      token: market.buyer.key,
    })
    expect(seen.body).toEqual(received.body)
    const events = (await eventsOf(market, 'order.return.')).slice(-3)
    expect(events.map(({ event_type }) => event_type)).toEqual([
      'order.return.request',
      'order.return.approve',
      'order.return.receive',
    ])
    for (const { event_data } of events) {
      expect(event_data).toMatchObject({
        order_uuid: order.uuid,
        return_uuid: asked.uuid,
        line_items: [{ uuid: order.line_items[0].uuid, quantity: 1 }],
      })
    }
    const { body: gem } = await market.call('GET', `/api/operator/inventory/gems/${sku}`, {
      token: market.adminKey,
    })
    expect(gem.history[0]).toMatchObject({
      action: 'order.return.receive',
      subject: { kind: 'order', uuid: order.uuid },
    })
    const types = (await orderOf(order.uuid)).events.map(
      ({ event_type }: { event_type: string }) => event_type,
    )
    expect(types).toEqual(expect.arrayContaining(events.map(({ event_type }) => event_type)))
  })

  it('that is received lowers the balance by what was paid for the goods', async () => {
    const [sku, kept] = [await market.stone(), await market.stone()]
    const order = await market.shipped([sku, kept])
    const { uuid } = await market.asked(order, [{ uuid: order.line_items[0].uuid, quantity: 1 }])
    await market.decide(uuid, 'approve')
    expect(await orderOf(order.uuid)).toMatchObject({ total: 3400, balance: 3400 })
    await market.decide(uuid, 'receive')
    const after = await orderOf(order.uuid)
    expect(after).toMatchObject({ total: 3400, balance: 1700 })
    const kinds = after.documents.map(({ kind }: { kind: string }) => kind)
    expect(kinds.filter((kind: string) => kind === 'credit_note')).toHaveLength(1)
  })

  it('of a paid order leaves a credit', async () => {
    const sku = await market.stone()
    const order = await market.shipped([sku])
    await market.call('POST', `/api/operator/orders/${order.uuid}/pay`, {
      token: market.adminKey,
    })
    const { uuid } = await market.asked(order)
    await market.decide(uuid, 'approve')
    await market.decide(uuid, 'receive')
    expect(await orderOf(order.uuid)).toMatchObject({ payment_status: 'paid', balance: -1700 })
  })

  it('of everything leaves nothing to pay: an unpaid order is paid', async () => {
    const order = await market.shipped([await market.stone()])
    const { uuid } = await market.asked(order)
    await market.decide(uuid, 'approve')
    expect(await orderOf(order.uuid)).toMatchObject({ payment_status: null, balance: 1700 })
    await market.decide(uuid, 'receive')
    expect(await orderOf(order.uuid)).toMatchObject({
      payment_status: 'paid',
      balance: 0,
    })
    const path = '/api/v3/orders/list?payment_status=unpaid&limit=500'
    const { body } = await market.call('GET', path, { token: market.buyer.key })
    expect(body.orders.map((each: { uuid: string }) => each.uuid)).not.toContain(order.uuid)
  })

  it('is rejected, also after it was approved, and its units can be asked for again', async () => {
    const order = await market.shipped([await market.stone()])
    const first = await market.asked(order)
    const rejected = await market.decide(first.uuid, 'reject', { reason: 'the seal is broken' })
    expect(rejected.body).toMatchObject({
      status: 'rejected',
      reject_reason: 'the seal is broken',
    })
    const second = await market.asked(order)
    await market.decide(second.uuid, 'approve')
    expect((await market.decide(second.uuid, 'reject')).body.reject_reason).toBe('')
    expect((await market.asked(order)).status).toBe('requested')
    const [event] = (await eventsOf(market, 'order.return.reject')).slice(-2)
    expect(event.event_data.reason).toBe('the seal is broken')
  })

  it('may be for some stones of a parcel, which go back into it', async () => {
    const sku = await addParcel(market.database.db, 100, { returnable: true, days_to_return: 7 })
    const order = await market.shipped([], { line_items: [{ sku, quantity: 30 }] })
    const [{ uuid: line }] = order.line_items
    const { uuid } = await market.asked(order, [{ uuid: line, quantity: 12 }])
    await market.decide(uuid, 'approve')
    await market.decide(uuid, 'receive')
    expect((await market.stateOf(sku)).quantity).toBe(82)
    expect(refusalOf(await market.ask(order, [{ uuid: line, quantity: 19 }]))).toEqual([
      409,
      'not_returnable',
    ])
    expect((await market.ask(order, [{ uuid: line, quantity: 18 }])).status).toBe(201)
  })

  it('is asked for once with an Idempotency-Key, and counts as a change of the order', async () => {
    const order = await market.shipped([await market.stone()])
    const { body: before } = await market.call('GET', '/api/v3/orders/list?limit=1', {
      token: market.buyer.key,
    })
    expect(before.total).toBeGreaterThan(0)
    const call = () =>
      market.call('POST', `/api/v3/orders/${order.uuid}/returns`, {
        token: market.buyer.key,
        body: {
          line_items: [{ uuid: order.line_items[0].uuid, quantity: 1 }],
          reason: 'too large',
        },
        headers: { 'idempotency-key': `return ${order.uuid}` },
      })
    const [first, again] = [await call(), await call()]
    expect([first.status, again.text]).toEqual([201, first.text])
    const since = encodeURIComponent(first.body.created_on)
    const { body } = await market.call('GET', `/api/v3/orders/list?updated_since=${since}`, {
      token: market.buyer.key,
    })
    expect(body.orders.map(({ uuid }: { uuid: string }) => uuid)).toEqual([order.uuid])
  })
})

describe('what cannot be returned', () => {
  it('is what was not returnable when it was ordered, whatever it is now', async () => {
    const { db } = market.database
    const never = await market.stone({ returnable: false })
    const refused = await market.ask(await market.shipped([never]))
    expect(refusalOf(refused)).toEqual([409, 'not_returnable'])
    expect(refused.body.detail).toContain('without the right to return it')
    const once = await market.stone()
    const order = await market.shipped([once])
    await sql`update gem set returnable = false, days_to_return = 0 where sku = ${once}`.execute(db)
    expect((await market.ask(order)).status).toBe(201)
  })

  it('is what has not shipped, was cancelled, or is on memo', async () => {
    const placed = (await market.place([await market.stone()])).body
    const waiting = await market.ask(placed)
    expect(refusalOf(waiting)).toEqual([409, 'not_returnable'])
    expect(waiting.body.detail).toContain('has not shipped')
    await market.call('POST', `/api/operator/orders/${placed.uuid}/cancel`, {
      token: market.adminKey,
    })
    expect(refusalOf(await market.ask(placed))).toEqual([409, 'not_returnable'])
    const memo = await market.shipped([await market.stone()], { order_type: 'memo' })
    const onMemo = await market.ask(memo)
    expect(refusalOf(onMemo)).toEqual([409, 'not_returnable'])
    expect(onMemo.body.detail).toContain('on memo')
  })

  it('is more than was shipped, with open requests counted', async () => {
    const order = await market.shipped([await market.stone()])
    const [{ uuid: line }] = order.line_items
    const two = await market.ask(order, [{ uuid: line, quantity: 2 }])
    expect(refusalOf(two)).toEqual([409, 'not_returnable'])
    expect(errorFieldsOf(two.body)).toEqual(['line_items[0].quantity'])
    const { uuid } = await market.asked(order)
    expect(refusalOf(await market.ask(order))).toEqual([409, 'not_returnable'])
    await market.decide(uuid, 'approve')
    expect(refusalOf(await market.ask(order))).toEqual([409, 'not_returnable'])
    await market.decide(uuid, 'receive')
    expect(refusalOf(await market.ask(order))).toEqual([409, 'not_returnable'])
  })

  it('is named line by line, and nothing of the request is written', async () => {
    const order = await market.shipped([await market.stone(), await market.stone()])
    const [first, second] = order.line_items
    const { body } = await market.ask(order, [
      { uuid: first.uuid, quantity: 1 },
      { uuid: second.uuid, quantity: 5 },
    ])
    expect(errorFieldsOf(body)).toEqual(['line_items[1].quantity'])
    const { body: list } = await market.call('GET', `/api/v3/returns?order_uuid=${order.uuid}`, {
      token: market.buyer.key,
    })
    expect(list.total).toBe(0)
  })

  it('is what the request names wrongly', async () => {
    const order = await market.shipped([await market.stone()])
    const [{ uuid }] = order.line_items
    const { body: whole } = await market.call('GET', `/api/v2/orders/${order.uuid}`, {
      token: market.buyer.key,
    })
    const certificate = whole.line_items.find((line: { sku: string }) => line.sku === '')
    const line_items = [{ uuid, quantity: 1 }]
    const cases: [object, string][] = [
      [{ line_items, reason: '' }, 'reason'],
      [{ line_items, reason: '  ' }, 'reason'],
      [{ line_items }, 'reason'],
      [{ line_items, reason: 'x'.repeat(201) }, 'reason'],
      [{ line_items: [], reason: 'x' }, 'line_items'],
      [{ reason: 'x' }, 'line_items'],
      [{ line_items: [{ uuid, quantity: 0 }], reason: 'x' }, 'line_items[0].quantity'],
      [{ line_items: [{ uuid: order.uuid, quantity: 1 }], reason: 'x' }, 'line_items[0].uuid'],
      [{ line_items: [...line_items, ...line_items], reason: 'x' }, 'line_items[1].uuid'],
      [
        { line_items: [{ uuid: certificate.uuid, quantity: 1 }], reason: 'x' },
        'line_items[0].uuid',
      ],
    ]
    for (const [body, field] of cases) {
      const response = await market.call('POST', `/api/v3/orders/${order.uuid}/returns`, {
        token: market.buyer.key,
        body,
      })
      expect([response.status, errorFieldsOf(response.body)[0]]).toEqual([422, field])
    }
  })

  it("is another merchant's: its orders and returns look like unknown ones", async () => {
    const order = await market.shipped([await market.stone()])
    const { uuid } = await market.asked(order)
    const other = await market.merchant()
    const foreign = await market.ask(order, undefined, other.key)
    const unknown = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
    const missing = await market.ask({ ...order, uuid: unknown })
    expect([refusalOf(foreign), refusalOf(missing)]).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
    ])
    for (const each of [uuid, unknown]) {
      const seen = await market.call('GET', `/api/v3/returns/${each}`, { token: other.key })
      expect([seen.status, seen.body.detail]).toEqual([404, `There is no return ${each}.`])
    }
    for (const verb of ['approve', 'reject', 'receive']) {
      expect((await market.decide(unknown, verb)).status).toBe(404)
    }
  })
})

describe('the steps of a return', () => {
  const VERBS: Record<string, ReturnStatus> = {
    approve: 'approved',
    reject: 'rejected',
    receive: 'received',
  }
  const toReach: Record<ReturnStatus, string[]> = {
    requested: [],
    approved: ['approve'],
    rejected: ['reject'],
    received: ['approve', 'receive'],
  }

  it.each(Object.keys(STEPS) as ReturnStatus[])('from %s are those of the table', async (from) => {
    for (const [verb, to] of Object.entries(VERBS)) {
      const { uuid } = await market.asked(await market.shipped([await market.stone()]))
      for (const step of toReach[from]) await market.decide(uuid, step)
      const { status, body } = await market.decide(uuid, verb)
      const isPossible = STEPS[from].includes(to)
      expect(status, `${verb} from ${from}`).toBe(isPossible ? 200 : 409)
      if (!isPossible) {
        expect(body.code).toBe('wrong_state')
        expect(body.allowed.map((each: string) => VERBS[each])).toEqual(STEPS[from])
      }
    }
  })

  it('are the same in SQL', async () => {
    const { db } = market.database
    const statuses = Object.keys(STEPS) as ReturnStatus[]
    const { uuid } = await market.asked(await market.shipped([await market.stone()]))
    for (const from of statuses) {
      for (const to of statuses.filter((status) => status !== from)) {
        await sql`alter table order_return disable trigger return_steps`.execute(db)
        await sql`update order_return set status = ${from} where uuid = ${uuid}`.execute(db)
        await sql`alter table order_return enable trigger return_steps`.execute(db)
        const isPossible = await sql`
          update order_return set status = ${to} where uuid = ${uuid}`
          .execute(db)
          .then(
            () => true,
            (error: Error) => {
              expect(error.message).toContain('cannot become')
              return false
            },
          )
        expect(isPossible, `${from} to ${to}`).toBe(STEPS[from].includes(to))
      }
    }
  })
})

describe('the lists of returns', () => {
  it('are paged, newest first, and filtered', async () => {
    const lister = await market.merchant()
    const made: string[] = []
    for (let count = 0; count < 3; count++) {
      const order = await market.shipped([await market.stone()], {}, lister.key)
      made.unshift((await market.ask(order, undefined, lister.key)).body.uuid)
    }
    await market.decide(made[1], 'approve')
    const list = async (query: string, token = lister.key, path = '/api/v3/returns') => {
      const { body } = await market.call('GET', `${path}?${query}`, { token })
      return [body.total, body.returns.map(({ uuid }: { uuid: string }) => uuid)]
    }
    expect(await list('')).toEqual([3, made])
    expect(await list('limit=1&offset=1')).toEqual([3, [made[1]]])
    expect(await list('status=approved')).toEqual([1, [made[1]]])
    expect(await list('status=rejected&status=received')).toEqual([0, []])
    const own = `merchant_uuid=${lister.merchant.uuid}&status=requested`
    const operator = await list(own, market.adminKey, '/api/operator/returns')
    expect(operator).toEqual([2, [made[0], made[2]]])
    const one = await market.call('GET', `/api/operator/returns/${made[0]}`, {
      token: market.adminKey,
    })
    expect(one.body.uuid).toBe(made[0])
    const all = await market.call('GET', '/api/v3/returns?limit=1', { token: market.adminKey })
    expect(all.body.total).toBeGreaterThan(3)
  })
})
