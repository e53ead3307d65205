import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OrderMarket, openOrderMarket } from '../order-support.ts'
import { operatorOf, PRICE, TRACKING } from './money-support.ts'

let market: OrderMarket
let operator: ReturnType<typeof operatorOf>
beforeAll(async () => {
  market = await openOrderMarket()
  operator = operatorOf(market)
})
afterAll(() => market.close())

async function placed(body: object = {}): Promise<string> {
  const [sku] = await operator.stones(1)
  return (await market.place([sku], { body: { ...body } })).body.uuid
}

const readV3 = async (uuid: string) =>
  (await market.call('GET', `/api/v3/orders/${uuid}`, { token: market.buyer.key })).body

describe('POST /api/operator/orders/{uuid}/payments', () => {
  it('lowers the balance until the order is paid, with one event for each payment', async () => {
    const uuid = await placed()
    const first = await operator.pay(uuid, {
      amount: 700.25,
      method: 'wire',
      reference: 'TRX-1',
      paid_on: '2026-01-31',
    })
    expect(first).toMatchObject({
      status: 200,
      body: {
        payment_status: null,
        balance: 999.75,
        payments: [{ amount: 700.25, method: 'wire', reference: 'TRX-1', paid_on: '2026-01-31' }],
      },
    })
    const last = await operator.pay(uuid, { amount: 999.75 })
    expect(last.body).toMatchObject({ payment_status: 'paid', balance: 0, order_status: null })
    const { balance, payment_status, events } = await readV3(uuid)
    expect({ balance, payment_status }).toEqual({ balance: 0, payment_status: 'paid' })
    expect(events).toMatchObject([
      {
        event_type: 'order.pay',
        event_data: { order_uuid: uuid, amount: 700.25, balance: 999.75 },
      },
      { event_type: 'order.pay', event_data: { amount: 999.75, balance: 0 } },
    ])
  })

  it('refuses more than the balance unless that is allowed', async () => {
    const uuid = await placed()
    const refused = await operator.pay(uuid, { amount: PRICE + 0.01 })
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', balance: PRICE, errors: [{ field: 'amount' }] },
    })
    expect(refused.body.detail).toBe(
      'amount is $0.01 more than the balance of $1,700.00; ' +
        'send allow_overpayment: true (--allow-overpayment) if that much was paid.',
    )
    const more = { amount: PRICE + 100, allow_overpayment: true }
    expect((await operator.pay(uuid, more)).body).toMatchObject({
      payment_status: 'paid',
      balance: -100,
    })
    expect((await operator.pay(uuid, { amount: 1 })).body.detail).toContain(
      'nothing is left to pay',
    )
    expect((await operator.pay(uuid, { ...more, amount: 1 })).body.balance).toBe(-101)
  })

  it('is repeated with its key without being paid twice', async () => {
    const uuid = await placed()
    const pay = () => operator.pay(uuid, { amount: 100 }, { 'idempotency-key': `pay-${uuid}` })
    expect((await pay()).body.balance).toBe(PRICE - 100)
    const again = await pay()
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body.balance).toBe(PRICE - 100)
    expect((await operator.order(uuid)).payments).toHaveLength(1)
  })

  it.each([
    [{}, 'amount'],
    [{ amount: 0 }, 'amount'],
    [{ amount: -5 }, 'amount'],
    [{ amount: 1.005 }, 'amount'],
    [{ amount: 1e12 }, 'amount'],
    [{ amount: '5' }, 'amount'],
    [{ amount: 5, paid_on: 'yesterday' }, 'paid_on'],
    [{ amount: 5, paid_on: '2026-02-31' }, 'paid_on'],
    [{ amount: 5, paid_on: '2999-01-01' }, 'paid_on'],
    [{ amount: 5, method: 'two\nlines' }, 'method'],
    [{ amount: 5, refference: 'x' }, 'refference'],
  ])('refuses %j', async (body, field) => {
    const uuid = await placed()
    const { status, body: problem } = await operator.pay(uuid, body)
    expect([status, problem.errors?.[0].field]).toEqual([422, field])
    expect((await operator.order(uuid)).balance).toBe(PRICE)
  })

  it('refuses a memo, an order that does not exist, and a merchant', async () => {
    const memo = await placed({ order_type: 'memo' })
    const refused = await operator.pay(memo, { amount: 5 })
    expect([refused.status, refused.body.code]).toEqual([409, 'wrong_state'])
    expect(refused.body.detail).toContain('must be converted')
    const unknown = '00000000-0000-7000-8000-000000000000'
    expect((await operator.pay(unknown, { amount: 5 })).status).toBe(404)
    const path = `/api/operator/orders/${memo}/payments`
    const call = { token: market.buyer.key, body: { amount: 5 } }
    expect((await market.call('POST', path, call)).status).toBe(403)
  })

  it('counts cents exactly, however the payments are split', async () => {
    const uuid = await placed()
    for (let count = 0; count < 16; count++) await operator.pay(uuid, { amount: 0.1 + 100 })
    expect((await operator.order(uuid)).balance).toBe(98.4)
  })

  it('made by many at once never pays more than the balance', async () => {
    const uuid = await placed()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => operator.pay(uuid, { amount: 500 })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect((await operator.order(uuid)).balance).toBe(200)
  })
})

describe('pay', () => {
  it('pays what is left, and is refused when nothing is', async () => {
    const uuid = await placed()
    await operator.pay(uuid, { amount: 1000 })
    const paid = await operator.act(uuid, 'pay')
    expect(paid.body).toMatchObject({
      payment_status: 'paid',
      balance: 0,
      payments: [{ amount: 1000 }, { amount: 700, made_by: 'operator' }],
    })
    expect((await operator.act(uuid, 'pay')).body.detail).toContain('paid already')
  })

  it('is not possible for an order that was cancelled, which owes nothing', async () => {
    const uuid = await placed()
    expect((await operator.act(uuid, 'cancel')).body).toMatchObject({
      balance: 0,
      payment_status: null,
      credits: [{ amount: PRICE, label: 'Cancelled goods' }],
    })
    const refused = await operator.act(uuid, 'pay')
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'The order is cancelled; nothing is left to do.',
    ])
  })
})

describe('the balance', () => {
  it('falls with goods that are cancelled, and the total stays as agreed', async () => {
    const { body } = await market.place(await operator.stones(2))
    await operator.pay(body.uuid, { amount: PRICE })
    const line_items = [{ uuid: body.line_items[1].uuid, quantity: 1 }]
    const left = await operator.act(body.uuid, 'cancel', { line_items, reason: 'not needed' })
    expect(left.body).toMatchObject({
      total: 2 * PRICE,
      balance: 0,
      payment_status: 'paid',
      credits: [{ amount: PRICE, reason: 'not needed' }],
    })
    const nothing = await operator.act(body.uuid, 'cancel')
    expect(nothing.body).toMatchObject({ balance: -PRICE, order_status: 'cancelled' })
  })
})

describe('payment terms', () => {
  it('give the due date once the order has its invoice', async () => {
    const buyer = await operator.buyerWith({ payment_terms_days: 10 })
    const [sku] = await operator.stones(1)
    const { body } = await market.place([sku], { by: buyer.key, version: 'v3' })
    expect(body).toMatchObject({ balance: PRICE, charges: [], due_on: null })
    const shipped = await operator.act(body.uuid, 'fulfill', TRACKING)
    const invoiced = Date.parse(shipped.body.invoiced_on.slice(0, 10))
    expect(Date.parse(shipped.body.due_on) - invoiced).toBe(10 * 86_400_000)
    expect(shipped.body.due_on).toMatch(/^\d{4}-\d\d-\d\d$/)
  })

  it('of 0 days let nothing ship before it is paid', async () => {
    const buyer = await operator.buyerWith({ payment_terms_days: 0 })
    const [sku] = await operator.stones(1)
    const { body } = await market.place([sku], { by: buyer.key })
    await operator.pay(body.uuid, { amount: PRICE - 1 })
    const refused = await operator.act(body.uuid, 'fulfill', TRACKING)
    expect(refused).toMatchObject({ status: 409, body: { code: 'unpaid', balance: 1 } })
    expect(refused.body.detail).toBe(
      'The order is prepaid, and $1.00 is not paid yet; record the payment, then ship it.',
    )
    await operator.act(body.uuid, 'pay')
    expect((await operator.act(body.uuid, 'fulfill', TRACKING)).status).toBe(200)
  })

  it('of 0 days let a memo ship, which owes nothing', async () => {
    const buyer = await operator.buyerWith({ payment_terms_days: 0 })
    const [sku] = await operator.stones(1)
    const { body } = await market.place([sku], { by: buyer.key, body: { order_type: 'memo' } })
    expect((await operator.act(body.uuid, 'fulfill', TRACKING)).body.balance).toBe(0)
  })

  it('are those at placement: new terms hold for new orders', async () => {
    const buyer = await operator.buyerWith({ payment_terms_days: 5 })
    const [sku] = await operator.stones(1)
    const { body } = await market.place([sku], { by: buyer.key })
    await market.call('PATCH', `/api/operator/merchants/${buyer.merchant.uuid}`, {
      token: market.adminKey,
      body: { payment_terms_days: 0 },
    })
    expect((await operator.order(body.uuid)).payment_terms_days).toBe(5)
    expect((await operator.act(body.uuid, 'fulfill', TRACKING)).status).toBe(200)
  })
})
