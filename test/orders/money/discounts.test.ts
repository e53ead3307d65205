import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagesOf } from '../documents/document-support.ts'
import { addParcel, addStones } from '../order-support.ts'
import { openReturnMarket, type ReturnMarket } from '../returns/return-support.ts'
import { operatorOf, TRACKING } from './money-support.ts'

let market: ReturnMarket
let operator: ReturnType<typeof operatorOf>
beforeAll(async () => {
  market = await openReturnMarket()
  operator = operatorOf(market)
})
afterAll(() => market.close())

const off = (amount: number) => ({ kind: 'discount', label: 'Loyal buyer', amount })
const SHIPPING = { kind: 'shipping', label: 'Shipping', amount: 45 }

/** An order of stones at these prices, with charges. */
async function charged(prices: string[], charges: object[], by = market.buyer.key) {
  const skus = await addStones(market.database.db, prices.length, (index) => {
    return { wholesale_price_us: prices[index], returnable: true, days_to_return: 14 }
  })
  const { body } = await market.place(skus, { by })
  const put = await operator.charge(body.uuid, charges)
  expect(put.status, put.text).toBe(200)
  return body
}

const one = (order: { line_items: { uuid: string }[] }, at: number) => ({
  line_items: [{ uuid: order.line_items[at].uuid, quantity: 1 }],
})

async function receive(order: { uuid: string; line_items: { uuid: string }[] }, at?: number) {
  const lines = at === undefined ? undefined : one(order, at).line_items
  const { uuid } = await market.asked(order, lines)
  await market.decide(uuid, 'approve')
  await market.decide(uuid, 'receive')
  return operator.order(order.uuid)
}

describe('a fixed discount', () => {
  it('is not credited with the goods that come back', async () => {
    const order = await charged(['23.69'], [off(7.11)])
    await operator.act(order.uuid, 'fulfill', TRACKING)
    expect((await operator.act(order.uuid, 'pay')).body.payments).toMatchObject([{ amount: 16.58 }])
    expect(await receive(order)).toMatchObject({
      balance: -16.58,
      credits: [{ amount: 23.69 }, { amount: -7.11, label: 'Loyal buyer' }],
    })
    const [page] = await pagesOf(market, order.uuid, 'credit_note', market.buyer.key)
    expect(page).toContain('Total credit USD 16.58')
  })

  it('falls with what is cancelled, so that the rest is still to be paid', async () => {
    const order = await charged(['63.79', '64.82'], [off(123.61)])
    // 123.61 × 64.82 / 128.61 is 62.30.
    expect((await operator.act(order.uuid, 'cancel', one(order, 0))).body).toMatchObject({
      balance: 2.52,
      payment_status: null,
    })
    await operator.act(order.uuid, 'fulfill', TRACKING)
    const [page] = await pagesOf(market, order.uuid, 'invoice', market.buyer.key)
    expect(page).toContain('Loyal buyer −62.30 Total USD 2.52')
    expect(await receive(order, 1)).toMatchObject({ balance: 0, payment_status: 'paid' })
  })

  it('does not let a prepaid order ship unpaid after a part is cancelled', async () => {
    const { key } = await operator.buyerWith({ payment_terms_days: 0 })
    const order = await charged(['63.79', '64.82'], [off(123.61)], key)
    await operator.act(order.uuid, 'cancel', one(order, 0))
    const refused = await operator.act(order.uuid, 'fulfill', TRACKING)
    expect([refused.status, refused.body.code]).toEqual([409, 'unpaid'])
    await operator.pay(order.uuid, { amount: 2.52 })
    expect((await operator.act(order.uuid, 'fulfill', TRACKING)).status).toBe(200)
  })

  it('stays as far as it is for other charges than the goods', async () => {
    const order = await charged(['100.00', '100.00'], [SHIPPING, off(245)])
    expect((await operator.act(order.uuid, 'cancel', one(order, 0))).body.balance).toBe(0)
    await operator.act(order.uuid, 'fulfill', TRACKING)
    expect(await receive(order, 1)).toMatchObject({ balance: 0, order_status: 'returned' })
  })

  it('leaves the shipping to be paid when it was for the goods', async () => {
    const order = await charged(['100.00', '100.00'], [SHIPPING, off(50)])
    await operator.act(order.uuid, 'fulfill', TRACKING)
    expect(await receive(order, 0)).toMatchObject({ balance: 120 })
    expect(await receive(order, 1)).toMatchObject({ balance: 45 })
  })

  it('falls by as much in steps as at once, also beside others', async () => {
    const sku = await addParcel(market.database.db, 100)
    const cancelled = async (steps: number[]) => {
      const { body } = await market.place([], { body: { line_items: [{ sku, quantity: 9 }] } })
      await operator.charge(body.uuid, [off(4.88), off(4.88), off(4.87)])
      const balances: number[] = []
      for (const quantity of steps) {
        const line_items = [{ uuid: body.line_items[0].uuid, quantity }]
        balances.push((await operator.act(body.uuid, 'cancel', { line_items })).body.balance)
      }
      return { balances, credits: (await operator.order(body.uuid)).credits }
    }
    const sums = (credits: { amount: number; label: string }[]) =>
      Math.round(credits.reduce((sum, { amount }) => sum + amount * 100, 0))
    const inSteps = await cancelled([2, 1, 3, 2])
    expect(inSteps.balances).toEqual([0, 0, 0, 0])
    expect(sums(inSteps.credits)).toBe(sums((await cancelled([8])).credits))
  })
})

describe('a credit note', () => {
  const notesOf = async (uuid: string) => {
    const { documents } = await operator.order(uuid)
    return documents.filter(({ kind }: { kind: string }) => kind === 'credit_note')
  }

  it('is not written for goods that cost nothing', async () => {
    const order = await charged(['23.69'], [off(23.69)])
    await operator.act(order.uuid, 'fulfill', TRACKING)
    expect(await receive(order)).toMatchObject({ balance: 0, order_status: 'returned' })
    expect(await notesOf(order.uuid)).toEqual([])
  })

  it('is never below nothing where the shares of several discounts are rounded', async () => {
    const percentages = ['33.300', '33.301', '33.302']
    const rules: string[] = []
    for (const percent of percentages) {
      const body = { kind: 'discount', label: 'Rule', percent: Number(percent) }
      rules.push((await market.call('POST', RULES, { token: market.adminKey, body })).body.uuid)
    }
    const { body: order } = await market.place(
      await addStones(market.database.db, 3, () => {
        return { wholesale_price_us: '0.01', returnable: true, days_to_return: 14 }
      }),
    )
    for (const uuid of rules) {
      await market.call('DELETE', `${RULES}/${uuid}`, { token: market.adminKey })
    }
    await operator.act(order.uuid, 'fulfill', TRACKING)
    for (const at of [0, 1, 2]) expect(await receive(order, at)).toMatchObject({ balance: 0 })
    expect(await notesOf(order.uuid)).toEqual([])
  })

  it('is never below nothing in an order whose discount did not fall with the goods', async () => {
    const order = await charged(['100.00', '100.00', '100.00'], [off(150)])
    await operator.act(order.uuid, 'cancel', one(order, 0))
    await forgetFallenDiscount(order.uuid)
    await operator.act(order.uuid, 'fulfill', TRACKING)
    // The discount should have been 100: it falls by 100 to 50, as much as the goods.
    expect(await receive(order, 1)).toMatchObject({ balance: 50 })
    expect(await notesOf(order.uuid)).toEqual([])
    expect(await receive(order, 2)).toMatchObject({ balance: 0 })
    expect(await notesOf(order.uuid)).toHaveLength(1)
  })

  /** As before discounts fell with goods that were cancelled. */
  async function forgetFallenDiscount(uuid: string): Promise<void> {
    const { db } = market.database
    await sql`alter table ledger_entry disable trigger ledger_is_append_only`.execute(db)
    await sql`delete from ledger_entry
      where order_uuid = ${uuid} and kind = 'credit' and charge_number is not null`.execute(db)
    await sql`alter table ledger_entry enable trigger ledger_is_append_only`.execute(db)
  }
})

const RULES = '/api/operator/charge_rules'

describe('a discount of a rule', () => {
  const token = () => market.adminKey

  it.each([
    // 10 % of 300 and of 100.
    [{ percent: 10 }, 30, 90],
    // 10 % and 15, of which a third is left.
    [{ percent: 10, amount: 15 }, 45, 85],
    // Cut to what the order costs.
    [{ percent: 50, amount: 200 }, 300, 0],
  ])('with %j falls with the goods', async (rule, amount, balance) => {
    const body = { kind: 'discount', label: 'Rule', ...rule }
    const added = await market.call('POST', RULES, { token: token(), body })
    const skus = await addStones(market.database.db, 2, (index) => {
      return { wholesale_price_us: ['200.00', '100.00'][index] }
    })
    const order = (await market.place(skus, { version: 'v3' })).body
    await market.call('DELETE', `${RULES}/${added.body.uuid}`, { token: token() })
    expect(order.charges).toMatchObject([{ amount }])
    const left = await operator.act(order.uuid, 'cancel', one(order, 0))
    expect(left.body.balance).toBe(balance)
    expect((await operator.act(order.uuid, 'cancel')).body.balance).toBe(0)
  })
})
