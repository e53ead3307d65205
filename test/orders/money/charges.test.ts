import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addParcel, type OrderMarket, openOrderMarket } from '../order-support.ts'
import { operatorOf, PRICE, TRACKING } from './money-support.ts'

let market: OrderMarket
let operator: ReturnType<typeof operatorOf>
beforeAll(async () => {
  market = await openOrderMarket()
  operator = operatorOf(market)
})
afterAll(() => market.close())

async function placed(body: object = {}): Promise<string> {
  return (await market.place(await operator.stones(1), { body: { ...body } })).body.uuid
}

interface Charged {
  amount: number
}

const SHIPPING = { kind: 'shipping', label: 'Insured shipping', amount: 45 }
const TAX = { kind: 'tax', label: 'Sales tax', amount: 150.88 }
const DISCOUNT = { kind: 'discount', label: 'Loyal buyer', amount: 100 }

describe('PUT /api/operator/orders/{uuid}/charges', () => {
  it('replaces the charges, which the merchant sees and owes', async () => {
    const uuid = await placed()
    const put = await operator.charge(uuid, [SHIPPING, TAX, DISCOUNT])
    expect(put).toMatchObject({
      status: 200,
      body: { charges: [SHIPPING, TAX, DISCOUNT], balance: 1795.88, total: PRICE },
    })
    const token = market.buyer.key
    const seen = await market.call('GET', `/api/v3/orders/${uuid}`, { token })
    expect(seen.body).toMatchObject({ charges: [SHIPPING, TAX, DISCOUNT], balance: 1795.88 })
    expect(seen.body.events).toMatchObject([{ event_type: 'order.charge' }])
    const again = await operator.charge(uuid, [{ ...SHIPPING, amount: 60 }])
    expect(again.body).toMatchObject({ charges: [{ amount: 60 }], balance: 1760 })
    expect((await operator.charge(uuid, [])).body).toMatchObject({ charges: [], balance: PRICE })
  })

  it('writes nothing when nothing changes', async () => {
    const uuid = await placed()
    const { body } = await operator.charge(uuid, [SHIPPING, TAX])
    const again = await operator.charge(uuid, [SHIPPING, TAX])
    expect(again.body).toEqual(body)
  })

  it('opens an order that was paid, and pays one that costs nothing', async () => {
    const uuid = await placed()
    await operator.act(uuid, 'pay')
    expect((await operator.charge(uuid, [SHIPPING])).body).toMatchObject({
      payment_status: null,
      balance: 45,
    })
    expect((await operator.act(uuid, 'pay')).body.payment_status).toBe('paid')
    const free = await placed()
    const gift = [{ ...DISCOUNT, amount: PRICE }]
    expect((await operator.charge(free, gift)).body).toMatchObject({
      payment_status: 'paid',
      balance: 0,
    })
  })

  it('is refused once the invoice is made', async () => {
    const uuid = await placed()
    await operator.act(uuid, 'fulfill', TRACKING)
    const refused = await operator.charge(uuid, [SHIPPING])
    expect([refused.status, refused.body.code]).toEqual([409, 'wrong_state'])
    expect(refused.body.detail).toContain('its charges are final')
    const memo = await placed({ order_type: 'memo' })
    expect((await operator.charge(memo, [SHIPPING])).body.detail).toContain('A memo has no charges')
    await operator.act(memo, 'convert')
    expect((await operator.charge(memo, [SHIPPING])).status).toBe(409)
    const cancelled = await placed()
    await operator.act(cancelled, 'cancel')
    expect((await operator.charge(cancelled, [SHIPPING])).body.detail).toContain('is cancelled')
  })

  it.each([
    [[{ ...SHIPPING, amount: 0 }], '[0].amount'],
    [[{ ...SHIPPING, amount: -1 }], '[0].amount'],
    [[{ ...SHIPPING, amount: 1.001 }], '[0].amount'],
    [[{ ...SHIPPING, kind: 'postage' }], '[0].kind'],
    [[SHIPPING, { ...SHIPPING, label: '' }], '[1].label'],
    [[{ kind: 'fee', amount: 1 }], '[0].label'],
    [[{ ...DISCOUNT, amount: PRICE + 0.01 }], '[0].amount'],
  ])('refuses %j', async (body, field) => {
    const { status, body: problem } = await operator.charge(await placed(), body)
    expect([status, problem.errors[0].field]).toEqual([422, field])
  })

  it('refuses more charges than an invoice has room for, and what is not a list', async () => {
    const uuid = await placed()
    expect((await operator.charge(uuid, Array(21).fill(SHIPPING))).status).toBe(422)
    expect((await operator.charge(uuid, { charges: [] })).status).toBe(422)
  })
})

describe('charge rules', () => {
  const token = () => market.adminKey
  const add = (body: object) =>
    market.call('POST', '/api/operator/charge_rules', { token: token(), body })
  const rules = async () =>
    (await market.call('GET', '/api/operator/charge_rules', { token: token() })).body.charge_rules
  async function removeAll(): Promise<void> {
    for (const { uuid } of await rules()) {
      const path = `/api/operator/charge_rules/${uuid}`
      expect((await market.call('DELETE', path, { token: token() })).status).toBe(204)
      expect((await market.call('DELETE', path, { token: token() })).status).toBe(404)
    }
  }

  it('add charges by shipping country when an order is placed', async () => {
    expect((await add({ country_code: 'USA', kind: 'shipping', amount: 45 })).body).toMatchObject({
      country_code: 'US',
      label: 'Shipping',
      amount: 45,
      percent: null,
    })
    await add({ country_code: 'US', kind: 'tax', percent: 8.875, label: 'NY sales tax' })
    await add({ kind: 'shipping', amount: 95 })
    await add({ kind: 'insurance', amount: 5, percent: 0.5 })
    const american = await market.merchant({ shipping_country_code: 'US' })
    const dry = { dry_run: true }
    const [sku] = await operator.stones(1)
    const planned = await market.place([sku], { by: american.key, version: 'v3', body: dry })
    const placed = await market.place([sku], { by: american.key, version: 'v3' })
    expect(placed.body).toMatchObject({
      charges: [
        { kind: 'shipping', label: 'Shipping', amount: 45 },
        { kind: 'tax', label: 'NY sales tax', amount: 150.88 },
        { kind: 'insurance', label: 'Insurance', amount: 13.5 },
      ],
      total: PRICE,
      balance: 1909.38,
    })
    expect(planned.body).toMatchObject({ charges: placed.body.charges, balance: 1909.38 })
    const german = await market.merchant({ shipping_country_code: 'DE' })
    const abroad = await market.place(await operator.stones(1), { by: german.key, version: 'v3' })
    expect(abroad.body.charges).toMatchObject([{ amount: 95 }, { amount: 13.5 }])
    await removeAll()
    expect(await rules()).toEqual([])
  })

  it('may charge the largest amount that the interface accepts, and no more', async () => {
    const most = 10_000_000_000
    expect((await add({ kind: 'fee', amount: most })).body).toMatchObject({ amount: most })
    expect((await add({ kind: 'fee', amount: most + 1 })).status).toBe(422)
    await removeAll()
  })

  it('add them to a memo when it is converted', async () => {
    await add({ kind: 'fee', amount: 20 })
    const uuid = await placed({ order_type: 'memo' })
    expect((await operator.order(uuid)).charges).toEqual([])
    expect((await operator.act(uuid, 'convert')).body).toMatchObject({
      charges: [{ kind: 'fee', label: 'Fee', amount: 20 }],
      balance: PRICE + 20,
    })
    await removeAll()
  })

  it('in percent fall with goods that are cancelled, others when nothing is left', async () => {
    await add({ kind: 'tax', percent: 8.875 })
    await add({ kind: 'shipping', amount: 45 })
    const sku = await addParcel(market.database.db, 100)
    const { body } = await market.place([], { body: { line_items: [{ sku, quantity: 9 }] } })
    const cancel = (quantity: number) => {
      const line_items = [{ uuid: body.line_items[0].uuid, quantity }]
      return operator.act(body.uuid, 'cancel', { line_items })
    }
    // Nine at 1.625 are 14.63, with 1.30 of tax; four are 6.50, with 0.58.
    expect((await operator.order(body.uuid)).balance).toBe(60.93)
    expect((await cancel(5)).body).toMatchObject({ balance: 52.08, charges: [{ amount: 1.3 }, {}] })
    expect((await cancel(4)).body).toMatchObject({ balance: 0, payment_status: null })
    await removeAll()
  })

  it('that were credited in part and then replaced do not count in the sum', async () => {
    await add({ kind: 'tax', percent: 10 })
    const { body } = await market.place(await operator.stones(2))
    const line_items = [{ uuid: body.line_items[0].uuid, quantity: 1 }]
    const credited = await operator.act(body.uuid, 'cancel', { line_items })
    expect(credited.body.credits).toMatchObject([{ amount: PRICE }, { amount: 170, label: 'Tax' }])
    const { total, charges, credits, balance } = (await operator.charge(body.uuid, [SHIPPING])).body
    expect({ total, charges, credits, balance }).toMatchObject({
      total: 2 * PRICE,
      charges: [SHIPPING],
      credits: [{ amount: PRICE, label: 'Cancelled goods' }],
      balance: PRICE + 45,
    })
    await removeAll()
  })

  it('in percent stay so when the operator changes another charge', async () => {
    await add({ kind: 'shipping', amount: 45 })
    await add({ kind: 'tax', percent: 10 })
    const [express, tax] = [
      { kind: 'shipping', label: 'Shipping', amount: 60 },
      { kind: 'tax', label: 'Tax', amount: 340 },
    ]
    const afterwards = []
    for (const steps of [
      ['charge', 'cancel'],
      ['cancel', 'charge'],
    ]) {
      const { uuid, line_items } = (await market.place(await operator.stones(2))).body
      const cancelled = { line_items: [{ uuid: line_items[0].uuid, quantity: 1 }] }
      for (const step of steps) {
        const { status } =
          step === 'charge'
            ? await operator.charge(uuid, [express, tax])
            : await operator.act(uuid, 'cancel', cancelled)
        expect(status).toBe(200)
      }
      const { total, credits, balance } = await operator.order(uuid)
      afterwards.push({ total, balance, credited: credits.map(({ amount }: Charged) => amount) })
    }
    const expected = { total: 2 * PRICE, balance: PRICE + 60 + 170, credited: [PRICE, 170] }
    expect(afterwards).toEqual([expected, expected])
    await removeAll()
  })

  it('never make an order cost less than nothing', async () => {
    await add({ kind: 'discount', amount: 5000 })
    const { body } = await market.place(await operator.stones(1), { version: 'v3' })
    expect(body).toMatchObject({
      charges: [{ kind: 'discount', amount: PRICE }],
      balance: 0,
      payment_status: 'paid',
    })
    await removeAll()
  })

  it.each([
    [{ kind: 'shipping' }, 'amount'],
    [{ kind: 'postage', amount: 1 }, 'kind'],
    [{ kind: 'shipping', amount: 0 }, 'amount'],
    [{ kind: 'tax', percent: 0 }, 'percent'],
    [{ kind: 'tax', percent: 101 }, 'percent'],
    [{ kind: 'tax', percent: 1.0001 }, 'percent'],
    [{ kind: 'tax', percent: 1, country_code: 'XX' }, 'country_code'],
    [{ kind: 'tax', percent: 1, label: '' }, 'label'],
  ])('refuse %j', async (body, field) => {
    const refused = await add(body)
    expect([refused.status, refused.body.errors[0].field]).toEqual([422, field])
  })
})
