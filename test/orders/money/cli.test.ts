import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runPavilion } from '../../support/command-line.ts'
import { TEST_SECRET_KEY } from '../../support/secrets.ts'
import { addStone, addStones, type OrderMarket, openOrderMarket } from '../order-support.ts'

let market: OrderMarket
beforeAll(async () => {
  market = await openOrderMarket()
})
afterAll(() => market.close())

const run = (...args: string[]) =>
  runPavilion(args, { DATABASE_URL: market.database.url, PAVILION_SECRET_KEY: TEST_SECRET_KEY })
async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

describe('pavilion order', () => {
  it('charges an order and records its payments, also by its number', async () => {
    const sku = await addStone(market.database.db)
    const { body } = await market.place([sku], { body: { order_id: "PO-1's" } })
    const charges = ['--charge', 'shipping:45', '--charge', 'discount:100.50:Loyal: buyer']
    expect(await json('order', 'charge', "PO-1's", ...charges)).toMatchObject({
      uuid: body.uuid,
      balance: 1644.5,
      charges: [
        { kind: 'shipping', label: 'Shipping', amount: 45 },
        { kind: 'discount', label: 'Loyal: buyer', amount: 100.5 },
      ],
    })
    const details = ['--method', 'wire', '--reference', 'T-1', '--paid-on', '2026-01-31']
    const part = await run('order', 'pay', body.uuid, '--amount', '600', ...details)
    expect(part.stdout).toContain('Paid on 2026-01-31 by wire: $600.00')
    expect(part.stdout).toContain('Balance: $1,044.50')
    const refused = await run('order', 'pay', body.uuid, '--amount', '1044.51')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('$0.01 more')])
    expect(await json('order', 'pay', body.uuid)).toMatchObject({
      payment_status: 'paid',
      payments: [{ amount: 600 }, { amount: 1044.5, made_by: 'operator (command line)' }],
    })
    expect((await run('order', 'show', 'PO-2')).stderr).toContain('There is no order PO-2')
  })

  it('shows what was credited, so that the amounts add up to the balance', async () => {
    const skus = await addStones(market.database.db, 2)
    const { uuid, line_items } = (await market.place(skus)).body
    await run('order', 'charge', uuid, '--charge', 'discount:100:Loyal buyer')
    const { stdout } = await run('order', 'cancel', uuid, '--line', `${line_items[0].uuid}:1`)
    expect(stdout).toContain('$3400')
    const money = stdout.split('\n').filter((line) => line.includes(': ') && line.includes('$'))
    expect(money).toEqual([
      'Loyal buyer: -$100.00',
      'Credit (Cancelled goods): -$1,700.00',
      'Credit (Loyal buyer): $50.00',
      'Balance: $1,650.00',
    ])
  })

  it.each([
    ['order', 'pay', 'PO-1', '--amount', '0'],
    ['order', 'pay', 'PO-1', '--amount', '1.001'],
    ['order', 'pay', 'PO-1', '--method', 'wire'],
    ['order', 'charge', 'PO-1'],
    ['order', 'charge', 'PO-1', '--none', '--charge', 'fee:1'],
    ['order', 'charge', 'PO-1', '--charge', 'postage:1'],
    ['charge-rule', 'add', '--kind', 'tax'],
    ['charge-rule', 'add', '--kind', 'tax', '--percent', '101'],
    ['merchant', 'set', 'x@shop.example', '--credit-limit', 'much'],
    ['merchant', 'set', 'x@shop.example', '--payment-terms-days', '366'],
    ['margin', 'set', '--merchant', 'x@shop.example'],
  ])('refuses wrong usage: %s %s %s %s %s', async (...args) => {
    expect((await run(...args)).code).toBe(2)
  })
})

describe('pavilion charge-rule', () => {
  it('adds, lists and removes rules', async () => {
    const rule = ['--country', 'us', '--kind', 'tax', '--percent', '8.875', '--label', 'NY tax']
    const added = await json('charge-rule', 'add', ...rule)
    expect(added).toMatchObject({ country_code: 'US', label: 'NY tax', amount: null })
    expect(added.percent).toBe(8.875)
    expect((await run('charge-rule', 'list')).stdout).toContain('NY tax')
    expect((await run('charge-rule', 'remove', added.uuid)).stdout).toContain('Removed')
    expect((await run('charge-rule', 'list')).stdout).toContain('No charge rules')
    expect((await run('charge-rule', 'remove', added.uuid)).code).toBe(1)
  })
})

describe('pavilion merchant', () => {
  it('sets terms and shows them, the account and the ledger', async () => {
    const buyer = await market.merchant()
    const { email } = buyer.merchant
    const terms = ['--payment-terms-days', '14', '--credit-limit', '5000.50', '--memo-limit', '0']
    expect(await json('merchant', 'set', email, ...terms)).toMatchObject({
      payment_terms_days: 14,
      credit_limit: 5000.5,
      memo_limit: 0,
    })
    const lifted = await run('merchant', 'set', email, '--memo-limit', 'none')
    expect(lifted.stdout).toContain('Pays within 14 days; credit limit: $5000.5; memo limit: none')
    await market.place([await addStone(market.database.db)], { by: buyer.key })
    expect(await json('merchant', 'account', email)).toMatchObject({
      unpaid: 1700,
      available_credit: 3300.5,
      ageing: [{ bucket: 'current', orders: 1, amount: 1700 }, {}, {}, {}, {}],
    })
    expect((await run('merchant', 'account', email)).stdout).toContain('Unpaid: $1700')
    expect(await json('merchant', 'ledger', email)).toMatchObject([
      { kind: 'order', amount: 1700, made_by: 'merchant' },
    ])
  })
})

describe('pavilion margin', () => {
  it('clears all tiers of a merchant', async () => {
    const { email } = (await market.merchant()).merchant
    const merchant = ['--merchant', email]
    await run('margin', 'set', ...merchant, '--tier', '0-10:30/45')
    await run('margin', 'set', ...merchant, '--product', 'gemstone', '--tier', '0-10:20/20')
    expect(await json('margin', 'list', ...merchant)).toHaveLength(2)
    expect(await json('margin', 'clear', ...merchant, '--product', 'gemstone')).toHaveLength(1)
    expect((await run('margin', 'clear', ...merchant)).stdout).toContain('default margins apply')
    expect(await json('margin', 'list', ...merchant)).toEqual([])
  })
})
